import JSON

/// Where the text that runs comes from (ECMA-426): made by a compiler or a bundler.
struct SourceMap {
  struct Place: Equatable {
    var source: String
    /// Both from 1.
    var line: Int
    var column: Int
  }

  /// A map of one text, or one of several that lie behind each other.
  private struct Section {
    /// From 0.
    var line = 0
    var column = 0
    var mappings: SourceMapMappings
    /// Nil for those that no frame of a stack could name.
    var sources: [String?]
  }

  private var sections: [Section] = []
  private var sourceCount = 0
  /// Of its text, in bytes.
  let length: Int
  /// The texts of sources, as far as the map has them.
  private(set) var texts: [String: String] = [:]

  /// In bytes. A longer one is ignored.
  static let greatestLength = 32 << 20
  private static let greatestValueCount = 2_000_000
  /// Each is resolved when the map is read, which nothing ends.
  private static let greatestSourceCount = 50_000

  /// - Parameter base: a path or URL that its sources are relative to the folder of.
  /// - Returns: nil for what is no map, or more than anyone needs.
  init?(_ text: String, base: String) {
    length = text.utf8.count
    guard length <= Self.greatestLength else { return nil }
    // A line that keeps others from running it as a script.
    let bytes = text.utf8.starts(with: ")]}".utf8) ? text.utf8.drop { $0 != 10 } : text.utf8[...]
    guard let value = try? JSONValue(parsing: bytes, depthLimit: 16, valueLimit: Self.greatestValueCount) else {
      return nil
    }
    guard let list = value["sections"]?.array else {
      guard add(value, base, line: 0, column: 0) else { return nil }
      return
    }
    for section in list {
      guard let map = section["map"], let line = section["offset"]?["line"]?.int,
        let column = section["offset"]?["column"]?.int, line >= 0, column >= 0,
        sections.last.map({ ($0.line, $0.column) <= (line, column) }) ?? true,
        add(map, base, line: line, column: column)
      else { return nil }
    }
  }

  private mutating func add(_ map: JSONValue, _ base: String, line: Int, column: Int) -> Bool {
    guard map["version"]?.int == 3, let text = map["mappings"]?.string, let mappings = SourceMapMappings(text),
      let names = map["sources"]?.array,
      sourceCount + names.count <= Self.greatestSourceCount
    else { return false }
    sourceCount += names.count
    let root = map["sourceRoot"]?.string ?? ""
    let sources = names.map { name in
      name.string.flatMap {
        SourceName.resolved(root.isEmpty || root.hasSuffix("/") ? root + $0 : "\(root)/\($0)", base)
      }
    }
    let contents = map["sourcesContent"]?.array ?? []
    for (source, content) in zip(sources, contents) {
      if let source, let text = content.string { texts[source] = text }
    }
    sections.append(Section(line: line, column: column, mappings: mappings, sources: sources))
    return true
  }

  func names(_ source: String) -> Bool { sections.contains { $0.sources.contains(source) } }

  /// Where a place was written; nil if that is not known.
  ///
  /// - Parameters:
  ///   - line: from 1.
  ///   - column: from 1; 0 if it is not known.
  func original(line: Int, column: Int) -> Place? {
    let isLineAlone = column == 0
    let (line, column) = (line - 1, max(column - 1, 0))
    var (low, high) = (0, sections.count)
    while low < high {
      let middle = (low + high) / 2
      if (sections[middle].line, sections[middle].column) <= (line, column) { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return nil }
    let section = sections[low - 1]
    let first = line == section.line ? column - section.column : column
    let found = section.mappings.segment(line: line - section.line, column: isLineAlone ? nil : first)
    guard let found, section.sources.indices.contains(Int(found.source)),
      let source = section.sources[Int(found.source)]
    else { return nil }
    return Place(source: source, line: Int(found.line) + 1, column: Int(found.originalColumn) + 1)
  }
}

/// What a map calls its sources.
enum SourceName {
  private static let greatestLength = 4096

  /// The path or URL of a source, or of a map; nil for a name that would break a stack, or hide in it.
  static func resolved(_ name: String, _ base: String) -> String? {
    guard !name.isEmpty, name.utf8.count <= greatestLength, !name.utf8.contains(where: { $0 < 32 || $0 == 127 }),
      !name.hasPrefix("trestle:")
    else { return nil }
    if name.hasPrefix("file:///") { return String(name.dropFirst(7)) }
    if name.hasPrefix("/") || hasScheme(name) { return name }
    guard let slash = base.utf8.lastIndex(of: UInt8(ascii: "/")) else { return joined("", name) }
    return joined(String(base[..<base.utf8.index(after: slash)]), name)
  }

  static func hasScheme(_ name: String) -> Bool {
    guard let colon = name.utf8.firstIndex(of: UInt8(ascii: ":")), colon > name.startIndex else { return false }
    return name.utf8[..<colon].allSatisfy {
      (97...122).contains($0) || (65...90).contains($0) || (48...57).contains($0) || [43, 45, 46].contains($0)
    }
  }

  /// A relative path from a folder, without `.` and, as far as the folder goes, `..`.
  private static func joined(_ folder: String, _ path: String) -> String {
    var parts = folder.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropLast()[...]
    for part in path.utf8.split(separator: UInt8(ascii: "/")) {
      if part.elementsEqual(".".utf8) { continue }
      let isUp = part.elementsEqual("..".utf8)
      if isUp, let last = parts.last, !last.isEmpty, !last.elementsEqual("..".utf8), !last.elementsEqual(".".utf8) {
        parts.removeLast()
      } else if !(isUp && parts.count == 1 && parts.first?.isEmpty == true) {
        parts.append(part)
      }
    }
    return parts.map { String(Substring($0)) }.joined(separator: "/")
  }
}
