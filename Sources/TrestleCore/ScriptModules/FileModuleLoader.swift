import JSON

/// Loads modules from files, by the rules of Node: relative and absolute paths, `file:` URLs, packages in `node_modules` with the `exports`
/// and `imports` of their `package.json`. A key is the file's path, without links. Scripts read all that it reads: nothing outside of its
/// root, and no files of the kernel.
///
/// `./lib.js?1` is another instance of `./lib.js`, unless there is a file of that very name, and so is `./lib.js#1`. Its key is a `file:` URL.
///
/// What an `import` names has its extension; `require` tries `.js`, `.cjs` and `.json`, and looks into folders. `./lib.js` is `lib.ts` or
/// `lib.tsx` where only that is there. What TypeScript and JSX import may do without: `./lib` is tried as `.ts`, `.tsx`, `.js` and `.jsx`,
/// then as a folder with such an `index`.
public struct FileModuleLoader: ModuleLoader {
  /// The folder that the host's own requests are relative to.
  private let folder: String
  /// What is not below it is not read.
  var root: ModuleRoot
  /// Modules that are no files, by their keys.
  private let given: [String: ModuleSource]
  private let importMap: ImportMap?
  /// Is told of each file that was read: its path and its text. On the JavaScript thread.
  private let onLoad: @Sendable (String, String) -> Void
  /// The folders of a program whose modules need no permission (`ImportPermissions`).
  package var program: [String] = []
  var permissions = ImportPermissions(.open, program: [])

  /// - Parameters:
  ///   - folder: what the host asks for is relative to that; by default the working folder.
  ///   - root: no file outside of this folder is a module, whatever links lead there; packages are looked for below it. By default it is
  ///     `folder`; `/` grants scripts every file that the process may read.
  ///   - given: modules that are no files. Their keys are paths, which need not exist: what they import is found from there.
  ///   - importMap: what names stand for, before anything else is looked at.
  public init(
    folder: String = ".", root: String? = nil, given: [String: ModuleSource] = [:], importMap: ImportMap? = nil
  ) {
    self.init(folder: folder, root: root, given: given, importMap: importMap) { _, _ in }
  }

  package init(
    folder: String = ".", root: String? = nil, given: [String: ModuleSource] = [:], importMap: ImportMap? = nil,
    onLoad: @escaping @Sendable (String, String) -> Void
  ) {
    (self.folder, self.given, self.importMap, self.onLoad) = (folder, given, importMap, onLoad)
    self.root = ModuleRoot(root ?? folder)
  }

  /// Of a specifier, in bytes: what is done with a longer one takes time that nothing ends.
  private static let greatestLength = 16 << 10

  public func resolve(_ request: ModuleRequest) throws -> String {
    var request = request
    request.referrer = request.referrer.map(Self.path(ofKey:))
    guard request.specifier.utf8.count <= Self.greatestLength else {
      var named = request
      named.specifier = String(String.UnicodeScalarView(request.specifier.unicodeScalars.prefix(60))) + "…"
      throw notFound(named, "a name has \(Self.greatestLength) bytes at most")
    }
    let referrer = request.referrer ?? Self.join(Self.normalized(folder), "host")
    switch importMap?.target(of: request.specifier, from: referrer) {
    case nil:
      if let path = try literalPath(of: request) { try permissions.check(path, request) }
      let found = try permissions.search(root.sight) { () throws(BridgeError) in try place(of: request) }
      return try permitted(found, request)
    case .refused?: throw notFound(request, "the import map refuses it")
    case .name(let name)?:
      if name.begins(with: "trestle:") { return name }
      try permissions.check(Self.normalized(name), request)
      let found = try permissions.search(root.sight) { () throws(BridgeError) in
        try fileOrInstance(name, of: name, request)
      }
      return try permitted(found, request)
    }
  }

  private func permitted(_ key: String, _ request: ModuleRequest) throws -> String {
    if !key.begins(with: "trestle:"), source(given: key) == nil {
      try permissions.checkFound(Self.path(ofKey: key), request)
    }
    return key
  }

