import Rope

/// Commands that put text in.
extension TextView {
  func insert(_ chars: String) {
    if let pair = surroundingPair(chars),
      selection.regions.allSatisfy({ !$0.isCaret })
    {
      return surround(pair)
    }
    if let language = document.settings.rules, typeAsCode(chars, language) { return }
    commit(
      replaceRegions(selection.regions, with: Rope(chars.withLineEnds(document.lineEnding))), as: .insert)
  }

  private func surroundingPair(_ chars: String) -> (String, String)? {
    if document.settings.editsCode, document.settings.config.closesPairs, chars == "(" { return ("(", ")") }
    return document.settings.config.surroundingPairs.first { $0.0 == chars }
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
    if let language = document.settings.rules, document.settings.config.indents { return insertNewline(by: language) }
    commit(replaceRegions(selection.regions, with: Rope(document.lineEnding)), as: .newline)
  }

  /// One undo step of its own.
  func insertAsStep(_ text: Rope) {
    commit(replaceRegions(selection.regions, with: text.withLineEnds(document.lineEnding)), as: .other)
  }

  /// Bytes as those of a file are read. A text that has none, and is empty, is to be saved as they were.
  func insertBytes(_ bytes: Rope) {
    let (image, found) = FileImage.split(bytes)
    let delta = replaceRegions(selection.regions, with: found)
    guard text.isEmpty, document.file.path == nil else { return commit(delta, as: .other) }
    document.commit(
      delta,
      of: TextOrigin(encoding: image.encoding, edition: document.file.textEdition, format: TextFormat(of: found)))
  }

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
    var lookup = LogicalLineLookup(of: text)
    let goesOverLines = selection.regions.contains {
      !$0.isCaret && lookup.line(of: $0.lowerBound).range.upperBound < $0.upperBound
    }
    if goesOverLines { return indent() }
    let tabs = Tabs(document.settings.config)
    lookup = LogicalLineLookup(of: text)
    let delta = replace { builder in
      for region in selection.regions {
        // Of the line, not of its row: what goes in must not depend on the width of a window.
        let column = region.lowerBound - lookup.line(of: region.lowerBound).range.lowerBound
        builder.replace(region.range, with: tabs.tab(atColumn: column))
      }
    }
    commit(delta, as: .insert)
  }
}

/// What a tab puts in, by the column.
private struct Tabs {
  /// A tab, or spaces by the distance to the next stop.
  private let texts: [Rope]

  init(_ config: DocumentConfig) {
    texts =
      config.translatesTabsToSpaces
      ? (1...max(config.tabSize, 1)).reversed().map { Rope(String(repeating: " ", count: $0)) } : ["\t"]
  }

  func tab(atColumn column: Int) -> Rope { texts[column % texts.count] }
}
