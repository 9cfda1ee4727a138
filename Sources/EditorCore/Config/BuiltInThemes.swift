import JSON

/// The themes that come with the editor. One of the user's with the same name takes the place of one of these.
enum BuiltInThemes {
  /// Sorted as they are offered.
  static let names = ["terminal", "dark", "light", "contrast"]

  /// The colours of a theme by their names, as `theme_changed` has them; nil if there is none of this name.
  static func theme(_ name: String) -> JSONObject? {
    guard let lines = tables[name] else { return nil }
    var theme = JSONObject()
    for line in lines.split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      if words.count == 2, let colour = ThemeColour.json(of: words[1]) { theme[words[0]] = colour }
    }
    return theme
  }

  private static let tables = [
    // It names no colour: all is drawn in those that the user has given the terminal.
    "terminal": "",
    "dark": """
    background #1d2027
    foreground #d7dae0
    selection #3a4a66
    find_highlight #6b5a1e
    find_highlight_foreground #ffffff
    gutter #1d2027
    gutter_foreground #858d9b
    brackets_foreground #ffcb6b
    added #98c379
    modified #e5c07b
    removed #ff7b7b
    whitespace #5a6372
    ruler #292e38
    guide #414957
    status #2f3542
    status_foreground #e5e9f0
    comment #8f98a6
    string #98c379
    constant #d8a26c
    keyword #cf8ee6
    storage #cf8ee6
    entity #6cb6f5
    support #56b6c2
    variable #e0a88a
    invalid #ff7b7b
    markup #6cb6f5
    """,
    "light": """
    background #fcfcfa
    foreground #24292e
    selection #c8dcf4
    find_highlight #ffe28a
    find_highlight_foreground #24292e
    gutter #fcfcfa
    gutter_foreground #6a7078
    brackets_foreground #a04e00
    added #22663b
    modified #7f5300
    removed #b81414
    whitespace #a3a9b1
    ruler #ececea
    guide #c8ccd2
    status #e1e5ea
    status_foreground #24292e
    comment #626a73
    string #22663b
    constant #7f5300
    keyword #a0267a
    storage #a0267a
    entity #1d5fb4
    support #0b6666
    variable #7a4a2a
    invalid #b81414
    markup #1d5fb4
    """,
    "contrast": """
    background #000000
    foreground #ffffff
    selection #ffff00
    selection_foreground #000000
    find_highlight #00ffff
    find_highlight_foreground #000000
    gutter #000000
    gutter_foreground #ffffff
    brackets_foreground #ffff00
    added #80ff80
    modified #ffc060
    removed #ff9090
    whitespace #909090
    ruler #242424
    guide #707070
    status #ffffff
    status_foreground #000000
    comment #c8c8c8
    string #80ff80
    constant #ffc060
    keyword #ff98ff
    storage #ff98ff
    entity #90c8ff
    support #80ffff
    variable #ffd0b0
    invalid #ff9090
    markup #90c8ff
    """,
  ]
}
