import CLinux
import Glibc
import Synchronization

/// A thread that runs a loop, with the loop's context as its thread default.
public final class LoopThread: Sendable {
  /// Usable at once: what is handed over runs when the thread has started.
  public let loop: Loop
  private let thread: pthread_t
  private let finished: Completion
  private let isJoined = Atomic(false)

  /// Starts the thread.
  /// - Parameters:
  ///   - name: for debuggers; the first 15 bytes count.
  ///   - stackSize: in bytes; `nil` for the system's default (usually 8 MB), if that is enough.
  public init(name: String, stackSize: Int? = nil) throws(EventLoopError) {
    let loop = try Loop.unbound()
    let finished = try Completion()
    self.loop = loop
    self.finished = finished
    thread = try startThread(stackSize: stackSize) {
      clinux_name_thread(name)
      loop.adopt()
      loop.pushThreadDefault()
      loop.run()
      loop.close()
      loop.leaveThread()
      finished.signal()
    }
  }

  deinit {
    guard !isJoined.load(ordering: .acquiring) else { return }
    loop.stop()
    pthread_detach(thread)
  }

  /// Asks the thread to end. Work handed over before runs first; sources are cancelled. Any thread.
  public func stop() { loop.perform { [loop] in loop.stop() } }

  /// Waits until the thread has ended, but no longer than `limit`. Not on the thread itself.
  /// - Returns: whether it has ended.
  @discardableResult
  public func join(within limit: Duration? = nil) -> Bool {
    precondition(!loop.isOnOwnThread, "a thread cannot wait for its own end")
    guard finished.wait(until: limit.map { .now + $0 }) else { return false }
    if !isJoined.exchange(true, ordering: .acquiringAndReleasing) { pthread_join(thread, nil) }
    return true
  }
}

func startThread(
  stackSize: Int?, _ body: @escaping @Sendable () -> Void
) throws(EventLoopError) -> pthread_t {
  var attributes = pthread_attr_t()
  pthread_attr_init(&attributes)
  defer { pthread_attr_destroy(&attributes) }
  if let size = stackSize ?? Stack.sizeToAskFor { pthread_attr_setstacksize(&attributes, size) }
  let box = Unmanaged.passRetained(ThreadBody(body))
  var thread = pthread_t()
  let error = pthread_create(
    &thread, &attributes,
    { box in
      box.map { Unmanaged<ThreadBody>.fromOpaque($0).takeRetainedValue().body() }
      return nil
    }, box.toOpaque())
  guard error == 0 else {
    box.release()
    throw EventLoopError("pthread_create", systemError: error)
  }
  return thread
}

private final class ThreadBody {
  let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}
