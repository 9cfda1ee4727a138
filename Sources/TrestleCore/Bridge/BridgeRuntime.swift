import CBundledJS
import EventLoop
import JSEngine
import JSON

/// What a bridge has on its JS thread: the engine's context, the message queue, the modules.
final class BridgeRuntime: TurnKeeper {
  let context: JSContext
  let session: CallSession
  let registry: ModuleRegistry
  let queue: CommandQueue
  let calls = JavaScriptCalls()
  let invalidation: Invalidation
  let heap: HeapRecorder?
  let entries: Entries
  private let onLeaks: @Sendable ([OutstandingItem]) -> Void
  private let configuration: BridgeConfiguration
  let sourceMaps: SourceMaps
  /// The bridge that this is of.
  private let bridge: WeakBridge
  private var waitingForIdleness: [Int: () -> Void] = [:]
  private var lastWaiter = 0
  private var stopsHoldingSoon = false
  private let memoryWatch = MemoryWatch()
  var descriptorShortage = DescriptorShortage()
  /// How many in a row were ended.
  private var failedCollections = 0
  /// A limit or the stack's end has cut scripts off, perhaps between a result and their reading it.
  private var mayHaveUnread = false
  /// Numbers of what nothing in Swift stands for any more, and JavaScript does not know yet.
  private var unreleased: [UInt32] = []

  /// The functions that `js/runtime/boot.js`, or that of `js/reactnative`, returns.
  struct Entries {
    let deliver: JSFunction
    let goOnDelivering: JSFunction
    /// Of React Native's wire: has the calls that a turn has left written into the buffer.
    let collect: JSFunction?
    let closeAll: JSFunction
    let answerValue: JSFunction
    let callNow: JSFunction
    let waitingCount: JSFunction
    let held: JSFunction
    let runModuleScript: JSFunction
    let postponeModuleScripts: JSFunction
    let keep: JSFunction
    /// Where what is outstanding is tracked.
    let describeOutstanding: JSFunction?
    let release: JSFunction
    let describeThrown: JSFunction
    /// Of the bridge's own wire.
    let enter: JSFunction?
    let importMain: JSFunction?
  }

  /// On the JS thread.
  init(
    loop: Loop, definitions: [ModuleDefinition], configuration: BridgeConfiguration, mailbox: Mailbox,
    interruption: Interruption, invalidation: Invalidation, bridge: WeakBridge
  ) throws {
    self.invalidation = invalidation
    self.bridge = bridge
    sourceMaps = configuration.sourceMaps ?? SourceMaps()
    var configuration = configuration
    configuration.sourceMaps = sourceMaps
    if configuration.callLimit < .max {
      configuration.callBudget = configuration.callBudget ?? CallBudget(limit: configuration.callLimit)
    }
    if configuration.sharedMemoryLimit < .max {
      configuration.memoryBudget =
        configuration.memoryBudget ?? MemoryBudget(limit: configuration.sharedMemoryLimit, within: nil)
    }
    let gate = PermissionGate(configuration.permissions, within: configuration.permissionGate)
    configuration.permissionGate = gate
    configuration.moduleLoader =
      (configuration.moduleLoader as? any PermittedModuleLoader)?.asking(gate) ?? configuration.moduleLoader
    self.configuration = configuration
    onLeaks = configuration.onLeaks
    heap = configuration.metrics.map(HeapRecorder.init)
    let blockedCalls = configuration.blockedCallThreshold.map {
      BlockedCalls(after: $0, on: loop, report: configuration.onError)
    }
    session = CallSession(
      mailbox: mailbox, observers: configuration.allObservers + (blockedCalls.map { [$0] } ?? []))
    // An observer reads each delivery by itself.
    if !session.observers.isEmpty { session.eventNames.limit = 0 }
    registry = try ModuleRegistry(definitions, granted: configuration.capabilities, session: session)
    guard EngineProcess.hasAddresses() else { throw BridgeError(.limit, EngineProcess.shortageOfAddresses) }
    context = try DescriptorReserve.lend {
      JSContext(on: loop, name: configuration.name, interruption: interruption)
    }
    let side = try context.ownRealm.makeArray()
    let sideValues = EngineSideValues(context, array: side)
    session.sharedObjects.limit = configuration.sharedMemoryLimit
    session.sharedObjects.budget = configuration.memoryBudget
    sideValues.sharedObjects = session.sharedObjects
    queue = try CommandQueue(
      engine: context, session: session, registry: registry, sideValues: sideValues,
      context: BridgeContext(
        mailbox: mailbox, provisions: configuration.provisions, permissions: gate, bridge: bridge))
    do { entries = try Self.boot(context, queue: queue, side: side, configuration: configuration) } catch {
      context.close()
      throw error
    }
    context.gate.postponeLimits(while: queue.buffer.reading)
    sideValues.keep = { [entries, context] value, index, isThrown in
      let number = try? entries.keep.call([value, context.number(Double(index)), context.boolean(isThrown)]).number
      guard let number = number.flatMap(UInt32.init(exactly:)) else { return nil }
      return KeptValue(number: number, loop: loop, bridge: bridge)
    }
    queue.onRuntimeRecord = { [calls, mailbox, session] (record, call, reader) throws(ConversionError) in
      if record == .uncaught {
        mailbox.reportError(try JavaScriptError.decode(from: &reader))
      } else {
        for observer in session.observers { observer.didReceiveAnswer(of: call, isFailure: record == .failure) }
        calls.finish(call, isFailure: record == .failure, &reader)
      }
    }
    do {
      // Through the gate: a weak reference would make each later count of the runtime's owners a slow one.
      try context.onUnhandledRejection { [gate = context.gate] _, error in gate.wasNotCaught(error) }
      context.gate.keeper = self
      // The bridge's own JavaScript needs none, whatever scripts may have.
      _ = try context.ownRealm.evaluate("delete globalThis.WebAssembly")
      if configuration.limits != nil { try takeWebAssembly() }
      try runModuleScripts()
      context.limits = configuration.limits
      watchMemory()
    } catch {
      // As any other end: scripts of modules may have listened, called and opened things by now.
      context.close()
      throw error
    }
  }

