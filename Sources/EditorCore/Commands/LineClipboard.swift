import Rope

/// Without a selection whole lines are copied.
extension TextView {
  /// The lines of the carets, each with an end; nil where something is selected, or there is nothing in them.
  func linesOfCarets(cutting: Bool) -> Rope? {
    guard selection.regions.allSatisfy(\.isCaret) else { return nil }
    let ranges = selectedLineRuns().map { run -> Range<ByteOffset> in
      let start: ByteOffset = text.convert(run.lowerBound)
      return start..<text.range(ofLine: run.upperBound - 1).upperBound
    }
    guard ranges.contains(where: { !$0.isEmpty }) else { return nil }
    var builder = Rope.Builder()
    for range in ranges {
      builder.append(text.slice(range))
      if range.isEmpty || text[range.upperBound - 1] != 0x0A { builder.append(Rope(document.lineEnding)) }
    }
    if cutting {
      let delta = replace { builder in for range in ranges { builder.replace(range, with: Rope()) } }
      if !delta.isIdentity { commit(delta, as: .other) }
    }
    return builder.finish()
  }

  /// Above the line of each caret, which stays where it is; as many lines as there are carets go one to each.
  func pasteLines(_ chars: String) {
    guard selection.regions.allSatisfy(\.isCaret) else { return paste(chars) }
    let whole = Rope(chars).withLineEnds(document.lineEnding)
    let regions = selection.regions
    let isOneEach = regions.count > 1 && whole.lineCount - 1 == regions.count
    var lookup = LogicalLineLookup(of: text)
    let delta = replace { builder in
      for (index, region) in regions.enumerated() {
        let start = lookup.line(of: region.active).range.lowerBound
        let lines = isOneEach ? whole.slice(whole.range(ofLine: LineNumber(index))) : whole
        builder.replace(start..<start, with: lines)
      }
    }
    if !delta.isIdentity { commit(delta, as: .other) }
  }
}
