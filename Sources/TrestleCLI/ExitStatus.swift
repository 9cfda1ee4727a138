import ArgumentParser
import Glibc

/// What the process ends with.
struct ExitStatus: Equatable {
  let code: CInt

  static let success = ExitStatus(code: 0)
  static let uncaughtError = ExitStatus(code: 1)
  static let usage = ExitStatus(code: 2)
  static let unreadableScript = ExitStatus(code: 3)
  /// As of `timeout(1)`.
  static let timeout = ExitStatus(code: 124)
  static let memoryLimit = ExitStatus(code: 125)

  init(code: CInt) { self.code = code }

  /// Of what parsing or running a command threw.
  init(of error: any Error) {
    let code = TrestleCommand.exitCode(for: error)
    self = code == .validationFailure ? .usage : ExitStatus(code: code.rawValue)
  }

  /// Ends the process at once: everything has been written already, and scripts may still run on other threads.
  func exit() -> Never { _exit(code) }
}
