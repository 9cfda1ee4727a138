/// Schemas and configs on their way to the encoders in `js/runtime`, which document the members.
extension TypeSchema: BridgeEncodable {
  public static var bridgeSchema: TypeSchema { .json }

  public func encode(into writer: inout ValueWriter) throws {
    let details = encodedDetails
    writer.append(.object, low: UInt32(2 + details.count))
    writer.append("kind")
    writer.append(kindName)
    writer.append("expected")
    writer.append(expectedDescription)
    for (name, write) in details {
      writer.append(name)
      try write(&writer)
    }
  }

  private typealias Detail = (name: String, write: (inout ValueWriter) throws -> Void)

  private func detail(_ name: String, _ value: some BridgeEncodable) -> Detail {
    (name, { writer in try value.encode(into: &writer) })
  }

  private var encodedDetails: [Detail] {
    switch self {
    case .integer(let bits, let signed):
      let exact = 9_007_199_254_740_991.0
      let high =
        bits > 53
        ? exact
        : signed
          ? Double(sign: .plus, exponent: bits - 1, significand: 1) - 1
          : Double(sign: .plus, exponent: bits, significand: 1) - 1
      let low = !signed ? 0 : bits > 53 ? -exact : -high - 1
      return [detail("low", low), detail("high", high), detail("big", bits > 53)]
    case .optional(let wrapped): return [detail("of", wrapped)]
    case .array(let element), .set(let element): return [detail("of", element)]
    case .dictionary(let value): return [detail("of", value)]
    case .record(let shape): return [detail("id", shape.id)]
    case .shared(let shared): return [detail("id", shared.id)]
    case .enumeration(_, let allowed): return [detail("allowed", allowed)]
    case .numbers(let kind): return [detail("elements", kind.rawValue), detail("of", kind.elementSchema)]
    case .union(let shape): return [detail("id", shape.id), detail("discriminator", shape.discriminator)]
    default: return []
    }
  }
}

extension TypeSchema.JSONLiteral: BridgeEncodable {
  public static var bridgeSchema: TypeSchema { .json }

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
  static var bridgeSchema: TypeSchema { .json }

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
  public static var bridgeSchema: TypeSchema { .json }

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
  public static var bridgeSchema: TypeSchema { .json }

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
  static var bridgeSchema: TypeSchema { .json }

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
