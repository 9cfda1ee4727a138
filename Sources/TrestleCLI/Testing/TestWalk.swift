import EventLoop
import Trestle

/// Asks the tests of a file for one step after the other, and keeps what comes of each (`js/test/run.js`).
struct TestWalk: Sendable {
  let bridge: Bridge
  private let options: TestOptions
  /// The thread is held by what nothing ends.
  private(set) var isStuck = false
  private var failures: [TestFailure] = []
  private var start = ContinuousClock.now
  /// The stack of the declaration of the test that runs.
  private var place: String?
  /// Of the one whose step ran last.
  private var lastPlace: String?
  /// Of the test, or the hooks, whose steps are under way.
  private var path: [String]?
  private var hasRunStep = false
  private var wasHeldUp = false
  /// What a test may take that has just run, and with that what it has left.
  private var limit: Duration

  enum Outcome: Sendable {
    case done(JSONValue)
    case failed(any Error)
    case timedOut
    /// Even interrupted it has not ended.
    case stuck
  }

  /// How long what is interrupted may take.
  private static let grace = Duration.seconds(10)
  /// Our own JavaScript may take this: other processes may keep it waiting.
  private static let leastLimit = Duration.seconds(10)
  /// How long a call waits for the thread at most where something has held that before: there may be a thousand more.
  private static let leastPatience = Duration.milliseconds(500)

  init(_ bridge: Bridge, _ options: TestOptions) {
    self.bridge = bridge
    self.options = options
    limit = options.timeout
  }

  /// Does something on the bridge; what takes longer than the limit is interrupted.
  mutating func attempt(
    _ limit: Duration, _ body: @escaping @Sendable () async throws -> JSONValue
  ) async -> Outcome {
    let race = Race(body)
    if let outcome = await race.outcome(within: limit) { return outcome }
    return await end(race)
  }

  private mutating func end(_ race: Race) async -> Outcome {
    bridge.interrupt()
    race.cancel()
    if await race.outcome(within: Self.grace) != nil { return .timedOut }
    isStuck = true
    return .stuck
  }

  /// Calls a function of `js/test/run.js`. What holds the thread before that begins was left by what ran last, which fails with it.
  private mutating func call(
    _ name: String, _ argument: JSONValue = .null, within limit: Duration, _ file: inout TestFileResult
  ) async -> Outcome {
    let bridge = bridge, hasBegun = Lock(false)
    let race = Race {
      try await bridge.run("trestle:test.\(name)", argument) { hasBegun.withLock { $0 = true } }
    }
    if wasHeldUp, let outcome = await race.outcome(within: min(limit, Self.leastPatience)) { return outcome }
    if !wasHeldUp || hasBegun.withLock({ $0 }) {
      if let outcome = await race.outcome(within: limit) { return outcome }
      if hasBegun.withLock({ $0 }) { return await end(race) }
    }
    wasHeldUp = true
    blame(TestProblem("what it left to run later did not end by itself"), on: &file)
    let end = ContinuousClock.now + Self.grace
    // There may be more of the kind, and what ends a turn is not kept for the next.
    while !hasBegun.withLock({ $0 }), .now < end {
      bridge.interrupt()
      if let outcome = await race.outcome(within: .milliseconds(20)) { return outcome }
    }
    if let outcome = await race.outcome(within: limit) { return outcome }
    return await self.end(race)
  }

  /// Before anything of what is asked for now has begun.
  private mutating func blame(_ problem: TestProblem, on file: inout TestFileResult) {
    func add(_ failure: TestFailure, to failures: inout [TestFailure]) {
      if !failures.contains(where: { $0.title == failure.title }) { failures.append(failure) }
    }
    if path != nil, hasRunStep { return add(TestFailure(error: placed(problem)), to: &failures) }
    let failure = TestFailure(error: placed(problem, at: lastPlace))
    guard let last = file.results.lastIndex(where: { $0.status == .passed || $0.status == .failed }) else {
      return file.results.append(TestResult(path: [], status: .failed, failures: [failure]))
    }
    file.results[last].status = .failed
    add(failure, to: &file.results[last].failures)
  }

