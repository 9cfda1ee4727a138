// What is said about a type that cannot cross. Each is the last resort of overload resolution, so that a mistake gets a
// remedy instead of a list of candidates. None can be called.

/// The compiler refuses every call of what is unavailable: no input gets here.
private func neverCalled() -> Never { fatalError("an unavailable function was called") }

extension _Expansion {
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "'Codable' makes something else of Foundation's types than JavaScript has for them: 'import TrestleFoundation'"
  )
  public static func decodable<Value>(_ type: Value.Type) -> Value.Type { neverCalled() }

  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "'Codable' makes something else of Foundation's types than JavaScript has for them: 'import TrestleFoundation'"
  )
  public static func encodable<Value>(_ type: Value.Type) -> Value.Type { neverCalled() }

  @_disfavoredOverload
  @available(
    *, unavailable, message: "this type cannot go to JavaScript: mark it '@Record', or make it 'Encodable & Sendable'"
  )
  public static func argument<Value>(_ value: Value) -> Undefined { neverCalled() }
}

extension Invocation {
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "this type cannot come from JavaScript: mark it '@Record', or make it 'Decodable & Sendable'"
  )
  public mutating func next<Value>(_: Value.Type) throws(ConversionError) -> Value { neverCalled() }

  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "this type cannot come from JavaScript: mark it '@Record', or make it 'Decodable & Sendable'"
  )
  public mutating func next<Value>(
    _: Value.Type, default defaultValue: @autoclosure () -> Value
  ) throws(ConversionError) -> Value { neverCalled() }

  @_disfavoredOverload
  @available(
    *, unavailable, message: "this type cannot go to JavaScript: mark it '@Record', or make it 'Encodable & Sendable'"
  )
  public func answer<Value>(_ body: () throws -> Value) { neverCalled() }
}

extension Reply {
  @_disfavoredOverload
  @available(
    *, unavailable, message: "this type cannot go to JavaScript: mark it '@Record', or make it 'Encodable & Sendable'"
  )
  public func answer<Value>(_ body: () throws -> Value) { neverCalled() }

  @_disfavoredOverload
  @available(
    *, unavailable, message: "this type cannot go to JavaScript: mark it '@Record', or make it 'Encodable & Sendable'"
  )
  public nonisolated(nonsending) func answer<Value>(
    _ body: nonisolated(nonsending) () async throws -> Value
  ) async { neverCalled() }
}

extension Callback {
  @_disfavoredOverload
  @available(
    *, unavailable, message: "this type cannot go to JavaScript: mark it '@Record', or make it 'Encodable & Sendable'"
  )
  public func callAsFunction(_ value: Value) { neverCalled() }
}

extension EventSource {
  @_disfavoredOverload
  @available(
    *, unavailable, message: "this type cannot go to JavaScript: mark it '@Record', or make it 'Encodable & Sendable'"
  )
  public func emit(_ value: Value) { neverCalled() }
}

extension Member {
  @_disfavoredOverload
  @available(
    *, unavailable, message: "this type cannot go to JavaScript: mark it '@Record', or make it 'Encodable & Sendable'"
  )
  public static func event<Value>(
    _ name: String, documentation: String? = nil,
    source: @escaping @Sendable (Module) throws -> EventSource<Value>
  ) -> Member { neverCalled() }

  @_disfavoredOverload
  @available(*, unavailable, message: "write the type of the event: 'let name: EventSource<Value>'")
  public static func constant<Value>(
    _ name: String, documentation: String? = nil,
    _ value: @escaping @Sendable (Module) throws -> EventSource<Value>
  ) -> Member { neverCalled() }

  @_disfavoredOverload
  @available(
    *, unavailable, message: "this type cannot go to JavaScript: mark it '@Record', or make it 'Encodable & Sendable'"
  )
  public static func constant<Value>(
    _ name: String, documentation: String? = nil, _ value: @escaping @Sendable (Module) throws -> Value
  ) -> Member { neverCalled() }

  /// Says nothing: whoever answers with such a value is told, and once is enough.
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
  /// Says nothing: whoever reads such a value is told, and once is enough.
  @_disfavoredOverload
  public init<Value>(_ name: String, _: Value.Type, hasDefault: Bool = false) {
    self.init(name: name, schema: .codable(name: "\(Value.self)"), hasDefault: hasDefault)
  }

  @_disfavoredOverload
  @available(
    *, unavailable, message: "this type cannot go to JavaScript: mark it '@Record', or make it 'Encodable & Sendable'"
  )
  public static func callback<Value>(_ name: String, _: Value.Type, isOptional: Bool = false) -> _Expansion.Parameter {
    neverCalled()
  }
}

extension Parameter {
  @_disfavoredOverload
  @available(
    *, unavailable, message: "this type cannot go to JavaScript: mark it '@Record', or make it 'Encodable & Sendable'"
  )
  public static func argument<Value>(_ name: String, _: Value.Type) -> _Expansion.Parameter { neverCalled() }
}

extension ScriptInterface.Function {
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "this type cannot come from JavaScript: mark it '@Record', or make it 'Decodable & Sendable'"
  )
  public init<Result>(
    _ name: String, _ parameters: [_Expansion.Parameter] = [], result: Result.Type, documentation: String? = nil
  ) { neverCalled() }
}

extension ScriptModule {
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "this type cannot come from JavaScript: mark it '@Record', or make it 'Decodable & Sendable'"
  )
  public func call<each Argument: BridgeEncodable, Result>(
    _ function: String, _ arguments: repeat each Argument, as: Result.Type
  ) async throws -> Result { neverCalled() }
}

extension RecordShape.Member {
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "a record's members must cross the bridge: mark this type '@Record', or make it 'Codable & Sendable'"
  )
  public init<Value>(_ name: String, _: Value.Type, hasDefault: Bool = false, documentation: String? = nil) {
    neverCalled()
  }

  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "a record's members must cross the bridge: mark this type '@Record', or make it 'Codable & Sendable'"
  )
  public init<Root, Value>(
    _ name: String, _: KeyPath<Root, Value>, hasDefault: Bool = false, documentation: String? = nil
  ) { neverCalled() }
}

extension ValueReader {
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "this type cannot come from JavaScript: mark it '@Record', or make it 'Decodable & Sendable'"
  )
  public mutating func _member<Value>() throws(ConversionError) -> Value { neverCalled() }

  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "this type cannot come from JavaScript: mark it '@Record', or make it 'Decodable & Sendable'"
  )
  public mutating func _member<Value>(
    default defaultValue: @autoclosure () -> Value
  ) throws(ConversionError) -> Value { neverCalled() }

  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "this type cannot come from JavaScript: mark it '@Record', or make it 'Decodable & Sendable'"
  )
  public mutating func _member<Value>(into value: inout Value) throws(ConversionError) { neverCalled() }
}

extension ValueWriter {
  @_disfavoredOverload
  @available(
    *, unavailable, message: "this type cannot go to JavaScript: mark it '@Record', or make it 'Encodable & Sendable'"
  )
  public mutating func _member<Value>(_ value: Value) throws { neverCalled() }

  @_disfavoredOverload
  @available(
    *, unavailable, message: "this type cannot go to JavaScript: mark it '@Record', or make it 'Encodable & Sendable'"
  )
  public mutating func _member<Value>(_ name: String, _ value: Value) throws { neverCalled() }
}
