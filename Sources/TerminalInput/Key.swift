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
    ("Down", .down), ("Left", .left), ("Right", .right), ("Space", .character(" ")),
  ]
  private static let functionKeys = 1...63

  package var label: String {
    let prefix = Self.modifierNames.filter { modifiers.contains($0.1) }.map(\.0).joined()
    switch code {
    case .function(let number): return prefix + "F\(number)"
    case .character(let character) where character != " ":
      return (modifiers == .control ? "^" : prefix) + character.uppercased()
    default: return prefix + (Self.codeNames.first { $0.1 == code }?.0 ?? "")
    }
  }

  /// Reads what ``label`` writes, in small letters or capitals. nil for what is no label of a key.
  package init?(label: some StringProtocol) {
    var rest = Substring(label)
    var modifiers: Modifiers = []
    while let (name, modifier) = Self.modifierNames.first(where: { rest.lowercased().hasPrefix($0.0.lowercased()) }) {
      rest = rest.dropFirst(name.count)
      modifiers.insert(modifier)
    }
    if rest.first == "^", rest.count == 2 {
      rest = rest.dropFirst()
      modifiers.insert(.control)
    }
    let name = rest.lowercased()
    if rest.count == 1, name.count == 1, let character = name.first {
      self.init(.character(character), modifiers)
    } else if let code = Self.codeNames.first(where: { $0.0.lowercased() == name })?.1 {
      self.init(code, modifiers)
    } else if name.first == "f", let number = Int(name.dropFirst()), Self.functionKeys.contains(number) {
      self.init(.function(number), modifiers)
    } else {
      return nil
    }
  }

  /// One form for what terminals report in several: `P` with Alt is `p` with Alt and Shift.
  package var canonical: Key {
    guard case .character(let character) = code, !modifiers.isSubset(of: .shift) else { return self }
    let small = character.lowercased()
    guard small.count == 1, let letter = small.first, letter != character else { return self }
    return Key(.character(letter), modifiers.union(.shift))
  }
}

/// The text form of a chord: `^X ^S`.
extension [Key] {
  package var label: String { map(\.label).joined(separator: " ") }

  /// nil when there is none, or one of them is no label of a key.
  package init?(labels: some Collection<Substring>) {
    self = labels.compactMap { Key(label: $0) }
    if isEmpty || count != labels.count { return nil }
  }
}
