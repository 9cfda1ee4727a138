/// How a cell looks.
package struct TextStyle: Hashable, Sendable {
  package enum Colour: Hashable, Sendable {
    /// What the terminal draws by itself.
    case standard
    /// One of the sixteen that the user has chosen, 0 to 15.
    case ansi(UInt8)
    /// 0xRRGGBB.
    case rgb(UInt32)
  }

  package struct Attributes: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let bold = Attributes(rawValue: 1)
    package static let dim = Attributes(rawValue: 2)
    package static let italic = Attributes(rawValue: 4)
    package static let underline = Attributes(rawValue: 8)
    package static let reverse = Attributes(rawValue: 16)
    /// Its ground means little: where there are no colours it is an underline, not the reverse.
    package static let tint = Attributes(rawValue: 32)
  }

  package var foreground: Colour
  package var background: Colour
  package var attributes: Attributes

  package init(
    foreground: Colour = .standard, background: Colour = .standard, attributes: Attributes = []
  ) {
    self.foreground = foreground
    self.background = background
    self.attributes = attributes
  }

  /// This style under `upper`, whose colours win where it has some.
  package func under(_ upper: TextStyle) -> TextStyle {
    TextStyle(
      foreground: upper.foreground == .standard ? foreground : upper.foreground,
      background: upper.background == .standard ? background : upper.background,
      attributes: attributes.union(upper.attributes))
  }
}

extension TextStyle {
  package static let plain = TextStyle()
  static let gutter = TextStyle(foreground: .ansi(8))
  static let added = TextStyle(foreground: .ansi(2), attributes: .bold)
  static let modified = TextStyle(foreground: .ansi(3), attributes: .bold)
  static let removed = TextStyle(foreground: .ansi(1), attributes: .bold)
  static let selection = TextStyle(foreground: .ansi(15), background: .ansi(4))
  static let match = TextStyle(foreground: .ansi(0), background: .ansi(11))
  static let escape = TextStyle(foreground: .ansi(5), attributes: .bold)
  static let caret = TextStyle(attributes: .reverse)
  /// Of files that are open and not shown.
  static let tabs = TextStyle(attributes: [.underline, .dim])
  static let bracket = TextStyle(attributes: [.bold, .underline])
  static let whitespace = TextStyle(attributes: .dim)
  static let guide = TextStyle(attributes: .dim)
  /// White on grey can be read whatever the colours of the text.
  static let ruler = TextStyle(foreground: .ansi(15), background: .ansi(8), attributes: .tint)
  static let bar = TextStyle(attributes: .reverse)
  static let alarm = TextStyle(foreground: .ansi(9), attributes: .bold)
  static let key = TextStyle(attributes: .reverse)
  /// The letters of a choice that were typed.
  static let found = TextStyle(attributes: [.bold, .underline])
}
