import ArgumentParser
import Glibc
import Trestle
import TrestleReactNative

/// `trestle run FILE [argument …]`, also `trestle FILE`.
struct RunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Run a script until nothing is left to do.",
    usage: """
      trestle run [<option> ...] <file> [<argument> ...]
      trestle run [<option> ...] -e <code> [<argument> ...]
      trestle run [<option> ...] -p <code> [<argument> ...]
      """)

  @Option(
    name: [.customShort("e"), .customLong("evaluate")],
    help: ArgumentHelp("Run this code instead of a file.", valueName: "code"))
  var evaluatedCode: String?

  @Option(
    name: [.customShort("p"), .customLong("print")],
    help: ArgumentHelp(
      "The same, and print its last value as console.log does; of a promise, what it comes to.", valueName: "code"))
  var printedCode: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("End after this many seconds, with exit code 124.", valueName: "seconds"))
  var timeout: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "End when the process has this many megabytes resident, with exit code 125.", valueName: "megabytes"))
  var memoryLimit: Int?

  @Option(
    help: ArgumentHelp("What names in imports stand for: an import map, as of the web.", valueName: "file"),
    completion: .file(extensions: ["json"]))
  var importMap: String?

  @Option(
    help: ArgumentHelp(
      "How calls cross to native modules: shared, through memory, or react-native, as arrays, with the globals and modules that React Native's own JavaScript asks for.",
      valueName: "wire"))
  var wire = WireName.shared

  @Option(
    help: ArgumentHelp(
      "Write what crosses between the script and native code, and when, into this file: for chrome://tracing or ui.perfetto.dev.",
      valueName: "file"),
    completion: .file())
  var trace: String?

  @Option(
    help: ArgumentHelp(
      "Write where the script spent the processor's time into this file, as a .cpuprofile: for Chrome's developer tools, VS Code or speedscope.app.",
      valueName: "file"),
    completion: .file())
  var cpuProf: String?

  @Flag(
    help:
      "At the end, say what was never answered, released or removed, for how long, and where the script asked for it.")
  var leaks = false

  @Flag(help: "At the end, say what crossed how often, and how long it took.")
  var metrics = false

  @OptionGroup var permissionOptions: PermissionOptions

  @OptionGroup var watchOptions: WatchOptions

  @Argument(
    parsing: .captureForPassthrough,
    help: ArgumentHelp(
      "The script, or - for standard input, and what it finds in Process.arguments.", valueName: "file"),
    completion: .file(extensions: ["js", "mjs", "cjs", "ts", "mts", "cts", "tsx", "jsx"]))
  var fileAndArguments: [String] = []

  /// Three years; and what 64 bits hold in bytes.
  private static let (longestTimeout, largestMemoryLimit) = (100_000_000.0, Int.max >> 20)

  private var code: String? { printedCode ?? evaluatedCode }

  func validate() throws {
    if printedCode != nil, evaluatedCode != nil { throw ValidationError("Only one of -e and -p can be run.") }
    if printedCode != nil, wire != .shared { throw ValidationError("-p prints on the shared wire only.") }
    // All behind the options is the script's, this too.
    if code == nil, ["-h", "--help"].contains(fileAndArguments.first) { throw CleanExit.helpRequest(self) }
    if watchOptions.isWatching, code != nil || fileAndArguments.first.map({ $0 == "-" }) ?? true {
      throw ValidationError("--watch needs a file to run.")
    }
    if ReplCommand.isMeant { return }
    if code == nil, fileAndArguments.isEmpty { throw ValidationError("Name a script to run.") }
    if code == nil, let file = fileAndArguments.first, file != "-", file.hasPrefix("-") {
      throw ValidationError("Unknown option '\(file)'. A script of that name is ./\(file).")
    }
    if code == nil, wire != .shared, let file = fileAndArguments.first,
      [".mjs", ".mts"].contains(where: file.hasSuffix)
    {
      throw ValidationError("'\(file)' is a module, which the shared wire alone runs.")
    }
    // Taken for the script's own, a mistyped `--sandbox` would grant all.
    if code != nil, let first = fileAndArguments.first, first != "-", first != "--", first.hasPrefix("-") {
      throw ValidationError("Unknown option '\(first)'. What the code is given begins with another word, or behind --.")
    }
    if let timeout, !(timeout > 0 && timeout <= Self.longestTimeout) {
      throw ValidationError("--timeout must be more than 0 and at most \(Int(Self.longestTimeout)) seconds.")
    }
    if let memoryLimit, !(1...Self.largestMemoryLimit).contains(memoryLimit) {
      throw ValidationError("--memory-limit must be more than 0 and at most \(Self.largestMemoryLimit) megabytes.")
    }
  }

  func run() async throws {
    if ReplCommand.isMeant { await Repl().run() }
    if watchOptions.isWatching {
      let files = [fileAndArguments[0], importMap].compactMap { $0 }
      WatchedRun(files: files, grantedPaths: permissionOptions.resolvedPaths).start()
    }
    let loaded = watchOptions.loadedFiles
    let timeout = timeout.map { Duration.seconds($0) }
    let needsScript = cpuProf != nil || leaks
    let ending = ScriptRun.watch(
      code == nil ? Script.name(ofFile: fileAndArguments[0]) : Script.nameOfCode, timeout: timeout,
      hasReports: needsScript || metrics || trace != nil, needsScript: needsScript)
    let script: Script
    let main: (key: String, source: ModuleSource)
    let map: ImportMap?
    do {
      map = try importMap.map { try ImportMap(file: $0) }
      script = try readScript()
      main = try FileModuleLoader.main(
        script, isFile: code == nil && fileAndArguments[0] != "-",
        PermissionGate(permissionOptions.permissions(asks: false)))
    } catch {
      let words = (error as? BridgeError).map { error in error.place.map { "\($0): \(error.message)" } ?? error.message
      }
      Terminal.tell(words ?? "\(error)")
      ExitStatus.unreadableScript.exit()
    }
    let file: TraceFile?
    let profile: ReportPlace?
    do throws(BridgeError) {
      profile = try openProfile()
      file = try openTrace()
    } catch {
      Terminal.tell("\(error.place ?? "--trace"): \(error.message)")
      ExitStatus.usage.exit()
    }
    let arguments = PermissionOptions.written(code == nil ? Array(fileAndArguments.dropFirst()) : fileAndArguments)
    if let words = permissionOptions.misplacement(in: arguments) { Terminal.tell("warning: \(words)") }
    let run = ScriptRun(
      script: script, arguments: arguments,
      permissions: permissionOptions.permissions(asks: true),
      timeout: timeout, memoryLimit: memoryLimit.map { $0 << 20 }, wire: wire,
      reports: RunReports(trace: file, profile: profile, hasLeaks: leaks, hasMetrics: metrics), ending: ending,
      main: main, importMap: map, isPrinted: printedCode != nil, sources: LoadedSources(onAdd: loaded.note))
    await run.run()
  }

  private func openProfile() throws(BridgeError) -> ReportPlace? {
    guard let cpuProf else { return nil }
    return try ReportPlace(cpuProf)
  }

  private func openTrace() throws(BridgeError) -> TraceFile? {
    guard let trace else { return nil }
    return try TraceFile(path: trace)
  }

  private func readScript() throws(BridgeError) -> Script {
    if let code { return Script(code: code) }
    return try Script(file: fileAndArguments[0])
  }
}

/// `--wire`.
enum WireName: String, CaseIterable, ExpressibleByArgument {
  case shared
  case reactNative = "react-native"

  var wire: BridgeConfiguration.Wire {
    if self == .shared { return .shared }
    return .reactNative { level, text in
      Terminal.write(text + "\n", to: level.rawValue < LogLevel.warning.rawValue ? .output : .error)
    }
  }
}
