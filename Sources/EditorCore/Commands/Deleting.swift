import Rope

/// Commands that take text out.
extension TextView {
  /// Deletes the regions; carets delete what `movement` goes over.
  func delete(_ movement: Movement) { delete(selection(over: movement)) }

  /// Keeps what is deleted, region by region. In this project's front ends what kills in a row take is put back as one, and where there is
  /// nothing to take, what was taken before stays.
  func kill(_ movement: Movement, _ shared: inout SharedState) {
    let regions = selection(over: movement)
    defer { delete(regions) }
    guard !document.buffer.history.isOfXi else { return shared.killed = contents(of: regions) }
    guard !regions.regions.allSatisfy(\.isCaret) else { return }
    let taken = regions.regions.map { text.slice($0.range) }
    shared.killed = shared.killingView == id ? Self.appended(shared.killed, taken) : taken
    shared.killingView = id
  }

  /// To each region its own, as long as there are as many.
  private static func appended(_ killed: [Rope], _ more: [Rope]) -> [Rope] {
    func append(_ more: Rope, to text: Rope) -> Rope {
      var text = text
      text.append(more)
      return text
    }
    if killed.count == more.count { return zip(killed, more).map { append($1, to: $0) } }
    return [append(joined(more) ?? Rope(), to: joined(killed) ?? Rope())]
  }

  /// All that was killed at each region; in this project's front ends each gets its own back, if they are as many.
  func yank(_ killed: [Rope]) {
    let regions = selection.regions
    guard !document.buffer.history.isOfXi, killed.count > 1, killed.count == regions.count else {
      return insertAsStep(Self.joined(killed) ?? Rope())
    }
    let delta = replace { builder in
      for (region, text) in zip(regions, killed) { builder.replace(region.range, with: text) }
    }
    commit(delta, as: .other)
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
      let end = region.isCaret && isInEmptyPair(region.active) ? region.active + 1 : region.upperBound
      deleted.add(SelectionRegion(start, end))
    }
    delete(deleted)
  }

  /// - Returns: The text of the regions; nil when all are carets.
  func cut() -> Rope? {
    defer { delete(selection) }
    return selectedText()
  }

  func selectedText() -> Rope? { Self.joined(contents(of: selection)) }

  private func delete(_ selection: Selection) {
    let delta = replaceRegions(selection.regions, with: Rope())
    if !delta.isIdentity { commit(delta, as: .delete) }
  }

  private func contents(of selection: Selection) -> [Rope] {
    selection.regions.lazy.filter { !$0.isCaret }.map { text.slice($0.range) }
  }

  /// With newlines between them; nil for nothing.
  private static func joined(_ texts: [Rope]) -> Rope? {
    guard let first = texts.first, texts.count > 1 else { return texts.first }
    let newline: Rope = "\n"
    var builder = Rope.Builder()
    builder.append(first)
    for text in texts.dropFirst() {
      builder.append(newline)
      builder.append(text)
    }
    return builder.finish()
  }

  /// Spaces go back to the tab stop before, all else by ``Backspace``.
  private func startOfBackspace(from offset: ByteOffset) -> ByteOffset {
    if document.settings.config.translatesTabsToSpaces, document.settings.config.usesTabStops, offset > 0,
      text[offset - 1] == 0x20
    {
      let column = offset - text.lineStart(of: offset)
      let over = column % document.settings.config.tabSize
      let start = offset - (over == 0 ? document.settings.config.tabSize : over)
      if start >= 0, text.bytes(in: start..<offset).allSatisfy({ $0 == 0x20 }) { return start }
    }
    return Backspace.start(from: offset, in: text)
  }
}
