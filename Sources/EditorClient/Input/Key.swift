/// A key press as a terminal reports it.
package struct Key: Hashable, Sendable {
  package enum Code: Hashable, Sendable {
    /// A printable character; with control, a lower-case letter or a sign.
    case character(Character)
    case enter, tab, backspace, escape
    case insert, delete, home, end, pageUp, pageDown, up, down, left, right
    case function(Int)
  }

  package struct Modifiers: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let shift = Modifiers(rawValue: 1)
    package static let alt = Modifiers(rawValue: 2)
    package static let control = Modifiers(rawValue: 4)
  }

  package var code: Code
  package var modifiers: Modifiers

  package init(_ code: Code, _ modifiers: Modifiers = []) {
    self.code = code
    self.modifiers = modifiers
  }

  package static func control(_ character: Character) -> Key { Key(.character(character), .control) }
  package static func alt(_ character: Character) -> Key { Key(.character(character), .alt) }

  /// The text that the key types, if it is one that types.
  package var text: String? {
    guard case .character(let character) = code, modifiers.isSubset(of: .shift) else { return nil }
    return String(character)
  }
}
