import ArgumentParser
import Glibc
import Synchronization
import Trestle
import TrestleModules

/// What the process ends with.
struct ExitStatus: Equatable {
  let code: CInt

  static let success = ExitStatus(code: 0)
  static let uncaughtError = ExitStatus(code: 1)
  static let usage = ExitStatus(code: 2)
  static let unreadableScript = ExitStatus(code: 3)
  /// As of Node.
  static let unsettledAwait = ExitStatus(code: 13)
  /// As of `timeout(1)`.
  static let timeout = ExitStatus(code: 124)
  static let memoryLimit = ExitStatus(code: 125)
  /// As of shells, where it is the signal that has ended the process.
  static let noReader = ExitStatus(code: 128 + SIGPIPE)

  /// What `--help`, the manual and the README say.
  static let meanings = [
    ("0", "nothing is left to do"),
    ("1", "an error that the script does not handle, output that cannot be written"),
    ("2", "wrong usage"),
    ("3", "the script cannot be read"),
    ("13", "the main module waits for what never comes"),
    ("124", "the time of --timeout is over"),
    ("125", "the memory of --memory-limit is used up"),
    ("130, 141", "interrupted; nobody reads the output any more"),
    ("129, 143", "hung up; terminated"),
    ("other", "what the script gave to Process.exit"),
  ]

  init(code: CInt) { self.code = code }

  /// Of what parsing or running a command threw.
  init(of error: any Error) {
    let code = TrestleCommand.exitCode(for: error)
    self = code == .validationFailure ? .usage : ExitStatus(code: code.rawValue)
  }

  /// Ends the process: everything has been written already, and scripts may still run on other threads. Output that could not be
  /// written is told of here, where there is somebody to tell, and is no success.
  func exit() -> Never {
    // Nobody reads: nobody is told. Where the signal is taken it may be told of later than the failure.
    if StandardStream.output.failure == EPIPE { ExitStatus.noReader.exitAtOnce() }
    if let failure = StandardStream.output.failure {
      Terminal.tell("standard output: \(String(cString: strerror(failure)))")
    }
    let isWritten = StandardStream.output.failure == nil && StandardStream.error.failure == nil
    (self == .success && !isWritten ? .uncaughtError : self).exitAtOnce()
  }

  private static let decided = Mutex<ExitStatus?>(nil)

  /// Says what the process ends with: the first one counts, however it comes to its end.
  /// - Returns: that one.
  @discardableResult
  func decide() -> ExitStatus {
    Self.decided.withLock { decided in
      decided = decided ?? self
      return decided ?? self
    }
  }

  /// Ends the process, and clears what scripts would leave behind, without a word, which could be waited for.
  func exitAtOnce() -> Never {
    let status = decide()
    RunEnd.clear()
    _exit(status.code)
  }
}
