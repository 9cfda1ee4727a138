import CJavaScriptCore

/// A JavaScript function.
public final class JSFunction: JSObject {
  /// The value, if it can be called.
  public convenience init?(_ value: JSValue) {
    guard value.isObject, JSObjectIsFunction(value.context.reference, value.reference) else { return nil }
    self.init(adopting: value.reference, in: value.context)
  }

  /// `function.call(this, …arguments)`.
  @discardableResult
  public func call(_ arguments: [JSValue] = [], this: JSObject? = nil) throws(JSException) -> JSValue {
    try check(arguments)
    if let this { try context.check(this) }
    return try context.value { context, exception in
      withArguments(arguments) {
        JSObjectCallAsFunction(context, reference, this?.reference, arguments.count, $0, exception)
      }
    }
  }

  /// The same for hot paths: nothing protects the arguments, nor the result.
  package func call(raw arguments: UnsafeBufferPointer<RawValue?>) throws(JSException) -> RawValue {
    try context.reference { context, exception in
      JSObjectCallAsFunction(context, reference, nil, arguments.count, arguments.baseAddress, exception)
    }
  }

  /// `new function(…arguments)`.
  public func construct(_ arguments: [JSValue] = []) throws(JSException) -> JSObject {
    try check(arguments)
    let object = try context.reference { context, exception in
      withArguments(arguments) { JSObjectCallAsConstructor(context, reference, arguments.count, $0, exception) }
    }
    return JSObject(adopting: object, in: context)
  }

  private func check(_ arguments: [JSValue]) throws(JSException) {
    for argument in arguments { try context.check(argument) }
  }
}

/// A call from a script to a host function; it ends with that call.
public struct JSCall: ~Copyable {
  public let context: JSContext
  private let receiver: JSValueRef
  private let arguments: UnsafeBufferPointer<JSValueRef?>

  init(_ context: JSContext, receiver: JSValueRef, arguments: UnsafeBufferPointer<JSValueRef?>) {
    self.context = context
    self.receiver = receiver
    self.arguments = arguments
  }

  /// The value of `this`; the global object when the script named none.
  public var this: JSValue { JSValue(adopting: receiver, in: context) }

  public var argumentCount: Int { arguments.count }

  /// An argument; undefined beyond the last.
  public func argument(_ index: Int) -> JSValue {
    guard arguments.indices.contains(index), let argument = arguments[index] else { return context.undefined }
    return JSValue(adopting: argument, in: context)
  }
}

extension JSContext {
  /// What a host function does. What it throws is thrown in the script: a `JSException` as the value that was thrown
  /// first, any other error as an `Error` that carries it.
  public typealias HostBody = (borrowing JSCall) throws -> JSValue?

  /// A function for scripts. The collector decides when `body` is released, always on the JS thread.
  public func makeFunction(_ name: String = "", _ body: @escaping HostBody) throws(JSException) -> JSFunction {
    try checkOpen()
    let box = HostFunction(self, body)
    let nameValue = string(name)
    let reference = try reference { context, exception in
      let function = JSObjectMake(context, hostFunctionClass.reference, Unmanaged.passRetained(box).toOpaque())
      // Before the prototype, whose own name could not be hidden afterwards.
      let attributes = PropertyAttributes([.readOnly, .hidden]).rawValue
      withJSString("name") { JSObjectSetProperty(context, function, $0, nameValue.reference, attributes, exception) }
      JSObjectSetPrototype(context, function, intrinsics.functionPrototype)
      return function
    }
    return JSFunction(adopting: reference, in: self)
  }
}

/// What a function object of the host holds.
private final class HostFunction {
  weak let context: JSContext?
  let releases: ReleaseQueue
  let body: JSContext.HostBody

  init(_ context: JSContext, _ body: @escaping JSContext.HostBody) {
    self.context = context
    releases = context.releases
    self.body = body
  }

  func call(
    this: JSValueRef, _ arguments: UnsafeBufferPointer<JSValueRef?>, _ exception: JSContext.ExceptionPointer
  ) -> JSValueRef? {
    guard let context, !context.isClosed else { return nil }
    return context.gate.calledByScript(exception) {
      do {
        let result = try body(JSCall(context, receiver: this, arguments: arguments))
        if let result { try context.check(result) }
        // Leaves its protection behind, but is on the stack by now.
        return result?.reference ?? JSValueMakeUndefined(context.reference)
      } catch {
        exception.pointee = context.thrownReference(for: error)
        return nil
      }
    }
  }
}

private let hostFunctionClass = ObjectClass(
  call: { _, function, this, count, arguments, exception in
    guard let function, let this, let exception else { return nil }
    return Unmanaged<HostFunction>.fromOpaque(JSObjectGetPrivate(function)).takeUnretainedValue()
      .call(this: this, UnsafeBufferPointer(start: arguments, count: count), exception)
  },
  finalize: { function in
    let box = Unmanaged<HostFunction>.fromOpaque(JSObjectGetPrivate(function))
    box.takeUnretainedValue().releases.release(Unmanaged<AnyObject>.fromOpaque(box.toOpaque()))
  })
