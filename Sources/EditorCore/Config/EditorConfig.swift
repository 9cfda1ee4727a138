import EditorProtocol
import JSON

/// What the `.editorconfig` files of a folder, and of those that it is in, say of a file (editorconfig.org).
enum EditorConfig {
  private static let fileName = ".editorconfig"
  private static let largestFile = 1 << 20
  /// In all sections of all these files: what does not fit within them fits nothing.
  private static let mostSteps = 1_000_000

  /// As settings of this editor. A file that cannot be read says nothing.
  /// - Parameters:
  ///   - path: Absolute, without links.
  ///   - tellTooLarge: Given the path of a file that is not read, as it is too large.
  static func settings(ofFile path: String, system: any FileSystem, tellTooLarge: (String) -> Void = { _ in })
    -> JSONObject
  {
    var properties: [String: String] = [:]
    var folder = path.pathFolder
    var budget = Budget(mostSteps)
    while let current = folder {
      let base = current == "/" ? "" : current
      if let text = text(at: base + "/" + fileName, system, tellTooLarge) {
        let file = EditorConfigFile(text)
        let subject = String(path.dropFirst(base.count))
        // The nearer file, and in a file the later section, comes first.
        for (name, value) in file.properties(of: subject, &budget)
        where properties[name] == nil { properties[name] = value }
        if file.isRoot { break }
      }
      folder = current == "/" ? nil : current.pathFolder
    }
    return settings(properties)
  }

  private static func text(at path: String, _ system: any FileSystem, _ tellTooLarge: (String) -> Void) -> String? {
    guard let reader = try? FileReader(path, system: system) else { return nil }
    guard reader.status.size <= largestFile else {
      tellTooLarge(path)
      return nil
    }
    guard let contents = try? reader.readAll() else { return nil }
    return contents.string(in: contents.fullRange)
  }

  /// The width of a step is that of a tab here: where tabs indent, `tab_width` counts, else `indent_size`.
  static func settings(_ properties: [String: String]) -> JSONObject {
    var settings = JSONObject()
    let width = properties["tab_width"].flatMap(width)
    let size = properties["indent_size"].flatMap { $0 == "tab" ? width : self.width($0) }
    switch properties["indent_style"] {
    case "tab":
      settings["translate_tabs_to_spaces"] = false
      settings["tab_size"] = (width ?? size).map { JSONValue($0) }
    case "space":
      settings["translate_tabs_to_spaces"] = true
      settings["tab_size"] = (size ?? width).map { JSONValue($0) }
    default: settings["tab_size"] = (size ?? width).map { JSONValue($0) }
    }
    if let ending = ["lf": "\n", "crlf": "\r\n"][properties["end_of_line"] ?? ""] {
      settings["line_ending"] = .string(ending)
    }
    if let trims = bool(properties["trim_trailing_whitespace"]) { settings["trim_trailing_whitespace"] = .bool(trims) }
    if let ends = bool(properties["insert_final_newline"]) {
      settings["insert_final_newline"] = .bool(ends)
      if !ends { settings["save_with_newline"] = false }
    }
    if let encoding = encodings[properties["charset"] ?? ""] { settings["charset"] = .string(encoding.rawValue) }
    return settings
  }

  /// What the encoding of new files is called there.
  private static let encodings: [String: TextEncoding] = [
    "utf-8": .utf8, "utf-8-bom": .utf8WithMark, "latin1": .latin1, "utf-16le": .utf16LittleEndianWithMark,
    "utf-16be": .utf16BigEndianWithMark,
  ]

  private static func width(_ text: String) -> Int? { Int(text).flatMap { (1...64).contains($0) ? $0 : nil } }

  private static func bool(_ text: String?) -> Bool? { ["true": true, "false": false][text ?? ""] }
}

/// One such file: sections by patterns for names, with properties in lower case.
struct EditorConfigFile {
  private(set) var isRoot = false
  private var sections: [(pattern: Glob, properties: [String: String])] = []

  init(_ text: String) {
    var isPreamble = true
    for line in text.split(whereSeparator: \.isNewline) {
      let line = line.trimmed
      guard let first = line.first, first != "#", first != ";" else { continue }
      if first == "[" {
        isPreamble = false
        guard let end = line.lastIndex(of: "]") else { continue }
        sections.append((Glob(String(line[line.index(after: line.startIndex)..<end])), [:]))
      } else {
        take(line, isPreamble)
      }
    }
  }

  private mutating func take(_ line: Substring, _ isPreamble: Bool) {
    guard let sign = line.firstIndex(of: "=") else { return }
    let name = line[..<sign].trimmed.lowercased()
    let value = Self.withoutComment(line[line.index(after: sign)...]).lowercased()
    if isPreamble {
      if name == "root" { isRoot = value == "true" }
    } else if !sections.isEmpty {
      sections[sections.count - 1].properties[name] = value
    }
  }

  private static func withoutComment(_ value: Substring) -> Substring {
    for index in value.indices where value[index] == "#" || value[index] == ";" {
      if index > value.startIndex, value[value.index(before: index)].isWhitespace { return value[..<index].trimmed }
    }
    return value.trimmed
  }

  /// - Parameter path: From the folder of this file on, with a slash before it.
  func properties(of path: String, _ budget: inout Budget) -> [String: String] {
    var found: [String: String] = [:]
    for section in sections where section.pattern.matches(path, &budget) {
      found.merge(section.properties) { $1 }
    }
    return found
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    let start = firstIndex { !$0.isWhitespace } ?? endIndex
    let end = lastIndex { !$0.isWhitespace }.map { index(after: $0) } ?? start
    return self[start..<Swift.max(start, end)]
  }
}
