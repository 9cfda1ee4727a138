import EditorProtocol
import EventLoop
import Glibc
import Rope

/// What a query looks for, ready to search with, on any thread.
struct SearchPattern: Sendable {
  /// PCRE2 takes no longer ones, by far.
  private static let longestPart = 8 << 10
  /// What a search on the loop's thread may take before it is the worker's.
  private static let moment = Duration.milliseconds(2)

  private let expression: RegularExpression
  /// What follows it in a long text, part by part.
  private let rest: [RegularExpression]
  private let wholeWords: Bool
  let isRegex: Bool
  let isASCII: Bool
  /// Matches may reach over line ends.
  let isMultiline: Bool
  /// A match in a line is one in a text of several lines, too: the pattern does not look around, nor for the ends of a text,
  /// and gives back what it has taken of another line.
  private let seesOneLine: Bool
  /// Groups that look around or are atomic, verbs, possessive repetition, and the ends of a text.
  private static let wordsOfWholeTexts = ["(?", "(*", "*+", "++", "?+", "}+", "\\A", "\\Z", "\\z", "\\G", "\\K"]
  /// To it a line end is `\n`, whichever it is. One that speaks of returns sees them.
  private let unifiesLineEnds: Bool

  init(_ query: FindQuery) throws(RegularExpression.Failure) {
    wholeWords = query.wholeWords
    isRegex = query.regex
    isASCII = query.chars.utf8.allSatisfy { $0 < 0x80 }
    let isMultiline =
      query.chars.utf8.contains(0x0A)
      || query.regex && ["\\n", "\\r", "[[:space:]]"].contains { query.chars.contains(substring: $0) }
    self.isMultiline = isMultiline
    seesOneLine =
      query.regex && !isMultiline
      && !Self.wordsOfWholeTexts.contains { query.chars.contains(substring: $0) }
    let namesReturns = query.chars.utf8.contains(0x0D) || query.regex && query.chars.contains(substring: "\\r")
    unifiesLineEnds = isMultiline && !namesReturns
    var parts = query.regex ? [Array(query.chars.utf8)] : Self.parts(of: Array(query.chars.utf8))
    expression = try RegularExpression(
      parts.removeFirst(), isLiteral: !query.regex, isCaseSensitive: query.caseSensitive, isMultiline: isMultiline)
    var rest: [RegularExpression] = []
    for part in parts {
      rest.append(
        try RegularExpression(part, isLiteral: true, isCaseSensitive: query.caseSensitive, isAnchored: true))
    }
    self.rest = rest
  }

  /// Whole characters each.
  private static func parts(of text: [UInt8]) -> [[UInt8]] {
    var parts: [[UInt8]] = []
    var start = 0
    repeat {
      var end = min(start + longestPart, text.count)
      while end < text.count, end > start + 1, UTF8Sequence.isContinuation(text[end]) { end -= 1 }
      parts.append(Array(text[start..<end]))
      start = end
    } while start < text.count
    return parts
  }

  /// So much text is searched within a moment, on the loop's thread; the worker searches more. An expression may be slow on
  /// each line.
  var interactiveByteCount: Int { isRegex ? 16 << 10 : 256 << 10 }

  /// Asked every so often, with how many bytes were searched; false ends the search.
  typealias Progress = (Int) -> Bool

  /// The matches inside of `range`, which begins at the start of a line, from the left, none overlapping; nil when
  /// `progress` ended the search.
  /// - Throws: When it is more than the effort allows.
  func matches(
    in text: Rope, _ range: Range<ByteOffset>, _ effort: RegularExpression.Effort,
    progress: @escaping Progress = { _ in true }
  ) throws(RegularExpression.Failure) -> IntervalTree? {
    let finder = try finder(
      effort, from: range.lowerBound, progress: effort.isMoment ? Self.withinMoment : progress)
    var start = range.lowerBound
    while start < range.upperBound, !finder.isStopped {
      let end = isMultiline ? range.upperBound : Self.endOfWindow(from: start, in: text, upTo: range.upperBound)
      var bytes = text.bytes(in: start..<end)
      if unifiesLineEnds {
        let unified = UnifiedLineEnds(bytes)
        (bytes, finder.lineEnds) = (unified.bytes, unified)
      }
      let found = bytes.withUnsafeBytes { bytes in
        Result { () throws(RegularExpression.Failure) in try finder.search(bytes, startingAt: start) }
      }
      try found.get()
      start = end
      finder.report(upTo: start)
    }
    if finder.isStopped {
      if effort.isMoment { throw RegularExpression.Failure(message: "takes longer than a moment") }
      return nil
    }
    return finder.takeMatches()
  }

  /// What searches pieces of text from `origin` on; for one thread.
  func finder(
    _ effort: RegularExpression.Effort, from origin: ByteOffset, progress: @escaping Progress
  ) throws(RegularExpression.Failure) -> Finder {
    var matchers: [RegularExpression.Matcher] = []
    for expression in [expression] + rest {
      guard let matcher = RegularExpression.Matcher(expression, effort) else {
        throw RegularExpression.Failure(message: "out of memory")
      }
      matchers.append(matcher)
    }
    return Finder(
      matchers: matchers, wholeWords: wholeWords, byLine: isRegex && !isMultiline, skipsLines: seesOneLine,
      origin: origin, progress: progress)
  }

  private static var withinMoment: Progress {
    let end = MonotonicTime.now + moment
    return { _ in MonotonicTime.now < end }
  }

  /// Whether `chars` do not stand for themselves, but may have groups of each match put in.
  func expands(_ chars: String) -> Bool { isRegex && chars.utf8.contains { $0 == 0x24 || $0 == 0x5C } }

