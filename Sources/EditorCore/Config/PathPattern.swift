/// A pattern for paths as steps, of which each place of a path is tried with each step once: whatever it says, a match takes no more than
/// O(steps · bytes).
struct PathPattern: Sendable {
  enum Step: Sendable {
    case byte(UInt8)
    /// One of these, and all of the character that it begins if that was meant.
    case oneOf(ByteSet, ofCharacter: Bool)
    case any(acrossFolders: Bool)
    case number(ClosedRange<Int>)
    /// Goes on at one of these steps.
    case either([Int])

    /// Any character, which a slash is none of.
    static let character = Step.oneOf(ByteSet().inverted(without: slash), ofCharacter: true)
  }

  static let slash = UInt8(ascii: "/")
  /// A longer one fits nothing.
  static let longest = 4096

  var steps: [Step] = []

  func matches(_ path: ArraySlice<UInt8>, _ budget: inout Budget) -> Bool {
    let places = path.count + 1
    var seen = [UInt64](repeating: 0, count: (steps.count + 1) * places / 64 + 1)
    budget.spend(seen.count)
    var waiting = [(step: 0, place: 0)]
    while let (step, place) = waiting.popLast() {
      let mark = step * places + place
      if seen[mark / 64] >> (mark % 64) & 1 == 1 { continue }
      guard !budget.isSpent else { return false }
      budget.spend()
      seen[mark / 64] |= 1 << (mark % 64)
      let rest = path.dropFirst(place)
      guard step < steps.count else {
        if rest.isEmpty { return true }
        continue
      }
      switch steps[step] {
      case .byte(let byte): if rest.first == byte { waiting.append((step + 1, place + 1)) }
      case .oneOf(let bytes, let ofCharacter):
        guard let first = rest.first, bytes.contains(first) else { continue }
        let count = ofCharacter ? rest.dropFirst().prefix { $0 & 0xC0 == 0x80 }.count : 0
        waiting.append((step + 1, place + 1 + count))
      case .any(let acrossFolders):
        if let byte = rest.first, acrossFolders || byte != Self.slash { waiting.append((step, place + 1)) }
        waiting.append((step + 1, place))
      case .number(let range):
        let count = (rest.first == UInt8(ascii: "-") ? 1 : 0)
        let end = count + rest.dropFirst(count).prefix { (0x30...0x39).contains($0) }.count
        budget.spend(end)
        guard let number = Int(String(decoding: rest.prefix(end), as: UTF8.self)), range.contains(number) else {
          continue
        }
        waiting.append((step + 1, place + end))
      case .either(let next): for step in next.reversed() { waiting.append((step, place)) }
      }
    }
    return false
  }
}

/// Bytes of which one may stand in a place.
struct ByteSet: Sendable {
  private var bits = SIMD4<UInt64>.zero

  init() {}

  /// What stands in brackets: bytes, and ranges of them.
  init(_ text: ArraySlice<UInt8>, without byte: UInt8) {
    var rest = text
    while let first = rest.popFirst() {
      var last = first
      if rest.first == UInt8(ascii: "-"), let end = rest.dropFirst().first {
        rest = rest.dropFirst(2)
        last = end
      }
      if first <= last { for byte in first...last { bits[Int(byte) / 64] |= 1 << (UInt64(byte) % 64) } }
    }
    remove(byte)
  }

  func contains(_ byte: UInt8) -> Bool { bits[Int(byte) / 64] >> (UInt64(byte) % 64) & 1 == 1 }

  func inverted(without byte: UInt8) -> ByteSet {
    var other = self
    other.bits = ~bits
    other.remove(byte)
    return other
  }

  private mutating func remove(_ byte: UInt8) { bits[Int(byte) / 64] &= ~(1 << (UInt64(byte) % 64)) }
}
