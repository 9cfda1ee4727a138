import EditorProtocol
import JSON

/// The colours of the screen. What a theme does not name is drawn in those that the user has given the terminal.
package struct Theme: Equatable, Sendable {
  /// Of plain text.
  package var foreground = TextStyle.Colour.standard
  package var background = TextStyle.Colour.standard
  var gutter = TextStyle.gutter
  var selection = TextStyle.selection
  var match = TextStyle.match
  /// Of the status line, the tab that is shown, and what lies over the text.
  var bar = TextStyle.bar
  var bracket = TextStyle.bracket
  /// Of the signs for blanks.
  var whitespace = TextStyle.whitespace
  var ruler = TextStyle.ruler
  /// It is of the theme, and so is the ground beside it.
  var hasOwnRuler: Bool { ruler != .ruler }
  /// Of the lines at steps of the indentation.
  var guide = TextStyle.guide
  private var added = TextStyle.added
  private var modified = TextStyle.modified
  private var removed = TextStyle.removed
  /// Of the status line of a pane that has not the keys.
  var quietBar: TextStyle { bar.under(TextStyle(attributes: .dim)) }

  /// Of the number of a line that is marked.
  var bookmark: TextStyle { gutter.under(TextStyle(attributes: .reverse)) }

  /// Of the sign in the gutter.
  func style(of change: ChangedLines.Kind) -> TextStyle {
    switch change {
    case .added: added
    case .modified: modified
    case .removed: removed
    }
  }

  package init() {}

  /// From the `theme` of `theme_changed`, a table of colours `{r, g, b, a}`.
  package init(_ table: JSONObject) {
    foreground = Self.colour(table["foreground"]) ?? .standard
    background = Self.colour(table["background"]) ?? .standard
    Self.set(&gutter, table["gutter_foreground"], on: table["gutter"])
    Self.set(&selection, table["selection_foreground"], on: table["selection"])
    Self.set(&match, table["find_highlight_foreground"], on: table["find_highlight"])
    Self.set(&bar, table["status_foreground"], on: table["status"])
    Self.set(&added, table["added"], on: nil)
    Self.set(&modified, table["modified"], on: nil)
    Self.set(&removed, table["removed"], on: nil)
    Self.set(&whitespace, table["whitespace"])
    Self.set(&guide, table["guide"])
    if let tint = Self.colour(table["ruler"]) {
      ruler = TextStyle(background: tint, attributes: ruler.attributes)
    }
    bracket.foreground = Self.colour(table["brackets_foreground"]) ?? .standard
  }

  /// A background without a foreground keeps that of the text.
  private static func set(_ style: inout TextStyle, _ foreground: JSONValue?, on background: JSONValue?) {
    if let background = colour(background) { style = TextStyle(background: background) }
    if let foreground = colour(foreground) { style.foreground = foreground }
  }

  /// What has a colour to stand back in is not dimmed.
  private static func set(_ style: inout TextStyle, _ foreground: JSONValue?) {
    if let foreground = colour(foreground) { style = TextStyle(foreground: foreground) }
  }

  private static func colour(_ value: JSONValue?) -> TextStyle.Colour? {
    guard let red = channel("r", of: value), let green = channel("g", of: value), let blue = channel("b", of: value)
    else { return nil }
    return .rgb(red << 16 | green << 8 | blue)
  }

  private static func channel(_ name: String, of colour: JSONValue?) -> UInt32? {
    colour?[name]?.int.flatMap { (0...255).contains($0) ? UInt32($0) : nil }
  }
}
