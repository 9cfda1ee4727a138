import EventLoop

extension _Expansion {
  /// A module's instance that lives on a global actor: made there, when the first call arrives.
  ///
  /// If the initializer throws, all calls fail with that error; it is not tried again.
  public final class GlobalActorInstance<Module: Sendable>: Sendable {
    private enum State {
      case wanted(BridgeContext)
      case made(Result<Module, any Error>)
    }

    private let state: Lock<State>

    /// An instance that is still to be made. From any thread.
    public init(_ context: BridgeContext) { state = Lock(.wanted(context)) }

    fileprivate init(_ instance: Module) { state = Lock(.made(.success(instance))) }

    /// The instance, made by `make` the first time. On the module's global actor only, which keeps two from being made.
    public func value(_ make: (BridgeContext) throws -> Module) throws -> Module {
      switch state.withLock({ $0 }) {
      case .made(let instance): return try instance.get()
      case .wanted(let context):
        let instance = Result { try make(context) }
        state.withLock { $0 = .made(instance) }
        return try instance.get()
      }
    }
  }
}

/// What a definition has as its module in place of the instance itself.
protocol InstanceHolder {
  /// - Returns: nil if the instance is of another type.
  static func holding(_ instance: Any) -> Self?
}

extension GlobalActorInstance: InstanceHolder {
  static func holding(_ instance: Any) -> Self? { (instance as? Module).map { Self($0) } }
}