  /// What scripts may use from now on.
  func setLimits(_ limits: ExecutionLimits?) throws {
    // With limits it is gone already, and they may leave no turn to look.
    if limits != nil, context.limits == nil { try takeWebAssembly() }
    context.limits = limits
    watchMemory()
    if !session.unheard.isEmpty || !unreleased.isEmpty { context.gate.settle() }
  }

  private func watchMemory() {
    // Through the gate: a weak reference would make each later count of the runtime's owners a slow one.
    let gate = context.gate
    let runtime = { gate.keeper as? BridgeRuntime }
    memoryWatch.watched = context.limits?.residentMemory.map { limit in
      MemoryWatch.Watched(
        limit: limit, loop: context.loop, isWaiting: { runtime()?.hasWaiting == true },
        isVacant: { gate.isVacant },
        turn: {
          do { try runtime()?.context.turn {} } catch {
            runtime()?.report(error)
            return false
          }
          return true
        })
    }
  }

  /// Nothing ends its loops.
  private func takeWebAssembly() throws {
    if !configuration.allowsWebAssembly { try context.globalObject.delete("WebAssembly") }
  }

  /// What applies to scripts here, for bridges that they open.
  var scriptLimits: ScriptLimits {
    ScriptLimits(execution: context.sharedLimits, configuration: configuration)
  }

  /// In the order of the modules' names, those that can wait left for later.
  private func runModuleScripts() throws(BridgeError) {
    var postponed: [String] = []
    for module in registry.modules {
      guard let script = module.definition.script else { continue }
      // What one did for itself in the middle of a script's work would be taken for that script's.
      if script.isPostponed, !configuration.tracksOutstanding {
        postponed.append(([module.definition.name] + (script.globals ?? [])).joined(separator: " "))
        continue
      }
      let name = module.definition.name
      do {
        let function =
          switch script.realm {
          case .own: try context.ownRealm.evaluate(script.source(), sourceURL: script.sourceURL)
          case .new: try context.evaluateInNewRealm(script.source(), sourceURL: script.sourceURL)
          case .scripts: try context.evaluate(script.source(), sourceURL: script.sourceURL)
          }
        try turn {
          _ = try entries.runModuleScript.call([
            context.string(name), function, context.string(script.realm.rawValue),
          ])
        }
      } catch {
        throw BridgeError(
          .module, "the script of module '\(name)' threw", at: module.definition.origin, cause: told(error))
      }
    }
    guard !postponed.isEmpty else { return }
    do { try entries.postponeModuleScripts.call([context.string(postponed.joined(separator: "\n"))]) } catch {
      throw BridgeError(.malformed, "the bridge's own JavaScript has no scripts for later", cause: told(error))
    }
  }

