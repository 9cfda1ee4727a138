import EditorClient
import Glibc

/// What was typed in the shell, read by hand: a parser that a library brings takes a third of the time to the first screen.
extension Launch {
  /// Why a command line makes no sense.
  package struct Misuse: Error, Equatable {
    package let reason: String

    /// Tells the user.
    /// - Returns: The exit code.
    package func report() -> CInt {
      complain("\(reason)\n\(Launch.usage)")
      return 2
    }
  }

  package static let version = "xiedit 0.1.0"
  private static let usage = """
    USAGE: xiedit [--readonly] [--core COMMAND] [--record FILE] [[+LINE[:COLUMN]] FILE …]
           xiedit --settings
    """
  static let help = """
    Edit text files in the terminal.

    \(usage)

    Opens each FILE in a buffer of its own; +LINE or +LINE:COLUMN before a FILE
    says where, + alone is its end; so does FILE:LINE:COLUMN. - is the standard
    input, which is also read if it is piped in and there is no FILE. F1 shows the
    keys.

    Settings are read from ~/.config/xiedit/settings.toml ($XDG_CONFIG_HOME), and
    again whenever it changes: tab_size, word_wrap, line_numbers, theme and others;
    see xiedit(1).

    OPTIONS:
      --readonly         Open files for reading only.
      --core COMMAND     Run COMMAND by the shell as the core.
      --record FILE      Write what goes to and comes from the core to FILE.
      --settings         Open the file of settings; a new one lists all there are.
      --version          Show the version.
      -h, --help         Show help.

    The exit status is 0, 1 when the editor could not start, or 2 for wrong usage.
    """

  /// - Parameter arguments: Without the name of the program.
  package init(arguments: some Sequence<String>) throws(Misuse) {
    var rest = Array(arguments)[...]
    var position: FilePosition?
    var hasOptions = true
    while let argument = rest.popFirst() {
      if hasOptions, argument == "--" {
        hasOptions = false
      } else if hasOptions, argument.hasPrefix("-"), argument != "-" {
        try takeOption(argument, &rest)
      } else if hasOptions, argument.hasPrefix("+") {
        position = try Launch.position(argument)
      } else {
        files.append(File(path: argument, position: position))
        position = nil
      }
    }
    if position != nil { throw Launch.misplaced }
    if opensSettings, core != nil {
      throw Misuse(reason: "--settings is for this machine; with --core, the command Settings opens those of the core")
    }
  }

  private mutating func takeOption(_ argument: String, _ rest: inout ArraySlice<String>) throws(Misuse) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let (name, given) = (parts[0], parts.dropFirst().first)
    func value() throws(Misuse) -> String {
      guard let value = given ?? rest.popFirst() else { throw Misuse(reason: "\(name) needs a value") }
      return value
    }
    switch name {
    case "--core": core = try value()
    case "--record": recordPath = try value()
    case _ where given != nil: throw Misuse(reason: "Unknown option '\(argument)'")
    case "--readonly": isReadOnly = true
    case "--settings": opensSettings = true
    case "--help", "-h": text = Launch.help
    case "--version": text = Launch.version
    default: throw Misuse(reason: "Unknown option '\(name)'")
    }
  }

  /// A bare + is the end of the file, as elsewhere.
  private static func position(_ argument: String) throws(Misuse) -> FilePosition {
    guard let position = argument == "+" ? FilePosition.end : FilePosition(argument.dropFirst()) else {
      throw misplaced
    }
    return position
  }

  private static let misplaced = Misuse(reason: "+LINE[:COLUMN] stands before a FILE")
}
