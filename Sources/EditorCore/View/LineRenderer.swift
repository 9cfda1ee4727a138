import EditorProtocol
import Rope

/// Makes the lines and ranges of one update of a view, as many as it may have.
struct LineRenderer {
  /// Of the carets, spans and ranges in an update: a line may be as long as a file, and a front end takes no message of more than so many
  /// values. No screen has as many cells.
  static let mostMarks = 100_000
  /// A line may be as long as a file.
  private static let mostShownMatches = 10_000

  private let view: TextView
  private let text: Rope
  /// How many carets, spans and ranges the update may still take.
  private var marksLeft = Self.mostMarks

  init(_ view: TextView) { (self.view, text) = (view, view.text) }

  // MARK: Lines

  /// - Parameter withText: With styles, too; else only the carets of the lines.
  mutating func lines(_ range: Range<Int>, withText: Bool) -> [UpdateLine] {
    var start = view.lines.start(ofLine: range.lowerBound, in: text)
    var number = text.line(at: start).value + 1
    var rendered: [UpdateLine] = []
    rendered.reserveCapacity(range.count)
    for line in range {
      let end = view.lines.nextStart(behind: start, in: text)
      let isContinuation = view.lines.isContinuation(lineStartingAt: start, in: text)
      if isContinuation, line == range.lowerBound { number += 1 }
      rendered.append(self.line(start..<end, number: isContinuation ? nil : number, withText: withText))
      if !isContinuation { number += 1 }
      start = end
    }
    return rendered
  }

  private mutating func line(_ range: Range<ByteOffset>, number: Int?, withText: Bool) -> UpdateLine {
    var cursors: [Int] = []
    var selected: [Range<Int>] = []
    let isLast = range.upperBound == text.endOffset
    let part = view.partialLines.part(of: range, in: text)
    let main = view.carets.main
    for region in view.selection.regions(touching: part.lowerBound...part.upperBound)
    where marksLeft > 0 || region == main {
      let caret = region.active
      // A caret behind the line belongs to the next one, unless there is none.
      if range.contains(caret) || (caret == range.upperBound && isLast && !endsWithNewline(range)) {
        cursors.append(view.wireColumn(of: caret, lineStart: range.lowerBound))
        marksLeft -= 1
      }
      if withText { appendColumns(of: region.range, in: range, to: &selected) }
    }
    guard withText else { return UpdateLine(number: number, cursors: cursors) }
    var styles = view.search.isHighlighted ? highlights(of: part, in: range) : []
    styles += selected.map { StyleSpan(start: $0.lowerBound, length: $0.count, style: StyleSpan.selection) }
    styles += markedSpans(of: part, in: range)
    return UpdateLine(
      text: text.string(in: part), number: number, cursors: cursors, styles: styles,
      window: part == range ? nil : window(of: part, in: range))
  }

  private func window(of part: Range<ByteOffset>, in line: Range<ByteOffset>) -> UpdateLine.Window {
    UpdateLine.Window(
      start: view.wireColumn(of: part.lowerBound, lineStart: line.lowerBound),
      lineLength: view.wireColumn(of: line.upperBound, lineStart: line.lowerBound))
  }

  private func endsWithNewline(_ range: Range<ByteOffset>) -> Bool {
    !range.isEmpty && text[range.upperBound - 1] == 0x0A
  }

  // MARK: Styles

  private mutating func markedSpans(of part: Range<ByteOffset>, in line: Range<ByteOffset>) -> [StyleSpan] {
    var spans: [StyleSpan] = []
    for plugin in view.marks.spans.keys.sorted() {
      for item in view.marks.spans[plugin]?.touching(part) ?? [] where marksLeft > 0 {
        var columns: [Range<Int>] = []
        appendColumns(of: item.range, in: line, to: &columns)
        spans += columns.map { StyleSpan(start: $0.lowerBound, length: $0.count, style: item.value) }
      }
    }
    return spans
  }

  private mutating func highlights(of part: Range<ByteOffset>, in line: Range<ByteOffset>) -> [StyleSpan] {
    var spans: [StyleSpan] = []
    for (index, query) in view.search.queries.enumerated() {
      var columns: [Range<Int>] = []
      for match in query.matches.touching(part) where marksLeft > 0 {
        appendColumns(of: match.range, in: line, to: &columns)
      }
      // Ids 1 to 7 are reserved for queries.
      let style = min(index + 1, StyleSpan.firstDefined - 1)
      spans += columns.map { StyleSpan(start: $0.lowerBound, length: $0.count, style: style) }
    }
    return spans
  }

  private mutating func appendColumns(
    of range: Range<ByteOffset>, in line: Range<ByteOffset>, to columns: inout [Range<Int>]
  ) {
    let part = range.clamped(to: line)
    guard !part.isEmpty else { return }
    marksLeft -= 1
    columns.append(
      view.wireColumn(
        of: part.lowerBound, lineStart: line.lowerBound)..<view.wireColumn(
          of: part.upperBound, lineStart: line.lowerBound))
  }

  // MARK: Ranges

  /// Ranges in the visible part: the selection, then each query's matches.
  mutating func annotations() -> [Annotation] {
    let start = view.lines.start(ofLine: view.window.lowerBound, in: text)
    let end = view.lines.start(ofLine: view.window.upperBound + 2, in: text)
    let visible = start...max(start, end)
    var lookup = LineLookup(view.lines, of: text)
    func places(_ range: Range<ByteOffset>) -> Range<LineColumn> {
      view.place(of: range.lowerBound, &lookup)..<view.place(of: range.upperBound, &lookup)
    }
    let selected = taken(view.selection.regions(touching: visible)).map(\.range)
    var annotations = [Annotation(type: "selection", ranges: selected.map(places))]
    for query in view.search.queries {
      let shown = query.matches.touching(start..<max(start, end), atMost: Self.mostShownMatches)
      annotations.append(Annotation(type: "find", ranges: taken(shown).map { places($0.range) }))
    }
    for plugin in view.marks.annotations.keys.sorted() {
      for (type, items) in (view.marks.annotations[plugin] ?? [:]).sorted(by: { $0.key < $1.key }) {
        let shown = taken(items.items(touching: start..<max(start, end)))
        annotations.append(
          Annotation(type: type, ranges: shown.map { places($0.range) }, payloads: shown.map(\.value)))
      }
    }
    return annotations
  }

  private mutating func taken<Marks: Collection>(_ marks: Marks) -> Marks.SubSequence {
    let taken = marks.prefix(max(0, marksLeft))
    marksLeft -= taken.count
    return taken
  }
}
