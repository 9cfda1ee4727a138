import EditorProtocol
import Glibc
import Rope

/// What a query looks for, ready to search with, on any thread.
struct SearchPattern: Sendable {
  private let expression: RegularExpression
  private let wholeWords: Bool
  let isRegex: Bool
  /// Matches may reach over line ends.
  let isMultiline: Bool

  init(_ query: FindQuery) throws(RegularExpression.Failure) {
    wholeWords = query.wholeWords
    isRegex = query.regex
    isMultiline =
      query.chars.utf8.contains(0x0A)
      || query.regex && ["\\n", "\\r", "[[:space:]]"].contains { query.chars.contains(substring: $0) }
    expression = try RegularExpression(
      query.chars, isLiteral: !query.regex, isCaseSensitive: query.caseSensitive)
  }

  /// So much text is searched within a moment, on the loop's thread; the worker searches more. An expression may be slow on
  /// each line.
  var interactiveByteCount: Int { isRegex ? 16 << 10 : 256 << 10 }

  /// Asked every so often, with how many bytes were searched; false ends the search.
  typealias Progress = (Int) -> Bool

  /// The matches inside of `range`, which begins at the start of a line, from the left, none overlapping; nil when
  /// `progress` ended the search.
  func matches(
    in text: Rope, _ range: Range<ByteOffset>, limit: UInt32, progress: Progress = { _ in true }
  ) throws(RegularExpression.Failure) -> [Range<ByteOffset>]? {
    guard let matcher = RegularExpression.Matcher(expression, limit: limit) else {
      throw RegularExpression.Failure(message: "out of memory")
    }
    var finder = Finder(matcher: matcher, wholeWords: wholeWords, byLine: isRegex && !isMultiline)
    var start = range.lowerBound
    while start < range.upperBound {
      let end = isMultiline ? range.upperBound : Self.endOfWindow(from: start, in: text, upTo: range.upperBound)
      let found = text.bytes(in: start..<end).withUnsafeBytes { bytes in
        Result { () throws(RegularExpression.Failure) in try finder.search(bytes, startingAt: start) }
      }
      try found.get()
      start = end
      guard progress(start - range.lowerBound) else { return nil }
    }
    return finder.matches
  }

  /// What puts groups into `chars`; nil where these stand for themselves.
  func expander(of chars: String, lineEnding: String) -> ReplacementExpander? {
    guard isRegex, chars.utf8.contains(where: { $0 == 0x24 || $0 == 0x5C }),
      let matcher = RegularExpression.Matcher(expression, limit: RegularExpression.searchLimit, findsGroups: true)
    else { return nil }
    let template = ReplacementTemplate(chars, groupCount: expression.groupCount, lineEnding: lineEnding)
    return ReplacementExpander(matcher, template, isMultiline: isMultiline)
  }

  /// Windows end at line ends.
  private static func endOfWindow(from start: ByteOffset, in text: Rope, upTo end: ByteOffset) -> ByteOffset {
    guard end - start > 256 << 10 else { return end }
    return min(end, text.nextLineStart(after: start + (256 << 10)) ?? end)
  }

  private struct Finder {
    let matcher: RegularExpression.Matcher
    let wholeWords: Bool
    let byLine: Bool
    private(set) var matches: [Range<ByteOffset>] = []

    init(matcher: RegularExpression.Matcher, wholeWords: Bool, byLine: Bool) {
      self.matcher = matcher
      self.wholeWords = wholeWords
      self.byLine = byLine
    }

    mutating func search(_ bytes: UnsafeRawBufferPointer, startingAt start: ByteOffset) throws(RegularExpression
      .Failure)
    {
      guard byLine, let base = bytes.baseAddress else { return try searchPiece(bytes, startingAt: start) }
      var line = 0
      while line < bytes.count {
        let newline = memchr(base + line, 0x0A, bytes.count - line)
        let end = newline.map { UnsafeRawPointer($0) - base } ?? bytes.count
        try searchPiece(UnsafeRawBufferPointer(rebasing: bytes[line..<end]), startingAt: start + line)
        line = end + 1
      }
    }

    private mutating func searchPiece(
      _ bytes: UnsafeRawBufferPointer, startingAt start: ByteOffset
    ) throws(RegularExpression.Failure) {
      var offset = 0
      while offset <= bytes.count, let match = try matcher.firstMatch(in: bytes, from: offset) {
        if match.isEmpty {
          offset = match.upperBound + (UTF8Sequence.lengthOrOne(at: match.upperBound, in: bytes))
        } else if !wholeWords || isWord(match, in: bytes) {
          matches.append((start + match.lowerBound)..<(start + match.upperBound))
          offset = match.upperBound
        } else {
          offset = match.lowerBound + UTF8Sequence.lengthOrOne(at: match.lowerBound, in: bytes)
        }
      }
    }

    /// Whether words begin and end where the match does.
    private func isWord(_ match: Range<Int>, in bytes: UnsafeRawBufferPointer) -> Bool {
      isBoundary(match.lowerBound, in: bytes, .start) && isBoundary(match.upperBound, in: bytes, .end)
    }

    private func isBoundary(_ offset: Int, in bytes: UnsafeRawBufferPointer, _ side: WordClass.Boundary) -> Bool {
      guard offset > 0, offset < bytes.count else { return true }
      var previous = offset - 1
      while previous > 0, offset - previous < 4, UTF8Sequence.isContinuation(bytes[previous]) { previous -= 1 }
      let classes = [previous, offset].map { index in
        WordClass(UTF8Sequence.decode(UTF8Sequence.lengthOrOne(at: index, in: bytes), at: index, in: bytes))
      }
      return WordClass.boundary(classes[0], classes[1]).contains(side)
    }
  }
}

extension UTF8Sequence {
  fileprivate static func lengthOrOne(at index: Int, in bytes: UnsafeRawBufferPointer) -> Int {
    index < bytes.count ? length(at: index, in: bytes) ?? 1 : 1
  }
}

extension String {
  fileprivate func contains(substring: String) -> Bool {
    var rest = self[...]
    while !rest.isEmpty {
      if rest.hasPrefix(substring) { return true }
      rest = rest.dropFirst()
    }
    return false
  }
}
