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

/// The text form: `^S`, `Alt-Z`, `Ctrl-Shift-Left`, `F5`.
extension Key {
  private static let modifierNames: [(String, Modifiers)] = [
    ("Ctrl-", .control), ("Alt-", .alt), ("Shift-", .shift),
  ]
  private static let codeNames: [(String, Code)] = [
    ("Enter", .enter), ("Tab", .tab), ("Backspace", .backspace), ("Esc", .escape), ("Insert", .insert),
    ("Delete", .delete), ("Home", .home), ("End", .end), ("PageUp", .pageUp), ("PageDown", .pageDown), ("Up", .up),
    ("Down", .down), ("Left", .left), ("Right", .right),
  ]

  package var label: String {
    if case .character(let character) = code, modifiers == .control { return "^" + character.uppercased() }
    let prefix = Self.modifierNames.filter { modifiers.contains($0.1) }.map(\.0).joined()
    return switch code {
    case .character(let character): prefix + character.uppercased()
    case .function(let number): prefix + "F\(number)"
    default: prefix + (Self.codeNames.first { $0.1 == code }?.0 ?? "")
    }
  }

  /// nil for what is no label of a key.
  package init?(label: String) {
    var rest = label[...]
    var modifiers: Modifiers = []
    for (name, modifier) in Self.modifierNames where rest.hasPrefix(name) {
      rest = rest.dropFirst(name.count)
      modifiers.insert(modifier)
    }
    if rest.first == "^", rest.count == 2 {
      rest = rest.dropFirst()
      modifiers.insert(.control)
    }
    if rest.count == 1, let character = rest.lowercased().first {
      self.init(.character(character), modifiers)
    } else if let code = Self.codeNames.first(where: { $0.0 == rest })?.1 {
      self.init(code, modifiers)
    } else if rest.first == "F", let number = Int(rest.dropFirst()) {
      self.init(.function(number), modifiers)
    } else {
      return nil
    }
  }
}
