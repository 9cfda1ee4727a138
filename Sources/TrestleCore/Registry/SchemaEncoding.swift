/// Schemas and configs on their way to the encoders in `js/runtime`, which document the members.
extension TypeSchema: BridgeEncodable {
  public static var bridgeSchema: BridgeSchema { BridgeSchema(.json) }

  public func encode(into writer: inout ValueWriter) throws {
    let kind = kind
    writer.append(.object, low: UInt32(2 + kind.details.count))
    writer.append("kind")
    writer.append(kind.name)
    writer.append("expected")
    writer.append(kind.expected)
    for (name, value) in kind.details {
      writer.append(name)
      try value.encode(into: &writer)
    }
  }
}

extension TypeSchema.JSONLiteral: BridgeEncodable {
  public static var bridgeSchema: BridgeSchema { BridgeSchema(.json) }

  public func encode(into writer: inout ValueWriter) throws {
    switch self {
    case .string(let string): string.encode(into: &writer)
    case .number(let number): number.encode(into: &writer)
    }
  }
}

/// One case of a union: `{name, members}`.
struct EncodedCase: BridgeEncodable {
  let of: UnionShape.Case
  static var bridgeSchema: BridgeSchema { BridgeSchema(.json) }

  func encode(into writer: inout ValueWriter) throws {
    writer.append(.object, low: 2)
    writer.append("name")
    writer.append(of.name)
    writer.append("members")
    try of.members.encode(into: &writer)
  }
}

/// `{name, schema, optional}`.
extension RecordShape.Member: BridgeEncodable {
  public static var bridgeSchema: BridgeSchema { BridgeSchema(.json) }

  public func encode(into writer: inout ValueWriter) throws {
    writer.append(.object, low: 3)
    writer.append("name")
    writer.append(name)
    writer.append("schema")
    try schema.encode(into: &writer)
    writer.append("optional")
    isOptional.encode(into: &writer)
  }
}

/// `{name, schema, optional}`.
extension Parameter: BridgeEncodable {
  public static var bridgeSchema: BridgeSchema { BridgeSchema(.json) }

  public func encode(into writer: inout ValueWriter) throws {
    writer.append(.object, low: 3)
    writer.append("name")
    writer.append(name)
    writer.append("schema")
    try schema.encode(into: &writer)
    writer.append("optional")
    isOptional.encode(into: &writer)
  }
}

/// `{name, kind, parameters, isStream}`.
extension ModuleDetails.Method: BridgeEncodable {
  static var bridgeSchema: BridgeSchema { BridgeSchema(.json) }

  func encode(into writer: inout ValueWriter) throws {
    writer.append(.object, low: 4)
    writer.append("name")
    writer.append(name)
    writer.append("kind")
    writer.append(kind.rawValue)
    writer.append("parameters")
    try parameters.encode(into: &writer)
    writer.append("isStream")
    isStream.encode(into: &writer)
  }
}
