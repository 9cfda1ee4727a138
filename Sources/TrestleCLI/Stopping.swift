import Dispatch
import Glibc
import Synchronization

/// What a run that is ended from outside ends with; nil while none is.
final class Stopping: Sendable {
  private let state = Mutex<ExitStatus?>(nil)

  /// The first one counts.
  var status: ExitStatus? {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = $0 ?? newValue } }
  }
}

/// Takes a signal in place of the process's default action.
final class SignalHandler {
  private let source: any DispatchSourceSignal

  /// - Parameter handle: called on some thread.
  init(_ number: CInt, handle: @escaping @Sendable () -> Void) {
    signal(number, SIG_IGN)
    source = DispatchSource.makeSignalSource(signal: number, queue: .global())
    source.setEventHandler(handler: handle)
    source.resume()
  }

  deinit { source.cancel() }
}
