import EditorProtocol
import JSON

/// The looks of what plugins name by scopes (TextMate's names), numbered as `def_style` has them.
struct ScopeStyles {
  /// The first that the scope's own name begins with, from the innermost out.
  private static let looks: [(prefix: String, colour: UInt32, isItalic: Bool)] = [
    ("comment", 0xFF80_8A94, true), ("string", 0xFF6A_A84F, false), ("constant", 0xFFB0_7A00, false),
    ("keyword", 0xFFC0_4090, false), ("storage", 0xFFC0_4090, false), ("entity", 0xFF3A_7BD5, false),
    ("support", 0xFF2A_9D9D, false), ("variable", 0xFF9A_6A4A, false), ("invalid", 0xFFE0_3030, false),
    ("markup", 0xFF3A_7BD5, false),
  ]

  /// What a theme may give another colour.
  static let names = looks.map(\.prefix)

  private var styles: [String: StyleDefinition] = [:]
  private var new: [StyleDefinition] = []
  /// Of the theme, by their names.
  private var colours: [String: UInt32] = [:]

  /// The style of a scope stack; nil for plain text.
  mutating func style(for scopes: String) -> Int? {
    let look = scopes.split(separator: " ").reversed().lazy.compactMap { scope in
      Self.looks.first { scope.hasPrefix($0.prefix) }
    }.first
    guard let look else { return nil }
    if let known = styles[look.prefix] { return known.id }
    let definition = StyleDefinition(
      id: StyleSpan.firstDefined + styles.count, foreground: colours[look.prefix] ?? look.colour,
      isItalic: look.isItalic)
    styles[look.prefix] = definition
    new.append(definition)
    return definition.id
  }

  /// Those that the front end does not know.
  mutating func takeNew() -> [StyleDefinition] {
    defer { new = [] }
    return new
  }

  /// Takes the colours of another theme, after which the front end knows none.
  mutating func use(_ theme: JSONObject) {
    colours = [:]
    for look in Self.looks {
      if let colour = theme[look.prefix].flatMap(ThemeColour.number(of:)) { colours[look.prefix] = colour }
      styles[look.prefix]?.foreground = colours[look.prefix] ?? look.colour
    }
    new = styles.values.sorted { $0.id < $1.id }
  }
}
