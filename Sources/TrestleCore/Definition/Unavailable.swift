// What is said about a type that cannot cross, to those who write a definition or emit a value themselves. Each is the last
// resort of overload resolution, so that a mistake gets a remedy instead of a list of candidates. None can be called.
// For the code that macros write, `_Expansion.TypeChecks` tells.

/// The compiler refuses every call of what is unavailable: no input gets here.
private func neverCalled() -> Never { fatalError("an unavailable function was called") }

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
}
