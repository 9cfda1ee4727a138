import Rope

/// Commands that take text out.
extension TextView {
  /// Deletes the regions; carets delete what `movement` goes over.
  func delete(_ movement: Movement) { delete(selection(over: movement)) }

  /// - Returns: What was deleted, regions joined by newlines.
  func kill(_ movement: Movement) -> Rope {
    let killed = selection(over: movement)
    defer { delete(killed) }
    return joined(killed) ?? Rope()
  }

  private func selection(over movement: Movement) -> Selection {
    var result = Selection()
    var lookup = LineLookup(lines, of: text)
    for region in selection.regions {
      result.add(region.isCaret ? moved(region, movement, selecting: true, &lookup) : region)
    }
    return result
  }

  func deleteBackward() {
    var deleted = Selection()
    for region in selection.regions {
      let start = region.isCaret ? startOfBackspace(from: region.active) : region.lowerBound
      deleted.add(SelectionRegion(start, region.upperBound))
    }
    delete(deleted)
  }

  /// - Returns: The text of the regions; nil when all are carets.
  func cut() -> Rope? {
    defer { delete(selection) }
    return selectedText()
  }

  func selectedText() -> Rope? { joined(selection) }

  private func delete(_ selection: Selection) {
    let delta = replaceRegions(selection.regions, with: Rope())
    if !delta.isIdentity { commit(delta, as: .delete) }
  }

  private func joined(_ selection: Selection) -> Rope? {
    var result: Rope?
    for region in selection.regions where !region.isCaret {
      var joined = result ?? Rope()
      if result != nil { joined.append("\n") }
      joined.append(text.slice(region.range))
      result = joined
    }
    return result
  }

  /// Spaces go back to the tab stop before, all else by ``Backspace``.
  private func startOfBackspace(from offset: ByteOffset) -> ByteOffset {
    if document.config.translatesTabsToSpaces, document.config.usesTabStops, offset > 0, text[offset - 1] == 0x20 {
      let column = offset - text.lineStart(of: offset)
      let over = column % document.config.tabSize
      let start = offset - (over == 0 ? document.config.tabSize : over)
      if start >= 0, text.bytes(in: start..<offset).allSatisfy({ $0 == 0x20 }) { return start }
    }
    return Backspace.start(from: offset, in: text)
  }
}
