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
    guard !gate.isInTurn else { return try body() }
    var failure: (any Error)?
    try gate.turn { do { try body() } catch { failure = error } }
    if let failure { throw failure }
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
    owner.gate.turnBody?()
    if owner.gate.execution.exceeded == nil { JSDrainMicrotasks(context) }
    JSUnlock(context)
    return JSValueMakeUndefined(context)
  })
