/// Methods from closures, for modules that are written without macros.
///
/// The closures' types are the methods' signatures; `names` are their parameters' names, for messages and declarations.
/// A parameter that JavaScript may leave out has an optional type.
extension Member {
  /// A method that runs on the JS thread and answers with a promise.
  public static func promise<each Argument: BridgeDecodable, Result: BridgeEncodable>(
    _ name: String, _ names: String...,
    body: @escaping @Sendable (Module, repeat each Argument) throws -> Result
  ) -> Member {
    ._method(name, .promise, parameters(names, (repeat each Argument).self), result: Result.self) { module in
      { (call) throws(ConversionError) in
        let arguments = (repeat try call.next((each Argument).self))
        call.answer { try body(module, repeat each arguments) }
      }
    }
  }

  /// A method that JavaScript waits for. It runs on the JS thread.
  public static func sync<each Argument: BridgeDecodable, Result: BridgeEncodable>(
    _ name: String, _ names: String...,
    body: @escaping @Sendable (Module, repeat each Argument) throws -> Result
  ) -> Member {
    ._method(name, .sync, parameters(names, (repeat each Argument).self), result: Result.self) { module in
      { (call) throws(ConversionError) in
        let arguments = (repeat try call.next((each Argument).self))
        call.answer { try body(module, repeat each arguments) }
      }
    }
  }

  @_disfavoredOverload
  public static func sync<each Argument: BridgeDecodable>(
    _ name: String, _ names: String...,
    body: @escaping @Sendable (Module, repeat each Argument) throws -> Void
  ) -> Member {
    ._method(name, .sync, parameters(names, (repeat each Argument).self)) { module in
      { (call) throws(ConversionError) in
        let arguments = (repeat try call.next((each Argument).self))
        call.complete { try body(module, repeat each arguments) }
      }
    }
  }

  /// A method that nobody waits for. It runs on the JS thread.
  public static func void<each Argument: BridgeDecodable>(
    _ name: String, _ names: String...,
    body: @escaping @Sendable (Module, repeat each Argument) throws -> Void
  ) -> Member {
    ._method(name, .void, parameters(names, (repeat each Argument).self)) { module in
      { (call) throws(ConversionError) in
        let arguments = (repeat try call.next((each Argument).self))
        call.complete { try body(module, repeat each arguments) }
      }
    }
  }

  private static func parameters<each Argument: BridgeDecodable>(
    _ names: [String], _: (repeat each Argument).Type
  ) -> [Parameter] {
    var parameters: [Parameter] = []
    for type in repeat (each Argument).self {
      let index = parameters.count
      parameters.append(Parameter(index < names.count ? names[index] : "argument\(index + 1)", type))
    }
    return parameters
  }
}

extension Member where Module: Sendable {
  /// A method that runs at the module's home, after all earlier calls that were sent there, and answers with a promise.
  package static func promiseAtHome<each Argument: BridgeDecodable, Result: BridgeEncodable>(
    _ name: String, _ names: String...,
    body: @escaping @Sendable (Module, repeat each Argument) throws -> Result
  ) -> Member {
    ._method(name, .promise, parameters(names, (repeat each Argument).self), result: Result.self) { module in
      { (call) throws(ConversionError) in
        let arguments = (repeat try call.next((each Argument).self))
        let reply = call.uncheckedReply()
        call.enqueue { reply.answer { try body(module, repeat each arguments) } }
      }
    }
  }

  /// A method that answers with a promise what its task comes to. The task runs on the concurrent pool, and is cancelled with
  /// the call.
  package static func promiseConcurrently<each Argument: BridgeDecodable & Sendable, Result: BridgeEncodable>(
    _ name: String, _ names: String...,
    body: @escaping @Sendable (Module, repeat each Argument) async throws -> Result
  ) -> Member {
    ._method(name, .promise, parameters(names, (repeat each Argument).self), result: Result.self) { module in
      { (call) throws(ConversionError) in
        let arguments = (repeat try call.next((each Argument).self))
        let reply = call.uncheckedReply()
        reply.startConcurrently { await reply.answer { try await body(module, repeat each arguments) } }
      }
    }
  }

  /// The same, where the task begins on the JS thread, at once: such tasks begin in the order of the calls.
  package static func promiseInOrder<each Argument: BridgeDecodable & Sendable, Result: BridgeEncodable>(
    _ name: String, _ names: String...,
    body: nonisolated(nonsending) @escaping @Sendable (Module, repeat each Argument) async throws -> Result
  ) -> Member {
    ._method(name, .promise, parameters(names, (repeat each Argument).self), result: Result.self) { module in
      { (call) throws(ConversionError) in
        let arguments = (repeat try call.next((each Argument).self))
        let reply = call.uncheckedReply()
        reply.start { await reply.answer { try await body(module, repeat each arguments) } }
      }
    }
  }

  @_disfavoredOverload
  package static func promiseConcurrently<each Argument: BridgeDecodable & Sendable>(
    _ name: String, _ names: String...,
    body: @escaping @Sendable (Module, repeat each Argument) async throws -> Void
  ) -> Member {
    ._method(name, .promise, parameters(names, (repeat each Argument).self)) { module in
      { (call) throws(ConversionError) in
        let arguments = (repeat try call.next((each Argument).self))
        let reply = call.uncheckedReply()
        reply.startConcurrently { await reply.complete { try await body(module, repeat each arguments) } }
      }
    }
  }
}
