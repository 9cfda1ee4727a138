// What the code of macros calls for a type that cannot cross. `_Expansion.TypeChecks` has told of it: once is enough, and so none of
// these says a word. No program has them, as that is an error.

extension _Expansion {
  @_disfavoredOverload
  public static func argument<Value>(_ value: Value) -> Undefined { Undefined() }
}

extension Invocation {
  @_disfavoredOverload
  public mutating func next<Value>(_: Value.Type) throws(ConversionError) -> Value { throw reader.error(.mismatch) }

  @_disfavoredOverload
  public mutating func next<Value>(
    _: Value.Type, default defaultValue: @autoclosure () -> Value
  ) throws(ConversionError) -> Value { throw reader.error(.mismatch) }

  @_disfavoredOverload
  public func answer<Value>(_ body: () throws -> Value) { complete { _ = try body() } }
}

extension Reply {
  @_disfavoredOverload
  public func answer<Value>(_ body: () throws -> Value) { complete { _ = try body() } }

  @_disfavoredOverload
  public nonisolated(nonsending) func answer<Value>(
    _ body: nonisolated(nonsending) () async throws -> Value
  ) async { await complete { _ = try await body() } }
}

/// Constants and events whose types are written: of one that cannot cross `_Expansion.TypeChecks` has told.
extension Member {
  public static func _constant<Value: BridgeEncodable>(
    _ name: String, _: Value.Type, documentation: String? = nil,
    _ value: @escaping @Sendable (Module) throws -> Value
  ) -> Member { constant(name, documentation: documentation, value) }

  @_disfavoredOverload
  public static func _constant<Value: Encodable & Sendable>(
    _ name: String, _: Value.Type, documentation: String? = nil,
    _ value: @escaping @Sendable (Module) throws -> Value
  ) -> Member { constant(name, documentation: documentation, value) }

  @_disfavoredOverload
  public static func _constant<Value>(
    _ name: String, _: Value.Type, documentation: String? = nil,
    _ value: @escaping @Sendable (Module) throws -> Value
  ) -> Member { constant(name, documentation: documentation) { _ in Undefined() } }

  public static func _event<Value: BridgeEncodable>(
    _ name: String, _: Value.Type, documentation: String? = nil,
    source: @escaping @Sendable (Module) throws -> EventSource<Value>
  ) -> Member { event(name, documentation: documentation, source: source) }

  @_disfavoredOverload
  public static func _event<Value: Encodable>(
    _ name: String, _: Value.Type, documentation: String? = nil,
    source: @escaping @Sendable (Module) throws -> EventSource<Value>
  ) -> Member { event(name, documentation: documentation, source: source) }

  @_disfavoredOverload
  public static func _event<Value>(
    _ name: String, _: Value.Type, documentation: String? = nil,
    source: @escaping @Sendable (Module) throws -> EventSource<Value>
  ) -> Member { constant(name, documentation: documentation) { _ in Undefined() } }

  @_disfavoredOverload
  public static func _method<Result>(
    _ name: String, _ kind: MethodKind, _ parameters: [_Expansion.Parameter] = [], result: Result.Type,
    documentation: String? = nil, bind: @escaping _Expansion.Bind<Module>
  ) -> Member {
    let schema = TypeSchema.codable(name: "\(Result.self)")
    return Member(
      name: name, documentation: documentation,
      content: .method(kind: kind, parameters: parameters, result: schema, bind: bind))
  }
}

extension Parameter {
  @_disfavoredOverload
  public init<Value>(_ name: String, _: Value.Type, hasDefault: Bool = false) {
    self.init(name: name, schema: .codable(name: "\(Value.self)"), hasDefault: hasDefault)
  }

  @_disfavoredOverload
  public static func argument<Value>(_ name: String, _: Value.Type) -> _Expansion.Parameter {
    Parameter(name: name, schema: .codable(name: "\(Value.self)"), hasDefault: false)
  }

  @_disfavoredOverload
  public static func callback<Value>(_ name: String, _: Value.Type, isOptional: Bool = false) -> _Expansion.Parameter {
    Parameter(name: name, schema: .callback([.codable(name: "\(Value.self)")]), hasDefault: isOptional)
  }
}

extension ScriptInterface.Function {
  @_disfavoredOverload
  public init<Result>(
    _ name: String, _ parameters: [_Expansion.Parameter] = [], result: Result.Type, documentation: String? = nil
  ) {
    self.init(name, parameters, .codable(name: "\(Result.self)"), documentation)
  }
}

extension ScriptModule {
  @_disfavoredOverload
  public func call<each Argument: BridgeEncodable, Result>(
    _ function: String, _ arguments: repeat each Argument, as: Result.Type
  ) async throws -> Result { throw BridgeError(.argument, "'\(Result.self)' cannot come from JavaScript") }
}

extension RecordShape.Member {
  @_disfavoredOverload
  public init<Value>(_ name: String, _: Value.Type, hasDefault: Bool = false, documentation: String? = nil) {
    let schema = TypeSchema.codable(name: "\(Value.self)")
    self.init(name: name, schema: schema, hasDefault: hasDefault, documentation: documentation)
  }

  @_disfavoredOverload
  public init<Root, Value>(
    _ name: String, _: KeyPath<Root, Value>, hasDefault: Bool = false, documentation: String? = nil
  ) { self.init(name, Value.self, hasDefault: hasDefault, documentation: documentation) }
}

extension ValueReader {
  @_disfavoredOverload
  public mutating func _member<Value>() throws(ConversionError) -> Value { throw error(.mismatch) }

  @_disfavoredOverload
  public mutating func _member<Value>(
    default defaultValue: @autoclosure () -> Value
  ) throws(ConversionError) -> Value { throw error(.mismatch) }

  @_disfavoredOverload
  public mutating func _member<Value>(into value: inout Value) throws(ConversionError) { throw error(.mismatch) }
}

extension ValueWriter {
  @_disfavoredOverload
  public mutating func _member<Value>(_ value: Value) throws { append(.undefined) }

  @_disfavoredOverload
  public mutating func _member<Value>(_ name: String, _ value: Value) throws {
    append(name)
    append(.undefined)
  }
}
