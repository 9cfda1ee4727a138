import JSON

/// What a word that is begun before the caret may become.
package struct WordList: Equatable, Sendable, WireObject {
  /// What stands before the caret of a word; empty where none does.
  package var typed: String
  /// Those that begin so, the nearest first, each once.
  package var words: [String]

  package init(typed: String, words: [String]) { (self.typed, self.words) = (typed, words) }

  /// nil for any other answer.
  package init?(_ json: JSONValue) { self.init(reading: json) }
  package var json: JSONValue { written }

  static let blank = WordList(typed: "", words: [])
  func passed(over wire: inout Wire) throws(ProtocolError) -> Self {
    try Self(typed: wire("typed", typed), words: wire("words", words))
  }

  /// Whether a word begins as what is typed and goes on. Capitals have to be capitals; other letters may be.
  package static func begins(_ word: String, with typed: String) -> Bool {
    guard word != typed, !typed.isEmpty else { return false }
    if word.hasPrefix(typed) { return true }
    return typed.lowercased() == typed && word.lowercased().hasPrefix(typed) && word.lowercased() != typed
  }

  /// Those that are left when more has been typed.
  package func narrowed(to typed: String) -> WordList {
    WordList(typed: typed, words: words.filter { Self.begins($0, with: typed) })
  }

  /// Whether a word may have it: a letter of any script, a mark on one, a digit, or the underscore.
  package static func mayHave(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A: return true
    case 0..<0x80: return false
    // Most of what is written, without the tables of the library, which are slow.
    case 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x24F, 0x391...0x3A1, 0x3B1...0x3C9, 0x410...0x44F, 0x3041...0x3096,
      0x30A1...0x30FA, 0x4E00...0x9FA5, 0xAC00...0xD7A3:
      return true
    default:
      switch scalar.properties.generalCategory {
      case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
        .letterNumber, .nonspacingMark, .spacingMark:
        return true
      default: return false
      }
    }
  }
}
