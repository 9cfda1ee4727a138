import JSON

/// What is drawn of a text beside its characters.
struct Decoration: Equatable {
  /// Which blanks are seen.
  enum Whitespace: String {
    case none
    /// Those that are selected.
    case selection
    /// Those at the ends of lines.
    case trailing
    case all
  }

  var whitespace = Whitespace.none
  /// The cells of a line that are tinted; the first is 0.
  var rulers: [Int] = []
  /// Lines at the steps of the indentation.
  var hasGuides = false

  /// No screen is so wide, nor has so many.
  fileprivate static let (lastRuler, mostRulers) = (1 << 20, 100)
}

extension EditorView {
  /// Shows all blanks; then again those that the settings want, or none if these want all.
  func toggleWhitespace() {
    if decoration.whitespace == .all {
      decoration.whitespace = wantedWhitespace == .all ? .none : wantedWhitespace
    } else {
      decoration.whitespace = .all
    }
  }

  func decorate(_ changes: JSONObject) {
    if let setting = changes["show_whitespace"] {
      wantedWhitespace = setting.string.flatMap(Decoration.Whitespace.init) ?? .none
      decoration.whitespace = wantedWhitespace
    }
    if let setting = changes["indent_guides"] { decoration.hasGuides = setting.bool ?? false }
    if let setting = changes["rulers"] {
      let columns = (setting.array ?? []).prefix(Decoration.mostRulers).compactMap(\.int)
      decoration.rulers = columns.filter { (1...Decoration.lastRuler).contains($0) }.map { $0 - 1 }
    }
  }
}
