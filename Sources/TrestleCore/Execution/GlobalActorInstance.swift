import EventLoop

/// A module's instance that lives on a global actor: made there, when the first call arrives.
///
/// If the initializer throws, all calls fail with that error; it is not tried again.
public final class GlobalActorInstance<Module: Sendable>: Sendable {
  private let context: BridgeContext
  private let made = Lock<Result<Module, any Error>?>(nil)

  /// An instance that is still to be made. From any thread.
  public init(_ context: BridgeContext) { self.context = context }

  /// The instance, made by `make` the first time. On the module's global actor only, which keeps two from being made.
  public func value(_ make: (BridgeContext) throws -> Module) throws -> Module {
    if let made = made.withLock({ $0 }) { return try made.get() }
    let new = Result { try make(context) }
    made.withLock { $0 = new }
    return try new.get()
  }
}
