import CJavaScriptCore
import EventLoop

extension JSContext {
  /// Runs `body` with the engine's lock held, then the microtasks it left, all under the limits.
  ///
  /// With the lock held an API call costs about half. Inside another turn or a host function it only runs `body`: the
  /// microtasks wait for the outermost turn.
  /// - Throws: what `body` throws; `JSException.Code.terminated` if a limit ended the turn, whatever `body` made of it.
  ///   The next turn starts clean.
  @inlinable
  @discardableResult
  public func turn<Result>(_ body: () throws -> Result) throws -> Result {
    var result: Result?
    try turn(running: { result = try body() })
    guard let result else { throw JSException(.engine, "the engine did not begin the turn") }
    return result
  }

  /// Not generic: to find out about types that the compiler does not know costs more than the turn.
  @usableFromInline
  func turn(running body: () throws -> Void) throws {
    try checkOpen()
    guard depth == 0 else { return try body() }
    var failure: (any Error)?
    try runTurn { do { try body() } catch { failure = error } }
    if let failure { throw failure }
  }

  /// A whole turn, from outside of any.
  func runTurn(_ body: () -> Void) throws(JSException) {
    defer { didLeave() }
    if execution.limits == nil { runLocked(body) } else { try runLimited(body) }
  }

  private func runLocked(_ body: () -> Void) {
    JSLock(reference)
    depth += 1
    body()
    JSDrainMicrotasks(reference)
    depth -= 1
    JSUnlock(reference)
  }

  /// A time limit counts only between the entry into a script and its return. So the turn runs inside a host function:
  /// its scripts and its microtasks then share one entry, and one limit. (Without that frame endless microtasks never
  /// end, even with the lock held: tried.)
  private func runLimited(_ body: () -> Void) throws(JSException) {
    startLimits()
    var exception: JSValueRef?
    depth += 1
    withoutActuallyEscaping(body) { body in
      turnBody = body
      JSObjectCallAsFunction(reference, intrinsics.turn, nil, 0, nil, &exception)
      turnBody = nil
    }
    depth -= 1
    guard let exceeded = execution.exceeded else { return finishLimits() }
    absorbTermination()
    finishLimits()
    throw JSException(.terminated(exceeded), exceeded.message)
  }

  /// A termination that came as its script was leaving hits the next one: let that be one of ours.
  private func absorbTermination() {
    for _ in 0..<8 {
      var exception: JSValueRef?
      JSObjectCallAsFunction(reference, intrinsics.spin, nil, 0, nil, &exception)
      if exception == nil { return }
    }
  }

  /// Runs the microtasks now, those that they queue included. Inside a script this is seen by the script: what it has
  /// queued runs before it goes on.
  public func drainMicrotasks() throws(JSException) {
    try perform { context, _ in
      JSLock(context)
      JSDrainMicrotasks(context)
      JSUnlock(context)
    }
  }
}

extension ExecutionLimits.Exceeded {
  var message: String {
    switch self {
    case .time: "the script was ended: it used more than its time"
    case .totalTime: "the script was ended: its context has used all of its time"
    case .interruption: "the script was interrupted"
    case .residentMemory: "the script was ended: the process used more than its memory"
    }
  }
}

/// Calls the body of the turn under way.
let turnClass = ObjectClass(
  call: { context, function, _, _, _, _ in
    let owner = Unmanaged<JSContext>.fromOpaque(JSObjectGetPrivate(function)).takeUnretainedValue()
    JSLock(context)
    owner.turnBody?()
    JSDrainMicrotasks(context)
    JSUnlock(context)
    return JSValueMakeUndefined(context)
  })
