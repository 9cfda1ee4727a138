import JSON

/// The settings that the core itself obeys, read from a merged table. What the table lacks, or has with another type, keeps
/// its default.
struct DocumentConfig: Equatable {
  var tabSize = 4
  var translatesTabsToSpaces = true
  var usesTabStops = true
  /// Of lines that are put into a text without any.
  var defaultLineEnding = "\n"
  /// Of all that are put in: by a front end, for this document.
  var chosenLineEnding: String?
  var wrapWidth = 0
  var wrapsWords = false
  /// In cells: to which lines are broken anew when that is asked for.
  var textWidth = 80
  var detectsWhitespace = true
  var savesWithNewline = true
  /// What follows holds for front ends that edit code.
  var indents = true
  var closesPairs = true
  var trimsTrailingBlanks = false
  var surroundingPairs: [(String, String)] = []
  /// Between runs.
  var keepsUndo = true

  /// What the text is compared with.
  enum ChangeMarks: String, CaseIterable {
    /// What git has of it in the commit that is checked out; else the file.
    case head
    /// The file as it was read or written last.
    case saved
    case none
  }
  /// For front ends that show it.
  var changeMarks = ChangeMarks.head

  init(_ table: JSONObject, chosenLineEnding: String? = nil) {
    self.chosenLineEnding = chosenLineEnding
    tabSize =
      table["tab_size"]?.int.map { min(max($0, ConfigLayers.tabSizes.lowerBound), ConfigLayers.tabSizes.upperBound) }
      ?? tabSize
    translatesTabsToSpaces = table["translate_tabs_to_spaces"]?.bool ?? translatesTabsToSpaces
    usesTabStops = table["use_tab_stops"]?.bool ?? usesTabStops
    defaultLineEnding = table["line_ending"]?.string ?? defaultLineEnding
    wrapWidth = max(0, table["wrap_width"]?.int ?? wrapWidth)
    textWidth = max(1, table["text_width"]?.int ?? textWidth)
    wrapsWords = table["word_wrap"]?.bool ?? wrapsWords
    detectsWhitespace = table["autodetect_whitespace"]?.bool ?? detectsWhitespace
    savesWithNewline =
      table["insert_final_newline"]?.bool == true || table["save_with_newline"]?.bool ?? savesWithNewline
    indents = table["auto_indent"]?.bool ?? indents
    closesPairs = table["auto_close"]?.bool ?? closesPairs
    trimsTrailingBlanks = table["trim_trailing_whitespace"]?.bool ?? trimsTrailingBlanks
    keepsUndo = table["keep_undo"]?.bool ?? keepsUndo
    changeMarks = table["change_marks"]?.string.flatMap(ChangeMarks.init) ?? changeMarks
    surroundingPairs = (table["surrounding_pairs"]?.array ?? []).compactMap { pair in
      guard let open = pair[0]?.string, let close = pair[1]?.string else { return nil }
      return (open, close)
    }
  }

  /// One step of indentation.
  var indentation: String { translatesTabsToSpaces ? String(repeating: " ", count: tabSize) : "\t" }

  static func == (left: Self, right: Self) -> Bool {
    left.tabSize == right.tabSize && left.translatesTabsToSpaces == right.translatesTabsToSpaces
      && left.usesTabStops == right.usesTabStops && left.defaultLineEnding == right.defaultLineEnding
      && left.chosenLineEnding == right.chosenLineEnding
      && left.wrapWidth == right.wrapWidth && left.textWidth == right.textWidth && left.wrapsWords == right.wrapsWords
      && left.detectsWhitespace == right.detectsWhitespace && left.savesWithNewline == right.savesWithNewline
      && left.indents == right.indents && left.closesPairs == right.closesPairs
      && left.trimsTrailingBlanks == right.trimsTrailingBlanks
      && left.changeMarks == right.changeMarks && left.keepsUndo == right.keepsUndo
      && left.surroundingPairs.elementsEqual(right.surroundingPairs, by: ==)
  }
}
