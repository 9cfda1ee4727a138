/// Names of files that are not JavaScript, and maps of what was made of such.
extension FileModuleLoader {
  /// What an import without an extension is tried with, by who is not JavaScript himself.
  static let typedExtensions = [".ts", ".tsx", ".js", ".jsx"]

  static func language(of key: String) -> ModuleSource.Language {
    switch fileExtension(of: key) {
    case "ts", "mts", "cts": .typeScript
    case "tsx": .tsx
    case "jsx": .jsx
    default: .javaScript
    }
  }

  static func isTyped(_ key: String) -> Bool { language(of: key) != .javaScript }

  /// A file beside the module, or where else below the root a path or a `file:` URL leads to.
  public func loadSourceMap(_ url: String, of key: String) -> String? {
    let path: String?
    if url.begins(with: "file:") {
      path = Self.path(ofURL: url)
    } else if SourceName.hasScheme(url) {
      path = nil
    } else {
      path = url.begins(with: "/") ? url : Self.join(Self.parent(of: Self.path(ofKey: key)), url)
    }
    guard let path, let file = root.file(at: path), permissions.mayRead(file),
      let script = try? Script(file: file, mustBeFile: true, longest: SourceMap.greatestLength)
    else {
      return nil
    }
    return script.text
  }
}

extension FileSearch {
  /// A file; in the place of one of JavaScript that is not there that of TypeScript which it would be made of.
  mutating func fileOrItsSource(at path: String) -> String? {
    let sources: [String: [String]] = [
      "js": ["ts", "tsx"], "jsx": ["tsx"], "mjs": ["mts"], "cjs": ["cts"],
    ]
    let ending = FileModuleLoader.fileExtension(of: path)
    let stem = String(Substring(path.utf8.dropLast(ending.utf8.count)))
    return file(at: [path] + (sources[ending] ?? []).map { stem + $0 })
  }
}
