/// Which lines of a language open a block, and which end one. It sees single lines, and no more of a language than their words.
struct IndentRules: Equatable {
  private var endings = ["{", "(", "["]
  private var lastWords: Set<String> = []
  private var firstWords: Set<String> = []
  private var words: Set<String> = []
  private var leavingWords: Set<String> = []
  private(set) var backWords: Set<String> = []
  private var ignoresCase = false
  private var hasRecipes = false

  /// A field of ``LanguageTable``.
  mutating func take(_ key: Substring, _ values: [String]) {
    switch key {
    case "open":
      endings = values.filter { !$0.utf8.allSatisfy(\.isWordByte) }
      lastWords = Set(values.filter { $0.utf8.allSatisfy(\.isWordByte) })
    case "first": firstWords = Set(values)
    case "has": words = Set(values)
    case "leave": leavingWords = Set(values)
    case "back": backWords = Set(values)
    case "nocase": ignoresCase = true
    case "recipes": hasRecipes = true
    default: break
    }
  }

  /// What a line does to the indentation of the next one.
  enum Effect { case none, opens, leaves }

  /// - Parameter line: Up to a caret, without a comment behind it.
  func effect(of line: [UInt8]) -> Effect {
    let code = line.trimmingBlanks
    guard !code.isEmpty else { return .none }
    if endings.contains(where: { code.reversed().starts(with: $0.utf8.reversed()) }) { return .opens }
    let words = code.split { !$0.isWordByte }.map(word)
    guard let first = words.first, let last = words.last else { return .none }
    if code.last?.isWordByte == true {
      if lastWords.contains(last) { return .opens }
      if backWords.contains(last), words.count > 1 { return .none }
    }
    let begins = code.first?.isWordByte == true
    if begins, firstWords.contains(first) { return .opens }
    if begins, leavingWords.contains(first) { return .leaves }
    if words.contains(where: self.words.contains) { return .opens }
    return hasRecipes && line.first?.isBlank == false && code.contains(0x3A) && !code.contains(0x3D) ? .opens : .none
  }

  /// Whether a line that begins so stands a step to the left.
  func isBackWord(_ text: some Sequence<UInt8>) -> Bool { !backWords.isEmpty && backWords.contains(word(text)) }

  private func word(_ text: some Sequence<UInt8>) -> String {
    String(
      decoding: ignoresCase ? text.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 } : Array(text), as: UTF8.self)
  }
}

extension UInt8 {
  var isBlank: Bool { self == 0x20 || self == 0x09 }

  /// Letters, digits, `_`, and all that is not ASCII.
  var isWordByte: Bool {
    switch self {
    case 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A, 0x80...: true
    default: false
    }
  }
}

extension [UInt8] {
  /// Without those at both ends, and without a line end.
  var trimmingBlanks: ArraySlice<UInt8> {
    let isSpace = { (byte: UInt8) in byte.isBlank || byte == 0x0A || byte == 0x0D }
    let start = firstIndex { !isSpace($0) } ?? endIndex
    return self[start..<(lastIndex { !isSpace($0) }.map { $0 + 1 } ?? start)]
  }
}
