import EditorProtocol

/// The looks of what plugins name by scopes (TextMate's names), numbered as `def_style` has them.
struct ScopeStyles {
  /// The first that the scope's own name begins with, from the innermost out.
  private static let looks: [(prefix: String, colour: UInt32, isItalic: Bool)] = [
    ("comment", 0xFF80_8A94, true), ("string", 0xFF6A_A84F, false), ("constant", 0xFFB0_7A00, false),
    ("keyword", 0xFFC0_4090, false), ("storage", 0xFFC0_4090, false), ("entity", 0xFF3A_7BD5, false),
    ("support", 0xFF2A_9D9D, false), ("variable", 0xFF9A_6A4A, false), ("invalid", 0xFFE0_3030, false),
    ("markup", 0xFF3A_7BD5, false),
  ]

  private var styles: [String: StyleDefinition] = [:]
  private var new: [StyleDefinition] = []

  /// The style of a scope stack; nil for plain text.
  mutating func style(for scopes: String) -> Int? {
    let look = scopes.split(separator: " ").reversed().lazy.compactMap { scope in
      Self.looks.first { scope.hasPrefix($0.prefix) }
    }.first
    guard let look else { return nil }
    if let known = styles[look.prefix] { return known.id }
    let definition = StyleDefinition(
      id: StyleSpan.firstDefined + styles.count, foreground: look.colour, isItalic: look.isItalic)
    styles[look.prefix] = definition
    new.append(definition)
    return definition.id
  }

  /// Those that the front end does not know.
  mutating func takeNew() -> [StyleDefinition] {
    defer { new = [] }
    return new
  }

  /// After a change of theme the front end knows none.
  mutating func forgetSent() { new = styles.values.sorted { $0.id < $1.id } }
}
