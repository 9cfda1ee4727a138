import Rope

/// Commands that put text in.
extension TextView {
  func insert(_ chars: String) {
    if let pair = document.config.surroundingPairs.first(where: { $0.0 == chars }),
      selection.regions.allSatisfy({ !$0.isCaret })
    {
      return surround(pair)
    }
    commit(replaceRegions(selection.regions, with: Rope(chars)), as: .insert)
  }

  private func surround(_ pair: (String, String)) {
    let (open, close) = (Rope(pair.0), Rope(pair.1))
    let delta = replace { builder in
      for region in selection.regions {
        builder.replace(region.lowerBound..<region.lowerBound, with: open)
        builder.replace(region.upperBound..<region.upperBound, with: close)
      }
    }
    commit(delta, as: .surround)
  }

  func insertNewline() {
    commit(replaceRegions(selection.regions, with: Rope(document.config.lineEnding)), as: .newline)
  }

  /// One undo step of its own.
  func insertAsStep(_ text: Rope) { commit(replaceRegions(selection.regions, with: text), as: .other) }

  /// As many lines as there are regions go one to each.
  func paste(_ chars: String) {
    let regions = selection.regions
    guard regions.count > 1 else { return insertAsStep(Rope(chars)) }
    // Of a line end `\r\n`, one character to Swift, nothing goes in.
    var lines = chars.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    if lines.last?.isEmpty == true { lines.removeLast() }
    guard lines.count == regions.count else { return insertAsStep(Rope(chars)) }
    let delta = replace { builder in
      for (region, line) in zip(regions, lines) { builder.replace(region.range, with: Rope(String(line))) }
    }
    commit(delta, as: .other)
  }

  /// Spaces to the next tab stop, or a tab; regions over several lines are indented.
  func insertTab() {
    let regions = selection.regions
    if regions.contains(where: { logicalLines(of: $0).count > 1 }) { return indent() }
    let delta = replace { builder in
      for region in regions { builder.replace(region.range, with: Rope(tab(at: region.lowerBound))) }
    }
    commit(delta, as: .insert)
  }

  private func tab(at offset: ByteOffset) -> String {
    guard document.config.translatesTabsToSpaces else { return "\t" }
    // Of the line, not of its row: what goes in must not depend on the width of a window.
    let column = offset - text.lineStart(of: offset)
    return String(repeating: " ", count: document.config.tabSize - column % document.config.tabSize)
  }
}
