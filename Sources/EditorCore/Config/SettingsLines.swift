/// Finds the lines of keys in TOML: the parser tells only those of its errors.
struct SettingsLines {
  private var lines: [[String]: Int] = [:]

  init(_ text: String) {
    var table: [String] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let line = line.drop { $0 == " " || $0 == "\t" }
      if line.first == "[" {
        table = Self.keys(of: line.drop { $0 == "[" }, until: "]")
        lines[table] = lines[table] ?? index + 1
      } else if line.contains("="), line.first != "#" {
        let keys = table + Self.keys(of: line, until: "=")
        lines[keys] = lines[keys] ?? index + 1
      }
    }
  }

  /// The line, from 1, of a key under its tables, or of the innermost table that has one; nil if none does.
  func line(of keys: [String]) -> Int? {
    for count in stride(from: keys.count, to: 0, by: -1) {
      if let line = lines[Array(keys.prefix(count))] { return line }
    }
    return nil
  }

  /// The parts of a dotted key, which may be quoted.
  private static func keys(of text: Substring, until end: Character) -> [String] {
    var keys: [String] = []
    var key = ""
    var quote: Character?
    for character in text {
      if let open = quote {
        if character == open { quote = nil } else { key.append(character) }
      } else if character == "\"" || character == "'" {
        quote = character
      } else if character == "." || character == end {
        keys.append(key)
        key = ""
        if character == end { break }
      } else if character != " ", character != "\t" {
        key.append(character)
      }
    }
    return keys
  }
}