  /// Runs the bridge's own JavaScript.
  private static func boot(
    _ context: JSContext, queue: CommandQueue, side: JSArray, configuration: BridgeConfiguration
  ) throws -> Entries {
    let border = BundledScript(bundled_border_script())
    guard
      let runtime = JSFunction(try context.ownRealm.evaluate(configuration.wire.script, sourceURL: "trestle:runtime")),
      let makeForeign = JSFunction(try context.ownRealm.evaluate(String(cString: bundled_foreign_script()))),
      let makeBorder = JSFunction(try context.evaluate(border, sourceURL: "trestle:border"))
    else { throw BridgeError(.malformed, "the bridge's own JavaScript is no function") }
    let native = try queue.makeNativeHalf(in: context, side: side, configuration: configuration)
    let foreign = try makeForeign.call([context.boolean(StackFrame.areInternalShown)])
    guard let entries = JSObject(try runtime.call([native, makeBorder.call([foreign])])) else {
      throw BridgeError(.malformed, "the bridge's own JavaScript has no entries")
    }
    func entry(_ name: String) throws -> JSFunction {
      guard let function = JSFunction(try entries.get(name)) else {
        throw BridgeError(.malformed, "the bridge's own JavaScript has no entry '\(name)'")
      }
      return function
    }
    return Entries(
      deliver: try entry("deliver"), goOnDelivering: try entry("goOnDelivering"),
      collect: configuration.wire.hooks == nil ? nil : try entry("collect"), closeAll: try entry("closeAll"),
      answerValue: try entry("answerValue"), callNow: try entry("callNow"), waitingCount: try entry("waitingCount"),
      held: try entry("held"), runModuleScript: try entry("runModuleScript"),
      postponeModuleScripts: try entry("postponeModuleScripts"), keep: try entry("keep"),
      describeOutstanding: configuration.tracksOutstanding ? try entry("describeOutstanding") : nil,
      release: try entry("release"), describeThrown: try entry("describeThrown"),
      enter: configuration.wire.hooks == nil ? try entry("enter") : nil,
      importMain: configuration.wire.hooks == nil ? try entry("importMain") : nil)
  }

  /// Runs a script of the host's, of whose map note is taken.
  func evaluate(_ script: String, _ name: String) throws(JSException) -> JSValue {
    let loader = configuration.moduleLoader
    sourceMaps.note(script, name: name, base: name) { url in loader?.loadSourceMap(url, of: name) }
    return try context.evaluate(script, sourceURL: name)
  }

  /// Runs JavaScript, then everything that comes of it: calls, their answers, and what those lead to. Where somebody is inside
  /// already that is left to the outer one.
  func turn<Result>(_ body: () throws -> Result) throws -> Result {
    guard context.gate.isVacant else { return try body() }
    return try context.turn(body)
  }

  func stayWillBegin() {
    queue.buffer.resetClock()
    FlushClock.shared.turnBegins()
    for observer in session.observers { observer.turnWillBegin() }
  }

  func stayDidEnd() {
    if let heap { heap.turnDidEnd(context) }
    for observer in session.observers { observer.turnDidEnd() }
    FlushClock.shared.turnEnds()
    memoryWatch.lookWhileWaiting()
  }

  /// What the scripts of the turn left for later is dropped, and nobody knows whose it was: no call would be sure of its answer.
  func turnWasEnded(_ error: JSException) {
    failCalls(told(error))
    mayHaveUnread = true
  }

  /// JavaScript is told that nobody waits for them any more.
  private func failCalls(_ error: any Error) {
    for call in calls.failAll({ _ in error }) { session.addRecord { $0.append(.abort, slot: call) } }
  }

  func wasNotCaught(_ error: JSException) { report(error) }

  /// How many times answers are handed over before the loop gets to its other sources.
  private static let roundsAtOnce = 1000

  /// From the third time on.
  private static let timeAtOnce = Duration.milliseconds(10)

