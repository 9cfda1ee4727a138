import EditorProtocol

/// A key whose effect on a line is certain: no rule of the core's, of Unicode's or of the settings makes anything else of it.
enum PlainKey: Equatable {
  case insert(String)
  case deleteBackward, left, right
  /// Aiming at that; see ``VerticalAim``.
  case up(column: Int), down(column: Int)

  var changesText: Bool {
    switch self {
    case .insert, .deleteBackward: true
    case .left, .right, .up, .down: false
    }
  }
}

/// A line and the caret in it.
struct CaretLine {
  /// More would cost more than the core's answer.
  private static let longestLine = 4096

  let line: CachedLine
  let column: Int

  /// nil for a line of which only a part is here, or a very long one.
  init?(_ line: CachedLine, column: Int) {
    guard line.window == nil, line.text.utf8.count <= Self.longestLine, (0...line.text.utf8.count).contains(column)
    else { return nil }
    self.line = line
    self.column = column
  }

  /// The line and its caret afterwards; nil where that is not certain, or is another line.
  func after(_ key: PlainKey) -> CaretLine? {
    switch key {
    case .insert(let text):
      guard let scalar = text.unicodeScalars.first, text.unicodeScalars.count == 1, scalar.isPlain,
        isCertain(before: 1, behind: 1)
      else { return nil }
      return replaced(column..<column, by: text)
    case .deleteBackward:
      guard isCertain(before: 2, behind: 1), let scalar = before.first, scalar.isPlain else {
        return nil
      }
      // Blanks may go back to a tab stop together.
      if before.prefix(2).elementsEqual("  ".unicodeScalars) { return nil }
      return replaced(column - UTF8.width(scalar)..<column, by: "")
    case .left:
      guard isCertain(before: 2, behind: 0), let scalar = before.first else { return nil }
      return CaretLine(line.withCursor(column - UTF8.width(scalar)), column: column - UTF8.width(scalar))
    case .right:
      guard isCertain(before: 0, behind: 2), let scalar = behind.first, !scalar.isLineEnd else {
        return nil
      }
      return CaretLine(line.withCursor(column + UTF8.width(scalar)), column: column + UTF8.width(scalar))
    case .up, .down: return nil
    }
  }

  /// The caret as it comes here from another line, aiming at a column.
  init?(arrivingAt line: CachedLine, column: Int) {
    let place = min(column, line.text.utf8.count - line.lineEndLength)
    self.init(line.withCursor(place), column: place)
    guard isExact, String.Index(index(place), within: line.text.unicodeScalars) != nil,
      isCertain(before: 1, behind: 1)
    else { return nil }
  }

  /// Whether columns count the bytes of the file: what is no UTF-8 there has more bytes here.
  var isExact: Bool { !line.text.unicodeScalars.contains("\u{FFFD}") }

  // MARK: Neighbours

  var before: ReversedCollection<Substring.UnicodeScalarView> {
    line.text[..<index(column)].unicodeScalars.reversed()
  }

  var behind: Substring.UnicodeScalarView { line.text[index(column)...].unicodeScalars }

  private func index(_ column: Int) -> String.Index {
    line.text.utf8.index(line.text.startIndex, offsetBy: column)
  }

  /// Whether so many characters on each side, as far as there are some, join with none beside them.
  private func isCertain(before count: Int, behind other: Int) -> Bool {
    // What stands behind a line end is another line's.
    before.prefix(count).allSatisfy(\.joinsNone)
      && (behind.first?.isLineEnd == true || behind.prefix(other).allSatisfy(\.joinsNone))
  }

  // MARK: Changes

  private func replaced(_ range: Range<Int>, by text: String) -> CaretLine? {
    var changed = line.text
    changed.replaceSubrange(index(range.lowerBound)..<index(range.upperBound), with: text)
    let styles = line.styles.compactMap { $0.following(range, length: text.utf8.count) }
    let caret = range.lowerBound + text.utf8.count
    return CaretLine(CachedLine(text: changed, cursors: [caret], styles: styles), column: caret)
  }
}

extension CachedLine {
  func withCursor(_ column: Int?) -> CachedLine {
    CachedLine(text: text, cursors: column.map { [$0] } ?? [], styles: styles, window: window)
  }

  /// In bytes.
  fileprivate var lineEndLength: Int {
    let end = text.utf8.suffix(2)
    guard end.last == 0x0A else { return 0 }
    return end.first == 0x0D ? 2 : 1
  }
}

extension StyleSpan {
  /// As the core moves what plugins have marked: what is put in at an end of it stays outside. nil when nothing is left.
  fileprivate func following(_ range: Range<Int>, length: Int) -> StyleSpan? {
    let growth = length - range.count
    let end = start + self.length
    let newStart = start >= range.upperBound ? start + growth : min(start, range.lowerBound)
    let newEnd =
      range.isEmpty
      ? (end > range.lowerBound ? end + growth : end)
      : end >= range.upperBound ? end + growth : min(end, range.lowerBound)
    return newStart < newEnd ? StyleSpan(start: newStart, length: newEnd - newStart, style: style) : nil
  }
}

extension Unicode.Scalar {
  fileprivate var isLineEnd: Bool { self == "\n" || self == "\r" }

  fileprivate var joinsNone: Bool { isPlain || isLineEnd || self == "\t" }

  /// Letters and signs that are clusters of their own beside any other of these: of Latin, Greek and Cyrillic, of Chinese and Japanese.
  fileprivate var isPlain: Bool {
    switch value {
    case 0xAD: false
    case 0x20...0x7E, 0xA1...0x2FF, 0x370...0x377, 0x384...0x38A, 0x38C, 0x38E...0x3A1, 0x3A3...0x482, 0x48A...0x52F,
      0x3041...0x3096, 0x30A1...0x30FA, 0x4E00...0x9FFC:
      true
    default: false
    }
  }
}
