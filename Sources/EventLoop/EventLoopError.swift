import Glibc

/// An error that may be of a system call.
package protocol SystemError: Error {
  /// The `errno` value, zero if there is none.
  var systemError: CInt { get }
}

extension SystemError {
  package var isOfDescriptors: Bool { systemError == EMFILE || systemError == ENFILE }
}

/// Why the loop, or one of its sources, could not be set up.
public struct EventLoopError: SystemError, Sendable, CustomStringConvertible {
  /// What failed.
  public enum Code: Sendable {
    /// A system call failed; `systemError` says why.
    case system
    /// Another source watches this signal already.
    case signalIsWatched
  }

  public let code: Code
  /// The system call, or what it was for.
  public let operation: String
  /// The `errno` value, zero if there is none.
  public let systemError: CInt

  init(_ operation: String, code: Code = .system, systemError: CInt = errno) {
    self.code = code
    self.operation = operation
    self.systemError = systemError
  }

  public var description: String {
    systemError == 0 ? operation : "\(operation): \(String(cString: strerror(systemError)))"
  }
}
