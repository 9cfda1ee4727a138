import CJavaScriptCore
import EventLoop
import Glibc
import Synchronization

/// The one door between Swift and JavaScript.
///
/// Every entry passes it, in either direction, those included that the engine starts by itself. So it knows whether anybody
/// is inside: it counts the entries, holds the engine's lock, keeps the limits, puts a close off until the last one is out,
/// and has its keeper settle what scripts have left before that.
///
/// Two counts say where things stand. Inside a *stay*, from an outermost entry to its end, somebody holds the gate; inside a
/// *turn*, a script and its microtasks, code of a script is on the stack. A stay has any number of turns.
package final class TurnGate {
  let loop: Loop
  let reference: JSGlobalContextRef
  let interruption: Interruption
  var execution = ExecutionState()
  /// Runs the body of the turn under way; a loop, in which a termination is noticed. Made before any script.
  var functions: (turn: JSObjectRef, spin: JSObjectRef)?
  var turnBody: (() -> Void)?
  weak var context: JSContext?
  /// Has a strong hold on the context as well, until it closes: nothing goes while somebody is inside.
  package var keeper: (any TurnKeeper)?
  /// That of a context that is closing, which still is told of errors.
  private var lastKeeper: (any TurnKeeper)?
  private var phase = Phase.open
  /// Scripts ran in this stay, but in no turn: their microtasks are still to run.
  package private(set) var hasMicrotasks = false
  /// How many turns limits have ended, what these had left for later included: known before any other code of a script runs.
  package private(set) var endedTurns = 0
  private var settlesSoon = false
  /// Callbacks of `FinalizationRegistry` are to be called once nobody is inside.
  private var finalizersWait = false

  private enum Phase { case open, closeAsked, closing, closed }

  /// What each call of a raw function looks at. Behind a pointer: the checks of exclusive access to a member cost as much as
  /// all else that the gate does there.
  @usableFromInline
  package struct State {
    /// How many entries into scripts and out of them are on the stack.
    @usableFromInline package var depth = 0
    /// How many hold the gate.
    package var stays = 0
    @usableFromInline package var isLimited = false
  }

  @usableFromInline package let state: UnsafeMutablePointer<State>

  init(_ reference: JSGlobalContextRef, on loop: Loop, interruption: Interruption) {
    self.reference = reference
    self.loop = loop
    self.interruption = interruption
    state = .allocate(capacity: 1)
    state.initialize(to: State())
  }

  deinit { state.deallocate() }

  package var isClosed: Bool { phase == .closed }

  /// Nobody is inside, and the context is not about to go.
  package var isVacant: Bool { isEmpty && (phase == .open || phase == .closeAsked) }

  private var isEmpty: Bool { state.pointee.depth == 0 && state.pointee.stays == 0 }

  /// Code of a script is on the stack.
  var isInTurn: Bool { state.pointee.depth > 0 }

  // MARK: Stays

  private static let isOver = Atomic(false)

  /// For the end of the process: from now on no script is entered. Whoever is about to waits for that end.
  package static func closeAll() { isOver.store(true, ordering: .releasing) }

  /// Begins a stay, or goes deeper into the one under way.
  func enter() {
    while Self.isOver.load(ordering: .acquiring) { pause() }
    JSLock(reference)
    if isEmpty {
      hasMicrotasks = false
      keeper?.stayWillBegin()
    }
    state.pointee.stays += 1
  }

  func exit() {
    let isLast = state.pointee.stays == 1 && state.pointee.depth == 0
    if isLast { keeper?.settle() }
    JSUnlock(reference)
    if isLast { keeper?.stayDidEnd() }
    state.pointee.stays -= 1
    if isLast, finalizersWait { runFinalizersSoon() }
    didLeave()
  }

  /// Has the keeper settle, unless somebody is inside, who does so on the way out.
  package func settle() {
    guard isVacant else { return }
    enter()
    exit()
  }

  // MARK: Turns

  /// Runs `body`, which calls scripts, then the microtasks, under the limits. Nobody may be in a turn.
  func turn(_ body: () -> Void) throws(JSException) {
    enter()
    defer { exit() }
    hasMicrotasks = false
    if state.pointee.isLimited { try runLimited(body) } else { runFreely(body) }
  }

  private func runFreely(_ body: () -> Void) {
    state.pointee.depth += 1
    body()
    JSDrainMicrotasks(reference)
    state.pointee.depth -= 1
  }

  /// A time limit counts only between the entry into a script and its return. So the turn runs inside a host function:
  /// its scripts and its microtasks then share one entry, and one limit. (Without that frame endless microtasks never
  /// end, even with the lock held: tried.)
  private func runLimited(_ body: () -> Void) throws(JSException) {
    guard let functions else { return runFreely(body) }
    let hasBegun = startLimits()
    if hasBegun {
      var exception: JSValueRef?
      state.pointee.depth += 1
      withoutActuallyEscaping(body) { body in
        turnBody = body
        JSObjectCallAsFunction(reference, functions.turn, nil, 0, nil, &exception)
        turnBody = nil
      }
      state.pointee.depth -= 1
    }
    let exceeded = execution.exceeded
    finishLimits()
    guard let exceeded else { return }
    endedTurns += 1
    if hasBegun {
      absorbTermination(functions.spin)
      endMicrotasks(functions)
    }
    let error = JSException(.terminated(exceeded), exceeded.message)
    context?.endWaits(error)
    keeper?.turnWasEnded(error)
    throw error
  }

  /// What an ended script has left for later may be as endless. The engine watches no entry after it has ended something in it,
  /// so this is another one; ended there, the engine drops the rest.
  private func endMicrotasks(_ functions: (turn: JSObjectRef, spin: JSObjectRef)) {
    for _ in 0..<4 {
      _ = startLimits(isOfRemains: true)
      var exception: JSValueRef?
      state.pointee.depth += 1
      JSObjectCallAsFunction(reference, functions.turn, nil, 0, nil, &exception)
      state.pointee.depth -= 1
      let isOver = execution.exceeded == nil
      finishLimits()
      if isOver { return }
      endedTurns += 1
      absorbTermination(functions.spin)
    }
  }

  /// A termination that came as its script was leaving hits the next one: let that be one of ours.
  private func absorbTermination(_ spin: JSObjectRef) {
    for _ in 0..<8 {
      var exception: JSValueRef?
      JSObjectCallAsFunction(reference, spin, nil, 0, nil, &exception)
      if exception == nil { return }
    }
  }

  /// What the engine does by itself, when its timer fires: collections, promises of WebAssembly, and finding out whose finalizers
  /// are to be called. No limit ends that; the finalizers are turns.
  func turnOfEngine(_ body: () -> Void) {
    guard isVacant else {
      body()
      finalizersWait = true
      return
    }
    enter()
    body()
    exit()
    runFinalizers()
  }

  private func runFinalizers() {
    // Where limits leave no turn at all they wait for a stay after that: tried again and again, nothing would end it.
    // Nor is an idle host's memory any affair of theirs: it is looked at first, as a turn that it ends would be told of.
    guard isVacant, !isUsedUpNow() else { return finalizersWait = true }
    do {
      try turn {
        while phase == .open, execution.exceeded == nil {
          do throws(JSException) {
            guard try context?.runFinalizer() == true else { return }
          } catch {
            if execution.exceeded == nil { wasNotCaught(error) }
          }
        }
      }
    } catch {
      wasNotCaught(error)
      finalizersWait = true
      // Whoever else waits for this thread is before the rest of them.
      runFinalizersSoon()
    }
  }

  private func runFinalizersSoon() {
    guard finalizersWait, phase == .open, !isUsedUp else { return }
    finalizersWait = false
    let gate = Uncounted(gate: self)
    loop.perform { gate.gate.runFinalizers() }
  }

  // MARK: Single entries

  /// One call into the engine, which may run a script's code. `read` makes an error of what it has thrown, while there is a heap
  /// for sure: the call may have closed its own context.
  func call<Result>(
    _ body: (JSContext.ExceptionPointer) -> Result, read: (JSValueRef) -> JSException
  ) throws(JSException) -> Result {
    var exception: JSValueRef?
    state.pointee.depth += 1
    let result = body(&exception)
    let error = exception.map(read)
    state.pointee.depth -= 1
    if state.pointee.depth == 0 {
      hasMicrotasks = true
      didLeave()
    }
    if let error { throw error }
    return result
  }

  /// Whether a call into the engine must be a turn: nothing else ends microtasks without end, and nobody else would settle.
  var needsTurn: Bool {
    state.pointee.depth == 0 && (state.pointee.isLimited || keeper != nil && state.pointee.stays == 0)
  }

  /// Runs `body` for a script that has called Swift. A turn that is past its limits ends when it returns.
  @inlinable @inline(__always)
  package func calledByScript<Result>(
    _ exception: UnsafeMutablePointer<RawValue?>?, _ body: () throws -> Result
  ) rethrows -> Result {
    state.pointee.depth &+= 1
    defer {
      state.pointee.depth &-= 1
      if state.pointee.depth == 0 || state.pointee.isLimited { returnToScript(exception) }
    }
    return try body()
  }

  @usableFromInline
  package func returnToScript(_ exception: UnsafeMutablePointer<RawValue?>?) {
    if isTurnOver() { exception?.pointee = termination }
    // The engine has started this script in a way that is not known. It is still on the stack.
    if isEmpty { settleSoon() }
  }

  private func settleSoon() {
    guard !settlesSoon, keeper != nil || phase == .closeAsked else { return }
    settlesSoon = true
    let gate = Uncounted(gate: self)
    loop.perform {
      gate.gate.settlesSoon = false
      gate.gate.settle()
    }
  }

  /// Carried to its own thread.
  private struct Uncounted: @unchecked Sendable { let gate: TurnGate }

  // MARK: The end

  /// Ends the context once nobody is inside. Again: does nothing.
  func close() {
    guard phase == .open || phase == .closeAsked else { return }
    phase = .closeAsked
    guard isEmpty else { return }
    phase = .closing
    let keeper = keeper
    self.keeper = nil
    lastKeeper = keeper
    keeper?.contextWillClose()
    execution.limits = nil
    state.pointee.isLimited = false
    JSContextGroupClearExecutionTimeLimit(JSContextGetGroup(reference))
    context?.willRelease()
    phase = .closed
    context?.release()
    lastKeeper = nil
    keeper?.contextDidClose()
  }

  /// Tells the keeper what no script has caught.
  package func wasNotCaught(_ error: JSException) { (keeper ?? lastKeeper)?.wasNotCaught(error) }

  private func didLeave() { if phase == .closeAsked, isEmpty { close() } }

  /// The context goes without `close`.
  func abandon() { phase = .closed }
}

/// Who makes of turns more than scripts that run: the bridge, whose queue has to be emptied. On the JS thread.
package protocol TurnKeeper: AnyObject {
  /// The outermost entry begins.
  func stayWillBegin()
  /// It is about to end: with the engine's lock held.
  func settle()
  func stayDidEnd()
  /// A limit has ended a turn, whoever began it.
  func turnWasEnded(_ error: JSException)
  /// What no script has caught: a rejection, or what a callback of a `FinalizationRegistry` threw or was ended by.
  func wasNotCaught(_ error: JSException)
  /// The last that scripts may do; nobody is inside.
  func contextWillClose()
  func contextDidClose()
}
