import EventLoop
import Synchronization

/// Where answers that are made on other threads wait for the JS thread.
///
/// Safe from any thread. May outlive its bridge in the hands of a reply; then it takes answers and forgets them.
final class Mailbox: Sendable {
  private struct Contents: ~Copyable {
    var writer = ValueWriter()
    /// Empty writers, so that a value is encoded outside the lock and without allocating.
    var spare: ValueWriter?
    var isClosed = false
    /// Batches that run on other threads now.
    var batches = 0
    /// Whether answers wait for the end of a batch, or for `stopHolding`, instead of waking the JS thread one by one.
    var isHolding = false
    var tasks = CallTasks<UInt64, UInt32>()
  }

  private let contents = Lock(Contents())
  /// Whether `take` could find or hold anything: most turns pass without the lock.
  private let hasWork = Atomic(false)
  /// Has the JS thread look for what waits.
  let wake: @Sendable () -> Void
  /// Takes errors that no JavaScript code can be told of. Called on any thread.
  let reportError: @Sendable (any Error) -> Void
  /// What keeps the bridge from being idle, beside calls.
  let activities: ActivityCount

  /// - Parameter wake: called on the thread that posts, when a first record waits.
  init(wake: @escaping @Sendable () -> Void, reportError: @escaping @Sendable (any Error) -> Void) {
    self.wake = wake
    self.reportError = reportError
    activities = ActivityCount(onIdle: wake)
  }

  /// Lets `write` add records, and wakes the JS thread if they are the first that wait.
  ///
  /// - Parameter call: the call that they answer; its task is no longer followed.
  func post(answering call: UInt64? = nil, _ write: (inout ValueWriter) -> Void) {
    var writer = contents.withLock { contents in contents.spare.take() } ?? ValueWriter()
    write(&writer)
    if append(writer, answering: call) { wake() }
  }

  /// Has JavaScript call a function whose result nobody waits for.
  func postCall<each Argument: BridgeEncodable>(_ path: String, _ arguments: repeat each Argument) {
    post { writer in
      do { try writer.appendCall(0, of: path, repeat each arguments) } catch { reportError(error) }
    }
  }

  /// - Returns: whether nothing waited before.
  private func append(_ writer: consuming ValueWriter, answering call: UInt64?) -> Bool {
    var writer = Optional(writer)
    return contents.withLock { contents in
      if let call, !contents.tasks.isEmpty { contents.tasks.end(call) }
      guard !contents.isClosed else { return false }
      let wasEmpty = contents.writer.isEmpty
      hasWork.store(true, ordering: .releasing)
      contents.writer.append(contentsOf: writer!)
      writer!.removeAll()
      swap(&contents.spare, &writer)
      return wasEmpty && !contents.isHolding
    }
  }

  /// Moves what waits to the end of `writer`.
  ///
  /// - Parameter mayHold: the caller will call `stopHolding` soon if this returns true.
  /// - Returns: whether answers of batches under way are held back from now on.
  @discardableResult
  func take(into writer: inout ValueWriter, mayHold: Bool = false) -> Bool {
    guard hasWork.load(ordering: .acquiring) else { return false }
    return contents.withLock { contents in
      contents.isHolding = mayHold && contents.batches > 0
      hasWork.store(contents.batches > 0, ordering: .releasing)
      guard !contents.writer.isEmpty else { return contents.isHolding }
      writer.append(contentsOf: contents.writer)
      contents.writer.removeAll()
      return contents.isHolding
    }
  }

  /// A batch of calls is about to run elsewhere. What it answers quickly crosses together, when it ends.
  ///
  /// - Returns: to be called at its end, once, on any thread.
  func beginBatch() -> @Sendable () -> Void {
    contents.withLock { contents in
      contents.batches += 1
      hasWork.store(true, ordering: .releasing)
    }
    return endBatch
  }

  private func endBatch() {
    let mustWake = contents.withLock { contents in
      contents.batches -= 1
      defer { contents.isHolding = false }
      return contents.isHolding && !contents.writer.isEmpty
    }
    if mustWake { wake() }
  }

  /// From now on the next answer wakes the JS thread, until that has taken it.
  ///
  /// - Returns: whether answers wait already.
  func stopHolding() -> Bool {
    contents.withLock { contents in
      contents.isHolding = false
      return !contents.writer.isEmpty
    }
  }

  /// Announces the task that will answer `call`, so that `close` and `cancelCall` can cancel it.
  ///
  /// - Returns: false if the call was cancelled before.
  func expectTask(for call: UInt64, slot: UInt32) -> Bool {
    contents.withLock { $0.tasks.expect(call, slot: slot) }
  }

  /// Whether one of the calls is still worked on by a task.
  func hasTask(among calls: ClosedRange<UInt64>) -> Bool {
    contents.withLock { $0.tasks.calls.contains(where: calls.contains) }
  }

  /// Hands over the handle of an announced task, which may have answered already.
  func follow(_ task: Task<Void, Never>, for call: UInt64) {
    let isTooLate = contents.withLock { contents in contents.tasks.follow(task, for: call) || contents.isClosed }
    if isTooLate { task.cancel() }
  }

  /// JavaScript waits no longer for the call in that slot: its task is cancelled, as soon as it has one.
  func cancelCall(inSlot slot: UInt32) {
    let task = contents.withLock { $0.tasks.cancel(slot: slot) }
    task?.cancel()
  }

  func forgetCancellation(inSlot slot: UInt32) { contents.withLock { $0.tasks.forgetCancellation(of: slot) } }

  /// Takes no more answers, and cancels the tasks that are still at work on one.
  func close() {
    let tasks = contents.withLock { contents in
      contents.isClosed = true
      return contents.tasks.removeAll()
    }
    for task in tasks { task.cancel() }
  }
}
