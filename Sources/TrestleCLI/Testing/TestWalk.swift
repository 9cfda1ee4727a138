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

  enum Outcome: Sendable {
    case done(JSONValue)
    case failed(any Error)
    case timedOut
    /// Even interrupted it has not ended.
    case stuck
  }

  /// How long what is interrupted, or our own JavaScript, may take.
  private static let grace = Duration.seconds(10)

  init(_ bridge: Bridge, _ options: TestOptions) {
    self.bridge = bridge
    self.options = options
  }

  /// Does something on the bridge; what takes longer than the limit is interrupted.
  mutating func attempt(
    _ limit: Duration, _ body: @escaping @Sendable () async throws -> JSONValue
  ) async -> Outcome {
    let race = Race(body)
    if let outcome = await race.outcome(within: limit) { return outcome }
    bridge.interrupt()
    race.cancel()
    if await race.outcome(within: Self.grace) != nil { return .timedOut }
    isStuck = true
    return .stuck
  }

  /// - Parameter takeUncaught: gives what nobody has handled since it was last asked.
  mutating func run(_ file: inout TestFileResult, _ takeUncaught: () -> [any Error]) async {
    var isFine = true
    while !isStuck {
      let bridge = bridge, last = JSONValue.bool(isFine)
      let asked = await attempt(Self.grace) { try await bridge.run("trestle:test.next", last) }
      guard case .done(let item) = asked, let type = item["type"]?.string else {
        let error: any Error =
          if case .failed(let error) = asked { error } else { TestProblem("the next test was not begun") }
        return file.results.append(TestResult(path: [], status: .failed, failures: [TestFailure(error: error)]))
      }
      isFine = true
      switch type {
      case "begin":
        (failures, start, place) = ([], .now, item["place"]?.string)
      case "step": isFine = await step(item, takeUncaught)
      case "result": file.results.append(result(item, takeUncaught))
      case "end":
        // Of hooks that have done what they should nobody wants to hear.
        let result = result(item, takeUncaught)
        if result.status == .failed { file.results.append(result) }
      default:
        file.snapshots = SnapshotCounts(item["snapshots"] ?? .null)
        let isEmpty = item["isEmpty"] == true
        return addLate(takeUncaught() + (isEmpty ? [TestProblem("it declares no tests")] : []), to: &file)
      }
    }
    file.results.append(result(["path": []], takeUncaught))
  }

  /// - Returns: whether it has not failed.
  private mutating func step(_ item: JSONValue, _ takeUncaught: () -> [any Error]) async -> Bool {
    let limit = item["timeout"]?.double.map { Duration.milliseconds($0) } ?? options.timeout
    let bridge = bridge
    let outcome = await attempt(limit) { try await bridge.run("trestle:test.step") }
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
  private func placed(_ error: any Error) -> any Error {
    guard let problem = error as? TestProblem, let place else { return error }
    return JavaScriptError(name: "", message: problem.description, stack: place)
  }

  /// What was thrown while no test ran any more is the file's.
  private func addLate(_ errors: [any Error], to file: inout TestFileResult) {
    guard !errors.isEmpty else { return }
    file.results.append(TestResult(path: [], status: .failed, failures: errors.map { TestFailure(error: $0) }))
  }
}
