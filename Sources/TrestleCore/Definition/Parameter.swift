extension _Expansion {
  /// One parameter of a method, for the encoder in JavaScript, the config table and messages.
  public struct Parameter: Sendable {
    package let name: String
    package let schema: TypeSchema
    /// Whether JavaScript may leave it out.
    package let isOptional: Bool

    /// - Parameter hasDefault: the Swift parameter has a default argument.
    public init<Value: BridgeDecodable>(_ name: String, _: Value.Type, hasDefault: Bool = false) {
      self.init(name: name, schema: Value.typeSchema, hasDefault: hasDefault)
    }

    @_disfavoredOverload
    public init<Value: Decodable & Sendable>(_ name: String, _: Value.Type, hasDefault: Bool = false) {
      self.init(name: name, schema: .codable(name: "\(Value.self)"), hasDefault: hasDefault)
    }

    /// What native code passes to a function of a script.
    public static func argument<Value: BridgeEncodable>(_ name: String, _: Value.Type) -> Parameter {
      Parameter(name: name, schema: Value.typeSchema, hasDefault: false)
    }

    @_disfavoredOverload
    public static func argument<Value: Encodable & Sendable>(_ name: String, _: Value.Type) -> Parameter {
      Parameter(name: name, schema: .codable(name: "\(Value.self)"), hasDefault: false)
    }

    /// A callback that is given a `Value`.
    public static func callback<Value: BridgeEncodable>(_ name: String, _: Value.Type, isOptional: Bool = false)
      -> Parameter
    {
      Parameter(name: name, schema: .callback([Value.typeSchema]), hasDefault: isOptional)
    }

    /// A callback that is given an error.
    @_disfavoredOverload
    public static func callback<Value: Error>(_ name: String, _: Value.Type, isOptional: Bool = false) -> Parameter {
      Parameter(name: name, schema: .callback([.codable(name: "Error")]), hasDefault: isOptional)
    }

    /// A callback without a value.
    public static func callback(_ name: String, _: Void.Type, isOptional: Bool = false) -> Parameter {
      Parameter(name: name, schema: .callback([]), hasDefault: isOptional)
    }

    /// Whether a function is passed.
    var isCallback: Bool {
      switch schema {
      case .callback, .optional(.callback): true
      default: false
      }
    }

    init(name: String, schema: TypeSchema, hasDefault: Bool) {
      self.name = name
      self.schema = schema
      if case .optional = schema { isOptional = true } else { isOptional = hasDefault }
    }
  }
}