  /// The path that a specifier is; nil of a module that is given, or a package's name.
  private func literalPath(of request: ModuleRequest) throws -> String? {
    let specifier = request.specifier
    guard !permissions.gate.isOpen, given[specifier] == nil, !specifier.begins(with: "trestle:") else { return nil }
    if specifier.begins(with: "file:") { return Self.path(ofURL: specifier).map(Self.normalized) }
    let path = specifier.begins(with: "/") ? specifier : Self.join(folder(of: request), specifier)
    if ["/", ".", "#"].contains(where: specifier.begins) {
      return specifier.begins(with: "#") || given[Self.normalized(path)] != nil ? nil : Self.normalized(path)
    }
    // Out of a package nobody looks.
    guard !specifier.utf8.split(separator: UInt8(ascii: "/")).contains(where: { $0.elementsEqual("..".utf8) }) else {
      throw notFound(request, "that is no package's name")
    }
    return nil
  }

  func place(of request: ModuleRequest) throws(BridgeError) -> String {
    let specifier = request.specifier
    if specifier.begins(with: "trestle:") || given[specifier] != nil { return specifier }
    if specifier.begins(with: "file:") {
      guard let path = Self.path(ofURL: specifier) else { throw notFound(request, "the URL names no file here") }
      return Self.key(of: try file(path, request), Self.suffix(of: specifier))
    }
    if specifier.begins(with: "/") { return try fileOrInstance(specifier, of: specifier, request) }
    if specifier == "." || specifier == ".." || specifier.begins(with: "./") || specifier.begins(with: "../") {
      return try fileOrInstance(Self.join(folder(of: request), specifier), of: specifier, request)
    }
    if let colon = specifier.utf8.firstIndex(of: UInt8(ascii: ":")), Self.isScheme(specifier[..<colon]) {
      let isNodes = specifier.begins(with: "node:")
      throw notFound(request, isNodes ? Self.ofNode : "modules are not loaded from '\(specifier[...colon])'")
    }
    guard !specifier.isEmpty else { throw notFound(request, "that is no path") }
    return try package(request)
  }

  public func load(_ key: String, type: String?) throws -> ModuleSource {
    switch type {
    case nil: return try source(given: key) ?? Self.source(text(of: key), key: Self.path(ofKey: key), in: root)
    case "json"?: return ModuleSource(try text(of: key, isData: true), format: .json)
    case "text"?: return ModuleSource(try text(of: key, isData: true), format: .text)
    case let type?: throw BridgeError(.argument, "no type '\(type)' of modules is known", at: key)
    }
  }

  private func text(of key: String, isData: Bool = false) throws -> String {
    if let source = source(given: key) { return source.text }
    let path = Self.path(ofKey: key)
    guard root.holds(path) else { throw BridgeError(.unreadable, "cannot read \(path): \(root.refusal)") }
    try permissions.checkRead(path, isData: isData || Self.fileExtension(of: path) == "json")
    let isWanted: ((String) -> Bool)? = permissions.gate.isOpen ? nil : { $0.utf8.elementsEqual(path.utf8) }
    let script = try Script(file: path, mustBeFile: true, isWanted: isWanted)
    onLoad(path, script.text)
    return script.text
  }

  private func source(given key: String) -> ModuleSource? { given[key] ?? given[Self.path(ofKey: key)] }

  func folder(of request: ModuleRequest) -> String {
    guard let referrer = request.referrer else { return folder }
    return Self.parent(of: referrer)
  }

  // MARK: Files

  /// The file of a path as it is, or, for `import`, an instance of the one that it names without what follows `?` or `#`.
  ///
  /// - Parameter name: what the path ends with, as it is written.
  private func fileOrInstance(
    _ path: String, of name: String, _ request: ModuleRequest
  ) throws(BridgeError) -> String {
    let suffix = Self.suffix(of: name), literal = Self.normalized(path)
    let isThere = given[literal] != nil || root.covers(literal) && root.file(at: path) != nil
    if suffix.isEmpty || request.isRequired || isThere { return try file(path, request) }
    return Self.key(of: try file(String(Substring(path.utf8.dropLast(suffix.utf8.count))), request), suffix)
  }

