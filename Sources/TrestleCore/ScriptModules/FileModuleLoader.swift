import EventLoop
import Glibc
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
  let root: ModuleRoot
  /// Modules that are no files, by their keys.
  private let given: [String: ModuleSource]
  private let importMap: ImportMap?
  /// Is told of each file that was read: its path and its text. On the JavaScript thread.
  private let onLoad: @Sendable (String, String) -> Void

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
    case nil: return try place(of: request)
    case .refused?: throw notFound(request, "the import map refuses it")
    case .name(let name)?:
      if name.begins(with: "trestle:") { return name }
      return try fileOrInstance(name, of: name, request)
    }
  }

  private func place(of request: ModuleRequest) throws(BridgeError) -> String {
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
    case "json"?: return ModuleSource(try text(of: key), format: .json)
    case "text"?: return ModuleSource(try text(of: key), format: .text)
    case let type?: throw BridgeError(.argument, "no type '\(type)' of modules is known", at: key)
    }
  }

  private func text(of key: String) throws -> String {
    if let source = source(given: key) { return source.text }
    let path = Self.path(ofKey: key)
    guard root.holds(path) else { throw BridgeError(.unreadable, "cannot read \(path): \(root.refusal)") }
    let script = try Script(file: path, mustBeFile: true)
    onLoad(path, script.text)
    return script.text
  }

  private func source(given key: String) -> ModuleSource? { given[key] ?? given[Self.path(ofKey: key)] }

  private func folder(of request: ModuleRequest) -> String {
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

  private func file(_ path: String, _ request: ModuleRequest) throws(BridgeError) -> String {
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
  private func folderIndex(_ path: String, _ search: inout FileSearch) throws(BridgeError) -> String? {
    let manifest = try Manifest(folder: path, in: root)
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

  private func notFound(_ request: ModuleRequest, _ reason: String) -> BridgeError {
    BridgeError(.notFound, "no module '\(request.specifier)'\(Self.importer(of: request)): \(reason)")
  }

  /// - Parameter reason: what is said where no file is there, and nothing kept the search from one.
  private func notFound(_ request: ModuleRequest, _ search: FileSearch, _ reason: String) -> BridgeError {
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

  // MARK: Packages

  private func package(_ request: ModuleRequest) throws(BridgeError) -> String {
    let specifier = request.specifier, start = Self.normalized(folder(of: request))
    let own = try Manifest.nearest(to: start, in: root)
    if specifier.begins(with: "#") {
      guard let own, let imports = own.value["imports"] else {
        throw notFound(request, "no package.json has 'imports'")
      }
      return try target(of: specifier, in: imports, of: own, request)
    }
    var parts = specifier.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map {
      String(Substring($0))
    }
    let nameCount = specifier.begins(with: "@") ? 2 : 1
    guard parts.count >= nameCount, !parts.prefix(nameCount).contains("") else {
      throw notFound(request, "that is no package's name")
    }
    let name = parts.prefix(nameCount).joined(separator: "/")
    parts.removeFirst(nameCount)
    let subpath = (["."] + parts).joined(separator: "/")
    if let own, own.value["name"]?.string == name, let exports = own.value["exports"] {
      return try target(of: subpath, in: exports, of: own, request)
    }
    var folder = start
    var search = FileSearch(in: root)
    while true {
      let candidate = Self.join(folder, "node_modules/" + name)
      if root.covers(candidate), search.isFolder(candidate) { return try file(subpath, of: candidate, request) }
      if folder == "/" { break }
      folder = Self.parent(of: folder)
    }
    throw notFound(
      request, search,
      Self.namesOfNode.contains(name)
        ? Self.ofNode : "no folder 'node_modules' above has it; a file beside is './\(specifier)'")
  }

  private static let ofNode = "that is a part of Node; native modules of this bridge are imported as 'trestle:files'"
  private static let namesOfNode: Set<String> = [
    "assert", "buffer", "child_process", "cluster", "crypto", "dgram", "dns", "events", "fs", "http", "http2", "https",
    "module", "net", "os",
    "path", "perf_hooks", "process", "querystring", "readline", "stream", "string_decoder", "timers", "tls", "tty",
    "url", "util", "v8",
    "vm", "worker_threads", "zlib",
  ]

  private func file(_ subpath: String, of folder: String, _ request: ModuleRequest) throws(BridgeError) -> String {
    let manifest = try Manifest(folder: folder, in: root)
    if let manifest, let exports = manifest.value["exports"], !exports.isNull {
      return try target(of: subpath, in: exports, of: manifest, request)
    }
    if subpath != "." { return try file(Self.join(folder, subpath), request) }
    var search = FileSearch(in: root)
    if let found = try folderIndex(folder, &search) { return found }
    throw notFound(request, search, "the package in \(folder) has no 'main' and no index.js")
  }

  /// What `exports` or `imports` say of a name.
  private func target(
    of name: String, in table: JSONValue, of manifest: Manifest, _ request: ModuleRequest
  ) throws(BridgeError) -> String {
    let members = table.object
    // Conditions, or a path, alone are what the package itself exports.
    let isTable = members?.keys.contains { $0.begins(with: ".") || $0.begins(with: "#") } ?? false
    var choice: (target: JSONValue, middle: String)?
    if !isTable {
      if name == "." { choice = (table, "") }
    } else if let members {
      if let exact = members[name], !name.utf8.contains(UInt8(ascii: "*")) {
        choice = (exact, "")
      } else {
        choice = Self.patternTarget(of: name, in: members)
      }
    }
    if let choice, case .file(let found) = try resolve(choice.target, choice.middle, of: manifest, request) {
      return found
    }
    let list = name.begins(with: "#") ? "imports" : "exports"
    throw notFound(request, "\(manifest.folder)/package.json does not name '\(name)' in '\(list)'")
  }

  /// That of the pattern with the longest start which the name fits, and what its star stands for.
  private static func patternTarget(of name: String, in members: JSONObject) -> (JSONValue, String)? {
    func rank(_ pattern: String) -> (Int, Int) {
      (pattern.utf8.prefix { $0 != UInt8(ascii: "*") }.count, pattern.utf8.count)
    }
    let patterns = members.keys.filter { $0.utf8.contains(UInt8(ascii: "*")) }.sorted { rank($0) > rank($1) }
    for pattern in patterns {
      let halves = pattern.utf8.split(separator: UInt8(ascii: "*"), maxSplits: 1, omittingEmptySubsequences: false)
        .map { String(Substring($0)) }
      guard halves.count == 2, name.utf8.count > halves[0].utf8.count + halves[1].utf8.count,
        name.begins(with: halves[0]), name.ends(with: halves[1]), let target = members[pattern]
      else { continue }
      let middle = Array(name.utf8).dropFirst(halves[0].utf8.count).dropLast(halves[1].utf8.count)
      return (target, String(decoding: middle, as: UTF8.self))
    }
    return nil
  }

  /// What a target leads to. A null excludes the name, whatever follows it; where no condition is met the next of a list is looked at.
  private enum Found {
    case file(String)
    case excluded
    case unmet
  }

  /// A path, a package, a choice by conditions, or a list of such.
  private func resolve(
    _ target: JSONValue, _ middle: String, of manifest: Manifest, _ request: ModuleRequest
  ) throws(BridgeError) -> Found {
    switch target {
    case .string(let text):
      guard let path = Self.replacingStars(in: text, by: middle) else {
        throw notFound(request, "\(manifest.folder)/package.json makes too long a path of it")
      }
      if path.begins(with: "./") {
        // Nothing outside of the package, nor in packages of its own.
        let parts = path.utf8.split(separator: UInt8(ascii: "/")).dropFirst().map { String(Substring($0)) }
        guard !parts.contains(where: { [".", "..", "node_modules"].contains($0) }) else {
          throw notFound(request, "\(manifest.folder)/package.json leads out of the package: '\(path)'")
        }
        let file = Self.join(manifest.folder, path)
        var search = FileSearch(in: root)
        guard let found = search.fileOrItsSource(at: file) else {
          throw notFound(request, search, "\(manifest.folder)/package.json leads to '\(path)', which is no file")
        }
        return .file(found)
      }
      // A package's own names may stand for other packages.
      guard request.specifier.begins(with: "#"), !["#", "/", "."].contains(where: path.begins) else {
        throw notFound(request, "'\(path)' in \(manifest.folder)/package.json does not begin with './'")
      }
      let other = ModuleRequest(path, from: manifest.folder + "/package.json", isRequired: request.isRequired)
      return .file(try place(of: other))
    case .array(let values):
      var last = Found.unmet
      for value in values {
        // One that is no path of the package's is passed over.
        if let text = value.string, !text.begins(with: "./"), !request.specifier.begins(with: "#") { continue }
        last = try resolve(value, middle, of: manifest, request)
        if case .file = last { return last }
      }
      return last
    case .object(let conditions):
      let met = ["trestle", request.isRequired ? "require" : "import", "default"]
      for condition in conditions.keys where met.contains(condition) {
        guard let value = conditions[condition] else { continue }
        let found = try resolve(value, middle, of: manifest, request)
        if case .unmet = found { continue }
        return found
      }
      return .unmet
    case .null: return .excluded
    default: return .unmet
    }
  }

  /// The key of a program's script, and what its name says of its kind.
  package static func main(_ script: Script, isFile: Bool) throws(BridgeError) -> (key: String, source: ModuleSource) {
    guard isFile else { return (normalized(script.name), ModuleSource(script.text, format: .script)) }
    let root = ModuleRoot("/")
    let key = root.file(at: script.name) ?? normalized(script.name)
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
      switch try Manifest.nearest(to: parent(of: key), in: root)?.value["type"]?.string {
      case "module": .module
      case "commonjs": .commonJS
      default: .script
      }
    }
  }

  // MARK: Instances

  /// What of a name is no part of a path: `?…` and `#…`.
  private static func suffix(of name: String) -> String {
    name.utf8.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }.map { String(name[$0...]) } ?? ""
  }

  private static func key(of file: String, _ suffix: String) -> String {
    suffix.isEmpty ? file : "file://" + escaped(file, "?#%") + escaped(suffix, "")
  }

  /// With what does not stand in URLs, and `others`, as escapes.
  private static func escaped(_ text: String, _ others: String) -> String {
    var result = ""
    for byte in text.utf8 {
      if (0x21...0x7E).contains(byte), !"\"<>\\^`{|}".utf8.contains(byte), !others.utf8.contains(byte) {
        result.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return result
  }

  /// The file that a key is of.
  static func path(ofKey key: String) -> String { key.begins(with: "file:") ? path(ofURL: key) ?? key : key }

  // MARK: Paths

  private static func isScheme(_ text: Substring) -> Bool {
    guard let first = text.utf8.first, isLetter(first) else { return false }
    return text.utf8.allSatisfy { isLetter($0) || (48...57).contains($0) || [43, 45, 46].contains($0) }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (65...90).contains(byte) || (97...122).contains(byte) }

  /// The path behind `file://`; nil for another host, or an escape that is none.
  package static func path(ofURL url: String) -> String? {
    guard url.begins(with: "file:///") || url.begins(with: "file:/") && !url.begins(with: "file://") else { return nil }
    var bytes: [UInt8] = []
    var rest = Array(url.utf8.dropFirst(url.begins(with: "file:///") ? 7 : 5))[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        // What is asked of a file, or a place in it, is no part of its name.
        if byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") { break }
        bytes.append(byte)
        continue
      }
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      // A slash of a name is none between folders.
      guard digits.utf8.count == 2, digits.utf8.first != UInt8(ascii: "+"), let value = UInt8(digits, radix: 16),
        value != UInt8(ascii: "/")
      else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  static func parent(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// - Returns: the `count`th folder above, the path itself for 0.
  static func ancestor(of path: String, _ count: Int) -> String {
    (0..<count).reduce(path) { path, _ in parent(of: path) }
  }

  private static func lastPart(of path: String) -> String {
    path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? path
  }

  static func fileExtension(of path: String) -> String {
    let name = lastPart(of: path)
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else { return "" }
    return String(name[name.utf8.index(after: dot)...])
  }

  static func join(_ folder: String, _ path: String) -> String {
    folder.ends(with: "/") ? folder + path : folder + "/" + path
  }

  /// Nil if that is longer than a path can be. Both are a script's, and nothing ends what is done here.
  private static func replacingStars(in pattern: String, by text: String) -> String? {
    let parts = pattern.utf8.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false)
    let (added, isTooLong) = (parts.count - 1).multipliedReportingOverflow(by: text.utf8.count)
    guard !isTooLong, added <= PATH_MAX, pattern.utf8.count <= PATH_MAX else { return nil }
    return parts.map { String(Substring($0)) }.joined(separator: text)
  }

  /// Absolute, without `.` and `..`.
  static func normalized(_ path: String) -> String {
    var path = path
    if !path.begins(with: "/"), let folder = getcwd(nil, 0) {
      defer { free(folder) }
      path = String(cString: folder) + "/" + path
    }
    var parts: [Substring] = []
    for part in path.utf8.split(separator: UInt8(ascii: "/")).map({ Substring($0) }) where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return "/" + parts.joined(separator: "/")
  }
}

/// A `package.json`.
private struct Manifest {
  let folder: String
  let value: JSONValue

  /// In bytes: to read it takes time that nothing ends, and thirty times the memory.
  private static let greatestLength = 1 << 20

  /// Nil if there is none, or a link leads to one outside of the root. One that cannot be read, or is no object, is an error: what it says
  /// would not hold.
  init?(folder: String, in root: ModuleRoot) throws(BridgeError) {
    let path = FileModuleLoader.join(folder, "package.json")
    switch root.place(of: path) {
    case .missing, .outside: return nil
    case .file, .folder, .unreachable: break
    }
    let text = try Script(file: path, mustBeFile: true, longest: Self.greatestLength).text
    do { value = try JSONValue(parsing: text, depthLimit: 64) } catch {
      throw BridgeError(.unreadable, "cannot read \(path): \(error)")
    }
    guard value.object != nil else { throw BridgeError(.unreadable, "cannot read \(path): not a JSON object") }
    self.folder = folder
  }

  /// That of the package that a folder belongs to.
  static func nearest(to folder: String, in root: ModuleRoot) throws(BridgeError) -> Manifest? {
    var folder = folder
    while true {
      if root.covers(folder), let manifest = try Manifest(folder: folder, in: root) { return manifest }
      if folder == "/" || folder == "." || folder.ends(with: "/node_modules") { return nil }
      folder = FileModuleLoader.parent(of: folder)
    }
  }
}

/// By bytes: a letter of a path may combine with the slash before it.
extension StringProtocol {
  func begins(with start: String) -> Bool { utf8.starts(with: start.utf8) }
  func ends(with end: String) -> Bool { utf8.reversed().starts(with: end.utf8.reversed()) }
}
