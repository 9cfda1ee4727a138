import JSON

/// The packages of Node.
extension FileModuleLoader {
  func package(_ request: ModuleRequest) throws(BridgeError) -> String {
    let specifier = request.specifier, start = Self.normalized(folder(of: request))
    let own = try PackageManifest.nearest(to: start, in: root)
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

  static let ofNode = "that is a part of Node; native modules of this bridge are imported as 'trestle:files'"
  private static let namesOfNode: Set<String> = [
    "assert", "buffer", "child_process", "cluster", "crypto", "dgram", "dns", "events", "fs", "http", "http2", "https",
    "module", "net", "os",
    "path", "perf_hooks", "process", "querystring", "readline", "stream", "string_decoder", "timers", "tls", "tty",
    "url", "util", "v8",
    "vm", "worker_threads", "zlib",
  ]

  private func file(_ subpath: String, of folder: String, _ request: ModuleRequest) throws(BridgeError) -> String {
    let manifest = try PackageManifest(folder: folder, in: root)
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
    of name: String, in table: JSONValue, of manifest: PackageManifest, _ request: ModuleRequest
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
    _ target: JSONValue, _ middle: String, of manifest: PackageManifest, _ request: ModuleRequest
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
}

/// A `package.json`.
struct PackageManifest {
  let folder: String
  let value: JSONValue

  /// In bytes: to read it takes time that nothing ends, and thirty times the memory.
  private static let greatestLength = 1 << 20

  /// Nil if there is none, or a link leads to one outside of the root. One that cannot be read, or is no object, is an error: what it says
  /// would not hold.
  init?(folder: String, in root: ModuleRoot) throws(BridgeError) {
    let path = FileModuleLoader.join(folder, "package.json")
    var isWanted: ((String) -> Bool)?
    switch root.place(of: path) {
    case .missing, .outside: return nil
    case .file(let real): if root.sight != nil { isWanted = { $0.utf8.elementsEqual(real.utf8) } }
    case .folder, .unreachable: break
    }
    let text = try Script(file: path, mustBeFile: true, longest: Self.greatestLength, isWanted: isWanted).text
    do { value = try JSONValue(parsing: text, depthLimit: 64) } catch {
      throw BridgeError(.unreadable, "cannot read \(path): \(error)")
    }
    guard value.object != nil else { throw BridgeError(.unreadable, "cannot read \(path): not a JSON object") }
    self.folder = folder
  }

  /// That of the package that a folder belongs to.
  static func nearest(to folder: String, in root: ModuleRoot) throws(BridgeError) -> PackageManifest? {
    var folder = folder
    while true {
      if root.covers(folder), let manifest = try PackageManifest(folder: folder, in: root) { return manifest }
      if folder == "/" || folder == "." || folder.ends(with: "/node_modules") { return nil }
      folder = FileModuleLoader.parent(of: folder)
    }
  }
}