  /// Makes the calls that JavaScript has left, and hands it the answers that are there, until neither is left.
  func settle() {
    // A value that is being written has called this: what it is part of goes first.
    guard !session.answers.pointee.isWriting else { return session.mailbox.wake() }
    var isHolding = false
    defer { if isHolding { stopHoldingSoon() } }
    var wasAskedInVain = false
    if !session.unheard.isEmpty, !context.gate.isUsedUp { session.tellUnheard() }
    if !unreleased.isEmpty, !context.gate.isUsedUp { releaseKeptValues() }
    var end: MonotonicTime?
    for round in 0..<Self.roundsAtOnce {
      let found = try? collect()
      // Asking may have run scripts, and what they left may have made calls: where nothing was found it is asked once more.
      let isQuiet = found == .nothing || found == .nothingYet && wasAskedInVain
      wasAskedInVain = false
      drain()
      if queue.takeUnread() { mayHaveUnread = true }
      if mayHaveUnread { letGoOfUnread() }
      session.endBatch()
      isHolding = session.takeMail(mayHold: true)
      if !session.answers.pointee.isEmpty {
        deliver()
      } else if context.gate.hasMicrotasks {
        // Of scripts that methods have run meanwhile.
        do { try context.turn {} } catch { report(error) }
      } else if isQuiet, !queue.hasCalls {
        return tellIfIdle()
      } else {
        wasAskedInVain = found == .nothingYet
      }
      failedCollections = found == nil ? failedCollections + 1 : 0
      // A script has seen to it that none succeeds; the next turn tries once more.
      guard failedCollections < Self.attemptsWithoutProgress else { return tellIfIdle() }
      if failedCollections > 0 { break }
      // Each may be a turn of the length that limits allow, and others wait for this thread, who may be about to close the bridge.
      if round > 1 {
        let now = MonotonicTime.now
        if let end, now >= end { break }
        end = end ?? now + Self.timeAtOnce
      }
    }
    session.mailbox.wake()
  }

  /// Where limits are set, what the calls run of scripts is one turn: all of it has one time, and the microtasks wait for its
  /// end.
  private func drain() {
    guard context.gate.state.pointee.isLimited, queue.hasCalls else { return queue.drain() }
    do { try context.turn { queue.drain() } } catch {
      report(error)
      // There was no turn for them, and there will be none: they would be tried again without end.
      if queue.hasCalls, context.gate.isUsedUp { queue.drain(refusing: refusal(error)) }
    }
  }

  private func refusal(_ error: any Error) -> BridgeError {
    var refusal = (error as? JSException).map { BridgeError($0) } ?? BridgeError(.limit, "\(error)")
    refusal.message = "the call was not made: \(refusal.message)"
    return refusal
  }

  /// Adds a call that nobody waits for to what crosses next.
  func notify<each Argument: BridgeEncodable>(_ function: UInt32, _ arguments: repeat each Argument) {
    do {
      try session.addRecord { writer throws in try writer.appendCall(0, of: function, repeat each arguments) }
    } catch { report(error) }
  }

  /// How long an answer waits at most for those behind it in its batch.
  private static let timeToHold = Duration.milliseconds(1)

  private func stopHoldingSoon() {
    guard !stopsHoldingSoon else { return }
    stopsHoldingSoon = true
    context.loop.after(Self.timeToHold) { [self] in
      stopsHoldingSoon = false
      if session.mailbox.stopHolding() { context.gate.settle() }
    }
  }

  /// What asking for the calls that a turn has left came to. The numbers are those of `js/reactnative`.
  private enum Collected: Double { case nothing, nothingYet, something }

  /// On React Native's wire the calls of a turn wait in arrays of its own.
  private func collect() throws -> Collected {
    guard let collect = entries.collect else { return .nothing }
    do { return try context.turn { Collected(rawValue: try collect.call().number ?? 0) ?? .nothing } } catch {
      report(error)
      throw error
    }
  }

  /// Calls `body` once nothing is left to do, or the bridge is closed.
  func whenIdle(_ waiter: Int, _ body: @escaping () -> Void) {
    if context.isClosed { return body() }
    waitingForIdleness[waiter] = body
    context.gate.settle()
  }

  func nextWaiter() -> Int {
    lastWaiter += 1
    return lastWaiter
  }

