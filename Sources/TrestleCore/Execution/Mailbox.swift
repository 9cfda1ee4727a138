import EventLoop

/// Where answers that are made on other threads wait for the JS thread.
///
/// Safe from any thread. May outlive its bridge in the hands of a reply; then it takes answers and forgets them.
final class Mailbox: Sendable {
  private struct Contents: ~Copyable {
    var writer = ValueWriter()
    /// Empty writers, so that a value is encoded outside the lock and without allocating.
    var spare: ValueWriter?
    var isClosed = false
    /// The tasks at work on an answer, by call; nil between a task's start and its handle's arrival here.
    var tasks: [UInt64: Task<Void, Never>?] = [:]
  }

  private let contents = Lock(Contents())
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

  /// - Returns: whether nothing waited before.
  private func append(_ writer: consuming ValueWriter, answering call: UInt64?) -> Bool {
    var writer = Optional(writer)
    return contents.withLock { contents in
      if let call, !contents.tasks.isEmpty { contents.tasks.removeValue(forKey: call) }
      guard !contents.isClosed else { return false }
      let wasEmpty = contents.writer.isEmpty
      contents.writer.append(contentsOf: writer!)
      writer!.removeAll()
      swap(&contents.spare, &writer)
      return wasEmpty
    }
  }

  /// Moves what waits to the end of `writer`.
  func take(into writer: inout ValueWriter) {
    contents.withLock { contents in
      guard !contents.writer.isEmpty else { return }
      writer.append(contentsOf: contents.writer)
      contents.writer.removeAll()
    }
  }

  /// Announces the task that will answer `call`, so that `close` can cancel it.
  func expectTask(for call: UInt64) {
    contents.withLock { contents in _ = contents.tasks.updateValue(nil, forKey: call) }
  }

  /// Whether one of the calls is still worked on by a task.
  func hasTask(among calls: ClosedRange<UInt64>) -> Bool {
    contents.withLock { $0.tasks.keys.contains(where: calls.contains) }
  }

  /// Hands over the handle of an announced task, which may have answered already.
  func follow(_ task: Task<Void, Never>, for call: UInt64) {
    let isTooLate = contents.withLock { contents in
      if contents.tasks[call] != nil { contents.tasks.updateValue(task, forKey: call) }
      return contents.isClosed
    }
    if isTooLate { task.cancel() }
  }

  /// Takes no more answers, and cancels the tasks that are still at work on one.
  func close() {
    let tasks = contents.withLock { contents in
      contents.isClosed = true
      defer { contents.tasks = [:] }
      return contents.tasks.values.compactMap { $0 }
    }
    for task in tasks { task.cancel() }
  }
}
