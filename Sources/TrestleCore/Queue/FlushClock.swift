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

  private let words = Lock<Set<UnsafeMutablePointer<Int32>>>([])
  private let runningTurns = Atomic<Int>(0)
  private let isAsleep = Atomic<Bool>(true)
  private let wakeUp: UnsafeMutablePointer<sem_t>
  private let hasThread = Lock(false)

  private init() {
    wakeUp = .allocate(capacity: 1)
    sem_init(wakeUp, 0, 0)
  }

  /// Counts in `word` until `remove`.
  func add(_ word: UnsafeMutablePointer<Int32>) {
    words.withLock { words in _ = words.insert(word) }
    startThread()
  }

  /// After it returns the word is not touched any more.
  func remove(_ word: UnsafeMutablePointer<Int32>) { words.withLock { words in _ = words.remove(word) } }

  /// A turn of JavaScript begins. Costs an atomic addition; a system call if the clock had gone to sleep.
  func turnBegins() {
    runningTurns.add(1, ordering: .sequentiallyConsistent)
    if isAsleep.load(ordering: .sequentiallyConsistent), isAsleep.exchange(false, ordering: .sequentiallyConsistent) {
      sem_post(wakeUp)
    }
  }

  func turnEnds() { runningTurns.subtract(1, ordering: .sequentiallyConsistent) }

  private func startThread() {
    let mustStart = hasThread.withLock { hasThread in
      defer { hasThread = true }
      return !hasThread
    }
    guard mustStart else { return }
    var thread = pthread_t()
    // Retained for ever: the clock is one for the process.
    pthread_create(
      &thread, nil,
      { clock in
        guard let clock else { return nil }
        Unmanaged<FlushClock>.fromOpaque(clock).takeUnretainedValue().run()
      }, Unmanaged.passRetained(self).toOpaque())
    pthread_detach(thread)
  }

  private func run() -> Never {
    while true {
      if runningTurns.load(ordering: .sequentiallyConsistent) == 0 { sleepUntilATurnBegins() }
      var interval = timespec(tv_sec: 0, tv_nsec: Self.intervalInNanoseconds)
      nanosleep(&interval, nil)
      words.withLock { words in for word in words { word.pointee &+= 1 } }
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
