import EventLoop
import TrestleCore

/// A module without a JavaScript engine: its methods are called with JavaScript values, through the conversions and with
/// the words of errors that a bridge has.
///
/// ```swift
/// let files = StandaloneModule(Files.self)
/// #expect(try await files.call("readText", "a.txt") == "hello")
/// let error = await #expect(throws: JavaScriptError.self) { try await files.call("readText", 3) }
/// #expect(error?.message == "Files.readText, argument 1 'path': expected string, got number 3")
/// ```
///
/// Each call is a batch of its own. The actor stands for the JS thread: what a bridge runs there runs on it. A call that is
/// not answered within the deadline throws `ERR_DROPPED`, so that a test that would wait for ever fails.
public actor StandaloneModule {
  /// What the module emitted.
  public struct Event: Sendable, Equatable, CustomStringConvertible {
    public var name: String
    public var value: JavaScriptValue
    public init(_ name: String, _ value: JavaScriptValue) { (self.name, self.value) = (name, value) }
    public var description: String { "\(name) \(value)" }
  }

  /// Stands for a script's functions, by their path: what `BridgeContext.call` calls.
  public typealias Functions =
    @Sendable (_ path: String, _ arguments: [JavaScriptValue]) async throws -> JavaScriptValue
  private typealias Answer = CheckedContinuation<JavaScriptValue, any Error>

  public nonisolated let name: String
  private nonisolated let surroundings: Surroundings
  private let deadline: Duration
  private let session: StandaloneSession
  private var waiting: [UInt32: Answer] = [:]
  private var lastSlot: UInt32 = 0
  private var settling: [(calls: ClosedRange<UInt64>, continuation: CheckedContinuation<Void, Never>)] = []

  /// - Parameters:
  ///   - provisions: what the module finds in its context.
  ///   - deadline: how long a call may take.
  ///   - functions: the JavaScript that the module may call; without it there is none.
  public init(
    _ definition: ModuleDefinition, provisions: [any Sendable] = [], deadline: Duration = .seconds(60),
    functions: @escaping Functions = { path, _ in throw BridgeError(.notFound, "there is no function '\(path)'") }
  ) {
    name = definition.name
    self.deadline = deadline
    let surroundings = Surroundings(functions)
    self.surroundings = surroundings
    session = StandaloneSession(
      definition, provisions: provisions, standIn: surroundings, wake: { surroundings.wake() },
      onError: { surroundings.append($0) })
    surroundings.module.withLock { [weak self] in $0 = WeakModule(value: self) }
  }

  public init<Module: NativeModule>(
    _: Module.Type, provisions: [any Sendable] = [], deadline: Duration = .seconds(60),
    functions: @escaping Functions = { path, _ in throw BridgeError(.notFound, "there is no function '\(path)'") }
  ) {
    self.init(Module.moduleDefinition, provisions: provisions, deadline: deadline, functions: functions)
  }

  /// With an instance that the test made.
  public init<Module: NativeModule & Sendable>(
    instance: Module, deadline: Duration = .seconds(60),
    functions: @escaping Functions = { path, _ in throw BridgeError(.notFound, "there is no function '\(path)'") }
  ) {
    self.init(Module.moduleDefinition.with(instance: instance), deadline: deadline, functions: functions)
  }

  /// What the bridge's `onError` would have been told so far.
  public nonisolated var errors: [any Error] { surroundings.errors.withLock { $0 } }
  /// What was emitted so far.
  public nonisolated var events: [Event] { surroundings.events.withLock { $0 } }
  /// The module's constants, by name. Makes the instance if there are any.
  public var constants: JavaScriptValue {
    get throws { JavaScriptValue(try seenByScript { try session.constants() }) }
  }

  /// Stands for a script that begins to listen to an event that is a member of the module, or ends to: its source is told. What
  /// the module emits is in `events` anyway.
  ///
  /// - Throws: `ERR_NOT_FOUND` if there is no such event.
  public func startListening(to event: String) throws { try session.setListening(true, to: event) }
  public func stopListening(to event: String) throws { try session.setListening(false, to: event) }

  /// Calls a method of any kind and waits for its end: for the result, for one of its callbacks, which are not among the
  /// arguments, or, where JavaScript does not wait, until the method has run; then its error is in `errors`.
  ///
  /// - Throws: `JavaScriptError` as a script would get it, at the call or as the promise's rejection;
  ///   `FailureCallback` for a failure callback that was given something else than an error.
  @discardableResult
  public func call(_ method: String, _ arguments: JavaScriptValue...) async throws -> JavaScriptValue {
    try await call(method, arguments: arguments)
  }

  /// The same with a result of a native type.
  public func call<Result: BridgeDecodable>(
    _ method: String, _ arguments: JavaScriptValue..., as: Result.Type
  ) async throws -> Result {
    try await call(method, arguments: arguments).decoded(as: Result.self)
  }

  @discardableResult
  public func call(_ method: String, arguments: [JavaScriptValue]) async throws -> JavaScriptValue {
    let arguments = arguments.map(ScriptValue.init)
    switch session.kind(of: method) {
    case .sync: return try value(seenByScript { try session.callSynchronously(method, arguments) })
    case .void:
      try await callToTheEnd(method, arguments)
      return .undefined
    case .promise, .callbacks: return try await callForAnswer(method, arguments)
    case nil:
      throw BridgeError(.notFound, "module '\(name)' has no method '\(method)', but \(session.methodNames)")
    }
  }

  private func callForAnswer(_ method: String, _ arguments: [ScriptValue]) async throws -> JavaScriptValue {
    lastSlot += 1
    let slot = lastSlot
    let expiry = Task { [weak self, deadline] in
      try await Task.sleep(for: deadline)
      await self?.expire(slot, method)
    }
    defer { expiry.cancel() }
    return try await withCheckedThrowingContinuation { continuation in
      waiting[slot] = continuation
      do { _ = try seenByScript { try session.call(method, arguments, slot: slot) } } catch {
        waiting.removeValue(forKey: slot)?.resume(throwing: error)
      }
      settle()
    }
  }

  /// Returns when the method and the tasks that it started are over.
  private func callToTheEnd(_ method: String, _ arguments: [ScriptValue]) async throws {
    var calls: ClosedRange<UInt64> = 0...0
    let gate = AsyncStream<Void>.makeStream()
    calls = try seenByScript {
      try session.call(method, arguments, slot: 0) { gate.continuation.finish() }
    }
    for await _ in gate.stream {}
    guard session.hasTask(among: calls) else { return }
    await withCheckedContinuation { settling.append((calls, $0)) }
  }

  private func expire(_ slot: UInt32, _ method: String) {
    waiting.removeValue(forKey: slot)?.resume(
      throwing: BridgeError(.dropped, "\(name).\(method) has not answered within \(deadline)"))
  }

  /// Passes on the answers that are there.
  fileprivate func settle() {
    session.takeAnswers { slot, outcome in
      guard let answer = waiting.removeValue(forKey: slot) else { return }
      answer.resume(with: Result { try value(outcome) })
    }
    settling.removeAll { calls, continuation in
      if session.hasTask(among: calls) { return false }
      continuation.resume()
      return true
    }
  }

  private func value(_ outcome: StandaloneSession.Outcome) throws -> JavaScriptValue {
    switch outcome {
    case .value(let value): return JavaScriptValue(value)
    case .failure(let value):
      if let error = JavaScriptError(value) { throw error }
      throw FailureCallback(value: JavaScriptValue(value))
    }
  }

  /// What `body` throws becomes the error object that a script gets.
  private func seenByScript<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch { throw JavaScriptError(ScriptValue(error: error)) ?? error }
  }
}

/// A failure callback was called with a value that is no error.
public struct FailureCallback: Error, Equatable {
  public var value: JavaScriptValue
  public init(value: JavaScriptValue) { self.value = value }
}

private struct WeakModule: Sendable {
  weak let value: StandaloneModule?
}

/// What is around a module that has no bridge. From any thread.
private final class Surroundings: BridgeStandIn {
  let module = Lock(WeakModule(value: nil))
  let errors = Lock<[any Error]>([])
  let events = Lock<[StandaloneModule.Event]>([])
  private let functions: StandaloneModule.Functions

  init(_ functions: @escaping StandaloneModule.Functions) { self.functions = functions }

  func append(_ error: any Error) { errors.withLock { $0.append(error) } }

  func wake() {
    let module = module.withLock { $0 }
    Task { await module.value?.settle() }
  }

  func emit(_ event: String, of module: String, _ value: ScriptValue) {
    events.withLock { $0.append(.init(event, JavaScriptValue(value))) }
  }

  func call(_ path: String, _ arguments: [ScriptValue]) async throws -> ScriptValue {
    ScriptValue(try await functions(path, arguments.map(JavaScriptValue.init)))
  }
}
