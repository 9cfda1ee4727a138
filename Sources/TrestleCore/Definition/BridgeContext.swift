import EventLoop

/// What a module has of its bridge. From any thread; after the bridge is closed, harmless.
public struct BridgeContext: Sendable {
  let mailbox: Mailbox
  let provisions: [any Sendable]
  /// What the bridge's scripts may have done.
  package var permissions = PermissionGate.open
  /// The bridge that it is of, while it is open.
  let bridge: WeakBridge
  /// What there is in place of a bridge.
  var standIn: (any BridgeStandIn)?
  /// When the bridge opened.
  package let opened = MonotonicTime.now

  /// What the host provided of that type, if anything.
  public func provided<Value: Sendable>(_: Value.Type) -> Value? {
    for provision in provisions { if let value = provision as? Value { return value } }
    return nil
  }

  /// Calls a JavaScript function and awaits its result, see `Bridge.call`.
  public func call<each Argument: BridgeEncodable, Result: BridgeDecodable>(
    _ path: String, _ arguments: repeat each Argument, as: Result.Type
  ) async throws -> Result {
    if let standIn { return try await standIn.call(path, encoding: repeat each arguments, as: Result.self) }
    guard let bridge = bridge.value else { throw BridgeError(.closed, "the bridge is closed", at: path) }
    return try await bridge.call(path, repeat each arguments, as: Result.self)
  }

  /// Calls a JavaScript function that nobody waits for, see `Bridge.invoke`.
  public func invoke<each Argument: BridgeEncodable>(_ path: String, _ arguments: repeat each Argument) {
    guard let standIn else { return mailbox.postCall(path, repeat each arguments) }
    do {
      let values = try ScriptValue.encode(repeat each arguments)
      Task { do { _ = try await standIn.call(path, values) } catch { mailbox.reportError(error) } }
    } catch { mailbox.reportError(error) }
  }

  /// Tells the bridge's `onError` of an error that no code waits for.
  public func report(_ error: any Error) { mailbox.reportError(error) }

  /// The loop of the JS thread, for sources of the module's own; nil once the bridge is closed.
  public var loop: Loop? { bridge.value?.loop }

  /// Keeps the bridge from being idle (`Bridge.waitUntilIdle`) until the activity ends.
  public func beginActivity() -> Activity { Activity(in: mailbox.activities) }

  /// The same as `emit`, in a turn that no other event shares: what listeners leave for later runs before the next.
  ///
  /// - Parameters:
  ///   - isMessage: Whether it comes among those that workers send, rather than among timers and the like.
  ///   - isWanted: Asked when its turn has come.
  package func emitInOwnTurn(
    _ event: String, of module: String, _ value: some BridgeEncodable, isMessage: Bool = false,
    if isWanted: @escaping @Sendable () -> Bool = { true }
  ) {
    bridge.value?.emitInOwnTurn(event, of: module, value, isMessage: isMessage, if: isWanted)
  }

  /// Runs `body` after all that was told by `emitInOwnTurn` before, on the JS thread; at once if the bridge is closed.
  package func afterOwnTurns(isMessage: Bool = false, _ body: @escaping @Sendable () -> Void) {
    if let bridge = bridge.value { bridge.afterOwnTurns(isMessage: isMessage, body) } else { body() }
  }

  /// Tells JavaScript's listeners of an event of `module`.
  /// A value that does not convert is an error for the bridge's `onError`.
  public func emit(_ event: String, of module: String, _ value: some BridgeEncodable) {
    bridge.value?.emit(event, of: module, value)
    guard let standIn else { return }
    do { standIn.emit(event, of: module, try ScriptValue(encoding: value)) } catch { mailbox.reportError(error) }
  }
}

/// A reference that does not keep the bridge open.
struct WeakBridge: Sendable {
  weak let value: Bridge?
}
