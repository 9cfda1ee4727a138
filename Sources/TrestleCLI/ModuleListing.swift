import Trestle

/// The modules of a bridge for people: what scripts see of each, with the signatures of what is native.
struct ModuleListing {
  /// Without a line break at the end.
  let text: String

  init(of bridge: Bridge) async throws {
    let visible = try await bridge.evaluate(Self.script, sourceURL: "trestle:modules.js", as: [String: [Visible]].self)
    let modules = try await bridge.moduleSchemas()["modules"]?.array ?? []
    text = modules.sorted { $0.name < $1.name }.map { module in
      ([module.heading] + (visible[module.name] ?? []).map { "  " + module.line(for: $0) }).joined(separator: "\n")
    }.joined(separator: "\n")
  }

  /// What a script sees of a module may be made by JavaScript of the module's own.
  @Record struct Visible {
    var name: String
    var isFunction: Bool
  }

  private static let script = """
    Object.fromEntries(trestle.moduleNames().map(name => {
      const module = NativeModules[name];
      return [name, Object.keys(module).map(key => ({ name: key, isFunction: typeof module[key] === 'function' }))];
    }))
    """
}

/// A module, method, parameter or constant of `Bridge.moduleSchemas`.
extension JSONValue {
  fileprivate var name: String { self["name"]?.string ?? "" }
  private var type: String { self["type"]?.string ?? "unknown" }

  fileprivate var heading: String {
    let capabilities = self["capabilities"]?.array?.compactMap(\.string) ?? []
    return capabilities.isEmpty ? name : "\(name) (needs \(capabilities.joined(separator: ", ")))"
  }

  fileprivate func line(for member: ModuleListing.Visible) -> String {
    if let method = self["methods"]?.array?.first(where: { $0.name == member.name }) { return method.signature }
    if let constant = self["constants"]?.array?.first(where: { $0.name == member.name }) {
      return "\(constant.name): \(constant.type)"
    }
    if let event = self["events"]?.array?.first(where: { $0.name == member.name && $0["isMember"] == true }) {
      return "\(event.name): ModuleEvent<\(event.type)>"
    }
    return member.isFunction ? "\(member.name)()" : member.name
  }

  private var signature: String {
    let parameters = (self["parameters"]?.array ?? []).map { parameter in
      "\(parameter.name)\(parameter["optional"] == true ? "?" : ""): \(parameter.type)"
    }
    let result = self["result"]?.string ?? "void"
    let isPromise = self["kind"] == "promise"
    return "\(name)(\(parameters.joined(separator: ", "))): \(isPromise ? "Promise<\(result)>" : result)"
  }
}
