import EventLoop
import Trestle

/// One worker: a script in a bridge of its own. From any thread.
final class Worker: Sendable {
  private struct State: Sendable {
    var opening: Task<Bridge, any Error>?
    /// Ends once the script has run, and what it threw is told.
    var running: Task<Void, Never>?
    /// Takes messages once the script has run; they wait until then.
    var bridge: Bridge?
    var early: [WorkerMessage] = []
    var messageCount = 0
    /// Its script has added a listener.
    var hasListened = false
    /// Lasts until the worker is idle.
    var activity: Activity?
    /// Its own script has called `close()`.
    var isClosing = false
    var isEnding = false
    var isTerminated = false
  }

  let number: Int
  private let name: String
  private let script: WorkerScript
  private let owner: Workers
  private let options: WorkerOptions
  private let state = Lock(State())

  init(_ number: Int, name: String, script: WorkerScript, options: WorkerOptions, startedBy owner: Workers) {
    self.number = number
    self.name = name
    self.script = script
    self.options = options
    self.owner = owner
  }

  /// - Parameters:
  ///   - limits: of the bridge that starts it.
  ///   - modules: for the workers that it starts itself.
  func start(within limits: ScriptLimits, modules: ModuleSelection, activity: Activity) {
    let configuration = configuration(within: limits)
    let scope = WorkerScope(name: name, worker: self)
    let modules = options.modules + modules + .definitions([.workerScope(scope)])
    let opening = Task { [context = owner.context] in
      guard ThreadReserve.hasRoomForEngine else { throw BridgeError(.limit, "no threads are left for a worker") }
      return try await context.withDescriptors { try await Bridge(modules: modules, configuration: configuration) }
    }
    state.withLock { state in
      state.activity = activity
      state.opening = opening
      state.running = Task { await run(opening) }
    }
  }

  private func configuration(within inherited: ScriptLimits) -> BridgeConfiguration {
    var configuration = options.configuration
    configuration.name = name
    inherited.narrow(&configuration)
    script.add(to: &configuration, options.sources)
    var limits = configuration.limits ?? ExecutionLimits()
    limits.isInterruptible = true
    configuration.limits = limits
    configuration.onError = { [weak self] error in self?.fail(error) }
    return configuration
  }

  private func run(_ opening: Task<Bridge, any Error>) async {
    do {
      let bridge = try await opening.value
      guard !state.withLock({ $0.isEnding }) else { return }
      do { try await script.run(on: bridge) } catch {
        let mayGoOn = (error as? BridgeError)?.code == .unsettled ? await mayHear(bridge) : false
        if !mayGoOn { fail(error) }
      }
      beginDelivery(to: bridge)
      Task { await waitForIdleness(of: bridge) }
    } catch {
      fail(error)
      finish()
    }
  }

  /// Its script has a listener, and may wait for a message.
  func listen() { state.withLock { $0.hasListened = true } }

  private func mayHear(_ bridge: Bridge) async -> Bool {
    if state.withLock({ $0.hasListened }) { return true }
    return (try? await bridge.evaluate("typeof onmessage === 'function'", as: Bool.self)) ?? true
  }

  private func beginDelivery(to bridge: Bridge) {
    state.withLock { state in
      guard !state.isEnding else { return }
      for message in state.early { bridge.emitInOwnTurn("message", of: "WorkerScope", message, isMessage: true) }
      state.early = []
      state.bridge = bridge
    }
  }

  func receive(_ message: WorkerMessage, beginActivity: () -> Activity) {
    let (bridge, wasIdle) = state.withLock { state -> (Bridge?, Bool) in
      guard !state.isEnding else { return (nil, false) }
      state.messageCount += 1
      guard let bridge = state.bridge else {
        state.early.append(message)
        return (nil, false)
      }
      let wasIdle = state.activity == nil
      if wasIdle { state.activity = beginActivity() }
      // While it is locked: who has seen the count finds the bridge busy.
      bridge.emitInOwnTurn("message", of: "WorkerScope", message, isMessage: true)
      return (bridge, wasIdle)
    }
    guard let bridge else { return }
    if wasIdle { Task { await waitForIdleness(of: bridge) } }
  }

  /// Ends the activity once all messages have been handled and nothing is left to do.
  private func waitForIdleness(of bridge: Bridge) async {
    var count: Int
    repeat {
      count = state.withLock { $0.messageCount }
      await bridge.waitUntilIdle()
    } while !endActivity(ifStillAt: count)
  }

  private func endActivity(ifStillAt count: Int) -> Bool {
    let (isOver, activity) = state.withLock { state -> (Bool, Activity?) in
      guard state.messageCount == count else { return (false, nil) }
      // That its end is told is part of what it does.
      guard !state.isClosing, !state.isEnding else { return (true, nil) }
      defer { state.activity = nil }
      return (true, state.activity)
    }
    if let activity { owner.worker(number, isIdleAfter: activity) }
    return isOver
  }

  var isTerminated: Bool { state.withLock { $0.isTerminated } }

  func post(_ message: WorkerMessage) { owner.worker(number, posts: message) }

  /// What an end brings about is no news; what a script throws that has called `close()` is.
  private func fail(_ error: any Error) {
    let isNews = state.withLock { !$0.isTerminated && !($0.isEnding && Self.tellsOfEnd(error)) }
    if isNews { owner.worker(number, failsWith: error) }
  }

  private static func tellsOfEnd(_ error: any Error) -> Bool {
    let code = (error as? JavaScriptError)?.code ?? (error as? BridgeError)?.code.rawValue
    return code == BridgeError.Code.closed.rawValue
  }

  /// The script goes on to its end.
  func close() {
    state.withLock { $0.isClosing = true }
    Task { try? await end(interrupting: false) }
  }

  /// Again, and at the same time: ends it once.
  ///
  /// - Parameter interrupting: whether the script that runs is ended too.
  /// - Throws: `ERR_LIMIT` if native code still holds its thread after `WorkerOptions.timeToEnd`.
  func end(interrupting: Bool = true) async throws {
    let (opening, running) = state.withLock { state in
      state.isEnding = true
      if interrupting { state.isTerminated = true }
      state.early = []
      state.bridge = nil
      return (state.opening, state.running)
    }
    guard let bridge = try? await opening?.value else { return finish() }
    if await bridge.close(within: options.timeToEnd, interrupting: interrupting) {
      await running?.value
      return finish()
    }
    Task {
      while await !bridge.close(within: .seconds(60), interrupting: interrupting) {}
      await running?.value
      finish()
    }
    throw BridgeError(.limit, "it has not ended within \(options.timeToEnd)", at: name)
  }

  private func finish() {
    let activity = state.withLock { state in
      defer { state.activity = nil }
      state.opening = nil
      return state.activity
    }
    owner.workerHasEnded(number)
    if let activity { owner.worker(number, isIdleAfter: activity) }
  }
}
