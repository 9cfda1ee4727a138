/// The right to answer one call, for code that is written so that it answers exactly once, as that of `@NativeModule` is.
///
/// Nothing checks it: a second answer may reach another call. Methods written by hand take a ``Reply``. Safe from any
/// thread.
public struct UncheckedReply: Answering {
  let mailbox: Mailbox
  let method: MethodReference
  /// The call, unique in its bridge.
  let call: UInt64
  /// Where JavaScript keeps the functions to call; 0 if it does not wait.
  let slot: UInt32

  /// Runs `operation`, which ends with an `answer` of this reply, as a task that starts at once, on the current thread,
  /// in the isolation that it was written in. Closing the bridge cancels it, as does JavaScript's signal: before it has begun
  /// it is not begun at all.
  public func start(@_inheritActorContext _ operation: sending @escaping @isolated(any) () async -> Void) {
    if !follow(operation) { reject(CancellationError()) }
  }

  /// - Returns: false if the call was cancelled before, and nothing was begun.
  func follow(
    @_inheritActorContext _ operation: sending @escaping @isolated(any) () async -> Void
  ) -> Bool {
    guard mailbox.expectTask(for: call, slot: slot) else { return false }
    mailbox.follow(Task.immediate(priority: ModuleInstance.priority, operation: operation), for: call)
    return true
  }

  /// The same on the concurrent pool: the current thread, which may be the JS thread, runs no part of it. The order in
  /// which such tasks start is not defined.
  public func startConcurrently(_ operation: sending @escaping () async -> Void) {
    if !followConcurrently(operation) { reject(CancellationError()) }
  }

  func followConcurrently(_ operation: sending @escaping () async -> Void) -> Bool {
    guard mailbox.expectTask(for: call, slot: slot) else { return false }
    mailbox.follow(Task(priority: ModuleInstance.priority, operation: operation), for: call)
    return true
  }

  public func resolve(_ value: some BridgeEncodable) {
    mailbox.post(answering: call) { writer in
      if slot != 0 { writer.appendAnswer(value, slot: slot) }
    }
  }

  /// Calls the failure callback with a value that is no error.
  func reject(with value: some BridgeEncodable) {
    mailbox.post(answering: call) { writer in
      if slot != 0 { writer.appendRejection(with: value, slot: slot) }
    }
  }

  /// If nobody waits for the answer, the bridge's `onError` is told instead.
  public func reject(_ error: any Error) {
    if slot == 0 { mailbox.reportError(BridgeError(of: method, error)) }
    mailbox.post(answering: call) { writer in
      if slot != 0 { writer.appendRejection(error, slot: slot) }
    }
  }
}
