import CGLib
import CLinux
import Glibc

extension Loop {
  /// Runs `body` after `signal` has arrived; arrivals that come close together may run it once. While it is watched the
  /// signal's own effect is off. One source a signal in the whole process.
  @discardableResult
  public func onSignal(_ signal: CInt, _ body: @escaping () -> Void) throws(EventLoopError) -> LoopSource {
    try SignalSource(signal, on: self, body)
  }
}

/// The signal's handler adds to an event descriptor, which the loop watches.
private final class SignalSource: GLibSource {
  private let signal: CInt
  private let descriptor: CInt
  private var isWatching = true
  private var body: (() -> Void)?

  init(_ signal: CInt, on loop: Loop, _ body: @escaping () -> Void) throws(EventLoopError) {
    self.signal = signal
    self.body = body
    var descriptor: CInt = -1
    let error = clinux_watch_signal(signal, &descriptor)
    guard error == 0 else {
      throw EventLoopError(
        "watching signal \(signal)", code: error == EBUSY ? .signalIsWatched : .system, systemError: error)
    }
    self.descriptor = descriptor
    super.init(on: loop)
    attach(to: loop, watching: self.descriptor, G_IO_IN)
  }

  override func fire() {
    var arrivals: UInt64 = 0
    if read(descriptor, &arrivals, 8) == 8 { body?() }
  }

  override func detach() {
    super.detach()
    body = nil
    if isWatching { clinux_unwatch_signal(signal) }
    isWatching = false
  }
}
