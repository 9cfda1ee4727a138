import ArgumentParser
import EventLoop
import Glibc
import JSEngine

/// `trestle`: runs scripts with the standard modules and those that are linked into the program.
///
/// A program that links modules of its own calls `main()` and has a runner for them.
public struct TrestleCommand: AsyncParsableCommand {
  public static let configuration = CommandConfiguration(
    commandName: "trestle",
    abstract: "Run JavaScript with native modules.",
    discussion: "Exit codes: \(ExitStatus.meanings.map { "\($0) \($1)" }.joined(separator: "; ")).",
    version: "0.1.0",
    subcommands: [
      RunCommand.self, TestCommand.self, ReplCommand.self, ModulesCommand.self, TypesCommand.self, CheckCommand.self,
      MockCommand.self, InitCommand.self,
    ],
    defaultSubcommand: RunCommand.self)

  public init() {}

  /// The parser takes the help of what it does not know for that of all.
  private static func checkHelp(_ arguments: [String]) throws {
    guard arguments.first == "help", let asked = arguments.dropFirst().first, !asked.hasPrefix("-") else { return }
    let names = configuration.subcommands.compactMap { $0.configuration.commandName }
    guard asked == "help" || names.contains(asked) else {
      throw ValidationError("'\(asked)' is no command; there are \(names.joined(separator: ", ")).")
    }
  }

  /// Bytes that are no text would be read as another name, which may be another file's.
  private static func checkText() throws {
    for index in 1..<max(Int(CommandLine.argc), 1) {
      guard let argument = CommandLine.unsafeArgv[index], String(validatingCString: argument) == nil else { continue }
      throw ValidationError("argument \(index) is not UTF-8 text: \(String(cString: argument))")
    }
    guard let folder = getcwd(nil, 0) else { return }
    defer { free(folder) }
    guard String(validatingCString: folder) != nil else {
      throw ValidationError("the working folder's name is not UTF-8 text: \(String(cString: folder))")
    }
  }

  /// Does what the arguments of the process say, and ends the process.
  // On the thread that is there already: others may not be had.
  @MainActor public static func main() async {
    // Whoever started us may have had it ignored: a pipe that nobody reads ends us quietly.
    signal(SIGPIPE, SIG_DFL)
    guard EngineProcess.mayHaveData else {
      Terminal.tell(EngineProcess.shortageOfData)
      ExitStatus.uncaughtError.exitAtOnce()
    }
    // What follows would wait for a thread, also for the addresses of one: stacks and heaps of their own are most of 1 GB.
    guard EngineProcess.hasAddresses(besides: 1 << 30) else {
      Terminal.tell(EngineProcess.shortageOfAddresses)
      ExitStatus.uncaughtError.exitAtOnce()
    }
    do { try DescriptorReserve.probe() } catch {
      Terminal.tell("\(error)")
      ExitStatus.uncaughtError.exitAtOnce()
    }
    do { try ThreadReserve.probe() } catch {
      Terminal.tell("no threads: \(error)")
      ExitStatus.uncaughtError.exitAtOnce()
    }
    await DescriptorReserve.openTimers()
    do {
      try checkText()
      try checkHelp(Array(CommandLine.arguments.dropFirst()))
      var command = try parseAsRoot(PermissionOptions.parsable(Array(CommandLine.arguments.dropFirst())))
      if var command = command as? any AsyncParsableCommand { try await command.run() } else { try command.run() }
    } catch {
      let isFailure = exitCode(for: error) != .success
      let message = fullMessage(for: error) + "\n"
      if message != "\n" {
        Terminal.write(isFailure ? message.withVisibleControls : message, to: isFailure ? .error : .output)
      }
      ExitStatus(of: error).exit()
    }
    ExitStatus.success.exit()
  }
}
