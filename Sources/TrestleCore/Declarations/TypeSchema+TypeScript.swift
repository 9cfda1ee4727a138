extension TypeSchema {
  /// The type as a declaration in TypeScript writes it; records and unions by their names.
  package var scriptType: String { scriptType(.plain) }

  /// - Parameter isArgument: what a script may pass, which is more than what it is given.
  func scriptType(_ names: TypeNames, isArgument: Bool = false) -> String {
    switch self {
    case .void: "void"
    case .bool: "boolean"
    // Beyond 2^53 a script is given a BigInt; to say so would make it prove for every count that it is none.
    case .integer(let bits, _): isArgument && bits > 53 ? "number | bigint" : "number"
    case .number, .duration: "number"
    case .string, .wellFormedString, .character, .url, .decimal: "string"
    case .data: isArgument ? "ArrayBuffer | ArrayBufferView" : "ArrayBuffer"
    case .numbers(let kind): isArgument ? "\(kind.constructorName) | \(kind.scriptElement)[]" : kind.constructorName
    case .date: "Date"
    case .optional(let wrapped):
      wrapped.isFunction
        ? "(\(wrapped.scriptType(names))) | null" : "\(wrapped.scriptType(names, isArgument: isArgument)) | null"
    case .array(let element), .set(let element): element.scriptElementType(names, isArgument: isArgument) + "[]"
    case .dictionary(let value): "Record<string, \(value.scriptType(names, isArgument: isArgument))>"
    case .record, .union, .shared: names[self]
    case .enumeration(_, let allowed):
      allowed.isEmpty ? "string | number" : allowed.map(\.description).joined(separator: " | ")
    case .scriptObject: "object"
    case .json: "unknown"
    case .codable(let name): name == "Error" || name == "AbortSignal" ? name : "unknown"
    case .stream(let element): "AsyncIterableIterator<\(element.scriptType(names))>"
    case .sequence(let element):
      "Iterable<\(element.scriptType(names, isArgument: true))> | AsyncIterable<\(element.scriptType(names, isArgument: true))>"
    case .callback(let values), .function(let values, .void): "(\(Self.parameters(values, names))) => void"
    case .function(let values, let result):
      "(\(Self.parameters(values, names))) => \(result.scriptElementType(names, isArgument: true)) | Promise<\(result.scriptType(names, isArgument: true))>"
    }
  }

  private var isFunction: Bool {
    switch self {
    case .callback, .function: true
    default: false
    }
  }

  private static func parameters(_ values: [TypeSchema], _ names: TypeNames) -> String {
    if values.count == 1 { return "value: \(values[0].scriptType(names))" }
    return values.enumerated().map { "value\($0 + 1): \($1.scriptType(names))" }.joined(separator: ", ")
  }

  private func scriptElementType(_ names: TypeNames, isArgument: Bool) -> String {
    let type = scriptType(names, isArgument: isArgument)
    return type.contains(" ") && !type.hasPrefix("Record<") ? "(\(type))" : type
  }

  /// The records and unions in it that declarations call by name.
  var namedTypes: [TypeSchema] { ownName == nil ? kind.inner.flatMap(\.namedTypes) : [self] }

  /// What Swift calls a type that declarations call by name.
  var ownName: String? {
    switch self {
    case .record(let shape): shape.name
    case .union(let shape): shape.name
    case .shared(let shared): shared.name
    default: nil
    }
  }
}

extension ElementKind {
  fileprivate var scriptElement: String { self == .int64 || self == .uint64 ? "(number | bigint)" : "number" }
}
