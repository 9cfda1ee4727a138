/// The right to answer one call, once.
///
/// Safe from any thread. The code that `@NativeModule` writes answers with what a method returns or throws; methods
/// defined by hand may keep the reply and answer later.
public struct Reply: Sendable {
  let mailbox: Mailbox
  let method: MethodReference
  /// The call, unique in its bridge.
  let call: UInt64
  /// Where JavaScript keeps the functions to call; 0 if it does not wait.
  let slot: UInt32

  /// Answers with what `body` returns or throws.
  public func answer<Value: BridgeEncodable>(_ body: () throws -> Value) {
    do { resolve(try body()) } catch { reject(error) }
  }

  /// Answers `undefined`, or with what `body` throws.
  ///
  /// Has a name of its own, as a closure for `answer` may drop its result without a word.
  public func complete(_ body: () throws -> Void) {
    do { try body() } catch { return reject(error) }
    resolve(Undefined())
  }

  @_disfavoredOverload
  public func answer<Value: Encodable & Sendable>(_ body: () throws -> Value) {
    do { resolve(EncodedValue(try body())) } catch { reject(error) }
  }

  /// Answers with what `body` returns or throws, on the caller's executor.
  public nonisolated(nonsending) func answer<Value: BridgeEncodable>(
    _ body: nonisolated(nonsending) () async throws -> Value
  ) async {
    do { resolve(try await body()) } catch { reject(error) }
  }

  public nonisolated(nonsending) func complete(_ body: nonisolated(nonsending) () async throws -> Void) async {
    do { try await body() } catch { return reject(error) }
    resolve(Undefined())
  }

  @_disfavoredOverload
  public nonisolated(nonsending) func answer<Value: Encodable & Sendable>(
    _ body: nonisolated(nonsending) () async throws -> Value
  ) async {
    do { resolve(EncodedValue(try await body())) } catch { reject(error) }
  }

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
    mailbox.post(answering: call) { writer in
      if slot != 0 { writer.appendRejection(error, slot: slot) }
    }
    if slot == 0 { mailbox.reportError(MethodError(method: method, underlying: error)) }
  }
}
