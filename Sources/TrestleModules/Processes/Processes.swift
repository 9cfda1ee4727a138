import EventLoop
import Glibc
import Trestle

extension ModuleSelection {
  /// Programs that scripts start, for bridges that are granted `Capability.processes`.
  public static let processes = ModuleSelection.definitions([Processes.moduleDefinition])
}

/// Starts other programs. Those that still run when the bridge closes are ended.
@NativeModule(capabilities: [.processes], isLinked: false)
final class Processes: InvalidatableModule, Sendable {
  private struct State {
    var running: [Int: RunningProgram] = [:]
    /// The bridge has closed: what is started all the same is ended at once.
    var isOver = false
  }

  private let context: BridgeContext
  private let state = Lock(State())

  init(_ context: BridgeContext) { self.context = context }

  /// Runs a program to its end, with nothing as its standard input if no other is given, and gives what it has written.
  @Exported func run(
    _ program: WellFormedString, arguments: [WellFormedString] = [], options: ProgramOptions = ProgramOptions()
  ) async throws -> ProgramOutcome {
    let limit = try options.check(for: "run")
    var options = options
    options.stdin = options.stdin ?? (options.input == nil ? .ignore : .pipe)
    let running = try await begin(program.text, arguments.map(\.text), options, isHeld: true)
    defer {
      running.letGo()
      forgetOnceEnded(running)
    }
    return try await withTaskCancellationHandler {
      try await running.outcome(of: options.input?.text, within: limit)
    } onCancel: {
      running.stop()
    }
  }

  /// Starts a program, and gives what is needed to talk to it. Its standard streams are pipes if nothing else is said.
  @Exported func start(
    _ program: WellFormedString, arguments: [WellFormedString] = [], options: ProgramOptions = ProgramOptions()
  ) async throws -> RunningProgram {
    let limit = try options.check(for: "start")
    let running = try await begin(program.text, arguments.map(\.text), options)
    forgetOnceEnded(running)
    // Nobody would have it.
    guard !Task.isCancelled else {
      running.stop()
      throw CancellationError()
    }
    if let limit { running.stop(after: limit) }
    if let input = options.input { running.feed(input.text) }
    return running
  }

  private func begin(
    _ program: String, _ arguments: [String], _ options: ProgramOptions, isHeld: Bool = false
  ) async throws -> RunningProgram {
    var allowed = try ProgramStart(program, arguments, options)
    try allowed.restrict(by: context.permissions)
    let start = allowed
    let running = try await context.withDescriptors { try start.begin(isHeld: isHeld) }
    let isOver = state.withLock { state in
      state.running[running.id] = running
      return state.isOver
    }
    guard !isOver else {
      if isHeld { running.letGo() }
      await invalidate()
      throw BridgeError(.closed, "the bridge is closed")
    }
    let activity = context.beginActivity()
    Task { [context] in
      _ = try? await running.status()
      // Scripts hear of the end first.
      context.afterOwnTurns { activity.end() }
    }
    return running
  }

  private func forgetOnceEnded(_ program: RunningProgram) {
    Task {
      _ = try? await program.status()
      state.withLock { if $0.running[program.id] === program { $0.running[program.id] = nil } }
    }
  }

  func invalidate() async {
    let left = state.withLock { state in
      state.isOver = true
      return Array(state.running.values)
    }
    for program in left { _ = LivePrograms.send(SIGKILL, to: program.process, isLast: true) }
    for program in left { _ = try? await program.status() }
  }
}

/// How a program is run.
@Record struct ProgramOptions {
  /// The folder that it runs in.
  var folder: WellFormedString?
  /// Variables that it has beside those of this process, or in their place.
  var environment: [String: WellFormedString]?
  /// It has those of `environment` alone.
  var clearsEnvironment = false
  /// What it reads from its standard input.
  var input: WellFormedString?
  /// In milliseconds: what runs longer is ended.
  var timeout: Double?
  var stdin: ProgramStream?
  var stdout: ProgramStream?
  /// `stdout`: where its standard output goes.
  var stderr: ProgramErrorStream?

  init() {}

  /// - Returns: how long it may run.
  fileprivate func check(for method: String) throws(BridgeError) -> Duration? {
    guard input == nil || stdin == nil else {
      throw BridgeError(.argument, "Processes.\(method): 'input' and 'stdin' exclude each other")
    }
    guard let timeout else { return nil }
    guard timeout >= 0, timeout <= 1e12 else {
      throw BridgeError(
        .argument, "Processes.\(method): 'timeout' must be 0 to 1e12 milliseconds, got \(timeout)")
    }
    return .milliseconds(timeout)
  }
}

/// What a standard stream of a program is: a pipe to the script, that of this process, nothing.
@Record enum ProgramStream: String {
  case pipe
  case inherit
  case ignore
}

/// What the standard error of a program is: also where its standard output goes.
@Record enum ProgramErrorStream: String {
  case pipe
  case inherit
  case ignore
  case stdout
}

/// How a program has ended.
@Record struct ProgramEnd {
  /// What it has exited with; none if a signal has ended it.
  var code: Int?
  /// The name of the signal that has ended it, such as `SIGKILL`.
  var signal: String?
}

/// How a program has ended, and what it has written.
@Record struct ProgramOutcome {
  var code: Int?
  var signal: String?
  /// Its standard output, which must be UTF-8.
  var output: String
  /// Its standard error, which must be UTF-8.
  var error: String
}
