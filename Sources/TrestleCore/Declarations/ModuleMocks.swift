import CBundledJS
import JSON

extension Bridge {
  /// A script that puts mocks in the place of native modules: for tests of scripts without native code, in any engine. Run it
  /// before the script under test; `NativeMocks` has what the tests need. Makes no instances.
  ///
  /// - Parameter names: of the modules to mock; all of them if it is nil.
  /// - Throws: `ERR_NOT_FOUND` for a name that no module has.
  public func mockScript(of names: [String]? = nil) throws -> String {
    let modules = try mockableModules(named: names)
    let schemas = JSONValue.array(modules.map(\.mockSchema))
    let classes = JSONValue.array(modules.sharedClasses.map(\.mockSchema))
    return """
      (function (modules, classes) {
      'use strict';
      \(String(cString: bundled_mocks_script()))})(\(schemas),
      \(classes));

      """
  }

  /// What `mockScript` gives tests, in TypeScript: beside `typeDeclarations`.
  ///
  /// - Throws: as `mockScript`.
  public func mockDeclarations(of names: [String]? = nil) throws -> String {
    let modules = try mockableModules(named: names)
    let writer = TypeDeclarations(modules, [])
    let objects = modules.sharedClasses.map { shared in
      let type = writer.names[.shared(shared)]
      return "  \(shared.name.scriptMemberName)(members?: Partial<\(type)>): Mocked<\(type)>;\n"
    }
    let text = String(cString: bundled_mocks_declarations())
    return objects.isEmpty ? text : "\(text)\ninterface MockedObjects {\n\(objects.joined())}\n"
  }
}

extension Bridge {
  /// What scripts see of a module with JavaScript of its own is not in its definition.
  private func mockableModules(named names: [String]?) throws -> [ModuleInstance] {
    let modules = try modules(named: names)
    if names != nil, let module = modules.first(where: { $0.definition.script != nil }) {
      throw BridgeError(.module, "module '\(module.definition.name)' has JavaScript of its own, and no mock")
    }
    return modules.filter { $0.definition.script == nil }
  }
}

extension [ModuleInstance] {
  fileprivate var sharedClasses: [SharedClass] {
    TypeSchema.closure(of: flatMap(\.namedTypes)).compactMap { type in
      if case .shared(let shared) = type { shared } else { nil }
    }
  }
}

extension ModuleInstance {
  fileprivate var mockSchema: JSONValue {
    [
      "name": .string(definition.name), "version": .string(version),
      "constants": .array(details.constants.map { .string($0.name) }),
      "methods": .array(details.methods.map(\.mockSchema)),
      "events": .array(details.events.map { ["name": .string($0.name), "isMember": .bool($0.isMember)] }),
    ]
  }
}

extension SharedClass {
  fileprivate var mockSchema: JSONValue {
    let methods = definition.makeDetails().methods
    return [
      "name": .string(name),
      "methods": .array(methods.filter { $0.accessor == nil }.map(\.mockSchema)),
      "properties": .array(methods.compactMap(\.accessor).filter(\.isGetter).map { .string($0.property) }),
    ]
  }
}

extension ModuleDetails.Method {
  fileprivate var mockSchema: JSONValue {
    let least = parameters.lastIndex { !$0.isOptional }.map { $0 + 1 } ?? 0
    return [
      "name": .string(name), "kind": .string(kind.rawValue), "least": JSONValue(least),
      "most": JSONValue(parameters.count), "hasResult": .bool(result != .void),
    ]
  }
}
