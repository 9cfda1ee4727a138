import EditorProtocol
import Rope

extension TextView {
  func renderLines(_ range: Range<Int>, withText: Bool) -> [UpdateLine] {
    var start = lines.start(ofLine: range.lowerBound, in: text)
    var number = text.line(at: start).value + 1
    var rendered: [UpdateLine] = []
    rendered.reserveCapacity(range.count)
    for line in range {
      let end = lines.nextStart(behind: start, in: text)
      let isContinuation = lines.isContinuation(lineStartingAt: start, in: text)
      if isContinuation, line == range.lowerBound { number += 1 }
      rendered.append(renderLine(start..<end, number: isContinuation ? nil : number, withText: withText))
      if !isContinuation { number += 1 }
      start = end
    }
    return rendered
  }

  private func renderLine(_ range: Range<ByteOffset>, number: Int?, withText: Bool) -> UpdateLine {
    var cursors: [Int] = []
    var selected: [Range<Int>] = []
    let isLast = range.upperBound == text.endOffset
    let part = part(of: range)
    let main = mainRegion
    for region in selection.regions(touching: part.lowerBound...part.upperBound) where marksLeft > 0 || region == main {
      let caret = region.active
      // A caret behind the line belongs to the next one, unless there is none.
      if range.contains(caret) || (caret == range.upperBound && isLast && !endsWithNewline(range)) {
        cursors.append(wireColumn(of: caret, lineStart: range.lowerBound))
        marksLeft -= 1
      }
      if withText { appendColumns(of: region.range, in: range, to: &selected) }
    }
    guard withText else { return UpdateLine(number: number, cursors: cursors) }
    var styles = search.isHighlighted ? highlights(of: part, in: range) : []
    styles += selected.map { StyleSpan(start: $0.lowerBound, length: $0.count, style: StyleSpan.selection) }
    styles += markedSpans(of: part, in: range)
    return UpdateLine(
      text: text.string(in: part), number: number, cursors: cursors, styles: styles,
      window: part == range ? nil : window(of: part, in: range))
  }

  private func markedSpans(of part: Range<ByteOffset>, in line: Range<ByteOffset>) -> [StyleSpan] {
    var spans: [StyleSpan] = []
    for plugin in marks.spans.keys.sorted() {
      for item in marks.spans[plugin]?.touching(part) ?? [] where marksLeft > 0 {
        var columns: [Range<Int>] = []
        appendColumns(of: item.range, in: line, to: &columns)
        spans += columns.map { StyleSpan(start: $0.lowerBound, length: $0.count, style: item.value) }
      }
    }
    return spans
  }

  /// What is sent of a line.
  private func part(of line: Range<ByteOffset>) -> Range<ByteOffset> {
    guard sendsPartialLines, line.count > Self.partialByteCount else { return line }
    let start = min(line.lowerBound + firstColumn, line.upperBound)
    let end = min(start + Self.partialByteCount, line.upperBound)
    return text.graphemeBoundary(atOrBefore: start)..<text.graphemeBoundary(atOrBefore: end)
  }

  private func window(of part: Range<ByteOffset>, in line: Range<ByteOffset>) -> UpdateLine.Window {
    UpdateLine.Window(
      start: wireColumn(of: part.lowerBound, lineStart: line.lowerBound),
      lineLength: wireColumn(of: line.upperBound, lineStart: line.lowerBound))
  }

  private func endsWithNewline(_ range: Range<ByteOffset>) -> Bool {
    !range.isEmpty && text[range.upperBound - 1] == 0x0A
  }

  private func highlights(of part: Range<ByteOffset>, in line: Range<ByteOffset>) -> [StyleSpan] {
    var spans: [StyleSpan] = []
    for (index, query) in search.queries.enumerated() {
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

  private func appendColumns(of range: Range<ByteOffset>, in line: Range<ByteOffset>, to columns: inout [Range<Int>]) {
    let part = range.clamped(to: line)
    guard !part.isEmpty else { return }
    marksLeft -= 1
    columns.append(
      wireColumn(
        of: part.lowerBound, lineStart: line.lowerBound)..<wireColumn(
          of: part.upperBound, lineStart: line.lowerBound))
  }

  /// Of the carets, spans and ranges in an update: a line may be as long as a file, and a front end takes no message of more than so many
  /// values. No screen has as many cells.
  static let mostMarks = 100_000
  /// A line may be as long as a file.
  private static let mostShownMatches = 10_000

  /// Ranges in the visible part: the selection, then each query's matches.
  func annotations() -> [Annotation] {
    let start = lines.start(ofLine: window.lowerBound, in: text)
    let end = lines.start(ofLine: window.upperBound + 2, in: text)
    let visible = start...max(start, end)
    var lookup = LineLookup(lines, of: text)
    func places(_ range: Range<ByteOffset>) -> Range<LineColumn> {
      place(of: range.lowerBound, &lookup)..<place(of: range.upperBound, &lookup)
    }
    let selected = taken(selection.regions(touching: visible)).map(\.range)
    var annotations = [Annotation(type: "selection", ranges: selected.map(places))]
    for query in search.queries {
      let shown = query.matches.touching(start..<max(start, end), atMost: Self.mostShownMatches)
      annotations.append(Annotation(type: "find", ranges: taken(shown).map { places($0.range) }))
    }
    for plugin in marks.annotations.keys.sorted() {
      for (type, items) in (marks.annotations[plugin] ?? [:]).sorted(by: { $0.key < $1.key }) {
        let shown = taken(items.items(touching: start..<max(start, end)))
        annotations.append(
          Annotation(type: type, ranges: shown.map { places($0.range) }, payloads: shown.map(\.value)))
      }
    }
    return annotations
  }

  private func taken<Marks: Collection>(_ marks: Marks) -> Marks.SubSequence {
    let taken = marks.prefix(max(0, marksLeft))
    marksLeft -= taken.count
    return taken
  }
}
