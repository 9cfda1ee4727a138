import EventLoop

/// Waits for descriptors that cannot be read or written at once, such as pipes: all of them on one thread, which takes no other work.
///
/// Dispatch would not do. Where the last reader of a full pipe goes away it spins, as the kernel then tells of an error alone.
enum Readiness {
  enum Event { case readable, writable }

  private static let thread = Lock<LoopThread?>(nil)

  /// What has none for want of something may have it later.
  ///
  /// - Throws: `EventLoopError` where no thread can be had.
  @discardableResult
  static func prepare() throws(EventLoopError) -> Loop {
    try thread.withLock { (thread) throws(EventLoopError) in
      if let thread { return thread.loop }
      let made = try LoopThread(name: "trestle files")
      thread = made
      return made.loop
    }
  }

  /// Returns when it can be read or written at once, also where that will fail. The descriptor stays open until then.
  ///
  /// - Throws: `CancellationError`; `EventLoopError` where no thread can be had.
  static func wait(for event: Event, of descriptor: CInt) async throws {
    let loop = try prepare()
    let wait = Wait()
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        loop.perform { wait.begin(event, of: descriptor, on: loop, continuation) }
      }
    } onCancel: {
      loop.perform { wait.end() }
    }
    try Task.checkCancellation()
  }

  /// On the thread alone.
  private final class Wait: @unchecked Sendable {
    private var source: LoopSource?
    private var continuation: CheckedContinuation<Void, Never>?
    private var isOver = false

    func begin(_ event: Event, of descriptor: CInt, on loop: Loop, _ continuation: CheckedContinuation<Void, Never>) {
      guard !isOver else { return continuation.resume() }
      self.continuation = continuation
      source =
        switch event {
        case .readable: loop.onReadable(descriptor) { self.end() }
        case .writable: loop.onWritable(descriptor) { self.end() }
        }
    }

    /// Again: does nothing.
    func end() {
      isOver = true
      source?.cancel()
      source = nil
      continuation?.resume()
      continuation = nil
    }
  }
}
