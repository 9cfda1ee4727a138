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
    if endings.contains(where: { code.suffix($0.utf8.count).elementsEqual($0.utf8) }) { return .opens }
    guard code.contains(where: \.isWordByte) else { return .none }
    // No more words are made than are looked for: there may be many carets.
    if code.last?.isWordByte == true, !lastWords.isEmpty || !backWords.isEmpty {
      let count = code.reversed().prefix { $0.isWordByte }.count
      let last = word(code.suffix(count))
      if lastWords.contains(last) { return .opens }
      if backWords.contains(last), code.dropLast(count).contains(where: \.isWordByte) { return .none }
    }
    if code.first?.isWordByte == true, !firstWords.isEmpty || !leavingWords.isEmpty {
      let first = word(code.prefix { $0.isWordByte })
      if firstWords.contains(first) { return .opens }
      if leavingWords.contains(first) { return .leaves }
    }
    if !words.isEmpty, code.split(whereSeparator: { !$0.isWordByte }).contains(where: { words.contains(word($0)) }) {
      return .opens
    }
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