  func file(_ path: String, _ request: ModuleRequest) throws(BridgeError) -> String {
    let key = Self.normalized(path)
    if given[key] != nil { return key }
    // Nothing is told of what lies elsewhere, not even whether it is there.
    guard root.covers(key) else { throw notFound(request, root.refusal) }
    let isTyped = request.referrer.map(Self.isTyped) ?? false
    let extensions = (isTyped ? Self.typedExtensions : []) + (request.isRequired ? [".js", ".cjs", ".json"] : [])
    var search = FileSearch(in: root)
    var found = search.fileOrItsSource(at: path) ?? search.file(at: extensions.map { path + $0 })
    // What cannot be reached is no folder either.
    if found == nil, search.obstacle == nil, request.isRequired { found = try folderIndex(path, &search) }
    if found == nil, search.obstacle == nil, isTyped {
      found = search.file(at: Self.typedExtensions.map { "\(path)/index\($0)" })
    }
    guard let found else { throw notFound(request, search, hint(for: key)) }
    return found
  }

  /// What `require` takes of a folder.
  func folderIndex(_ path: String, _ search: inout FileSearch) throws(BridgeError) -> String? {
    let manifest = try PackageManifest(folder: path, in: root)
    if let main = manifest?.value["main"]?.string {
      let files = ["", ".js", ".cjs", ".json", "/index.js"].map { Self.join(path, main) + $0 }
      if let found = search.file(at: files.filter { root.covers(Self.normalized($0)) }) { return found }
    }
    return search.file(at: ["/index.js", "/index.cjs", "/index.json"].map { path + $0 })
  }

  /// What was probably meant by a path that leads to no file.
  private func hint(for path: String) -> String {
    if case .folder = root.place(of: path) { return "\(path) is a folder" }
    for suffix in [".js", ".mjs", ".cjs", ".json", ".ts", ".mts", ".tsx", ".jsx", "/index.js", "/index.ts"] {
      guard case .file = root.place(of: path + suffix) else { continue }
      return "did you mean '\(Self.lastPart(of: path) + suffix)'?"
    }
    return "there is no \(path)"
  }

  func notFound(_ request: ModuleRequest, _ reason: String) -> BridgeError {
    BridgeError(.notFound, "no module '\(request.specifier)'\(Self.importer(of: request)): \(reason)")
  }

  /// - Parameter reason: what is said where no file is there, and nothing kept the search from one.
  func notFound(_ request: ModuleRequest, _ search: FileSearch, _ reason: String) -> BridgeError {
    switch search.obstacle {
    case nil: notFound(request, reason)
    case .outside?: notFound(request, root.refusal)
    case .unreachable(let path, let reason)?:
      BridgeError(.unreadable, "cannot read \(path)\(Self.importer(of: request)): \(reason)")
    }
  }

  private static func importer(of request: ModuleRequest) -> String {
    request.referrer.map { ", which \($0) \(request.isRequired ? "requires" : "imports")" } ?? ""
  }

  /// The key of a program's script, and what its name says of its kind.
  ///
  /// - Parameters:
  ///   - gate: of its scripts.
  ///   - isProgram: somebody has run it, and no script has chosen it.
  package static func main(
    _ script: Script, isFile: Bool, _ gate: PermissionGate = .open, isProgram: Bool = true
  ) throws(BridgeError) -> (key: String, source: ModuleSource) {
    guard isFile else { return (normalized(script.name), ModuleSource(script.text, format: .script)) }
    var root = ModuleRoot("/")
    let key = root.file(at: script.name) ?? normalized(script.name)
    root.sight = ImportPermissions(gate, program: isProgram ? [script.folder, parent(of: key)] : []).sight
    return (key, try source(script.text, key: key, in: root))
  }

  private static func source(
    _ text: String, key: String, in root: ModuleRoot
  ) throws(BridgeError) -> ModuleSource {
    var source = ModuleSource(text, format: try format(of: key, in: root), language: language(of: key))
    if source.language != .javaScript { source.compilerOptions = try TypeScriptConfig.options(for: key, in: root) }
    return source
  }

  /// What a file's name, or its package, says of its kind.
  private static func format(of key: String, in root: ModuleRoot) throws(BridgeError) -> ModuleSource.Format {
    switch fileExtension(of: key) {
    case "json": .json
    case "mjs", "mts": .module
    case "cjs", "cts": .commonJS
    default:
      switch try PackageManifest.nearest(to: parent(of: key), in: root)?.value["type"]?.string {
      case "module": .module
      case "commonjs": .commonJS
      default: .script
      }
    }
  }
}
