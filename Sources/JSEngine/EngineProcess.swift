import CEngineTraps
import CJavaScriptCore
import Dispatch
import EventLoop
import Glibc
import Synchronization

/// What the engine shares between all contexts of the process.
package enum EngineProcess {
  /// Whether contexts collect garbage at every call into the engine, because the environment variable
  /// `TRESTLE_COLLECT_AT_EVERY_CALL` is set. For tests: a value that nobody protects is gone at the next call.
  static let collectsAtEveryCall = getenv("TRESTLE_COLLECT_AT_EVERY_CALL") != nil

  /// Runs once, before the first context. Leaves SIGUSR1 to the program: the collector stops threads by a real-time
  /// signal. And gives the engine the main thread that its full collections ask about memory, and crash without: a thread
  /// of its own, which must outlive all contexts and sleeps in its loop. A program that shows web views has one already.
  ///
  /// And has running scripts look for the ends of time limits instead of stopping them by a signal: the thread that sends it
  /// can make the engine (2.50.6) abort when a limit's timer fires again meanwhile (`VMTraps::requestThreadStopIfNeeded`). No
  /// difference in speed could be measured. What is left of that is taken out, too: see `CEngineTraps`.
  ///
  /// And has heaps first collect at 3 MB instead of 1: a bridge's shared buffer counts as 1 by itself, so that each collected while
  /// it opened, and each worker's again at its first message. That found nothing, and took a tenth of the time.
  static let configure: Void = {
    hasReserved.store(true, ordering: .relaxed)
    if jsc_options_set_boolean("usePollingTraps", 1) != 0 { engine_traps_are_polled() }
    _ = jsc_options_set_uint("smallHeapSize", 3 << 20)
    _ = JSConfigureSignalForGC(__libc_current_sigrtmin() + 5)
    guard let mainThread else { return JSInitializeMainThread() }
    let isDone = DispatchSemaphore(value: 0)
    mainThread.loop.perform {
      JSInitializeMainThread()
      isDone.signal()
    }
    isDone.wait()
  }()

  /// Whether `ulimit -v` leaves the addresses that the engine reserves and ends the process without: 4 GB for its heaps, 1 GB for code,
  /// once; then some for each context.
  ///
  /// - Parameter other: What the caller wants besides, in bytes.
  package static func hasAddresses(besides other: Int = 0) -> Bool {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0, limit.rlim_cur < .max else { return true }
    let count = hasReserved.load(ordering: .relaxed) ? 256 << 20 : (5 << 30) + (512 << 20)
    let reservation = mmap(nil, count + other, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
    guard let reservation, reservation != MAP_FAILED else { return false }
    munmap(reservation, count + other)
    return true
  }

  /// Whether the process may have the data that an engine and its threads cannot do without: with less, some wait for ever for memory.
  package static var mayHaveData: Bool {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit) == 0 else { return true }
    return limit.rlim_cur >= 64 << 20
  }

  package static let shortageOfData = "the process may not have the data that an engine needs, 64 MB (ulimit -d)"

  package static let shortageOfAddresses =
    "the process may not have the addresses that an engine and its threads reserve, 7 GB (ulimit -v)"

  private static let hasReserved = Atomic(false)

  /// Gives the memory that the engine holds and does not need back to the system, which it does by itself after a while. Nothing, if the
  /// library has no such function.
  static func returnFreeMemory() { releaseFreeMemory?() }

  private static let releaseFreeMemory = dlsym(nil, "_ZN3WTF27releaseFastMallocFreeMemoryEv").map {
    unsafeBitCast($0, to: (@convention(c) () -> Void).self)
  }

  /// Has the engine make the thread that watches the time of all scripts. It would at the first entry that has a limit, which may be
  /// the one that closes a context, and ends the process where it gets no descriptor for the thread's loop: those that are kept are free
  /// meanwhile. Not for a context without limits: each entry into one that ever had some costs 35 ns more.
  static func makeWatchdog(_ context: JSGlobalContextRef) {
    guard !watchdogIsMade.exchange(true, ordering: .relaxed) else { return }
    DescriptorReserve.lendAll {
      let group = JSContextGetGroup(context)
      JSContextGroupSetExecutionTimeLimit(group, 3600, { _, _ in false }, nil)
      // Not an expression that is JSON: the engine reads that without an entry.
      withJSString("void 0") { _ = JSEvaluateScript(context, $0, nil, nil, 1, nil) }
    }
  }

  private static let watchdogIsMade = Atomic(false)

  private static let mainThread = try? LoopThread(name: "JSC main", stackSize: 64 << 10)
}
