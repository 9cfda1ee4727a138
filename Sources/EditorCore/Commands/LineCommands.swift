import Rope

/// Commands on whole lines.
extension TextView {
  func logicalLines(of region: SelectionRegion) -> Range<LineNumber> {
    var lookup = LogicalLineLookup(of: text)
    return lookup.lines(of: region)
  }

  /// The starts of all lines that the selection touches, each once.
  private func selectedLineStarts() -> [ByteOffset] {
    var starts: [ByteOffset] = []
    var lookup = LogicalLineLookup(of: text)
    for region in selection.regions {
      var line = lookup.line(of: region.lowerBound)
      while true {
        if starts.last.map({ $0 < line.range.lowerBound }) ?? true { starts.append(line.range.lowerBound) }
        guard line.range.upperBound < region.upperBound else { break }
        line = lookup.line(of: line.range.upperBound)
      }
    }
    return starts
  }

  func indent() {
    let step = Rope(document.settings.config.indentation)
    let delta = replace { builder in
      for start in selectedLineStarts() { builder.replace(start..<start, with: step) }
    }
    commit(delta, as: .indent)
  }

  /// Takes one step of indentation off, or what blanks there are.
  func outdent() {
    let stepCount = document.settings.config.indentation.utf8.count
    let delta = replace { builder in
      for start in selectedLineStarts() {
        let count = blankCount(from: start, to: start + stepCount)
        builder.replace(start..<(start + count), with: Rope())
      }
    }
    if !delta.isIdentity { commit(delta, as: .indent) }
  }

  /// The copy goes above. A last line without a line end is left alone for front ends of xi, as in xi-core.
  func duplicateLines() {
    let delta = replace { builder in
      var last: Range<ByteOffset>?
      var lookup = LogicalLineLookup(of: text)
      for region in selection.regions {
        let start = lookup.line(of: region.lowerBound).range.lowerBound
        var lastLine = lookup.line(of: region.upperBound)
        if document.settings.editsCode, lastLine.range.lowerBound == region.upperBound, start < region.upperBound {
          // As for the other commands, a selection does not touch the line at whose start it ends.
          lastLine = lookup.line(of: region.upperBound - 1)
        }
        let end = lastLine.range.upperBound
        if lastLine.isLast, !document.settings.editsCode || start == end { continue }
        if last == start..<end { continue }
        last = start..<end
        var copy = text.slice(start..<end)
        if lastLine.isLast { copy.append(Rope(document.lineEnding)) }
        builder.replace(start..<start, with: copy)
      }
    }
    commit(delta, as: .other)
  }
}
