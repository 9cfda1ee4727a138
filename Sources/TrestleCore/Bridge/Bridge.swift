import Dispatch
import EventLoop
import JSEngine
import JSON

/// A JavaScript context with native modules: scripts call the modules through a batched message queue, Swift calls scripts.
///
/// An actor whose executor is the bridge's own JS thread, or the loop of a host that has one: what is isolated to the
/// bridge may touch its JavaScript values. Several bridges live in one process without knowing of each other. Close it:
/// an open bridge keeps its thread.
public actor Bridge {
  /// The loop of the JS thread.
  public nonisolated let loop: Loop
  private nonisolated let thread: LoopThread?
  private nonisolated let mailbox: Mailbox
  private nonisolated let box = RuntimeBox()
  private nonisolated let ownTurns: OwnTurns
  /// What workers send has a queue of its own, which takes turns with the others: a flood keeps no timer waiting.
  private nonisolated let messageTurns: OwnTurns
  private nonisolated let interruption = Interruption()
  private nonisolated let invalidation = Invalidation()
  nonisolated var wake: BridgeWake { BridgeWake(loop: loop, box: box) }

  private var runtime: BridgeRuntime? {
    get { box.runtime }
    set { box.runtime = newValue }
  }

  public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// Opens a bridge on a thread of its own. Costs about 5 ms.
  ///
  /// - Throws: `BridgeError` with the code `ERR_MODULE` for two modules of one name or a missing dependency.
  public init(
    modules: ModuleSelection = .linked, configuration: BridgeConfiguration = BridgeConfiguration()
  ) async throws {
    let thread = try LoopThread(name: configuration.name)
    try self.init(loop: thread.loop, thread: thread, configuration: configuration)
    do { try open(modules, configuration) } catch {
      thread.stop()
      throw error
    }
  }

  /// Opens a bridge on a host's loop, on the loop's own thread. The host runs the loop, or polls it (`HostedLoop`).
  public static func hosted(
    on loop: Loop, modules: ModuleSelection = .linked, configuration: BridgeConfiguration = BridgeConfiguration()
  ) throws -> Bridge {
    let bridge = try Bridge(loop: loop, thread: nil, configuration: configuration)
    try bridge.assumeIsolated { bridge in try bridge.open(modules, configuration) }
    return bridge
  }

  private init(loop: Loop, thread: LoopThread?, configuration: BridgeConfiguration) throws {
    self.loop = loop
    self.thread = thread
    ownTurns = OwnTurns(on: loop)
    messageTurns = OwnTurns(on: loop)
    let wake = Wake(loop: loop)
    mailbox = Mailbox(wake: { wake.call() }, reportError: configuration.onError)
    wake.bridge.withLock { $0 = WeakBridge(value: self) }
  }

  private func open(_ modules: ModuleSelection, _ configuration: BridgeConfiguration) throws {
    do {
      runtime = try BridgeRuntime(
        loop: loop, definitions: try modules.definitions(), configuration: configuration, mailbox: mailbox,
        interruption: interruption, invalidation: invalidation, bridge: WeakBridge(value: self))
    } catch {
      mailbox.close()
      throw error
    }
  }

  func release(keptValue number: UInt32) { box.release(keptValue: number) }

  fileprivate func settle() { runtime?.context.gate.settle() }

  /// Runs `body` with the engine's context, then all that comes of it. Values do not leave the JS thread; results that are
  /// `Sendable` do.
  @inlinable
  public func withContext<Result: Sendable>(_ body: (JSContext) throws -> Result) throws -> Result {
    var result: Result?
    try turn { context in result = try body(context) }
    guard let result else { throw BridgeError(.closed, "the bridge is closed") }
    return result
  }

  /// Not generic: to find out about types that the compiler does not know costs as much as an event.
  @usableFromInline
  func turn(_ body: (JSContext) throws -> Void) throws {
    let runtime = try openRuntime()
    do { try runtime.turn { try body(runtime.context) } } catch { throw runtime.told(error) }
  }

  /// No turn.
  func withEngine<Result>(_ body: (JSContext) throws -> Result) throws -> Result {
    let runtime = try openRuntime()
    do { return try body(runtime.context) } catch { throw runtime.told(error) }
  }

  func openRuntime() throws -> BridgeRuntime {
    guard let runtime else { throw BridgeError(.closed, "the bridge is closed") }
    return runtime
  }

  /// Runs a script.
  ///
  /// - Parameter sourceURL: the name that stack traces give it; without one it is `[eval]`.
  /// - Throws: ``JavaScriptError`` for what the script throws, also where it cannot be parsed; ``BridgeError`` if a limit ends it.
  public func evaluate(_ script: String, sourceURL: String? = nil) throws {
    let runtime = try openRuntime()
    try turn { _ in _ = try runtime.evaluate(script, sourceURL ?? Script.nameOfCode) }
  }

  /// Runs a script and converts the value of its last expression; if that is a promise, what it comes to.
  public func evaluate<Result: BridgeDecodable>(
    _ script: String, sourceURL: String? = nil, as: Result.Type
  ) async throws -> Result {
    let name = sourceURL ?? Script.nameOfCode
    return try await awaitAnswer(of: name) { runtime, call in
      let value = try runtime.evaluate(script, name)
      try runtime.answer(call, with: value)
    }
  }

  /// Runs the script in a file: UTF-8, in which a first line `#!…` is passed over. Stack traces give it the file's path; `-` is
  /// standard input, `[stdin]` in them. The file is read on the JS thread.
  ///
  /// - Throws: `BridgeError` with the code `ERR_UNREADABLE`, or as `evaluate(_:sourceURL:)`.
  public func evaluate(file: String) throws {
    let script = try Script(file: file)
    try evaluate(script.text, sourceURL: script.name)
  }

  /// The same with the value of the last expression; if that is a promise, what it comes to.
  public func evaluate<Result: BridgeDecodable>(file: String, as type: Result.Type) async throws -> Result {
    let script = try Script(file: file)
    return try await evaluate(script.text, sourceURL: script.name, as: type)
  }

  /// Begins to run a program's main module. What it throws goes to `onError`.
  package func beginMain(_ specifier: String) throws {
    guard let begin = try openRuntime().entries.importMain else {
      throw BridgeError(.module, "a main module is run on the bridge's own wire only")
    }
    try turn { context in _ = try begin.call([context.string(specifier)]) }
  }

  /// Whether the main module has begun and waits for something.
  package var isMainPending: Bool { runtime?.queue.isMainPending ?? false }

  /// What is done with a text that somebody types, see `js/repl`.
  package enum EntryAction: String, Sendable {
    /// Runs it, and tells its value as `console.log` shows it within an object.
    case run
    /// The same as `console.log` shows it alone; of a promise what it comes to.
    case print
    /// Tells whether more has to follow: `true` or `false`.
    case incomplete
    /// Tells what may stand at its end, as JSON: `{start, names}`.
    case complete
  }

  /// - Parameters:
  ///   - name: that stack traces give it.
  ///   - time: what its turn may take, beside the limits of all.
  /// - Throws: what the code throws; `BridgeError` if a limit ends it, or it awaits what nothing is left to do (`unsettled`). Only on
  ///   the bridge's own wire.
  package func enter(
    _ text: String, _ action: EntryAction, name: String = Script.nameOfCode, within time: Duration? = nil
  ) async throws -> String {
    let ofAll = try openRuntime().context.limits
    var isNarrowed = time != nil
    if let time {
      runtime?.context.limits = (ofAll ?? ExecutionLimits()).narrowed(to: ExecutionLimits(time: time))
    }
    func widen() {
      if isNarrowed { runtime?.context.limits = ofAll }
      isNarrowed = false
    }
    // Where its turn has not begun; of one that has, before other turns come.
    defer { widen() }
    return try await awaitAnswer(of: name, keeping: .nothing) { runtime, call in
      defer { widen() }
      guard let enter = runtime.entries.enter else {
        throw BridgeError(.module, "this is done on the bridge's own wire only")
      }
      let context = runtime.context
      _ = try enter.call([
        context.number(Double(call)), context.string(action.rawValue), context.string(text), context.string(name),
      ])
    }
  }

  /// Runs a program's main module, and returns once it has.
  ///
  /// - Throws: as `enter`.
  package func importMain(_ specifier: String) async throws {
    let _: Undefined = try await awaitAnswer(of: specifier, keeping: .nothing) { runtime, call in
      guard let begin = runtime.entries.importMain else {
        throw BridgeError(.module, "a main module is run on the bridge's own wire only")
      }
      try runtime.answer(call, with: try begin.call([runtime.context.string(specifier)]))
    }
  }

  /// Runs a script unless it cannot be parsed.
  ///
  /// - Returns: the error if it could not; nothing of it has run then.
  private func evaluateIfParsed(_ script: Script) throws -> (any Error)? {
    let runtime = try openRuntime()
    var failure: JSException?
    do {
      try runtime.turn {
        do throws(JSException) { _ = try runtime.evaluate(script.text, script.name) } catch {
          failure = error
          throw error
        }
      }
    } catch {
      let told = runtime.told(error)
      guard let failure, failure.isUnparsed, (error as? JSException)?.code == .thrown else { throw told }
      return told
    }
    return nil
  }

  /// Runs a program's script, unless it is a module, or one of CommonJS, by its name or by its words.
  ///
  /// - Returns: whether it has run.
  package func runUnlessModule(_ script: Script, _ source: ModuleSource) throws -> Bool {
    guard source.language == .javaScript, source.format == .script, !script.callsImport, !script.isCommonJS else {
      return false
    }
    guard let failure = try evaluateIfParsed(script) else { return true }
    guard script.mayBeModule else { throw failure }
    return false
  }

  /// Calls a JavaScript function and awaits its result; if that is a promise, what it comes to.
  ///
  /// - Parameter path: `name.function`, where `name` is a registered callable module or a global object; or a global
  ///   function.
  /// A cancelled task waits no longer; the function hears of it if one of the arguments is an ``AbortSignal``.
  ///
  /// - Throws: `JavaScriptError` for what the function throws, `BridgeError` if there is no such function, the result does
  ///   not convert, or the bridge closes; `CancellationError`.
  public func call<each Argument: BridgeEncodable, Result: BridgeDecodable>(
    _ path: String, _ arguments: repeat each Argument, as: Result.Type
  ) async throws -> Result {
    try await awaitAnswer(of: path) { runtime, call in
      try runtime.session.addRecord { writer throws in
        try writer.appendCall(call, of: path, repeat each arguments)
      }
    }
  }

  /// Calls a function. Where its promise waits for what nothing is left to do, the call fails
  /// (`unsettled`).
  ///
  /// - Parameter onBegin: is told when the thread was free for it, and the call is made.
  package func run(
    _ path: String, _ argument: JSONValue = .null, onBegin: @Sendable () -> Void = {}
  ) async throws -> JSONValue {
    try await awaitAnswer(of: path, keeping: .nothing) { runtime, call in
      onBegin()
      try runtime.session.addRecord { writer throws in try writer.appendCall(call, of: path, argument) }
    }
  }

  /// The same for a function that Swift holds.
  func call<each Argument: BridgeEncodable, Result: BridgeDecodable>(
    kept: KeptValue, keeping: JavaScriptCalls.Keeping = .bridge, _ arguments: repeat each Argument, as: Result.Type
  ) async throws -> Result {
    defer { withExtendedLifetime(kept) {} }
    return try await awaitAnswer(of: "a function of the script's", keeping: keeping) { runtime, call in
      try runtime.session.addRecord { writer throws in
        try writer.appendCall(call, of: kept.number, repeat each arguments)
      }
    }
  }

  /// The same for one that is waited for.
  nonisolated func callNow<each Argument: BridgeEncodable, Result: BridgeDecodable>(
    kept: KeptValue, shape: UInt32, _ arguments: repeat each Argument
  ) throws -> Result {
    guard loop.isOnOwnThread else {
      throw BridgeError(
        .thread, "a script's function is called at once on its JavaScript thread only: elsewhere await it")
    }
    guard let runtime = box.runtime else { throw BridgeError(.closed, "the bridge is closed") }
    defer { withExtendedLifetime(kept) {} }
    do { return try runtime.callNow(kept.number, shape: shape, repeat each arguments) } catch {
      throw runtime.told(error)
    }
  }

  /// Does something with an object.
  func operate<each Argument: BridgeEncodable, Result: BridgeDecodable>(
    _ operation: ScriptOperation, _ arguments: repeat each Argument, as: Result.Type
  ) async throws -> Result {
    defer { withExtendedLifetime(operation.object) {} }
    return try await awaitAnswer(of: operation.name) { runtime, call in
      try runtime.session.addRecord { writer throws in
        try writer.appendCall(call, of: operation, repeat each arguments)
      }
    }
  }

  nonisolated func notify<each Argument: BridgeEncodable>(kept: KeptValue, _ arguments: repeat each Argument) {
    if loop.isOnOwnThread { return box.notify(kept: kept, repeat each arguments) }
    loop.perform { [box] in box.notify(kept: kept, repeat each arguments) }
  }

  /// Starts a call and suspends until JavaScript answers it.
  ///
  /// - Parameter name: of what is called.
  private func awaitAnswer<Result: BridgeDecodable>(
    of name: String, keeping: JavaScriptCalls.Keeping = .bridge, _ start: (BridgeRuntime, UInt32) throws -> Void
  ) async throws -> Result {
    let runtime = try openRuntime()
    try Task.checkCancellation()
    let call = runtime.calls.nextNumber()
    return try await withTaskCancellationHandler {
      try await outcome(of: call, named: name, keeping: keeping, in: runtime, start)
    } onCancel: {
      loop.perform { self.assumeIsolated { $0.runtime?.cancel(call) } }
    }
  }

  private func outcome<Result: BridgeDecodable>(
    of call: UInt32, named name: String, keeping: JavaScriptCalls.Keeping, in runtime: BridgeRuntime,
    _ start: (BridgeRuntime, UInt32) throws -> Void
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      runtime.calls.begin(call, of: name, keeping: keeping) { outcome in
        switch outcome {
        case .failure(let error): continuation.resume(throwing: error)
        case .value(let reader):
          do throws(ConversionError) { continuation.resume(returning: try Result.decode(from: &reader.pointee)) } catch
          {
            continuation.resume(throwing: describeResult(error, as: Result.typeSchema, &reader.pointee))
          }
        }
      }
      do { try runtime.turn { try start(runtime, call) } } catch { runtime.calls.fail(call, runtime.told(error)) }
    }
  }

  /// Tells JavaScript's listeners of an event. From any thread; costs least on the JS thread. Events that come close
  /// together cross together.
  public nonisolated func emit(_ event: String, of module: String, _ value: some BridgeEncodable) {
    if loop.isOnOwnThread { return box.emit(event, of: module, value) }
    loop.perform { [box] in box.emit(event, of: module, value) }
  }

  /// Calls a JavaScript function that nobody waits for, such as one of a callable module of React Native's: what it throws
  /// goes to `onError`. From any thread; calls made on one thread keep their order.
  ///
  /// - Parameter path: as of `call(_:_:as:)`.
  public nonisolated func invoke<each Argument: BridgeEncodable>(_ path: String, _ arguments: repeat each Argument) {
    mailbox.postCall(path, repeat each arguments)
  }

  /// The same as `emit`, in a turn that no other event shares: what listeners leave for later runs before the next.
  ///
  /// - Parameters:
  ///   - isMessage: Whether it comes among those that workers send, rather than among timers and the like.
  ///   - isWanted: Asked when its turn has come.
  package nonisolated func emitInOwnTurn(
    _ event: String, of module: String, _ value: some BridgeEncodable, isMessage: Bool = false,
    if isWanted: @escaping @Sendable () -> Bool = { true }
  ) {
    (isMessage ? messageTurns : ownTurns).add {
      guard self.loop.isOnOwnThread, isWanted() else { return }
      self.assumeIsolated { bridge in
        bridge.settle()
        bridge.box.emit(event, of: module, value)
        bridge.settle()
      }
    }
  }

  /// Runs `body` after all that was told by `emitInOwnTurn` before, among messages or not, on the JS thread; at once if the bridge is closed.
  package nonisolated func afterOwnTurns(isMessage: Bool = false, _ body: @escaping @Sendable () -> Void) {
    (isMessage ? messageTurns : ownTurns).add(body)
  }

  /// Returns when nothing is left to do: no call in either direction waits for an answer, and no module is at work on
  /// anything (`BridgeContext.beginActivity`), such as a timer. A bridge that is closed is idle. Returns early if the task is
  /// cancelled.
  public func waitUntilIdle() async {
    for turns in [ownTurns, messageTurns] {
      await withCheckedContinuation { continuation in turns.add { continuation.resume() } }
    }
    guard let runtime else { return }
    let number = runtime.nextWaiter()
    await withTaskCancellationHandler {
      await idleness(of: runtime, for: number)
    } onCancel: {
      loop.perform { self.assumeIsolated { $0.runtime?.stopWaiting(number) } }
    }
  }

  private func idleness(of runtime: BridgeRuntime, for number: Int) async {
    await withCheckedContinuation { continuation in
      if Task.isCancelled { continuation.resume() } else { runtime.whenIdle(number) { continuation.resume() } }
    }
  }

  /// What one turn of JavaScript may use from now on; nil for no limits. With limits scripts lose `WebAssembly`, unless the
  /// configuration has `allowsWebAssembly`; what of it they hold already is beyond any limit.
  public func setLimits(_ limits: ExecutionLimits?) throws { try openRuntime().setLimits(limits) }

  /// Ends the script that runs now, if one does and the limits have `isInterruptible`: a *Stop* button. What started the script
  /// fails with a ``BridgeError`` whose `exceeded` is `.interruption`; the bridge is usable afterwards. From any thread.
  public nonisolated func interrupt() { interruption.endTurn() }

  /// Adds a module to the running bridge.
  ///
  /// - Throws: `ERR_MODULE` for a name that is taken, or that JavaScript has asked for in vain, and for a module with a script.
  public func register(_ definition: ModuleDefinition) throws { try openRuntime().registry.register(definition) }

  /// Ends the bridge, once the script that runs now has returned: everything that waits for an answer, here or in
  /// JavaScript, fails with `ERR_CLOSED`; tasks at work on one are cancelled; the thread ends. What scripts do about it may
  /// take 100 ms of the processor's time, and 10 µs more for each call that waits; 4 s with what native code that they call
  /// takes. From any thread, from inside a callback, and any number of times.
  ///
  /// A script that never returns is ended by its limits alone (`BridgeConfiguration.limits`), or by `interrupting`: without
  /// any it runs on.
  ///
  /// - Parameters:
  ///   - limit: how long to wait for the thread, and for modules that are told (`InvalidatableModule`).
  ///   - interrupting: ends the script that runs, and each that would come, if the limits have `isInterruptible`.
  /// - Returns: false if the thread had not ended after `limit`, or a module was not done; the thread ends when its script
  ///   returns.
  @discardableResult
  public nonisolated func close(within limit: Duration = .seconds(5), interrupting: Bool = false) async -> Bool {
    if interrupting { interruption.endAllTurns() }
    let deadline = ContinuousClock.now + limit
    guard let thread, !loop.isOnOwnThread else {
      await shutDown()
      return await invalidation.wait(until: deadline)
    }
    // Not awaited: a script may hold the thread for longer than that.
    loop.perform { self.assumeIsolated { $0.shutDown() } }
    let hasEnded = await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: thread.join(within: limit)) }
    }
    guard hasEnded else {
      invalidation.cancel()
      return false
    }
    return await invalidation.wait(until: deadline)
  }

  /// The same without waiting for the thread: for code that is on the bridge's own thread.
  public func shutDown() {
    guard let runtime else { return }
    self.runtime = nil
    mailbox.close()
    runtime.context.close()
    thread?.stop()
  }

  /// A bridge that nobody closed ends here.
  deinit {
    let (box, mailbox, thread) = (box, mailbox, thread)
    loop.perform {
      guard let runtime = box.runtime else { return }
      mailbox.close()
      runtime.context.close()
      box.runtime = nil
      thread?.stop()
    }
  }
}

