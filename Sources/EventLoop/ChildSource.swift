import CGLib
import Glibc

/// How a child process ended.
public enum TerminationStatus: Equatable, Sendable {
  case exited(code: CInt)
  case killed(signal: CInt)

  /// From what `waitpid` reports.
  public init(waitStatus: CInt) {
    let signal = waitStatus & 0x7f
    self = signal == 0 ? .exited(code: (waitStatus >> 8) & 0xff) : .killed(signal: signal)
  }
}

extension Loop {
  /// Runs `body` once, after the child has ended, and reaps it: nobody else may wait for it.
  @discardableResult
  public func onExit(of child: pid_t, _ body: @escaping (TerminationStatus) -> Void) -> LoopSource {
    ChildSource(child, on: self, body)
  }
}

private final class ChildSource: LoopSource {
  private var source: UnsafeMutablePointer<GSource>?
  private var body: ((TerminationStatus) -> Void)?

  init(_ child: pid_t, on loop: Loop, _ body: @escaping (TerminationStatus) -> Void) {
    self.body = body
    super.init(on: loop)
    let ended: GChildWatchFunc = { _, status, owner in
      guard let owner else { return }
      Unmanaged<ChildSource>.fromOpaque(owner).takeUnretainedValue().fire(TerminationStatus(waitStatus: status))
    }
    source = g_child_watch_source_new(child)
    g_source_set_callback(
      source, unsafeBitCast(ended, to: GSourceFunc.self), Unmanaged.passUnretained(self).toOpaque(), nil)
    g_source_attach(source, loop.context)
    loop.retain(self)
    loop.noteChange()
  }

  private func fire(_ status: TerminationStatus) {
    let body = body
    cancel()
    body?(status)
  }

  override func detach() {
    if let source { release(source) }
    source = nil
    body = nil
  }
}
