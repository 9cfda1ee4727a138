extension TypeSchema {
  /// The type as a declaration in TypeScript writes it; records and unions by their names.
  public var scriptType: String {
    switch self {
    case .void: "void"
    case .bool: "boolean"
    case .integer(let bits, _): bits > 53 ? "number | bigint" : "number"
    case .number, .duration: "number"
    case .string, .character, .url: "string"
    case .data: "ArrayBuffer"
    case .numbers(let kind): kind.constructorName
    case .date: "Date"
    case .optional(let wrapped):
      wrapped.isFunction ? "(\(wrapped.scriptType)) | null" : "\(wrapped.scriptType) | null"
    case .array(let element): element.scriptElementType + "[]"
    case .set(let element): element.scriptElementType + "[]"
    case .dictionary(let value): "Record<string, \(value.scriptType)>"
    case .record(let shape): shape.name
    case .enumeration(_, let allowed):
      allowed.isEmpty ? "string | number" : allowed.map(\.description).joined(separator: " | ")
    case .union(let shape): shape.name
    case .json: "unknown"
    case .codable(let name): name == "Error" ? name : "unknown"
    case .callback(let values): "(\(Self.parameters(values))) => void"
    case .stream(let element): "AsyncIterableIterator<\(element.scriptType)>"
    case .sequence(let element): "Iterable<\(element.scriptType)> | AsyncIterable<\(element.scriptType)>"
    case .function(let values, .void): "(\(Self.parameters(values))) => void"
    case .function(let values, let result):
      "(\(Self.parameters(values))) => \(result.scriptElementType) | Promise<\(result.scriptType)>"
    }
  }

  private var isFunction: Bool {
    switch self {
    case .callback, .function: true
    default: false
    }
  }

  private static func parameters(_ values: [TypeSchema]) -> String {
    if values.count == 1 { return "value: \(values[0].scriptType)" }
    return values.enumerated().map { "value\($0 + 1): \($1.scriptType)" }.joined(separator: ", ")
  }

  private var scriptElementType: String {
    let type = scriptType
    return type.contains(" ") && !type.hasPrefix("Record<") ? "(\(type))" : type
  }

  /// The records and unions in it that declarations call by name.
  var namedTypes: [TypeSchema] {
    switch self {
    case .record, .union: [self]
    case .optional(let inner), .array(let inner), .set(let inner), .dictionary(let inner), .stream(let inner),
      .sequence(let inner):
      inner.namedTypes
    case .callback(let values): values.flatMap(\.namedTypes)
    case .function(let values, let result): (values + [result]).flatMap(\.namedTypes)
    default: []
    }
  }
}
