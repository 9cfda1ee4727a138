@testable import Rope

/// The same numbers from the same seed, on every machine.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  // Not times the step of `next`: then all seeds would run through one sequence.
  init(seed: UInt64) { state = seed &* 0xD134_2543_DE82_EF95 &+ 1 }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// Small nodes, so that a few hundred bytes make a deep tree.
let tinyShape = TreeShape(leafSize: 16, branching: 4)

extension SeededGenerator {
  mutating func number(below bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

  /// Text of sequences of every length, with newlines; with `anyBytes` also cut and impossible ones.
  mutating func bytes(upTo limit: Int, anyBytes: Bool) -> [UInt8] {
    let pieces = ["a", "\n", "é", "漢", "🎈", "\r\n", " ", "xyz", "e\u{301}"]
    var bytes: [UInt8] = []
    let count = number(below: limit + 1)
    while bytes.count < count {
      let random = number(below: 4)
      if anyBytes, random == 0 {
        bytes.append([0x80, 0xBF, 0xC3, 0xE2, 0x82, 0xF0, 0x9F, 0xFF, 0xED, 0xA0].randomElement(using: &self) ?? 0x80)
      } else {
        bytes += pieces.randomElement(using: &self)?.utf8.map { $0 } ?? []
      }
    }
    return bytes
  }

  mutating func range(in count: Int) -> Range<ByteOffset> {
    let first = number(below: count + 1)
    let second = number(below: 8) == 0 ? number(below: count + 1) : min(count, first + number(below: 12))
    return ByteOffset(min(first, second))..<ByteOffset(max(first, second))
  }
}

/// What a summary must be, counted the plain way.
func plainSummary(_ bytes: [UInt8]) -> TextSummary {
  var summary = TextSummary()
  var index = 0
  while index < bytes.count {
    let length = (1...4).first { length in
      index + length <= bytes.count
        && String(validating: bytes[index..<(index + length)], as: UTF8.self)?.unicodeScalars.count == 1
    }
    summary.bytes += length ?? 1
    summary.codePoints += 1
    summary.utf16 += length == 4 ? 2 : 1
    summary.invalidBytes += length == nil ? 1 : 0
    summary.newlines += bytes[index] == 10 ? 1 : 0
    index += length ?? 1
  }
  return summary
}

extension Rope {
  init(_ bytes: [UInt8], shape: TreeShape) {
    self = bytes.withUnsafeBytes { Rope($0, shape: shape) }
  }

  var allBytes: [UInt8] { bytes(in: fullRange) }

  /// The first law of the tree that does not hold, or nil.
  var brokenLaw: String? {
    Tree.brokenLaw(tree.root, tree.height, tree.shape, isRoot: true)
  }
}

extension Tree {
  static func brokenLaw(_ node: Node, _ height: Int, _ shape: TreeShape, isRoot: Bool) -> String? {
    if height == 0 {
      if node.leaf.size > shape.leafSize { return "a leaf of \(node.leaf.size)" }
      if !isRoot, node.leaf.size < shape.minimumLeafSize { return "a leaf of only \(node.leaf.size)" }
      return node.leaf.summarize() == node.summary ? nil : "a leaf's summary \(node.summary)"
    }
    let children = (0..<node.branch.count).map { node.branch.children[$0] }
    if children.count > shape.branching { return "\(children.count) children" }
    if children.count < (isRoot ? 2 : shape.minimumBranching) { return "only \(children.count) children" }
    if node.branch.summarize() != node.summary { return "a branch's summary \(node.summary)" }
    return children.lazy.compactMap { brokenLaw($0, height - 1, shape, isRoot: false) }.first
  }
}
