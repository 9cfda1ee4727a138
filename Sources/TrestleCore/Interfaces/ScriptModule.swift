extension _Expansion {
  /// The callable module of a script that has the functions of an interface. From any thread.
  public struct ScriptModule: Sendable {
    enum Way: Sendable {
      case bridge(Bridge)
      case context(BridgeContext)
    }

    public let name: String
    private let interface: String
    private let way: Way

    init(_ name: String?, _ interface: ScriptInterface, _ way: Way) {
      self.name = name ?? interface.name.prefix(1).lowercased() + interface.name.dropFirst()
      self.interface = interface.name
      self.way = way
    }

    /// Calls a function and awaits its result, as `Bridge.call`.
    ///
    /// - Throws: as that; `ERR_NOT_FOUND` with the names of interface and function if the script has no such function.
    public func call<each Argument: BridgeEncodable, Result: BridgeDecodable>(
      _ function: String, _ arguments: repeat each Argument, as: Result.Type
    ) async throws -> Result {
      let path = "\(name).\(function)"
      do {
        switch way {
        case .bridge(let bridge): return try await bridge.call(path, repeat each arguments, as: Result.self)
        case .context(let context): return try await context.call(path, repeat each arguments, as: Result.self)
        }
      } catch let error as JavaScriptError where error.saysThereIsNone(path) {
        throw BridgeError(
          .notFound, "the script has no function '\(function)' of interface '\(interface)'", at: path, cause: error)
      }
    }

    @_disfavoredOverload
    public func call<each Argument: BridgeEncodable, Result: Decodable & Sendable>(
      _ function: String, _ arguments: repeat each Argument, as: Result.Type
    ) async throws -> Result {
      try await call(function, repeat each arguments, as: DecodedValue<Result>.self).value
    }

    /// Calls a function that nobody waits for, as `Bridge.invoke`.
    public func invoke<each Argument: BridgeEncodable>(_ function: String, _ arguments: repeat each Argument) {
      let path = "\(name).\(function)"
      switch way {
      case .bridge(let bridge): bridge.invoke(path, repeat each arguments)
      case .context(let context): context.invoke(path, repeat each arguments)
      }
    }
  }
}

extension JavaScriptError {
  /// Whether it is the runtime's word on a path, and not one of the function behind it.
  fileprivate func saysThereIsNone(_ path: String) -> Bool {
    code == BridgeError.Code.notFound.rawValue && message.hasPrefix("'\(path)' is not a function")
  }
}

extension _Expansion {
  /// An argument as it crosses: for code that does not know which protocol its type conforms to.
  public static func argument<Value: BridgeEncodable>(_ value: Value) -> Value { value }

  @_disfavoredOverload
  public static func argument<Value: Encodable & Sendable>(_ value: Value) -> some BridgeEncodable {
    EncodedValue(value)
  }
}
