/// A pattern for paths as `.editorconfig` has them: `*`, `**`, `?`, `[a-z]`, `[!a-z]`, `{one,two}`, `{1..9}`, `\` before a sign.
///
/// One without a slash is for a name in any folder, any other for the path from the folder of the file that has it.
struct Glob {
  private var pattern = PathPattern()
  private let text: [UInt8]
  /// Of each brace that opens a choice: where that closes, and its commas.
  private let braces: [Int: (end: Int, commas: [Int])]
  /// No set ends behind it.
  private let lastBracket: Int
  private static let deepest = 16
  private static let longestNumbers = 64

  /// O(bytes).
  init(_ pattern: String) {
    var bytes = Array(pattern.utf8.prefix(PathPattern.longest))
    if bytes.first == PathPattern.slash {
    } else if bytes.contains(PathPattern.slash) {
      bytes.insert(PathPattern.slash, at: 0)
    } else {
      bytes.insert(contentsOf: "**/".utf8, at: 0)
    }
    text = bytes
    braces = Self.braces(of: bytes)
    lastBracket = bytes.lastIndex(of: UInt8(ascii: "]")) ?? 0
    read(bytes[...], depth: 0)
  }

  /// - Parameter path: With a slash before it.
  func matches(_ path: String, _ budget: inout Budget) -> Bool { pattern.matches(Array(path.utf8)[...], &budget) }

  private static func braces(of text: [UInt8]) -> [Int: (end: Int, commas: [Int])] {
    var found: [Int: (end: Int, commas: [Int])] = [:]
    var open: [(start: Int, commas: [Int])] = []
    var index = 0
    while index < text.count {
      switch text[index] {
      case UInt8(ascii: "\\"): index += 1
      case UInt8(ascii: "{"): open.append((index, []))
      case UInt8(ascii: ","): if !open.isEmpty { open[open.count - 1].commas.append(index) }
      case UInt8(ascii: "}"): if let brace = open.popLast() { found[brace.start] = (index, brace.commas) }
      default: break
      }
      index += 1
    }
    return found
  }

  private mutating func read(_ part: ArraySlice<UInt8>, depth: Int) {
    var rest = part
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\\"): add(.byte(rest.popFirst() ?? byte))
      case UInt8(ascii: "?"): add(.character)
      case UInt8(ascii: "*"):
        let isDouble = rest.first == byte
        if isDouble { rest.removeFirst() }
        add(.any(acrossFolders: isDouble))
      case UInt8(ascii: "["): add(set(&rest) ?? .byte(byte))
      case UInt8(ascii: "{"): if depth == Self.deepest || !readChoice(&rest, depth) { add(.byte(byte)) }
      default: add(.byte(byte))
      }
    }
  }

  private mutating func add(_ step: PathPattern.Step) { pattern.steps.append(step) }

  private func set(_ rest: inout ArraySlice<UInt8>) -> PathPattern.Step? {
    guard rest.startIndex < lastBracket,
      let end = rest.dropFirst().firstIndex(where: { $0 == UInt8(ascii: "]") || $0 == PathPattern.slash }),
      text[end] != PathPattern.slash, rest.first != PathPattern.slash
    else { return nil }
    let isNegated = rest.first == UInt8(ascii: "!")
    let members = ByteSet(rest[..<end].dropFirst(isNegated ? 1 : 0), without: PathPattern.slash)
    rest = rest[(end + 1)...]
    return .oneOf(isNegated ? members.inverted(without: PathPattern.slash) : members, ofCharacter: isNegated)
  }

  /// Without a comma, and no range of numbers, braces are themselves.
  private mutating func readChoice(_ rest: inout ArraySlice<UInt8>, _ depth: Int) -> Bool {
    guard let (end, commas) = braces[rest.startIndex - 1], end < rest.endIndex else { return false }
    let start = rest.startIndex
    if commas.isEmpty {
      guard let numbers = Self.numbers(rest[..<end]) else { return false }
      add(.number(numbers))
    } else {
      let choice = pattern.steps.count
      add(.either([]))
      var (choices, ends): ([Int], [Int]) = ([], [])
      for (start, end) in zip([start] + commas.map { $0 + 1 }, commas + [end]) {
        choices.append(pattern.steps.count)
        read(text[start..<end], depth: depth + 1)
        ends.append(pattern.steps.count)
        add(.either([]))
      }
      pattern.steps[choice] = .either(choices)
      for end in ends { pattern.steps[end] = .either([pattern.steps.count]) }
    }
    rest = rest[(end + 1)...]
    return true
  }

  private static func numbers(_ text: ArraySlice<UInt8>) -> ClosedRange<Int>? {
    guard text.count <= longestNumbers else { return nil }
    let bounds = String(decoding: text, as: UTF8.self).split(separator: "..").map { Int($0) }
    guard bounds.count == 2, let first = bounds[0], let last = bounds[1] else { return nil }
    return min(first, last)...max(first, last)
  }
}
