import EventLoop
import Glibc
import Synchronization

/// Tells the JavaScript of all bridges that time passes: reading a clock at every call would cost more than the call.
///
/// One thread for the process, which adds 1 to a word of each registered buffer every 5 ms while any bridge runs
/// JavaScript, and sleeps otherwise. A count above 1 means that at least 5 ms have passed since it was 0: React Native's
/// `MIN_TIME_BETWEEN_FLUSHES_MS`.
final class FlushClock: @unchecked Sendable {
  // Unchecked for the two pthread objects; everything else is atomic or behind the lock.

  static let shared = FlushClock()
  private static let intervalInNanoseconds = 5_000_000

  private let words = Lock<Set<UnsafeMutablePointer<Atomic<Int32>>>>([])
  private let runningTurns = Atomic<Int>(0)
  private let isAsleep = Atomic<Bool>(true)
  private let wakeUp: UnsafeMutablePointer<sem_t>
  private let hasThread = Lock(false)

  private init() {
    wakeUp = .allocate(capacity: 1)
    sem_init(wakeUp, 0, 0)
  }

  /// Counts in `word` until `remove`. JavaScript reads it as any other word: a count that it sees late is a flush that comes
  /// late.
  func add(_ word: UnsafeMutablePointer<Atomic<Int32>>) {
    words.withLock { words in _ = words.insert(word) }
  }

  /// After it returns the word is not touched any more.
  func remove(_ word: UnsafeMutablePointer<Atomic<Int32>>) { words.withLock { words in _ = words.remove(word) } }

  /// A turn of JavaScript begins. Costs an atomic addition; a system call if the clock had gone to sleep.
  func turnBegins() {
    runningTurns.add(1, ordering: .sequentiallyConsistent)
    if isAsleep.load(ordering: .sequentiallyConsistent), isAsleep.exchange(false, ordering: .sequentiallyConsistent) {
      sem_post(wakeUp)
    }
  }

  func turnEnds() { runningTurns.subtract(1, ordering: .sequentiallyConsistent) }

  /// Once; after a failure it is tried anew.
  ///
  /// - Returns: false if the system has no thread for the clock.
  func start() -> Bool {
    hasThread.withLock { hasThread in
      if !hasThread { hasThread = createThread() }
      return hasThread
    }
  }

  private func createThread() -> Bool {
    var thread = pthread_t()
    // Unretained: the clock is one for the process.
    let error = pthread_create(
      &thread, nil,
      { clock in
        guard let clock else { return nil }
        Unmanaged<FlushClock>.fromOpaque(clock).takeUnretainedValue().run()
      }, Unmanaged.passUnretained(self).toOpaque())
    guard error == 0 else { return false }
    pthread_detach(thread)
    return true
  }

  private func run() -> Never {
    while true {
      if runningTurns.load(ordering: .sequentiallyConsistent) == 0 { sleepUntilATurnBegins() }
      var interval = timespec(tv_sec: 0, tv_nsec: Self.intervalInNanoseconds)
      nanosleep(&interval, nil)
      words.withLock { words in for word in words { word.pointee.wrappingAdd(1, ordering: .relaxed) } }
    }
  }

  private func sleepUntilATurnBegins() {
    isAsleep.store(true, ordering: .sequentiallyConsistent)
    // A turn that began before it could see that sleeps nowhere.
    if runningTurns.load(ordering: .sequentiallyConsistent) > 0,
      isAsleep.exchange(false, ordering: .sequentiallyConsistent)
    {
      return
    }
    while sem_wait(wakeUp) != 0 {}
  }
}
