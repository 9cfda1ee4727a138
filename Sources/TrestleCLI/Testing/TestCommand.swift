import ArgumentParser
import Glibc
import Trestle
import TrestleModules

/// `trestle test [FILTER|FILE …]`.
struct TestCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test", abstract: "Run the tests in files named *.test.js, each file in an engine of its own.",
    discussion: """
      A file has test, describe, beforeEach and the like, expect and mock as globals, and as what it imports of 'trestle:test'. \
      Exit code 1: a test has failed, a file could not be loaded, or there are no tests.
      """)

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How long a test, or a hook, may take: 5 seconds, if nothing else is said.", valueName: "seconds"))
  var timeout: Double?

  @Option(
    name: [.customShort("t"), .customLong("name")],
    help: ArgumentHelp(
      "Run only tests whose whole name, 'group > test', matches this regular expression.", valueName: "pattern"))
  var namePattern = ""

  @Flag(name: [.short, .long], help: "Keep what snapshots are now, and remove those that no test asks for.")
  var update = false

  @Option(help: ArgumentHelp("How the outcome is told: text, tap or junit.", valueName: "reporter"))
  var reporter = ReporterName.text

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How many files run at a time; as many as there are processors, if nothing is said.", valueName: "number"))
  var jobs: Int?

  @OptionGroup var permissionOptions: PermissionOptions

  @OptionGroup var watchOptions: WatchOptions

  @Argument(
    help: ArgumentHelp(
      "Files and folders, or parts of paths; without any, all test files below this folder.", valueName: "filter"),
    completion: .file())
  var filters: [String] = []

  private static let longestTimeout = 100_000.0

  func validate() throws {
    if let timeout, !(timeout > 0 && timeout <= Self.longestTimeout) {
      throw ValidationError("--timeout must be more than 0 and at most \(Int(Self.longestTimeout)) seconds.")
    }
    if let jobs, !(1...1000).contains(jobs) { throw ValidationError("--jobs must be 1 to 1000.") }
  }

  /// By the engine that is to read it.
  private static func problem(ofPattern pattern: String) async -> String? {
    guard !pattern.isEmpty, let bridge = try? await Bridge(modules: .definitions([])) else { return nil }
    var problem: String?
    do {
      try await bridge.evaluate("globalThis.make = (pattern) => { new RegExp(pattern); }")
      _ = try await bridge.call("make", pattern, as: Undefined.self)
    } catch { problem = (error as? JavaScriptError)?.message }
    await bridge.close()
    return problem
  }

  func run() async throws {
    if watchOptions.isWatching { WatchedRun(files: [], grantedPaths: permissionOptions.resolvedPaths).start() }
    let paths: [String]
    do throws(BridgeError) { paths = try TestFiles.find(filters) } catch {
      Terminal.tell(error.message)
      ExitStatus.uncaughtError.exit()
    }
    if let problem = await Self.problem(ofPattern: namePattern) {
      Terminal.tell("--name: \(problem)")
      ExitStatus.usage.exit()
    }
    RunEnd.onFirstToClear {
      Interruptions.take()
      Watch(timeout: nil, timeToEnd: .zero) { $0.exitAtOnce() }.start()
    }
    // Looked at before, as a terminal may be what it leads to.
    _ = Terminal.outputHasColor
    StandardStream.reserveOutput()
    var options = TestOptions()
    options.namePattern = namePattern
    options.updatesSnapshots = update
    // Several at a time, and each with a time of its own: nobody is asked.
    options.permissions = permissionOptions.permissions(asks: false)
    options.folders = TestFiles.folders(of: paths)
    options.loadedFiles = watchOptions.loadedFiles
    if let timeout {
      options.timeout = .seconds(timeout)
      options.timeToLoad = .seconds(timeout)
    }
    let isPassed = await TestRun(
      paths: paths, options: options, jobs: jobs ?? Self.processorCount, reporter: reporter.make()
    )
    .run()
    (isPassed ? ExitStatus.success : .uncaughtError).exit()
  }

  private static var processorCount: Int { max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN))) }
}

/// What holds for all files of a run.
struct TestOptions: Sendable {
  var timeout = Duration.seconds(5)
  /// With all that the file imports.
  var timeToLoad = Duration.seconds(20)
  var namePattern = ""
  var updatesSnapshots = false
  var permissions = Permissions.all
  /// Of the files, without links: as they were before any script ran.
  var folders: [String: String] = [:]
  var loadedFiles = LoadedFiles(channel: nil)
  /// New snapshots are written, but where a program runs the tests: there they would be nobody's wish.
  var writesSnapshots = getenv("CI") == nil
}

/// `--reporter`.
enum ReporterName: String, CaseIterable, ExpressibleByArgument {
  case text, tap, junit

  func make() -> any TestReporter {
    switch self {
    case .text: TextReporter(hasColor: Terminal.outputHasColor)
    case .tap: TapReporter()
    case .junit: JUnitReporter()
    }
  }
}
