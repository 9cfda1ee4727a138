import CGLib
import CLinux
import Glibc

/// A loop inside a host's own event loop: the host polls one descriptor, and steps.
///
/// The descriptor is an epoll set of everything the loop waits for, and a timer for its next deadline. Everything stays on
/// the loop's own thread. The idea is Electron's, which joined two loops this way.
public final class HostedLoop {
  public let loop: Loop
  /// Readable when `step` has something to do.
  public let descriptor: CInt
  private let timer: CInt
  private var watched: Set<CInt> = []
  private var polled: [GPollFD] = []
  private var armedFor: CInt = -1

  public init(_ loop: Loop) throws(EventLoopError) {
    loop.preconditionOnOwnThread()
    self.loop = loop
    descriptor = epoll_create1(CInt(EPOLL_CLOEXEC))
    guard descriptor >= 0 else { throw EventLoopError("epoll_create1") }
    timer = timerfd_create(CLOCK_MONOTONIC, CInt(TFD_CLOEXEC | TFD_NONBLOCK))
    guard timer >= 0 else {
      let error = EventLoopError("timerfd_create")
      close(descriptor)
      throw error
    }
    _ = watch(timer, events: UInt16(POLLIN), EPOLL_CTL_ADD)
    loop.host = self
    arm()
  }

  deinit {
    close(timer)
    close(descriptor)
  }

  /// Runs what is due, without waiting, and sets the descriptor up for what comes next. Costs a few microseconds.
  public func step() {
    var expirations: UInt64 = 0
    if read(timer, &expirations, 8) == 8 { armedFor = -1 }
    loop.iterate(waiting: false)
    arm()
  }

  private func arm() {
    var priority: CInt = 0
    var timeout: CInt = -1
    g_main_context_acquire(loop.context)
    defer { g_main_context_release(loop.context) }
    g_main_context_prepare(loop.context, &priority)
    var count = g_main_context_query(loop.context, priority, &timeout, &polled, CInt(polled.count))
    while count > polled.count {
      polled = Array(repeating: GPollFD(), count: Int(count))
      count = g_main_context_query(loop.context, priority, &timeout, &polled, CInt(polled.count))
    }
    let allCanBeWatched = updateWatches(polled.prefix(Int(count)))
    armTimer(milliseconds: allCanBeWatched ? timeout : 0)
  }

  /// False if a descriptor cannot be in an epoll set: a regular file, which is always ready.
  private func updateWatches(_ polls: ArraySlice<GPollFD>) -> Bool {
    var unseen = watched
    var allCanBeWatched = true
    for poll in polls {
      unseen.remove(poll.fd)
      // Always asked of the kernel: a descriptor closed and opened again has left the set without a word.
      let ok =
        watch(poll.fd, events: poll.events, EPOLL_CTL_MOD) || watch(poll.fd, events: poll.events, EPOLL_CTL_ADD)
      allCanBeWatched = allCanBeWatched && ok
      watched.insert(poll.fd)
    }
    for descriptor in unseen { forget(descriptor) }
    return allCanBeWatched
  }

  func forget(_ descriptor: CInt) {
    if watched.remove(descriptor) != nil { _ = watch(descriptor, events: 0, EPOLL_CTL_DEL) }
  }

  private func watch(_ watched: CInt, events: UInt16, _ operation: CInt) -> Bool {
    // EPOLLIN and its like have the values of POLLIN and its like.
    var event = epoll_event(events: UInt32(events), data: epoll_data_t(fd: watched))
    return epoll_ctl(descriptor, operation, watched, &event) == 0
  }

  private func armTimer(milliseconds: CInt) {
    guard milliseconds != -1 || armedFor != -1 else { return }
    armedFor = milliseconds
    var time = itimerspec()
    if milliseconds >= 0 {
      time.it_value.tv_sec = Int(milliseconds / 1000)
      time.it_value.tv_nsec = milliseconds == 0 ? 1 : Int(milliseconds % 1000) * 1_000_000
    }
    timerfd_settime(timer, 0, &time, nil)
  }
}
