import JSON

/// A `tsconfig.json`: the one that a file belongs to, with those that it extends.
enum TypeScriptConfig {
  /// The length is that of all files together, in bytes, where each counts as so much more than it is: to read them takes time that nothing
  /// ends.
  private static let (greatestLength, lengthOfFile, deepest) = (1 << 20, 4096, 8)

  /// Those of the nearest `tsconfig.json` in the file's folder, or above, within the root; a package in `node_modules` has its own or none.
  ///
  /// - Throws: `ERR_MODULE` for one that cannot be read, or lies elsewhere.
  static func options(for file: String, in root: ModuleRoot) throws(BridgeError) -> CompilerOptions {
    var folder = FileModuleLoader.parent(of: file)
    while true {
      let path = FileModuleLoader.join(folder, "tsconfig.json")
      if root.covers(folder), root.shows(path) {
        switch root.place(of: path) {
        case .missing, .folder: break
        case .file, .outside, .unreachable:
          var rest = greatestLength
          return options(from: try values(of: path, in: root, depth: 0, &rest))
        }
      }
      if folder == "/" || folder == "." || folder.hasSuffix("/node_modules") { return CompilerOptions() }
      folder = FileModuleLoader.parent(of: folder)
    }
  }

  /// `compilerOptions`, over those of what it extends.
  ///
  /// - Parameter rest: what may still be read, in bytes.
  private static func values(
    of path: String, in root: ModuleRoot, depth: Int, _ rest: inout Int
  ) throws(BridgeError) -> [String: JSONValue] {
    guard depth < deepest else {
      throw BridgeError(.module, "'extends' leads from one to the next without end", at: path)
    }
    let place = root.place(of: path)
    if case .unreachable(let reason) = place { throw BridgeError(.module, "cannot read \(path): \(reason)", at: path) }
    guard case .file(let real) = place else { throw BridgeError(.module, root.refusal, at: path) }
    let script: Script
    let isWanted: ((String) -> Bool)? = root.sight == nil ? nil : { $0.utf8.elementsEqual(real.utf8) }
    do throws(BridgeError) { script = try Script(file: real, mustBeFile: true, isWanted: isWanted) } catch {
      throw BridgeError(.module, error.message, at: path)
    }
    rest -= script.text.utf8.count + lengthOfFile
    guard rest >= 0 else {
      throw BridgeError(.module, "with what it extends it is too long, or of too many files", at: path)
    }
    guard let config = try? JSONValue(parsing: withoutComments(script.text), depthLimit: 64), config.object != nil
    else { throw BridgeError(.module, "that is no JSON object", at: path) }
    var values: [String: JSONValue] = [:]
    let bases = config["extends"]?.array?.compactMap(\.string) ?? [config["extends"]?.string].compactMap(\.self)
    for base in bases {
      guard let found = try file(of: base, from: path, in: root) else {
        let reason = root.sight == nil ? "is not there" : "is not there or may not be read"
        throw BridgeError(.module, "it extends '\(base)', which \(reason)", at: path)
      }
      values.merge(try Self.values(of: found, in: root, depth: depth + 1, &rest)) { $1 }
    }
    let own = config["compilerOptions"]?.object
    for key in own?.keys ?? [] { values[key] = own?[key] }
    return values
  }

  private static func file(of name: String, from path: String, in root: ModuleRoot) throws(BridgeError) -> String? {
    var folder = FileModuleLoader.parent(of: path)
    let endings = ["", ".json", "/tsconfig.json"]
    func found(_ path: String) -> String? {
      guard root.covers(FileModuleLoader.normalized(path)) else { return nil }
      return endings.lazy.compactMap { root.file(at: path + $0) }.first
    }
    if name.hasPrefix("/") || name.hasPrefix("./") || name.hasPrefix("../") {
      let target = name.hasPrefix("/") ? name : FileModuleLoader.join(folder, name)
      guard root.covers(FileModuleLoader.normalized(target)) else {
        throw BridgeError(.module, "it extends '\(name)': \(root.refusal)", at: path)
      }
      return found(target)
    }
    while true {
      if let file = found(FileModuleLoader.join(folder, "node_modules/" + name)) { return file }
      if folder == "/" || folder == "." { return nil }
      folder = FileModuleLoader.parent(of: folder)
    }
  }

  private static func options(from values: [String: JSONValue]) -> CompilerOptions {
    func text(_ name: String) -> String? { values[name]?.string }
    func flag(_ name: String) -> Bool? { if case .bool(let flag)? = values[name] { flag } else { nil } }
    var options = CompilerOptions()
    if text("jsx")?.lowercased() == "react" { options.jsx = .classic }
    options.jsxImportSource = text("jsxImportSource") ?? options.jsxImportSource
    options.jsxFactory = text("jsxFactory") ?? options.jsxFactory
    options.jsxFragmentFactory = text("jsxFragmentFactory") ?? options.jsxFragmentFactory
    // By default as the target has them.
    let isOld = text("target").map { target in
      !["esnext", "es2022", "es2023", "es2024", "es2025"].contains(target.lowercased())
    }
    options.definesClassFields = flag("useDefineForClassFields") ?? !(isOld ?? false)
    options.keepsUnusedImports = flag("verbatimModuleSyntax") ?? flag("preserveValueImports") ?? false
    return options
  }

  /// Comments, and commas before what closes, are allowed there and not in JSON: blanks take their place.
  static func withoutComments(_ text: String) -> [UInt8] {
    var bytes = Array(text.utf8)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
    var (index, comma) = (0, -1)
    func at(_ index: Int) -> UInt8? { bytes.indices.contains(index) ? bytes[index] : nil }
    while let byte = at(index) {
      switch (byte, at(index + 1)) {
      case (UInt8(ascii: "\""), _):
        comma = -1
        index += 1
        while let inner = at(index), inner != UInt8(ascii: "\"") { index += inner == UInt8(ascii: "\\") ? 2 : 1 }
      case (UInt8(ascii: "/"), UInt8(ascii: "/")):
        while let inner = at(index), inner != 10 {
          bytes[index] = 32
          index += 1
        }
      case (UInt8(ascii: "/"), UInt8(ascii: "*")):
        var end = index + 2
        while let inner = at(end), !(inner == UInt8(ascii: "*") && at(end + 1) == UInt8(ascii: "/")) { end += 1 }
        for inner in index..<min(end + 2, bytes.count) where bytes[inner] != 10 { bytes[inner] = 32 }
        index = end + 1
      case (UInt8(ascii: ","), _): comma = index
      case (UInt8(ascii: "}"), _), (UInt8(ascii: "]"), _):
        if comma >= 0 { bytes[comma] = 32 }
        comma = -1
      case (32, _), (9, _), (10, _), (13, _): break
      default: comma = -1
      }
      index += 1
    }
    return bytes
  }
}