/// What is touched on the JS thread only, also after the bridge is gone.
final class RuntimeBox: @unchecked Sendable {
  var runtime: BridgeRuntime?
  private var settlesSoon = false
  /// The numbers of values that Swift has let go of.
  private var released: [UInt32] = []

  func settleSoon() { if let runtime { settleSoon(runtime) } }

  func emit(_ event: String, of module: String, _ value: some BridgeEncodable) {
    guard let runtime else { return }
    runtime.emit(event, of: module, value)
    settleSoon(runtime)
  }

  func notify<each Argument: BridgeEncodable>(kept: KeptValue, _ arguments: repeat each Argument) {
    guard let runtime else { return }
    runtime.notify(kept.number, repeat each arguments)
    settleSoon(runtime)
    withExtendedLifetime(kept) {}
  }

  /// Soon: those that are let go of together take one turn.
  func release(keptValue number: UInt32) {
    released.append(number)
    guard released.count == 1 else { return }
    runtime?.context.loop.perform { [self] in
      let numbers = released
      released = []
      runtime?.release(keptValues: numbers)
    }
  }

  private func settleSoon(_ runtime: BridgeRuntime) {
    guard runtime.context.gate.isVacant, !settlesSoon else { return }
    settlesSoon = true
    // Once the loop has done what it has at hand: events that come close together cross together.
    runtime.context.loop.perform { [self] in
      settlesSoon = false
      self.runtime?.context.gate.settle()
    }
  }
}

/// What leads to a bridge's thread and does not keep the bridge open.
struct BridgeWake: Sendable {
  let loop: Loop
  fileprivate let box: RuntimeBox

  /// Has what was written cross soon. On the bridge's own thread.
  func settleSoon() { box.settleSoon() }
}

/// Wakes the bridge's thread to take what other threads have posted.
private final class Wake: Sendable {
  let loop: Loop
  let bridge = Lock(WeakBridge(value: nil))

  init(loop: Loop) { self.loop = loop }

  func call() {
    let bridge = bridge.withLock { $0 }
    loop.perform { bridge.value?.assumeIsolated { $0.settle() } }
  }
}

extension Bridge {
  /// For the end of the process: no script of any bridge is entered from now on. Whatever thread is about to waits for that end.
  package static func stopAll() { TurnGate.closeAll() }
}
