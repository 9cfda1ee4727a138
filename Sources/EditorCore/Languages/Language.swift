import JSON

/// What the editor knows of a language: how its comments are marked, what its strings stand in, and how its lines are indented.
struct Language: Equatable {
  struct BlockComment: Equatable {
    let open: String
    let close: String
  }

  /// How its community indents, where it has one way.
  enum Indentation: Equatable {
    case blanks(Int)
    case tabs
    /// Blanks would not work.
    case tabsAlone
  }

  let name: String
  private(set) var lineComment: String?
  private(set) var blockComment: BlockComment?
  private(set) var indentation: Indentation?
  private(set) var quotes: [UInt8] = Array("\"'".utf8)
  /// Text for people, not for machines.
  private(set) var isProse = false
  /// See ``LanguageTable``.
  private(set) var rules = IndentRules()

  /// How it is indented, as settings.
  var settings: JSONObject {
    switch indentation {
    case .blanks(let width): ["translate_tabs_to_spaces": true, "tab_size": JSONValue(width)]
    case .tabs, .tabsAlone: ["translate_tabs_to_spaces": false]
    case nil: [:]
    }
  }

  /// Of texts that are in no language that is known.
  static func plain(_ name: String) -> Language {
    var language = Language(name: name)
    language.isProse = true
    language.quotes = []
    return language
  }

  /// What a line, up to a caret, does to the indentation of the next one.
  func effect(of line: [UInt8]) -> IndentRules.Effect { isProse ? .none : rules.effect(of: withoutComment(line)) }

  private func withoutComment(_ line: [UInt8]) -> [UInt8] {
    guard let mark = lineComment?.utf8 else { return line }
    var quote: UInt8?
    var index = 0
    while index < line.count {
      let byte = line[index]
      if let open = quote {
        if byte == UInt8(ascii: "\\") { index += 1 } else if byte == open { quote = nil }
      } else if index == 0 || line[index - 1].isBlank, line[index...].starts(with: mark) {
        return Array(line[..<index])
      } else if quotes.contains(byte) {
        quote = byte
      }
      index += 1
    }
    return line
  }

  private init(name: String) { self.name = name }

  /// Reads a line of the table, without the blanks before it.
  init(line: Substring) {
    let colon = line.firstIndex(of: ":") ?? line.endIndex
    name = String(line[..<colon])
    for field in line[colon...].dropFirst().split(separator: " ") {
      let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if let key = parts.first { take(key, parts.count > 1 ? parts[1] : "") }
    }
    if isProse { quotes = [] }
  }

  private mutating func take(_ key: Substring, _ value: Substring) {
    let values = value.split(separator: ",").map(String.init)
    switch key {
    case "line": lineComment = String(value)
    case "block": if values.count == 2 { blockComment = BlockComment(open: values[0], close: values[1]) }
    case "indent":
      indentation = value == "tabs" ? .tabs : value == "tabs!" ? .tabsAlone : Int(value).map(Indentation.blanks)
    case "quotes": quotes = Array(value.utf8)
    case "prose": isProse = true
    default: rules.take(key, values)
    }
  }
}
