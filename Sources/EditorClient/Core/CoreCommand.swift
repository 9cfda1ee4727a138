import EventLoop
import Glibc

/// How a core is started.
package enum CoreCommand: Equatable, Sendable {
  /// An executable of this project: in a session of its own, so that the terminal's signals never reach it.
  case executable(path: String)
  /// Run by the shell. It keeps the terminal, so that ssh can ask for a password.
  case shell(String)

  /// `xiedit-core` beside the running program.
  package static func besideThisProgram() -> CoreCommand {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    let program = String(decoding: buffer.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let folder = program.lastIndex(of: "/").map { String(program[...$0]) } ?? ""
    return .executable(path: folder + "xiedit-core")
  }

  var path: String {
    switch self {
    case .executable(let path): path
    case .shell: "/bin/sh"
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
