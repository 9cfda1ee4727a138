import JSON

/// The colours that a theme may name, among those of `theme_changed` (XI front-end protocol).
enum ThemeColour {
  static let names = Set([
    "foreground", "background", "selection", "selection_foreground", "find_highlight", "find_highlight_foreground",
    "gutter", "gutter_foreground", "brackets_foreground", "added", "modified", "removed", "status",
    "status_foreground", "whitespace", "ruler", "guide",
  ]).union(ScopeStyles.names)

  /// A colour of a theme as `def_style` has it: 0xAARRGGBB.
  static func number(of colour: JSONValue) -> UInt32? {
    let channels = ["a", "r", "g", "b"].compactMap { colour[$0]?.int.flatMap { UInt8(exactly: $0) } }
    return channels.count == 4 ? channels.reduce(0) { $0 << 8 | UInt32($1) } : nil
  }

  /// `#rrggbb` or `#rgb` as the wire has it; nil for anything else.
  static func json(of text: String) -> JSONValue? {
    let digits = text.dropFirst().compactMap(\.hexDigitValue)
    guard text.first == "#", digits.count == text.count - 1 else { return nil }
    let channels: [Int]
    switch digits.count {
    case 3: channels = digits.map { $0 * 17 }
    case 6: channels = stride(from: 0, to: 6, by: 2).map { digits[$0] * 16 + digits[$0 + 1] }
    default: return nil
    }
    return ["r": JSONValue(channels[0]), "g": JSONValue(channels[1]), "b": JSONValue(channels[2]), "a": 255]
  }
}
