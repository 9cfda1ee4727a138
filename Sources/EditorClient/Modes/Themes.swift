import EditorProtocol

/// The themes that a core has, and the one that the user has chosen among them.
struct Themes {
  /// Xi's name for the theme that all its front ends have; ours draw it as `terminal`.
  private static let standard = "InspiredGitHub"

  var names: [String] = []
  /// Until the editor ends: another core is told of it.
  var chosen: String?

  /// Without one that looks as another does.
  var offered: [String] { names.contains("terminal") ? names.filter { $0 != Self.standard } : names }
}

extension Editor {
  func openThemes() {
    guard !screen.themes.offered.isEmpty else { return notices.show("This core has no themes", isAlarm: true) }
    let entries = screen.themes.offered.map { name in
      Menu.Entry(name) { editor in
        editor.screen.themes.chosen = name
        editor.core.send(.setTheme(name: name))
        editor.notices.show("In the settings, theme = \"\(name)\" keeps it")
      }
    }
    mode = Menu(self, "Theme", entries)
  }
}
