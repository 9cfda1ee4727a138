import EventLoop
import Glibc
import Trestle
import TrestleModules

/// What entries are run in: a bridge that lasts until it is cleared.
final class ReplSession: Sendable {
  private struct State {
    var bridge: Bridge?
    /// What its scripts read.
    var input = StandardInput()
    /// What runs, to be ended by Ctrl-C.
    var running: Task<String, any Error>?
    var isInterrupted = false
    var count = 0
  }

  private let state = Lock(State())
  private let sources = LoadedSources()
  private let hasColor: Bool
  /// Takes what scripts write, and reports.
  private let write: @Sendable (StandardStream, String) -> Void
  /// Ends the process.
  private let exit: @Sendable (Int32) -> Void

  init(
    hasColor: Bool, write: @escaping @Sendable (StandardStream, String) -> Void,
    exit: @escaping @Sendable (Int32) -> Void
  ) {
    (self.hasColor, self.write, self.exit) = (hasColor, write, exit)
  }

  private func openBridge() async throws -> Bridge {
    if let bridge = state.withLock({ $0.bridge }) { return bridge }
    let input = StandardInput()
    state.withLock { $0.input = input }
    let bridge = try await Bridge(modules: modules(reading: input), configuration: configuration)
    state.withLock { $0.bridge = bridge }
    return bridge
  }

  /// Forgets all that was declared.
  func clear() async {
    let bridge = state.withLock { state in
      defer { state.bridge = nil }
      state.input.interrupt()
      return state.bridge
    }
    await bridge?.close(interrupting: true)
  }

  /// Returns once nothing is left to do.
  func waitUntilIdle() async { await state.withLock { $0.bridge }?.waitUntilIdle() }

  /// Runs an entry, and shows its value, or what it throws. One that is interrupted before it has begun ends as it begins: at a prompt
  /// Ctrl-C is a signal from the moment that the entry is typed.
  ///
  /// - Returns: whether it has thrown nothing.
  func run(_ text: String) async -> Bool {
    let name = state.withLock { state in
      state.count += 1
      return "[entry \(state.count)]"
    }
    sources.add(Script(code: text, name: name))
    defer { state.withLock { $0.isInterrupted = false } }
    do {
      let bridge = try await openBridge()
      let task = Task { try await bridge.enter(text, .run, name: name) }
      let isInterrupted = state.withLock { state in
        state.running = task
        return state.isInterrupted
      }
      defer { state.withLock { $0.running = nil } }
      if isInterrupted { end(task, in: bridge) }
      write(.output, ScriptColors.value(try await task.value, hasColor: hasColor) + "\n")
      return true
    } catch {
      tell(of: error)
      return false
    }
  }

  private func tell(of error: any Error) {
    switch error {
    case _ where state.withLock { $0.isInterrupted }: write(.error, "interrupted\n")
    case let error as BridgeError where error.code == .unsettled:
      write(.error, "Uncaught it awaits what nothing is left to settle\n")
    default: write(.error, report(of: error))
    }
  }

  private func report(of error: any Error) -> String {
    Bridge.report(of: error, hasColor: hasColor) { [sources] name in sources.text(of: name) }
  }

  /// Standard input is the prompt's from here on: what scripts read of it waits until ``resumeInput()``.
  func pauseInput() { state.withLock { $0.input }.pause() }

  func resumeInput() { state.withLock { $0.input }.resume() }

  /// Ends the entry that runs, or what is asked about one.
  ///
  /// - Returns: false if none does, or it has been asked before: then it may be that nothing ends it.
  func interrupt() -> Bool {
    let (bridge, task, isFirst) = state.withLock { state in
      defer { state.isInterrupted = true }
      state.input.interrupt()
      return (state.bridge, state.running, !state.isInterrupted)
    }
    guard let bridge, let task else { return false }
    end(task, in: bridge)
    return isFirst
  }

  /// Again and again until it ends: it may not have begun, and what ends a turn is not kept for the next.
  private func end(_ task: Task<String, any Error>, in bridge: Bridge) {
    task.cancel()
    Task { [state] in
      while state.withLock({ state in
        guard state.running == task else { return false }
        bridge.interrupt()
        return true
      }) { try? await Task.sleep(for: .milliseconds(20)) }
    }
  }

  /// At a prompt what is not told in time is complete: who types is not kept waiting.
  ///
  /// - Returns: nil if that was interrupted.
  func isIncomplete(_ text: String, atPrompt: Bool) async -> Bool? {
    let answer = await ask(text, .incomplete, within: atPrompt ? Self.patience : nil)
    guard atPrompt else { return answer == "true" }
    let isInterrupted = state.withLock { state in
      defer { state.isInterrupted = false }
      return state.isInterrupted
    }
    return isInterrupted ? nil : answer == "true"
  }

  func complete(_ text: String) async -> ReplReader.Completion {
    let answer = await ask(text, .complete, within: Self.patience).flatMap { try? JSONValue(parsing: $0) }
    // Whoever has ended this means no entry that is yet to come.
    state.withLock { $0.isInterrupted = false }
    return ReplReader.Completion(
      start: answer?["start"]?.int ?? 0, names: answer?["names"]?.array?.compactMap(\.string) ?? [])
  }

  private static let patience = Duration.seconds(2)

  /// - Returns: nil if there is no answer: a timer of the script's may hold the thread.
  private func ask(_ text: String, _ action: Bridge.EntryAction, within time: Duration?) async -> String? {
    guard let bridge = try? await openBridge() else { return nil }
    guard let time else { return try? await bridge.enter(text, action) }
    // To complete asks proxies of the script's, which may never answer: nobody would be left to end that.
    let task = Task { try await bridge.enter(text, action, within: time / 2) }
    state.withLock { ($0.running, $0.isInterrupted) = (task, false) }
    defer { state.withLock { $0.running = nil } }
    let race = Race { .string(try await task.value) }
    guard case .done(let answer) = await race.outcome(within: time) else { return nil }
    return answer.string
  }

  // MARK: What scripts have

  private func modules(reading input: StandardInput) -> ModuleSelection {
    let console = ConsoleOutput { [write] stream, text in write(stream == .output ? .output : .error, text) }
    let standard = ModuleSelection.definitions([.console(to: console), .timers, .web])
    let process = ModuleSelection.process(
      script: "", arguments: [], input: input, write: { [write] in write(.output, $0) }, exit: exit)
    var workers = WorkerOptions()
    workers.modules = standard + .files + .processes + .sqlite + .linked
    workers.configuration = configuration
    workers.sources = sources
    return standard + .files + .processes + .sqlite + process + .workers(workers) + .linked
  }

  private var configuration: BridgeConfiguration {
    .piecewise("repl") { [sources] path, text in
      sources.add(Script(code: text, name: path))
    } onUncaught: { [self] error in
      write(.error, report(of: error))
    }
  }
}
