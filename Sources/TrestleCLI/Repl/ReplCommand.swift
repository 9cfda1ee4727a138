import ArgumentParser
import Glibc
import Trestle

/// `trestle repl`, also `trestle` alone on a terminal.
struct ReplCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "repl", abstract: "Run what is typed, entry by entry.",
    discussion: """
      What an entry declares stays, and can be declared again; it may await and import. _ is the last value, _error what was thrown \
      last. Tab completes, Ctrl-C ends what runs, Ctrl-D leaves, .help tells the rest. From anything but a terminal entries are \
      read without a prompt; exit code 1 then, if one of them has thrown.
      """)

  /// Whether `trestle` alone is this.
  static var isMeant: Bool {
    CommandLine.arguments.count == 1 && isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
  }

  func run() async throws { await Repl().run() }
}