  func stopWaiting(_ waiter: Int) { waitingForIdleness.removeValue(forKey: waiter)?() }

  private func tellIfIdle() {
    guard calls.hasIdle || !waitingForIdleness.isEmpty, isIdle else { return }
    let isLast = calls.idleForScriptCount == 0
    for call in calls.failIdle() { session.addRecord { $0.append(.abort, slot: call) } }
    if isLast { tellWaiters() }
  }

  private func tellWaiters() {
    let waiting = waitingForIdleness
    waitingForIdleness = [:]
    for body in waiting.values { body() }
  }

  /// Whether somebody waits for scripts, or they wait for native code.
  private var hasWaiting: Bool { !calls.isEmpty || !session.mailbox.activities.isZero || queue.waitingCalls > 0 }

  private var isIdle: Bool {
    guard calls.isEmpty, session.mailbox.activities.isZero else { return false }
    return (try? entries.waitingCount.call())?.number == Double(calls.idleForScriptCount)
  }

  /// Adds an event to what crosses next.
  func emit(_ event: String, of module: String, _ value: some BridgeEncodable) {
    guard let number = registry.number(of: module) else {
      return report(BridgeError(.notFound, "no module '\(module)' to emit '\(event)'"))
    }
    session.emit(event, ofModule: number, value)
  }

  /// Nobody waits for a call of ours any more.
  func cancel(_ call: UInt32) {
    guard calls.fail(call, CancellationError()) else { return }
    session.addRecord { $0.append(.abort, slot: call) }
    context.gate.settle()
  }

  private func deliver() {
    session.withAnswers { answers in
      queue.willDeliver()
      var wasHandedOver = false
      do {
        try context.turn {
          wasHandedOver = true
          try queue.deliver(answers, to: entries.deliver, in: context)
        }
      } catch { report(error) }
      guard queue.hasDeliveryBegun else { return queue.giveUpDelivery(of: answers, wasHandedOver: wasHandedOver) }
      var attempts = 0
      while queue.isDeliveryUnfinished {
        let before = queue.deliveryCursor
        do { try context.turn { _ = try entries.goOnDelivering.call() } } catch { report(error) }
        attempts = queue.deliveryCursor == before ? attempts + 1 : 0
        guard attempts < Self.attemptsWithoutProgress else { return giveUpDelivery(of: answers) }
      }
    }
  }

  private static let attemptsWithoutProgress = 8

  /// Scripts hear of what is left when there is a turn for them again; Swift does not wait for them.
  private func giveUpDelivery(of answers: borrowing ValueWriter) {
    queue.giveUpDelivery(of: answers, wasHandedOver: true)
    let error = BridgeError(.limit, "JavaScript took no answers any more")
    report(error)
    failCalls(error)
  }

  /// Asks JavaScript what it has, and lets go of the rest that it was handed. All releases have come by now.
  private func letGoOfUnread() {
    guard !session.sharedObjects.isEmpty || !session.streams.isEmpty else { return mayHaveUnread = false }
    // There may be no turn at all now: then after another one.
    guard let text = try? context.turn({ try entries.held.call().string }) else { return }
    mayHaveUnread = false
    var received: [UInt32: UInt64] = [:]
    var streams: Set<UInt32> = []
    for item in text.split(separator: ",") {
      let numbers = item.split(separator: ":")
      guard let number = numbers.first.flatMap({ UInt32($0) }) else { continue }
      if numbers.count == 2 { received[number] = UInt64(numbers[1]) } else { streams.insert(number) }
    }
    session.sharedObjects.releaseUnread(received: received)
    session.dropStreams(except: streams)
  }

  private func report(_ error: any Error) { session.mailbox.reportError(told(error)) }

