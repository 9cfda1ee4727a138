import EventLoop

/// How a core is started.
package enum CoreCommand: Equatable, Sendable {
  /// An executable, under a name: in a session of its own, so that the terminal's signals never reach it.
  case executable(path: String, name: String)
  /// Run by the shell. It keeps the terminal, so that ssh can ask for a password.
  case shell(String)

  /// The running program, which is the core under that name.
  package static func thisProgram(as name: String) -> CoreCommand { .executable(path: "/proc/self/exe", name: name) }

  var path: String {
    switch self {
    case .executable(let path, _): path
    case .shell: "/bin/sh"
    }
  }

  var name: String? {
    switch self {
    case .executable(_, let name): name
    case .shell: nil
    }
  }

  var arguments: [String] {
    switch self {
    case .executable: []
    case .shell(let command): ["-c", command]
    }
  }

  var company: ChildProcess.Company {
    switch self {
    case .executable: .session
    case .shell: .parent
    }
  }
}

/// Why something of the front end failed.
package struct ClientError: Error, Equatable, Sendable, CustomStringConvertible {
  package enum Code: Equatable, Sendable {
    case cannotStartCore
    /// The core ended, or said nothing that makes sense, before the screen was taken.
    case coreDoesNotAnswer
    case notATerminal
    case cannotOpen
  }

  package var code: Code
  package var message: String
  /// The path, the command or the descriptor that it is about.
  package var subject: String

  package init(_ code: Code, _ subject: String, _ message: String) {
    self.code = code
    self.subject = subject
    self.message = message
  }

  package var description: String { "\(subject): \(message)" }
}
