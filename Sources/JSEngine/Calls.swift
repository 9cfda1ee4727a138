import CJavaScriptCore
import EventLoop

// The one way into the engine.
extension JSContext {
  typealias ExceptionPointer = UnsafeMutablePointer<JSValueRef?>

  /// Calls the engine; throws what the script threw. A call from outside any script is a turn of its own where a limit is
  /// set, or a bridge keeps the context.
  func perform<Result>(
    _ body: (JSGlobalContextRef, ExceptionPointer) -> Result
  ) throws(JSException) -> Result {
    try checkOpen()
    guard gate.needsTurn else { return try enter(body) }
    var outcome: Swift.Result<Result, JSException>?
    try gate.turn { outcome = Swift.Result { () throws(JSException) in try enter(body) } }
    guard let outcome else { throw JSException(.engine, "the engine did not begin the turn") }
    return try outcome.get()
  }

  private func enter<Result>(
    _ body: (JSGlobalContextRef, ExceptionPointer) -> Result
  ) throws(JSException) -> Result {
    // Native code that swallowed a termination gets no further.
    if let endOfTurn { throw endOfTurn }
    if collectsAtEveryCall { JSSynchronousGarbageCollectForDebugging(reference) }
    return try gate.call({ body(reference, $0) }, read: makeException)
  }

  /// `perform` for functions that answer a value, or nil with an exception.
  func value(_ body: (JSGlobalContextRef, ExceptionPointer) -> JSValueRef?) throws(JSException) -> JSValue {
    JSValue(adopting: try reference(body), in: self)
  }

  func reference(_ body: (JSGlobalContextRef, ExceptionPointer) -> JSValueRef?) throws(JSException) -> JSValueRef {
    guard let result = try perform(body) else {
      throw JSException(.engine, "the engine answered nothing")
    }
    return result
  }

  /// Calls the engine; what a script throws meanwhile is not even read, and neither is anything once a limit has ended it.
  func quietly<Result>(_ body: (JSGlobalContextRef, ExceptionPointer) -> Result?) -> Result? {
    guard !isClosed, gate.execution.exceeded == nil else { return nil }
    return try? gate.call({ body(reference, $0) }, read: { _ in JSException(.engine, "") })
  }

  /// - Returns: false if there is none.
  func runFinalizer() throws(JSException) -> Bool {
    try perform { reference, exception in
      let called = JSObjectCallAsFunction(reference, intrinsics.runFinalizer, nil, 0, nil, exception)
      return called.map { JSValueToBoolean(reference, $0) } ?? true
    }
  }

  func checkOpen() throws(JSException) {
    loop.preconditionOnOwnThread()
    if isClosed { throw .contextClosed }
  }

  /// Throws unless `value` belongs to this context: the engine would not notice before its next collection.
  func check(_ value: JSValue) throws(JSException) {
    guard value.context === self else {
      throw JSException(.wrongContext, "the value belongs to another JavaScript context")
    }
  }
}