  /// - Parameter takeUncaught: gives what nobody has handled since it was last asked.
  mutating func run(_ file: inout TestFileResult, _ takeUncaught: () -> [any Error]) async {
    var isFine = true
    while !isStuck {
      let asked = await call("next", .bool(isFine), within: max(limit, Self.leastLimit), &file)
      guard case .done(let item) = asked, let type = item["type"]?.string else {
        let error: any Error =
          if case .failed(let error) = asked { error } else { TestProblem("the next test was not begun") }
        // What is known of the one under way is not lost.
        failures.append(TestFailure(error: error))
        return file.results.append(TestResult(path: path ?? [], status: .failed, failures: failures))
      }
      isFine = true
      switch type {
      case "begin":
        (path, hasRunStep) = (item["path"]?.array?.compactMap(\.string), false)
        (failures, start, place) = ([], .now, item["place"]?.string)
      case "step": isFine = await step(item, &file, takeUncaught)
      case "result":
        path = nil
        file.results.append(result(item, takeUncaught))
      case "end":
        path = nil
        // Of hooks that have done what they should nobody wants to hear.
        let result = result(item, takeUncaught)
        if result.status == .failed { file.results.append(result) }
      default:
        file.snapshots = SnapshotCounts(item["snapshots"] ?? .null)
        let isEmpty = item["isEmpty"] == true
        await waitForRest()
        return addLate(takeUncaught() + (isEmpty ? [TestProblem("it declares no tests")] : []), to: &file)
      }
    }
    file.results.append(result(["path": []], takeUncaught))
  }

  /// - Returns: whether it has not failed.
  private mutating func step(
    _ item: JSONValue, _ file: inout TestFileResult, _ takeUncaught: () -> [any Error]
  ) async -> Bool {
    limit = item["timeout"]?.double.map { Duration.milliseconds($0) } ?? options.timeout
    let outcome = await call("step", within: limit, &file)
    (hasRunStep, lastPlace) = (true, place)
    let label = item["label"]?.string ?? ""
    let uncaught = takeUncaught()
    var errors = uncaught
    switch outcome {
    case .done: break
    case .failed(let error) where (error as? BridgeError)?.code == .unsettled:
      errors.append(TestProblem("it awaits what nothing is left to settle"))
    // What has ended it has been told.
    case .failed(let error): if uncaught.isEmpty || (error as? BridgeError)?.exceeded == nil { errors.append(error) }
    case .timedOut: if uncaught.isEmpty { errors.append(TestProblem("it has not ended after \(limit)")) }
    case .stuck:
      errors.append(
        TestProblem("it has not ended after \(limit), and nothing ends it: no other test of this file is run"))
    }
    failures += errors.map { TestFailure(label: label, error: placed($0)) }
    return errors.isEmpty
  }

  private mutating func result(_ item: JSONValue, _ takeUncaught: () -> [any Error]) -> TestResult {
    let path = item["path"]?.array?.compactMap(\.string) ?? []
    switch item["status"]?.string {
    case "skipped": return TestResult(path: path, status: .skipped)
    case "todo": return TestResult(path: path, status: .todo)
    default: break
    }
    // Of promises that were rejected behind the last step.
    failures += takeUncaught().map { TestFailure(error: $0) }
    if item["fails"] == true {
      failures = failures.isEmpty ? [TestFailure(error: placed(TestProblem("it was to fail, and has not")))] : []
    }
    defer { failures = [] }
    return TestResult(
      path: path, status: failures.isEmpty ? .passed : .failed, failures: failures, duration: .now - start)
  }

  /// With the line of the test, where no script has said what is wrong.
  private func placed(_ error: any Error, at place: String?? = nil) -> any Error {
    guard let problem = error as? TestProblem, let place = place ?? self.place else { return error }
    return JavaScriptError(name: "", message: problem.description, stack: place)
  }

  /// What was thrown while no test ran any more is the file's.
  /// What the tests have left to run, a timer or a program, has a moment, in which what it throws is still heard.
  private func waitForRest() async {
    let isIdle = Lock(false)
    let rest = Task { [bridge] in
      await bridge.waitUntilIdle()
      isIdle.withLock { $0 = true }
    }
    defer { rest.cancel() }
    let end = ContinuousClock.now + Self.timeOfRest
    while !isIdle.withLock({ $0 }), .now < end { try? await Task.sleep(for: .milliseconds(1)) }
  }

  private static let timeOfRest = Duration.milliseconds(500)

  private func addLate(_ errors: [any Error], to file: inout TestFileResult) {
    guard !errors.isEmpty else { return }
    file.results.append(TestResult(path: [], status: .failed, failures: errors.map { TestFailure(error: $0) }))
  }
}
