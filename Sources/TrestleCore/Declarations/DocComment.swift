/// A doc comment for TypeScript, of one in Swift.
struct DocComment {
  /// Without markers and line ends.
  private var lines: [String] = []

  /// - Parameter markdown: `- Parameter name:`, `- Parameters:`, `- Returns:` and `- Throws:` become tags.
  init(_ markdown: String?) {
    var isInParameters = false
    for line in markdown?.split(separator: "\n", omittingEmptySubsequences: false) ?? [] {
      let isNested = line.first == " "
      if !isNested { isInParameters = line.hasPrefix("- Parameters:") }
      if isInParameters && !isNested { continue }
      lines.append(Self.item(of: line).flatMap { Self.tag($0, isParameter: isInParameters) } ?? String(line))
    }
  }

  private static func tag(_ item: (key: String, text: String), isParameter: Bool) -> String? {
    if isParameter { return "@param \(item.key) \(item.text)" }
    if item.key.hasPrefix("Parameter ") { return "@param \(item.key.dropFirst("Parameter ".count)) \(item.text)" }
    switch item.key {
    case "Returns": return "@returns \(item.text)"
    case "Throws": return "@throws \(item.text)"
    default: return nil
    }
  }

  /// `- key: text`.
  private static func item(of line: Substring) -> (key: String, text: String)? {
    let content = line.drop { $0 == " " }
    guard content.hasPrefix("- "), let colon = content.firstIndex(of: ":") else { return nil }
    let text = content[content.index(after: colon)...].drop { $0 == " " }
    return (String(content.dropFirst(2)[..<colon]), String(text))
  }

  mutating func append(tag: String) { lines.append(tag) }

  /// With a line break at its end; nothing if there is nothing to say.
  func text(indentation: String = "") -> String {
    let lines = lines.map { $0.replacing("*/", with: "*\\/") }
    switch lines.count {
    case 0: return ""
    case 1: return "\(indentation)/** \(lines[0]) */\n"
    default:
      let body = lines.map { $0.isEmpty ? "\(indentation) *\n" : "\(indentation) * \($0)\n" }.joined()
      return "\(indentation)/**\n\(body)\(indentation) */\n"
    }
  }
}
