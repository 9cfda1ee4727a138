import EventLoop
import Glibc
import Trestle
import TrestleModules

/// Runs the tests of one file, in a bridge of their own: one function after the other, each with a time of its own.
final class TestFileRun: Sendable {
  private struct State {
    var output = ""
    var sources: [String: String] = [:]
    /// What nobody has handled: of the test that runs.
    var uncaught: [any Error] = []
    /// How many more there were.
    var omittedCount = 0
    /// What `Process.exit` was given.
    var exitCode: Int32?
    var bridge: Bridge?
  }

  private let path: String
  private let options: TestOptions
  private let state = Lock(State())

  init(_ path: String, _ options: TestOptions) {
    self.path = path
    self.options = options
  }

  func run() async -> TestFileResult {
    let start = ContinuousClock.now
    var file = TestFileResult(path: path)
    do {
      let bridge = try await Bridge(modules: modules, configuration: configuration)
      state.withLock { $0.bridge = bridge }
      var walk = TestWalk(bridge, options)
      if await load(into: &file, &walk) { await walk.run(&file, takeUncaught) }
      if !walk.isStuck { await bridge.close(interrupting: true) }
    } catch { file.results.append(TestResult(path: [], status: .failed, failures: [TestFailure(error: error)])) }
    file.duration = .now - start
    (file.output, file.sources) = state.withLock { ($0.output, $0.sources) }
    return file
  }

  /// - Returns: whether there are tests to run.
  private func load(into file: inout TestFileResult, _ walk: inout TestWalk) async -> Bool {
    let bridge = walk.bridge
    let key: String
    do { key = try FileModuleLoader.main(Script(code: "", name: path), isFile: true).key } catch {
      file.results.append(TestResult(path: [], status: .failed, failures: [TestFailure(error: error)]))
      return false
    }
    let outcome = await walk.attempt(options.timeToLoad) {
      try await bridge.importMain(key)
      return .null
    }
    var errors = takeUncaught()
    switch outcome {
    case .done: break
    case .failed(let error): errors = errors.isEmpty ? [error] : errors
    case .timedOut, .stuck:
      errors = errors.isEmpty ? [TestProblem("the file has not been loaded after \(options.timeToLoad)")] : errors
    }
    guard !errors.isEmpty else { return true }
    let failures = errors.map { TestFailure(error: $0) }
    file.results.append(TestResult(path: [], status: .failed, failures: failures))
    return false
  }

  private func takeUncaught() -> [any Error] {
    state.withLock { state in
      defer { (state.uncaught, state.omittedCount, state.exitCode) = ([], 0, nil) }
      if let code = state.exitCode { return [TestProblem("it called Process.exit(\(code))")] }
      let count = state.omittedCount
      return state.uncaught + (count > 0 ? [TestProblem("it has thrown \(count) more that nobody handles")] : [])
    }
  }

  /// Of one test: more are counted.
  private static let mostUncaught = 20

  /// In bytes: of more the rest is left out.
  private static let greatestOutput = 8 << 20

  private func write(_ text: String) {
    state.withLock { state in
      let rest = Self.greatestOutput - state.output.utf8.count
      if text.utf8.count <= rest {
        state.output += text
      } else if rest >= 0 {
        // Longer than the limit: nothing is added to it any more.
        state.output += String(decoding: text.utf8.prefix(rest), as: UTF8.self)
        state.output += "\n… it has written more than \(Self.greatestOutput >> 20) MB: the rest is left out\n"
      }
    }
  }

  /// Ends the test, not the run.
  private func exit(_ code: Int32) {
    let bridge = state.withLock { state in
      state.exitCode = state.exitCode ?? code
      return state.bridge
    }
    bridge?.interrupt()
  }

  private var modules: ModuleSelection {
    let console = ConsoleOutput { [self] _, text in write(text) }
    let standard = ModuleSelection.definitions([.console(to: console), .timers, .web])
    let process = ModuleSelection.process(
      script: path, arguments: [], write: { [self] in write($0) }, exit: { [self] in exit($0) })
    var workers = WorkerOptions()
    workers.modules = standard + .files + .processes + .sqlite + .linked
    workers.configuration = configuration
    workers.configuration.permissions = .all
    workers.folder = Script(code: "", name: path).folder
    let host = TestHost(path: path, options: options)
    return standard + .files + .processes + .sqlite + process + .workers(workers) + .definitions([.test(host)])
      + .linked
  }

  private var configuration: BridgeConfiguration {
    var configuration = BridgeConfiguration.piecewise(
      "test", program: [".", Script(code: "", name: path).folder]
    ) { [self] path, text in
      options.loadedFiles.note(path)
      state.withLock { $0.sources[path] = text }
    } onUncaught: { [self] error in
      state.withLock { state in
        if state.uncaught.count < Self.mostUncaught { state.uncaught.append(error) } else { state.omittedCount += 1 }
      }
    }
    configuration.permissions = options.permissions
    return configuration
  }
}
