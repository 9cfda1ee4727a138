import JSON

/// What names of modules stand for, as in the web's import maps: `{"imports": {"lib": "./lib/index.js", "lib/": "./lib/"}, "scopes": …}`.
///
/// What a name leads to is a path or a `file:` URL, relative to the map, or a native module (`trestle:files`); null refuses the name. A name
/// that ends in `/` stands for all that begin with it. The longest counts, those of a scope that the importer lies in before the others.
public struct ImportMap: Sendable {
  /// By the names; nil for one that is refused.
  private typealias Names = [String: String?]

  private let imports: Names
  /// By paths of files or, ending in `/`, of folders; the longest first.
  private let scopes: [(path: String, names: Names)]

  /// - Parameters:
  ///   - text: JSON.
  ///   - file: the path that it is relative to the folder of, for errors too.
  /// - Throws: `ERR_MODULE` for what is no import map.
  public init(_ text: String, file: String) throws {
    let value: JSONValue
    do throws(JSONError) { value = try JSONValue(parsing: text, depthLimit: 16) } catch {
      throw BridgeError(.module, "the import map is not JSON: \(error)", at: file)
    }
    guard value.object != nil else { throw BridgeError(.module, "the import map is no object", at: file) }
    let file = FileModuleLoader.normalized(file)
    imports = try Self.names(in: value["imports"] ?? .object([:]), "imports", file)
    guard let scopes = (value["scopes"] ?? .object([:])).object else {
      throw BridgeError(.module, "'scopes' of the import map is no object", at: file)
    }
    let found = try scopes.keys.map { scope in
      (Self.path(of: scope, file) ?? scope, try Self.names(in: scopes[scope] ?? .null, "scopes", file))
    }
    self.scopes = found.sorted { $0.0.utf8.count > $1.0.utf8.count }.map { (path: $0.0, names: $0.1) }
  }

  /// The map in a file.
  ///
  /// - Throws: `ERR_UNREADABLE` for a file that cannot be read, or as `init(_:file:)`.
  public init(file: String) throws { try self.init(Script(file: file, mustBeFile: true).text, file: file) }

  private static func names(in value: JSONValue, _ member: String, _ file: String) throws -> Names {
    guard let object = value.object else {
      throw BridgeError(.module, "'\(member)' of the import map is no object", at: file)
    }
    var names: Names = [:]
    for name in object.keys where !name.isEmpty {
      let key = path(of: name, file) ?? name
      switch object[name] {
      case .null?: names[key] = .some(nil)
      case .string(let text)?:
        guard let target = text.begins(with: "trestle:") ? text : path(of: text, file) else {
          throw BridgeError(
            .module, "'\(name)' in the import map leads to '\(text)', which begins with no './'", at: file)
        }
        guard !name.ends(with: "/") || target.ends(with: "/") else {
          throw BridgeError(
            .module, "'\(name)' in the import map leads to '\(text)', which does not end in '/'", at: file)
        }
        names[key] = target
      default: throw BridgeError(.module, "'\(name)' in the import map leads to no text", at: file)
      }
    }
    return names
  }

  /// Of what names a file, relative to the folder of another; nil for other names.
  private static func path(of name: String, _ file: String) -> String? {
    let path: String
    if name.begins(with: "file:") {
      guard let found = FileModuleLoader.path(ofURL: name) else { return nil }
      path = found
    } else if name.begins(with: "/") {
      path = name
    } else if name.begins(with: "./") || name.begins(with: "../") {
      path = FileModuleLoader.join(FileModuleLoader.parent(of: file), name)
    } else {
      return nil
    }
    let normalized = FileModuleLoader.normalized(path)
    return path.ends(with: "/") && normalized != "/" ? normalized + "/" : normalized
  }

  enum Target: Equatable {
    case name(String)
    case refused
  }

  /// What a request is for by the map; nil if the map does not say.
  func target(of specifier: String, from referrer: String) -> Target? {
    let name = Self.path(of: specifier, referrer) ?? specifier
    for scope in scopes where scope.path == referrer || scope.path.ends(with: "/") && referrer.begins(with: scope.path)
    {
      if let target = Self.target(of: name, in: scope.names) { return target }
    }
    return Self.target(of: name, in: imports)
  }

  private static func target(of name: String, in names: Names) -> Target? {
    if let exact = names[name] { return exact.map(Target.name) ?? .refused }
    // From the longest beginning to the shortest.
    var end = name.utf8.endIndex
    while let slash = name.utf8[..<end].lastIndex(of: UInt8(ascii: "/")) {
      let start = String(name[...slash])
      if let target = names[start] {
        guard let target else { return .refused }
        let path = target + String(name[name.utf8.index(after: slash)...])
        // Nothing outside of what the name stands for.
        return FileModuleLoader.normalized(path).begins(with: target) || !target.begins(with: "/")
          ? .name(path) : .refused
      }
      end = slash
    }
    return nil
  }
}
