import Rope

/// What takes the place of matches of a regular expression: `$1` stands for what the first group matched, `$0` and `$&` for the whole match,
/// `$$` for a dollar sign, `\n` for a line end, `\t` for a tab, `\\` for a backslash. Anything else stands for itself.
struct ReplacementTemplate: Equatable, Sendable {
  enum Part: Equatable, Sendable {
    case text([UInt8])
    /// 0 is the whole match.
    case group(Int)
  }

  private(set) var parts: [Part] = []

  /// - Parameter groupCount: `$12` is the first group and a 2 where there are fewer than twelve.
  init(_ chars: String, groupCount: Int, lineEnding: String = "\n") {
    var rest = chars.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      switch (scalar, rest.first) {
      case ("$", "$"), ("\\", "\\"): append(String(rest.removeFirst()))
      case ("\\", "n"): take(lineEnding, &rest)
      case ("\\", "t"): take("\t", &rest)
      case ("$", "&"):
        rest.removeFirst()
        parts.append(.group(0))
      case ("$", let digit?) where digit.digit.map({ $0 <= groupCount }) == true:
        parts.append(.group(Self.takeNumber(upTo: groupCount, from: &rest)))
      default: append(String(scalar))
      }
    }
  }

  private mutating func take(_ text: String, _ rest: inout Substring.UnicodeScalarView) {
    rest.removeFirst()
    append(text)
  }

  private mutating func append(_ text: String) {
    if case .text(let before)? = parts.last {
      parts[parts.count - 1] = .text(before + text.utf8)
    } else {
      parts.append(.text(Array(text.utf8)))
    }
  }

  private static func takeNumber(upTo limit: Int, from rest: inout Substring.UnicodeScalarView) -> Int {
    var number = 0
    while let digit = rest.first?.digit, number * 10 + digit <= limit {
      number = number * 10 + digit
      rest.removeFirst()
    }
    return number
  }
}

extension Unicode.Scalar {
  fileprivate var digit: Int? { ("0"..."9").contains(self) ? Int(value) - 0x30 : nil }
}

/// Puts what the groups matched into a template, match by match.
struct ReplacementExpander {
  private let matcher: RegularExpression.Matcher
  private let template: ReplacementTemplate
  private let isMultiline: Bool
  private let unifiesLineEnds: Bool
  /// The lines of the last match: a long one is not copied for each.
  private var lines = Range<ByteOffset>(uncheckedBounds: (0, 0))
  private var bytes: [UInt8] = []
  private var searched = UnifiedLineEnds([])

  init(
    _ matcher: RegularExpression.Matcher, _ template: ReplacementTemplate, isMultiline: Bool, unifiesLineEnds: Bool
  ) {
    self.matcher = matcher
    self.template = template
    self.isMultiline = isMultiline
    self.unifiesLineEnds = unifiesLineEnds
  }

  mutating func replacement(for match: Range<ByteOffset>, in text: Rope) -> Rope {
    read(match, of: text)
    let range = match.lowerBound - lines.lowerBound..<match.upperBound - lines.lowerBound
    let found = groups(from: range.lowerBound)
    // An expression that looks far ahead may find something else in these lines alone: then the groups are empty.
    let groups = found.first == range ? found : [range]
    var replacement: [UInt8] = []
    for part in template.parts {
      switch part {
      case .text(let text): replacement += text
      case .group(let number): if number < groups.count, let group = groups[number] { replacement += bytes[group] }
      }
    }
    return Rope(replacement)
  }

  private func groups(from start: Int) -> [Range<Int>?] {
    guard unifiesLineEnds else {
      return bytes.withUnsafeBytes { try? matcher.groups(in: $0, from: start) } ?? []
    }
    let start = searched.offset(ofText: start)
    let found = searched.bytes.withUnsafeBytes { try? matcher.groups(in: $0, from: start) } ?? []
    return found.map { $0.map(searched.rangeInText) }
  }

  /// As they were searched: one by one and without their ends, but for expressions that reach over these.
  private mutating func read(_ match: Range<ByteOffset>, of text: Rope) {
    if lines.lowerBound <= match.lowerBound, match.upperBound <= lines.upperBound, !lines.isEmpty { return }
    let next = text.nextLineStart(after: isMultiline ? match.upperBound : match.lowerBound)
    let start = text.lineStart(of: match.lowerBound)
    var end = next ?? text.endOffset
    if next != nil, !isMultiline {
      end = end - 1
      if end > start, text[end - 1] == 0x0D { end = end - 1 }
    }
    lines = start..<end
    bytes = text.bytes(in: lines)
    if unifiesLineEnds { searched = UnifiedLineEnds(bytes) }
  }
}
