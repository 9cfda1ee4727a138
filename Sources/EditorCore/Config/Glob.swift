/// A pattern for paths as `.editorconfig` has them: `*`, `**`, `?`, `[a-z]`, `[!a-z]`, `{one,two}`, `{1..9}`, `\` before a sign.
///
/// One without a slash is for a name in any folder, any other for the path from the folder of the file that has it.
struct Glob {
  private indirect enum Part {
    case byte(UInt8)
    /// One of them, or one that is none of them; never a slash.
    case oneOf([ClosedRange<UInt8>], isNegated: Bool)
    case any(acrossFolders: Bool)
    case either([[Part]])
    case number(ClosedRange<Int>)
  }

  private var parts: [Part] = []
  private static let longestPattern = 4096
  private static let deepest = 16
  /// A pattern that takes more steps fits nothing.
  private static let mostSteps = 100_000

  init(_ pattern: String) {
    var bytes = Array(pattern.utf8.prefix(Self.longestPattern))
    if bytes.first == Self.slash {
    } else if bytes.contains(Self.slash) {
      bytes.insert(Self.slash, at: 0)
    } else {
      bytes.insert(contentsOf: "**/".utf8, at: 0)
    }
    parts = Self.parse(bytes[...], depth: 0)
  }

  private static let slash = UInt8(ascii: "/")

  /// - Parameter path: With a slash before it.
  func matches(_ path: String) -> Bool {
    var steps = Self.mostSteps
    return Self.match(parts[...], Array(path.utf8)[...], &steps)
  }

  // MARK: Reading

  private static func parse(_ pattern: ArraySlice<UInt8>, depth: Int) -> [Part] {
    var parts: [Part] = []
    var rest = pattern
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\\"): parts.append(.byte(rest.popFirst() ?? byte))
      case UInt8(ascii: "?"): parts.append(.oneOf([], isNegated: true))
      case UInt8(ascii: "*"):
        let isDouble = rest.first == byte
        if isDouble { rest.removeFirst() }
        parts.append(.any(acrossFolders: isDouble))
      case UInt8(ascii: "["): parts.append(set(&rest) ?? .byte(byte))
      case UInt8(ascii: "{"): parts.append(depth < deepest ? choice(&rest, depth) ?? .byte(byte) : .byte(byte))
      default: parts.append(.byte(byte))
      }
    }
    return parts
  }

  private static func set(_ rest: inout ArraySlice<UInt8>) -> Part? {
    guard let end = rest.dropFirst().firstIndex(of: UInt8(ascii: "]")), !rest[..<end].contains(slash) else {
      return nil
    }
    var members = rest[..<end]
    rest = rest[(end + 1)...]
    let isNegated = members.first == UInt8(ascii: "!")
    if isNegated { members.removeFirst() }
    var ranges: [ClosedRange<UInt8>] = []
    while let first = members.popFirst() {
      if members.first == UInt8(ascii: "-"), let last = members.dropFirst().first, last >= first {
        members = members.dropFirst(2)
        ranges.append(first...last)
      } else {
        ranges.append(first...first)
      }
    }
    return .oneOf(ranges, isNegated: isNegated)
  }

  /// Without a comma, and no range of numbers, braces are themselves.
  private static func choice(_ rest: inout ArraySlice<UInt8>, _ depth: Int) -> Part? {
    var level = 1
    var commas: [Int] = []
    var index = rest.startIndex
    while index < rest.endIndex, level > 0 {
      switch rest[index] {
      case UInt8(ascii: "\\"): index += 1
      case UInt8(ascii: "{"): level += 1
      case UInt8(ascii: "}"): level -= 1
      case UInt8(ascii: ",") where level == 1: commas.append(index)
      default: break
      }
      index += 1
    }
    guard level == 0 else { return nil }
    let inside = rest[..<(index - 1)]
    guard !commas.isEmpty else {
      guard let numbers = numbers(inside) else { return nil }
      rest = rest[index...]
      return .number(numbers)
    }
    let starts = [inside.startIndex] + commas.map { $0 + 1 }
    let ends = commas + [inside.endIndex]
    rest = rest[index...]
    return .either(zip(starts, ends).map { parse(inside[$0..<$1], depth: depth + 1) })
  }

  private static func numbers(_ text: ArraySlice<UInt8>) -> ClosedRange<Int>? {
    let bounds = String(decoding: text, as: UTF8.self).split(separator: "..").map { Int($0) }
    guard bounds.count == 2, let first = bounds[0], let last = bounds[1] else { return nil }
    return min(first, last)...max(first, last)
  }

  // MARK: Matching

  private static func match(_ parts: ArraySlice<Part>, _ text: ArraySlice<UInt8>, _ steps: inout Int) -> Bool {
    steps -= 1
    guard steps > 0 else { return false }
    guard let part = parts.first else { return text.isEmpty }
    let behind = parts.dropFirst()
    switch part {
    case .byte(let byte): return text.first == byte && match(behind, text.dropFirst(), &steps)
    case .oneOf(let ranges, let isNegated):
      guard let byte = text.first, byte != slash, ranges.contains(where: { $0.contains(byte) }) != isNegated else {
        return false
      }
      // All of a character.
      let rest = text.dropFirst().drop { isNegated && $0 & 0xC0 == 0x80 }
      return match(behind, rest, &steps)
    case .any(let acrossFolders):
      var rest = text
      while true {
        if match(behind, rest, &steps) { return true }
        guard let byte = rest.popFirst(), acrossFolders || byte != slash else { return false }
      }
    case .either(let choices):
      for choice in choices where match(choice + behind, text, &steps) { return true }
      return false
    case .number(let range):
      let sign = text.first == UInt8(ascii: "-") ? 1 : 0
      let digits = text.dropFirst(sign).prefix { (0x30...0x39).contains($0) }.count
      guard digits > 0, let number = Int(String(decoding: text.prefix(sign + digits), as: UTF8.self)),
        range.contains(number)
      else { return false }
      return match(behind, text.dropFirst(sign + digits), &steps)
    }
  }
}