  /// What puts groups into `chars`; nil where these stand for themselves.
  ///
  /// - Parameter goOn: Asked in the middle of a long match.
  func expander(
    of chars: String, lineEnding: String, _ thread: RegularExpression.OwnThread, goOn: @escaping () -> Bool
  ) -> ReplacementExpander? {
    guard expands(chars), let matcher = RegularExpression.Matcher(expression, .long(thread), findsGroups: true) else {
      return nil
    }
    matcher.goOn = goOn
    let template = ReplacementTemplate(chars, groupCount: expression.groupCount, lineEnding: lineEnding)
    return ReplacementExpander(matcher, template, isMultiline: isMultiline, unifiesLineEnds: unifiesLineEnds)
  }

  /// Windows end at line ends.
  private static func endOfWindow(from start: ByteOffset, in text: Rope, upTo end: ByteOffset) -> ByteOffset {
    guard end - start > 256 << 10 else { return end }
    return min(end, text.nextLineStart(after: start + (256 << 10)) ?? end)
  }

  final class Finder {
    /// Steps, each of at least a line or a match, between two questions whether to go on.
    private static let stepsBetweenQuestions = 16

    private let matchers: [RegularExpression.Matcher]
    private let wholeWords: Bool
    private let byLine: Bool
    private let origin: ByteOffset
    private let progress: Progress
    private var steps = 0
    /// Of what is searched, if it is not the text as it is.
    var lineEnds: UnifiedLineEnds?
    private var matches = IntervalTree.Builder()
    /// Lines are passed over where the pattern, which sees nothing of other lines, has no match in the whole piece either.
    private var skipsLines: Bool
    private(set) var isStopped = false

    init(
      matchers: [RegularExpression.Matcher], wholeWords: Bool, byLine: Bool, skipsLines: Bool, origin: ByteOffset,
      progress: @escaping Progress
    ) {
      self.matchers = matchers
      self.wholeWords = wholeWords
      self.byLine = byLine
      self.skipsLines = skipsLines
      self.origin = origin
      self.progress = progress
    }

    /// Those that were found since.
    func takeMatches() -> IntervalTree { matches.finish() }

    func report(upTo place: ByteOffset) {
      if !isStopped, !progress(place - origin) { isStopped = true }
    }

    private func step(at place: ByteOffset) {
      steps += 1
      if steps % Self.stepsBetweenQuestions == 0 { report(upTo: place) }
    }

    func search(_ bytes: UnsafeRawBufferPointer, startingAt start: ByteOffset) throws(RegularExpression.Failure) {
      guard byLine, let base = bytes.baseAddress else { return try searchPiece(bytes, startingAt: start) }
      var line = 0
      // The return before a newline is no part of its line, but of the piece.
      let hasReturns = memchr(base, 0x0D, bytes.count) != nil
      while line < bytes.count, !isStopped {
        if skipsLines, !hasReturns {
          // What takes long in the whole piece may not in its lines.
          do throws(RegularExpression.Failure) {
            guard let candidate = try matchers[0].firstMatch(in: bytes, from: line, mayTakeLong: false) else { return }
            line = max(bytes.lineStart(before: candidate.lowerBound), line)
          } catch { skipsLines = false }
        }
        let newline = memchr(base + line, 0x0A, bytes.count - line)
        let next = newline.map { UnsafeRawPointer($0) - base } ?? bytes.count
        // The return before a newline is part of the line's end.
        let end = next < bytes.count && next > line && bytes[next - 1] == 0x0D ? next - 1 : next
        try searchPiece(UnsafeRawBufferPointer(rebasing: bytes[line..<end]), startingAt: start + line)
        line = next + 1
        step(at: start + min(line, bytes.count))
      }
    }

    private func searchPiece(
      _ bytes: UnsafeRawBufferPointer, startingAt start: ByteOffset
    ) throws(RegularExpression.Failure) {
      var offset = 0
      matchers[0].goOn = { [unowned self] in
        report(upTo: start + offset)
        return !isStopped
      }
      while offset <= bytes.count, let match = try firstMatch(in: bytes, from: offset) {
        if match.isEmpty {
          offset = match.upperBound + (UTF8Sequence.lengthOrOne(at: match.upperBound, in: bytes))
        } else if !wholeWords || isWord(match, in: bytes) {
          let range = lineEnds?.rangeInText(of: match) ?? match
          matches.append(Interval((start + range.lowerBound)..<(start + range.upperBound)))
          offset = match.upperBound
        } else {
          offset = match.lowerBound + UTF8Sequence.lengthOrOne(at: match.lowerBound, in: bytes)
        }
        step(at: start + min(offset, bytes.count))
        if isStopped { return }
      }
      if matchers[0].isStopped { isStopped = true }
    }

    /// Of a long text: where its first part is followed by all others.
    private func firstMatch(
      in bytes: UnsafeRawBufferPointer, from offset: Int
    ) throws(RegularExpression.Failure) -> Range<Int>? {
      var offset = offset
      while !isStopped, let first = try matchers[0].firstMatch(in: bytes, from: offset) {
        var end = first.upperBound
        var isWhole = true
        for matcher in matchers.dropFirst() where isWhole {
          guard let part = try matcher.firstMatch(in: bytes, from: end) else {
            isWhole = false
            continue
          }
          end = part.upperBound
        }
        if isWhole { return first.lowerBound..<end }
        offset = first.lowerBound + UTF8Sequence.lengthOrOne(at: first.lowerBound, in: bytes)
      }
      return nil
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
