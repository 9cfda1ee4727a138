import Synchronization

/// The right to answer one call, once, from any thread, now or later.
///
/// A second answer does nothing but tell the bridge's `onError` (`ERR_ANSWERED_TWICE`). If the last reference goes and
/// there was no answer, the call fails with an `ERR_DROPPED` that names the method.
public final class Reply: Answering {
  let unchecked: UncheckedReply
  private let isUsed = Atomic(false)

  init(_ unchecked: UncheckedReply) { self.unchecked = unchecked }

  deinit {
    if unchecked.slot == 0 || isUsed.load(ordering: .acquiring) { return }
    unchecked.reject(BridgeError(.dropped, "\(unchecked.method) dropped its reply"))
  }

  /// What to answer with, the first time.
  func take() -> UncheckedReply? {
    if !isUsed.exchange(true, ordering: .acquiringAndReleasing) { return unchecked }
    unchecked.mailbox.reportError(BridgeError(.answeredTwice, "\(unchecked.method) answered twice"))
    return nil
  }

  public func resolve(_ value: some BridgeEncodable) { take()?.resolve(value) }

  /// If nobody waits for the answer, the bridge's `onError` is told instead.
  public func reject(_ error: any Error) { take()?.reject(error) }

  /// Runs `operation`, which ends with an answer of this reply, as a task that starts at once, on the current thread, in
  /// the isolation that it was written in. Closing the bridge cancels it.
  public func start(@_inheritActorContext _ operation: sending @escaping @isolated(any) () async -> Void) {
    if !unchecked.follow(operation) { reject(CancellationError()) }
  }

  /// The same on the concurrent pool: the current thread, which may be the JS thread, runs no part of it. The order in
  /// which such tasks start is not defined.
  public func startConcurrently(_ operation: sending @escaping () async -> Void) {
    if !unchecked.followConcurrently(operation) { reject(CancellationError()) }
  }
}
