import CGLib
import Dispatch
import Glibc
import Synchronization

/// An event loop over a GLib main context.
///
/// It watches descriptors, timers, signals and children, runs work handed over from any thread, and is the serial
/// executor of actors that live on its thread. Everything runs on the loop's *own* thread, the one that made it (or
/// that a `LoopThread` made for it). All functions must be called there, except `perform`, `stop`, `enqueue` and
/// `isOnOwnThread`; this is checked.
///
/// A loop that goes on another thread without having been closed never lets go of its handlers.
///
/// An idle loop sleeps in one `poll` and never wakes up. Unchecked: its state is touched on its own thread alone, beside what
/// is atomic or in the queue.
public final class Loop: @unchecked Sendable {
  /// The `GMainContext *`, for libraries that attach sources of their own.
  public let context: OpaquePointer

  private let queue = WorkQueue()
  private let owner: Atomic<UInt>
  private let stopRequested = Atomic(false)
  // The rest is touched by the loop's own thread alone.
  private var ownSource: UnsafeMutablePointer<GSource>?
  private var batch: [WorkQueue.Item] = []
  private var depth = 0
  private var sources: [ObjectIdentifier: LoopSource] = [:]
  private var timers = TimerQueue()
  weak var host: HostedLoop?

  /// How often the loop has looked for events: stands still while it sleeps.
  package private(set) var iterationCount = 0

  /// A loop with a context of its own, bound to the calling thread.
  public convenience init() { self.init(context: g_main_context_new(), owner: pthread_self()) }

  /// A loop that no thread owns yet.
  static func unbound() throws(EventLoopError) -> Loop { Loop(context: try DescriptorReserve.makeContext(), owner: 0) }

  private init(context: OpaquePointer, owner: UInt) {
    self.context = context
    self.owner = Atomic(owner)
    let source = makeOwnedSource(&loopSourceFunctions, owner: Unmanaged.passUnretained(self).toOpaque())
    g_source_set_can_recurse(source, 1)
    g_source_attach(source, context)
    ownSource = source
  }

  deinit {
    let isAtHome = isOnOwnThread
    for source in Array(sources.values) + timers.removeAll() {
      // What its handler captured is the thread's own: rather than on another one it is never let go.
      if isAtHome { source.end() } else { _ = Unmanaged.passRetained(source) }
    }
    if let ownSource { release(ownSource) }
    g_main_context_unref(context)
  }

  // MARK: Threads

  /// Whether the caller is on the loop's thread. Any thread.
  public var isOnOwnThread: Bool { owner.load(ordering: .relaxed) == pthread_self() }

  /// Ends the process if the caller is on another thread. Costs a fifth of `preconditionIsolated`.
  @inline(__always)
  package func preconditionOnOwnThread() { precondition(isOnOwnThread, "called away from the loop's own thread") }

  /// Makes the calling thread the loop's own.
  func adopt() { owner.store(pthread_self(), ordering: .relaxed) }

  /// Makes the context the one to which libraries on this thread post their callbacks. Pair with `popThreadDefault`.
  public func pushThreadDefault() {
    preconditionOnOwnThread()
    g_main_context_push_thread_default(context)
  }

  /// Whether the context is the thread's default. On the loop's own thread.
  public var isThreadDefault: Bool {
    preconditionOnOwnThread()
    return g_main_context_get_thread_default() == context
  }

  public func popThreadDefault() {
    preconditionOnOwnThread()
    g_main_context_pop_thread_default(context)
  }

  // MARK: Running

  /// Runs until `stop`.
  public func run() {
    preconditionOnOwnThread()
    while !stopRequested.exchange(false, ordering: .acquiring) { iterate(waiting: true) }
  }

  /// Ends the running `run`, or the next one if none runs, once the callbacks at hand have returned. Any thread.
  public func stop() {
    stopRequested.store(true, ordering: .releasing)
    wakeUp()
  }

  /// Runs the callbacks that are due. With `waiting`, sleeps first until there is one, or until woken up.
  /// - Returns: whether a callback ran.
  @discardableResult
  public func iterate(waiting: Bool = false) -> Bool {
    preconditionOnOwnThread()
    depth += 1
    defer { depth -= 1 }
    return g_main_context_iteration(context, waiting ? 1 : 0) != 0
  }

  /// Makes a sleeping loop look around. Any thread.
  func wakeUp() { g_main_context_wakeup(context) }

  /// What its own thread changes is seen before the next sleep, unless someone else does the sleeping.
  func noteChange() { if depth == 0 { wakeUp() } }

  /// A job that hands itself over again and again does not keep a loop from its end.
  private static let lastRounds = 100

