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
  }
}
