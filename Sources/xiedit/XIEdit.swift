import ArgumentParser
import Glibc
import TerminalUI

@main
struct XIEdit: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "xiedit", abstract: "Edit text files in the terminal.",
    discussion: """
      Opens each FILE in a buffer of its own; +LINE or +LINE:COLUMN before a FILE says where, + alone is its end. - is the \
      standard input. F1 shows the keys.

      Settings are read from ~/.config/xiedit/settings.toml ($XDG_CONFIG_HOME), and again whenever it changes: tab_size, \
      word_wrap, line_numbers, theme and others; see xiedit(1).

      The exit status is 0, or 1 when the editor could not start.
      """,
    version: "xiedit 0.1.0")

  @Flag(name: .long, help: "Open the files for reading only.")
  var readonly = false

  @Option(name: .long, help: ArgumentHelp("Run COMMAND by the shell as the core.", valueName: "command"))
  var core: String?

  @Option(
    name: .long, help: ArgumentHelp("Write what goes to and comes from the core to FILE.", valueName: "file"),
    completion: .file())
  var record: String?

  @Argument(help: ArgumentHelp("[+LINE[:COLUMN]] FILE …", valueName: "file"), completion: .file())
  var files: [String] = []

  /// The usual command line is read by hand: the parser costs a third of the time to the first screen.
  static func main() {
    if let launch = Launch(plainArguments: CommandLine.arguments.dropFirst()) { Glibc.exit(launch.run()) }
    main(nil)
  }

  func run() throws {
    var launch = Launch()
    guard launch.take(files) else { throw ValidationError("+LINE[:COLUMN] stands before a FILE") }
    launch.isReadOnly = readonly
    launch.core = core
    launch.recordPath = record
    throw ExitCode(launch.run())
  }
}