  /// Runs the work accepted so far, refuses more, and cancels all sources.
  public func close() {
    preconditionOnOwnThread()
    queue.close()
    for _ in 0..<Self.lastRounds where !queue.isEmpty { runBatch() }
    for source in sources.values { source.cancel() }
    for timer in timers.removeAll() { timer.cancel() }
  }

  /// Gives up a closed loop: jobs that come from here on run on the threads they come from.
  func leaveThread() {
    g_main_context_pop_thread_default(context)
    owner.store(0, ordering: .relaxed)
    queue.abandon()
    // Jobs that are left, such as one that never ends.
    if !queue.isEmpty { DispatchQueue.global().async { self.drainAbandoned() } }
  }

  // MARK: Work from any thread

  /// Runs `body` on the loop's thread, after everything handed over before it. Any thread. Costs a lock, and a system
  /// call if the loop may be asleep.
  /// - Returns: false if the loop is closed; `body` will not run then.
  @discardableResult
  public func perform(_ body: @escaping @Sendable () -> Void) -> Bool { hand(.closure(body)) }

  /// How many pieces of work have been handed over and not begun. Any thread; for reports.
  package var waitingCount: Int { queue.count }

  private func hand(_ item: WorkQueue.Item) -> Bool {
    switch queue.append(item) {
    case .queued: return true
    case .first:
      if !isOnOwnThread || depth == 0 { wakeUp() }
      return true
    case .closed:
      drainAbandoned()
      return false
    }
  }

  private func drainAbandoned() {
    guard queue.beginDraining() else { return }
    adopt()
    while let item = queue.nextOfAbandoned(end: { owner.store(0, ordering: .relaxed) }) { run(item) }
  }

  private func runBatch() {
    // Taken out, so that a callback that iterates the loop finds a batch of its own.
    var items = batch
    batch = []
    queue.takeAll(reusing: &items)
    for item in items { run(item) }
    items.removeAll(keepingCapacity: true)
    batch = items
  }

  private func run(_ item: WorkQueue.Item) {
    switch item {
    case .job(let job): job.runSynchronously(on: asUnownedSerialExecutor())
    case .closure(let body): body()
    }
  }

  // MARK: Sources

  func retain(_ source: LoopSource) { sources[ObjectIdentifier(source)] = source }
  func forget(_ source: LoopSource) { sources[ObjectIdentifier(source)] = nil }

  func schedule(_ timer: TimerSource) {
    if timers.insert(timer) { noteChange() }
  }

  var pendingTimerCount: Int { timers.count }

  func unschedule(_ timer: TimerSource) { timers.remove(timer) }

  /// A host that polls for the loop must forget a descriptor before it is closed.
  func willStopWatching(_ descriptor: CInt) {
    guard let host else { return }
    host.forget(descriptor)
    noteChange()
  }

  // MARK: The loop's own source: work and timers

  /// Milliseconds until there is something to run; zero if there is, -1 if only an event can bring it.
  fileprivate func timeUntilDue() -> CInt {
    guard queue.isEmpty else { return 0 }
    guard let deadline = timers.earliest else { return -1 }
    return MonotonicTime.now.milliseconds(until: deadline)
  }

  fileprivate func prepare() -> CInt {
    iterationCount &+= 1
    return timeUntilDue()
  }

  fileprivate func dispatch() {
    if !queue.isEmpty { runBatch() }
    guard timers.earliest != nil else { return }
    let now = MonotonicTime.now
    while let timer = timers.popDue(at: now) { timer.fire(at: now) }
  }
}

extension Loop: SerialExecutor {
  /// Any thread. A job may hold the last reference to the actor that has the loop, and run before this returns.
  public func enqueue(_ job: consuming ExecutorJob) {
    let own = Unmanaged.passRetained(self)
    _ = hand(.job(UnownedJob(job)))
    own.release()
  }

  public func checkIsolated() { preconditionOnOwnThread() }

  public func isIsolatingCurrentContext() -> Bool? { isOnOwnThread }
}

/// Only read: a variable because GLib takes its address.
nonisolated(unsafe) private var loopSourceFunctions = GSourceFuncs(
  prepare: { source, timeout in
    let time = loop(of: source).prepare()
    timeout?.pointee = time
    return time == 0 ? 1 : 0
  },
  check: { source in loop(of: source).timeUntilDue() == 0 ? 1 : 0 },
  dispatch: { source, _, _ in
    loop(of: source).dispatch()
    return 1
  },
  finalize: nil, closure_callback: nil, closure_marshal: nil)

private func loop(of source: UnsafeMutablePointer<GSource>?) -> Loop {
  Unmanaged<Loop>.fromOpaque(ownerPointer(of: source)).takeUnretainedValue()
}
