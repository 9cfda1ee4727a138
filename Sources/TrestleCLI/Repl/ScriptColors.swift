/// Colours of JavaScript and of values as text, by their letters alone: strings, numbers, words of the language, comments.
enum ScriptColors {
  enum Style: String { case plain = "", string = "32", number = "33", word = "35", special = "36", faint = "2" }

  static func applied(_ style: Style, to text: String, hasColor: Bool) -> String {
    hasColor && style != .plain ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
  }

  /// A value as `console.log` shows it.
  static func value(_ text: String, hasColor: Bool) -> String {
    guard hasColor, text.utf8.count < 100_000 else { return text }
    let characters = Array(text)
    let styles = styles(of: characters, isValue: true)
    var shown = ""
    var start = 0
    for index in 0...characters.count where index == characters.count || index > 0 && styles[index] != styles[index - 1]
    {
      if index > start { shown += applied(styles[start], to: String(characters[start..<index]), hasColor: true) }
      start = index
    }
    return shown
  }

  /// One for each character.
  static func styles(of text: [Character], isValue: Bool = false) -> [Style] {
    var styles = [Style](repeating: .plain, count: text.count)
    var index = 0
    while index < text.count {
      let (end, style) = token(in: text, at: index, isValue: isValue)
      for place in index..<end { styles[place] = style }
      index = end
    }
    return styles
  }

  private static func token(in text: [Character], at start: Int, isValue: Bool) -> (end: Int, style: Style) {
    let character = text[start]
    switch character {
    case "'", "\"", "`": return (endOfString(in: text, from: start), .string)
    case "/" where !isValue && start + 1 < text.count && text[start + 1] == "/":
      return (text[start...].firstIndex(of: "\n") ?? text.count, .faint)
    case "/" where !isValue && start + 1 < text.count && text[start + 1] == "*":
      return (endOfComment(in: text, from: start + 2), .faint)
    case "[" where isValue:
      // `[Function: name]`, `[Circular]`: what stands for a value.
      let isNamed = start + 1 < text.count && text[start + 1].isUppercase || text[start...].starts(with: "[class ")
      let end = text[start...].firstIndex(of: "]"), line = text[start...].firstIndex(of: "\n") ?? text.count
      if isNamed, let end, end < line { return (end + 1, .special) }
      return (start + 1, .plain)
    case _ where isDigit(character): return (end(in: text, from: start) { isName($0) || $0 == "." }, .number)
    case _ where isName(character):
      let end = end(in: text, from: start, while: isName)
      return (end, style(ofWord: String(text[start..<end]), isValue: isValue))
    default: return (start + 1, .plain)
    }
  }

  private static func style(ofWord word: String, isValue: Bool) -> Style {
    if ["true", "false", "null", "NaN", "Infinity"].contains(word) { return .number }
    if word == "undefined" { return .faint }
    return !isValue && words.contains(word) ? .word : .plain
  }

  private static let words: Set<String> = [
    "async", "await", "break", "case", "catch", "class", "const", "continue", "debugger", "default", "delete", "do",
    "else", "export", "extends", "finally", "for", "from", "function", "if", "import", "in", "instanceof", "let", "new",
    "of", "return", "static", "super", "switch", "this", "throw", "try", "typeof", "var", "void", "while", "with",
    "yield",
  ]

  private static func isDigit(_ character: Character) -> Bool { character.isASCII && character.isNumber }
  private static func isName(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_" || character == "$"
  }

  private static func end(in text: [Character], from start: Int, while belongs: (Character) -> Bool) -> Int {
    text[start...].firstIndex { !belongs($0) } ?? text.count
  }

  private static func endOfString(in text: [Character], from start: Int) -> Int {
    var index = start + 1
    while index < text.count, text[index] != text[start] {
      if text[index] == "\n", text[start] != "`" { return index }
      index += text[index] == "\\" ? 2 : 1
    }
    return min(index + 1, text.count)
  }

  private static func endOfComment(in text: [Character], from start: Int) -> Int {
    var index = start
    while index + 1 < text.count {
      if text[index] == "*", text[index + 1] == "/" { return index + 2 }
      index += 1
    }
    return text.count
  }
}
