import Synchronization

extension _Expansion {
  /// The right to answer one call, from any thread, now or later.
  ///
  /// Guarded, it answers once: a second answer does nothing but tell the bridge's `onError` (`ERR_ANSWERED_TWICE`), and if the last copy
  /// goes and there was none, the call fails with an `ERR_DROPPED` that names the method. Without a guard it is for code that is
  /// written so that it answers exactly once, as that of `@NativeModule` is: a second answer may reach another call.
  public struct Reply: Sendable {
    let mailbox: Mailbox
    let method: MethodReference
    /// The call, unique in its bridge.
    let call: UInt64
    /// Where JavaScript keeps the functions to call; 0 if it does not wait.
    let slot: UInt32
    fileprivate(set) var guardian: ReplyGuard?
  }
}

/// Sees to it that a call is answered once.
@usableFromInline
final class ReplyGuard: Sendable {
  let unguarded: Reply
  private let isUsed = Atomic(false)

  init(_ unguarded: Reply) { self.unguarded = unguarded }

  deinit {
    if unguarded.slot == 0 || isUsed.load(ordering: .acquiring) { return }
    unguarded.reject(BridgeError(.dropped, "\(unguarded.method) dropped its reply"))
  }

  /// The same call's; all its copies share this guard.
  var reply: Reply {
    var reply = unguarded
    reply.guardian = self
    return reply
  }

  /// - Returns: whether this is the first time.
  func take() -> Bool {
    if !isUsed.exchange(true, ordering: .acquiringAndReleasing) { return true }
    unguarded.mailbox.reportError(BridgeError(.answeredTwice, "\(unguarded.method) answered twice"))
    return false
  }
}

extension Reply {
  private var mayAnswer: Bool { guardian?.take() ?? true }

  public func resolve(_ value: some BridgeEncodable) {
    guard mayAnswer else { return }
    mailbox.post(answering: call) { writer in
      if slot != 0 { writer.appendAnswer(value, slot: slot) }
    }
  }

  /// Calls the failure callback with a value that is no error.
  func reject(with value: some BridgeEncodable) {
    guard mayAnswer else { return }
    mailbox.post(answering: call) { writer in
      if slot != 0 { writer.appendRejection(with: value, slot: slot) }
    }
  }

  /// If nobody waits for the answer, the bridge's `onError` is told instead.
  public func reject(_ error: any Error) {
    guard mayAnswer else { return }
    if slot == 0 { mailbox.reportError(BridgeError(of: method, error)) }
    mailbox.post(answering: call) { writer in
      if slot != 0 { writer.appendRejection(error, slot: slot) }
    }
  }

  /// Runs `operation`, which ends with an answer of this reply, as a task that starts at once, on the current thread,
  /// in the isolation that it was written in. Closing the bridge cancels it, as does JavaScript's signal: before it has begun
  /// it is not begun at all.
  public func start(@_inheritActorContext _ operation: sending @escaping @isolated(any) () async -> Void) {
    guard mailbox.expectTask(for: call, slot: slot) else { return reject(CancellationError()) }
    mailbox.follow(Task.immediate(priority: ModuleInstance.priority, operation: operation), for: call)
  }

  /// The same on the concurrent pool: the current thread, which may be the JS thread, runs no part of it. The order in
  /// which such tasks start is not defined.
  public func startConcurrently(_ operation: sending @escaping () async -> Void) { startTask(operation) }

  /// - Returns: the task; nil if it was cancelled before it had begun.
  @discardableResult
  func startTask(_ operation: sending @escaping () async -> Void) -> Task<Void, Never>? {
    guard mailbox.expectTask(for: call, slot: slot) else {
      reject(CancellationError())
      return nil
    }
    let task = Task(priority: ModuleInstance.priority, operation: operation)
    mailbox.follow(task, for: call)
    return task
  }
}

/// Answers with what a closure comes to.
extension Reply {
  public func answer<Value: BridgeEncodable>(_ body: () throws -> Value) {
    do { resolve(try body()) } catch { reject(error) }
  }

  @_disfavoredOverload
  public func answer<Value: Encodable & Sendable>(_ body: () throws -> Value) { answer { EncodedValue(try body()) } }

  /// Answers `undefined`, or with what `body` throws.
  ///
  /// Has a name of its own, as a closure for `answer` may drop its result without a word.
  public func complete(_ body: () throws -> Void) {
    answer {
      try body()
      return Undefined()
    }
  }

  /// On the caller's executor.
  public nonisolated(nonsending) func answer<Value: BridgeEncodable>(
    _ body: nonisolated(nonsending) () async throws -> Value
  ) async {
    do { resolve(try await body()) } catch { reject(error) }
  }

  @_disfavoredOverload
  public nonisolated(nonsending) func answer<Value: Encodable & Sendable>(
    _ body: nonisolated(nonsending) () async throws -> Value
  ) async {
    do { resolve(EncodedValue(try await body())) } catch { reject(error) }
  }

  public nonisolated(nonsending) func complete(_ body: nonisolated(nonsending) () async throws -> Void) async {
    do { try await body() } catch { return reject(error) }
    resolve(Undefined())
  }
}
