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
  /// in the isolation that it was written in. Closing the bridge cancels it.
  public func start(@_inheritActorContext _ operation: sending @escaping @isolated(any) () async -> Void) {
    mailbox.expectTask(for: call)
    mailbox.follow(Task.immediate(priority: ModuleInstance.priority, operation: operation), for: call)
  }

  /// The same on the concurrent pool: the current thread, which may be the JS thread, runs no part of it. The order in
  /// which such tasks start is not defined.
  public func startConcurrently(_ operation: sending @escaping () async -> Void) {
    mailbox.expectTask(for: call)
    mailbox.follow(Task(priority: ModuleInstance.priority, operation: operation), for: call)
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
    if slot == 0 { mailbox.reportError(MethodError(method: method, underlying: error)) }
    mailbox.post(answering: call) { writer in
      if slot != 0 { writer.appendRejection(error, slot: slot) }
    }
  }
}
