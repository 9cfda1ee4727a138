import JSON

extension Bridge {
  /// All that the bridge knows of its modules, for tools: `{modules: [module, …], types: [type, …]}`.
  ///
  /// A module is `{id, name, version, origin, documentation?, dependencies, capabilities, constants, methods, events}`, where
  /// the version changes with what scripts see of it, a method
  /// `{id, name, kind, documentation?, parameters, result}` with the kinds `void`, `callbacks`, `promise` and `sync`, a
  /// parameter `{name, type, optional}`, a constant `{name, type}`, an event `{name, type, isMember, documentation?}`. Types are written as in TypeScript; the
  /// records and unions among them stand in `types`: `{name, documentation?, members}`, `{name, documentation?,
  /// discriminator, cases}` with `{name, members}` for a case, or `{name, documentation?, methods}` for shared objects, whose
  /// properties are methods named `get name` and `set name`. Makes no instances.
  package func moduleSchemas() throws -> JSONValue {
    let modules = try openRuntime().registry.modules
    for module in modules { try module.check() }
    return [
      "modules": .array(modules.map(\.schemaWithVersion)),
      "types": .array(TypeSchema.closure(of: modules.flatMap(\.namedTypes)).map(\.declaration)),
    ]
  }
}

extension ModuleInstance {
  var schema: JSONValue {
    var object: JSONObject = [
      "id": JSONValue(id), "name": .string(definition.name), "origin": .string(definition.origin),
    ]
    object["documentation"] = definition.documentation.map(JSONValue.string)
    object["dependencies"] = .array(definition.dependencies.map(JSONValue.string))
    object["capabilities"] = .array(definition.capabilities.map(\.rawValue).sorted().map(JSONValue.string))
    object["constants"] = .array(details.constants.map(Self.value))
    object["methods"] = .array(details.methods.enumerated().map { id, method in method.schema(id: id) })
    object["events"] = .array(details.events.map(\.declaration))
    return .object(object)
  }

  fileprivate var schemaWithVersion: JSONValue {
    guard var object = schema.object else { return .null }
    object["version"] = .string(version)
    return .object(object)
  }

  private static func value(_ name: String, _ schema: TypeSchema) -> JSONValue {
    ["name": .string(name), "type": .string(schema.scriptType)]
  }

  var namedTypes: [TypeSchema] {
    let values = details.constants.map(\.schema) + details.events.map(\.schema)
    return (values + details.methods.flatMap(\.types)).flatMap(\.namedTypes)
  }
}

extension ModuleDetails.Event {
  fileprivate var declaration: JSONValue {
    var object: JSONObject = [
      "name": .string(name), "type": .string(schema.scriptType), "isMember": .bool(isMember),
    ]
    object["documentation"] = documentation.map(JSONValue.string)
    return .object(object)
  }
}

extension ModuleDetails.Method {
  fileprivate var types: [TypeSchema] { parameters.map(\.schema) + [result] }

  /// The property that it is half of, in a class of shared objects.
  var accessor: (isGetter: Bool, property: String)? {
    guard kind == .sync, name.hasPrefix("get ") || name.hasPrefix("set ") else { return nil }
    return (name.hasPrefix("get "), String(name.dropFirst(4)))
  }

  fileprivate func schema(id: Int) -> JSONValue {
    var object: JSONObject = ["id": JSONValue(id), "name": .string(name), "kind": .string(kind.rawValue)]
    object["documentation"] = documentation.map(JSONValue.string)
    object["parameters"] = .array(
      parameters.map { member($0.name, $0.schema.scriptType(.plain, isArgument: true), isOptional: $0.isOptional) })
    object["result"] = .string(result.scriptType)
    return .object(object)
  }
}

private func member(_ name: String, _ type: String, isOptional: Bool) -> JSONValue {
  ["name": .string(name), "type": .string(type), "optional": .bool(isOptional)]
}

extension RecordShape.Member {
  fileprivate var declaration: JSONValue { member(name, schema.scriptType, isOptional: isOptional) }
}

extension TypeSchema {
  /// The types and all that their members are made of, by name.
  static func closure(of types: [TypeSchema]) -> [TypeSchema] {
    var (found, waiting) = (Set<TypeSchema>(), types)
    while let type = waiting.popLast() {
      if found.insert(type).inserted { waiting += type.parts.flatMap(\.namedTypes) }
    }
    return found.sorted { $0.scriptType < $1.scriptType }
  }

  private var parts: [TypeSchema] {
    switch self {
    case .record(let shape): shape.members.map(\.schema)
    case .union(let shape): shape.cases.flatMap { $0.members.map(\.schema) }
    case .shared(let shared): shared.definition.makeDetails().methods.flatMap(\.types)
    default: []
    }
  }

  var declaration: JSONValue {
    var object: JSONObject = ["name": .string(scriptType)]
    switch self {
    case .record(let shape):
      object["documentation"] = shape.documentation.map(JSONValue.string)
      object["members"] = .array(shape.members.map(\.declaration))
    case .union(let shape):
      object["documentation"] = shape.documentation.map(JSONValue.string)
      object["discriminator"] = .string(shape.discriminator)
      object["cases"] = .array(
        shape.cases.map { ["name": .string($0.name), "members": .array($0.members.map(\.declaration))] })
    case .shared(let shared):
      object["documentation"] = shared.definition.documentation.map(JSONValue.string)
      let methods = shared.definition.makeDetails().methods
      object["methods"] = .array(methods.enumerated().map { id, method in method.schema(id: id) })
    default: break
    }
    return .object(object)
  }
}
