import CJavaScriptCore

// Errors that cross. A JavaScript error goes out as an exception that holds it, and comes back as the same object. A Swift
// error goes in as an `Error` whose carrier holds it, and comes out again as `underlying`.
extension JSContext {
  /// Once a limit has ended the turn under way: the engine reads and runs nothing more in it.
  package var endOfTurn: JSException? {
    gate.execution.exceeded.map { JSException(.terminated($0), $0.message) }
  }

  /// What native code reports after a call into the engine.
  func makeException(thrown reference: JSValueRef) -> JSException {
    if let endOfTurn { return endOfTurn }
    return JSException(reading: JSValue(adopting: cleaned(reference), in: self))
  }

  /// What was thrown, as a script may have it: nothing of the host's own realm.
  private func cleaned(_ thrown: JSValueRef) -> JSValueRef {
    guard JSValueIsObject(reference, thrown) else { return thrown }
    var argument: JSValueRef? = thrown
    if let value = JSObjectCallAsFunction(reference, intrinsics.cleaned, nil, 1, &argument, nil) { return value }
    // The stack is at its end. To make an error runs no JavaScript.
    return withJSString("Maximum call stack size exceeded.") { text in
      var message: JSValueRef? = JSValueMakeString(reference, text)
      guard let error = JSObjectMakeError(reference, 1, &message, nil) else { return JSValueMakeUndefined(reference) }
      JSObjectSetPrototype(reference, error, intrinsics.rangeErrorPrototype)
      return error
    }
  }

  /// The value that a host function throws for an error.
  func thrownReference(for error: any Error) -> JSValueRef? {
    if let error = error as? JSException {
      if let value = error.thrownValue(in: self) { return value.reference }
      return makeErrorReference(name: error.name, message: error.message, carrying: error.underlying ?? error)
    }
    return makeErrorReference(name: "Error", message: String(describing: error), carrying: error)
  }

  /// An `Error` for scripts.
  /// - Parameter underlying: comes out again as the exception's `underlying`.
  public func makeError(
    _ message: String, name: String = "Error", underlying: (any Error)? = nil
  ) throws(JSException) -> JSObject {
    try checkOpen()
    guard let error = makeErrorReference(name: name, message: message, carrying: underlying) else {
      throw JSException(.engine, "the error could not be made")
    }
    return JSObject(adopting: error, in: self)
  }

  private func makeErrorReference(name: String, message: String, carrying error: (any Error)?) -> JSValueRef? {
    let name = string(name)
    let message = string(message)
    let carrier = error.map { error in
      let box = Unmanaged.passRetained(ErrorCarrier(error, releases))
      return JSValue(adopting: JSObjectMake(reference, carrierClass.reference, box.toOpaque()), in: self)
    }
    return withArguments([name, message, carrier ?? undefined]) {
      JSObjectCallAsFunction(reference, intrinsics.makeError, nil, 3, $0, nil)
    }
  }

  func carriedError(by value: JSValue) -> (any Error)? {
    guard value.isObject else { return nil }
    let carrier = withArguments([value]) {
      JSObjectCallAsFunction(reference, intrinsics.carrierOfError, nil, 1, $0, nil)
    }
    guard let carrier, JSValueIsObjectOfClass(reference, carrier, carrierClass.reference) else { return nil }
    return Unmanaged<ErrorCarrier>.fromOpaque(JSObjectGetPrivate(carrier)).takeUnretainedValue().error
  }
}

private final class ErrorCarrier {
  let error: any Error
  let releases: ReleaseQueue

  init(_ error: any Error, _ releases: ReleaseQueue) {
    self.error = error
    self.releases = releases
  }
}

private let carrierClass = ObjectClass(
  finalize: { object in
    let box = Unmanaged<ErrorCarrier>.fromOpaque(JSObjectGetPrivate(object))
    box.takeUnretainedValue().releases.release(Unmanaged<AnyObject>.fromOpaque(box.toOpaque()))
  })
