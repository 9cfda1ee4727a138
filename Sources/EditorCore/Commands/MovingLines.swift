import Rope

/// Lines change places with those above or below.
extension TextView {
  func moveLines(up: Bool) {
    var shifts: [(regions: Range<ByteOffset>, by: Int)] = []
    let delta = replace { builder in
      for lines in selectedLineRuns() {
        // The empty row behind the last line end is no line.
        let isAtEnd =
          up
          ? lines.lowerBound == 0
          : lines.upperBound.value >= text.lineCount || text.range(ofLine: lines.upperBound).isEmpty
        if isAtEnd { continue }
        let start: ByteOffset = text.convert(lines.lowerBound)
        let end = text.range(ofLine: lines.upperBound - 1).upperBound
        let shift = up ? moveUp(start, end, lines, &builder) : moveDown(start, end, lines, &builder)
        shifts.append((start..<end, shift))
      }
    }
    guard !delta.isIdentity else { return }
    var next = 0
    let moved = selection.regions.map { region -> SelectionRegion in
      while next < shifts.count, shifts[next].regions.lowerBound <= region.lowerBound { next += 1 }
      let shift = next > 0 ? shifts[next - 1] : nil
      let by = shift.flatMap { region.lowerBound <= $0.regions.upperBound ? $0.by : nil } ?? 0
      return SelectionRegion(region.anchor + by, region.active + by, column: region.column)
    }
    let revision = document.buffer.revision
    commit(delta, as: .other)
    guard document.buffer.revision != revision else { return }
    var selection = Selection()
    for region in moved {
      // What was selected up to the line that has become the last, without an end, is so up to its end.
      let end = text.endOffset
      selection.add(SelectionRegion(min(region.anchor, end), min(region.active, end), column: region.column))
    }
    select(selection)
  }

  /// The line above goes below.
  private func moveUp(
    _ start: ByteOffset, _ end: ByteOffset, _ lines: Range<LineNumber>, _ builder: inout Delta.Builder
  ) -> Int {
    let above = text.range(ofLine: lines.lowerBound - 1)
    var line = text.slice(above)
    if end == text.endOffset, byte(at: end - 1) != 0x0A {
      line = Rope(document.lineEnding)
      line.append(text.slice(above.lowerBound..<text.lineContentEnd(of: above.lowerBound)))
    }
    builder.replace(above, with: Rope())
    builder.replace(end..<end, with: line)
    return -above.count
  }

  /// The line below goes above.
  private func moveDown(
    _ start: ByteOffset, _ end: ByteOffset, _ lines: Range<LineNumber>, _ builder: inout Delta.Builder
  ) -> Int {
    let below = text.range(ofLine: lines.upperBound)
    var line = text.slice(below)
    var removed = below
    if below.upperBound == text.endOffset, byte(at: below.upperBound - 1) != 0x0A {
      line.append(Rope(document.lineEnding))
      removed = text.lineContentEnd(of: end - 1)..<below.upperBound
    }
    builder.replace(start..<start, with: line)
    builder.replace(removed, with: Rope())
    return line.byteCount
  }
}