  /// The error as hosts know it: of what a script threw all that there is to know.
  func told(_ error: any Error) -> any Error {
    guard let exception = error as? JSException else { return error }
    guard exception.code == .thrown else { return BridgeError(exception) }
    guard let value = exception.thrownValue(in: context) else { return JavaScriptError(exception) }
    var text: String?
    do throws(JSException) { text = try entries.describeThrown.call([value]).string } catch {
      // What it is described by is the script's own code. Where a limit has ended that, this is the news.
      if case .terminated = error.code {
        var end = BridgeError(error)
        end.cause = JavaScriptError(exception)
        return end
      }
    }
    guard let text, let told = try? JSONValue(parsing: text) else { return JavaScriptError(exception) }
    var result = JavaScriptError(told: told)
    if exception.isUnparsed { result.stack = exception.stack }
    result.cause = result.cause ?? exception.underlying
    let arguments = [value, context.undefined, context.boolean(true)]
    let number = value.isObject ? (try? entries.keep.call(arguments))?.number : nil
    if let number = number.flatMap(UInt32.init(exactly:)) {
      result.identity = KeptValue(number: number, loop: context.loop, bridge: bridge)
    }
    return result
  }

  /// Lets go of functions, objects and errors that nothing in Swift stands for any more.
  func release(keptValues numbers: [UInt32]) {
    guard !context.isClosed else { return }
    unreleased += numbers
    releaseKeptValues()
  }

  /// Where limits leave no turn for it, they are let go of when there is one.
  private func releaseKeptValues() {
    do {
      try turn {
        while let number = unreleased.last {
          try entries.release.call([context.number(Double(number))])
          unreleased.removeLast()
        }
      }
    } catch { report(error) }
  }

  /// Has JavaScript send a value as the answer of a call of ours; a promise is awaited.
  func answer(_ call: UInt32, with value: JSValue) throws {
    try entries.answerValue.call([context.number(Double(call)), value])
  }

  /// Calls a function that Swift holds, and waits for it: within the turn under way, or in one of its own.
  func callNow<each Argument: BridgeEncodable, Result: BridgeDecodable>(
    _ function: UInt32, shape: UInt32, _ arguments: repeat each Argument
  ) throws -> Result {
    // It could free the bytes while they are read.
    guard queue.sideValues.readers == 0 else {
      throw BridgeError(.detached, "a script's function is called while borrowed bytes are read")
    }
    return try session.withWriter { writer throws in
      var count: UInt32 = 0
      for _ in repeat each arguments { count += 1 }
      writer.append(.array, low: count)
      for argument in repeat each arguments { try argument.encode(into: &writer) }
      for observer in session.observers { observer.willCallAtOnce() }
      return try turn {
        try queue.callNow(function, writer, shape: shape, by: entries.callNow, in: context) {
          isFailure, reader throws in
          if isFailure { throw try JavaScriptError.decode(from: &reader) }
          do throws(ConversionError) { return try Result.decode(from: &reader) } catch {
            throw describeResult(error, as: Result.typeSchema, &reader)
          }
        }
      }
    }
  }

  /// What scripts may still use of the processor while their bridge closes, and what more for each call that waits: so that
  /// a million of them are all settled. On the clock it is more: on a machine that is busy with other things no script is to
  /// miss the end.
  private static let timeForClosing = (
    atLeast: Duration.milliseconds(100), perCall: Duration.microseconds(10), onClock: Duration.seconds(4)
  )

  /// Rejects everything that JavaScript still waits for, lets scripts see it.
  func contextWillClose() {
    // Also if it was the context that was closed.
    bridge.value?.assumeIsolated { $0.shutDown() }
    if entries.describeOutstanding != nil {
      do { onLeaks(try outstanding()) } catch { report(error) }
    }
    memoryWatch.watched = nil
    calls.failAll { BridgeError(.closed, "the bridge was closed before it answered", at: $0) }
    context.limits = nil
    let waiting = (try? entries.waitingCount.call())?.number.flatMap { Int(exactly: $0) } ?? 0
    let time = Self.timeForClosing.atLeast + Self.timeForClosing.perCall * waiting
    var limits = ExecutionLimits(time: time)
    limits.timeOnClock = max(time, Self.timeForClosing.onClock)
    context.limits = limits
    do { try context.turn { _ = try entries.closeAll.call([context.string("the bridge is closed")]) } } catch {
      report(error)
    }
    _ = try? collect()
    drain()
    session.closeEvents()
    session.closeStreams()
    for observer in session.observers { observer.bridgeDidClose() }
    session.sharedObjects.removeAll()
    configuration.callBudget?.giveBack(queue.takeWaitingCalls())
    heap?.record(context)
  }

  func contextDidClose() {
    invalidation.begin(session.invalidatableModules)
    tellWaiters()
  }
}
