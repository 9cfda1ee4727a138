import CJavaScriptCore

/// A reference to a JavaScript value that nothing protects, for hot paths.
///
/// The law: it is valid while it stands in a local variable of the JS thread, because the collector scans that thread's
/// stack, and nowhere else: not in an array, not in a captured box, not across an `await`. To keep one, make a `JSValue`.
/// Each operation costs one API call: 25 to 35 ns, half of that with the lock held.
package typealias RawValue = OpaquePointer

/// `(context, function, this, argument count, arguments, exception) → result`: a host function without a closure. Costs
/// about 75 ns a call.
package typealias RawFunction =
  @convention(c) (
    RawValue?, RawValue?, RawValue?, Int, UnsafePointer<RawValue?>?, UnsafeMutablePointer<RawValue?>?
  ) -> RawValue?

/// Operations on unprotected values. On the JS thread, while the context is open: nothing is checked.
package struct RawContext {
  package let reference: OpaquePointer

  /// From the first parameter of a raw function, too.
  @inlinable package init(_ reference: OpaquePointer) { self.reference = reference }

  @inlinable package var undefined: RawValue { JSValueMakeUndefined(reference) }
  @inlinable package func number(_ number: Double) -> RawValue { JSValueMakeNumber(reference, number) }

  /// O(n).
  package func string(_ string: String) -> RawValue { withJSString(string) { JSValueMakeString(reference, $0) } }

  @inlinable package func isNumber(_ value: RawValue) -> Bool { JSValueIsNumber(reference, value) }
  @inlinable package func isString(_ value: RawValue) -> Bool { JSValueIsString(reference, value) }
  @inlinable package func isObject(_ value: RawValue) -> Bool { JSValueIsObject(reference, value) }

  /// The number; for another kind of value what `Number(value)` answers, NaN if that throws.
  @inlinable package func toNumber(_ value: RawValue) -> Double { JSValueToNumber(reference, value, nil) }

  /// The text of a string; for another kind of value what `String(value)` answers, nil if that throws.
  package func toString(_ value: RawValue) -> String? {
    JSValueToStringCopy(reference, value, nil).map { String(adopting: $0) }
  }

  /// Whether each surrogate of a string has its other half.
  package func isWellFormed(_ string: RawValue) -> Bool {
    guard let string = JSValueToStringCopy(reference, string, nil) else { return false }
    defer { JSStringRelease(string) }
    return JSEngine.isWellFormed(
      UnsafeBufferPointer(start: JSStringGetCharactersPtr(string), count: JSStringGetLength(string)))
  }

  @inlinable
  package func call(
    _ function: RawValue, _ arguments: UnsafeBufferPointer<RawValue?>, exception: inout RawValue?
  ) -> RawValue? {
    JSObjectCallAsFunction(reference, function, nil, arguments.count, arguments.baseAddress, &exception)
  }

  /// `object[index]`, nil if reading it throws.
  @inlinable package func get(_ object: RawValue, at index: Int) -> RawValue? {
    JSObjectGetPropertyAtIndex(reference, object, UInt32(index), nil)
  }

  /// A function of a plain C callback.
  package func function(_ name: String, _ callback: RawFunction) -> RawValue {
    withJSString(name) { JSObjectMakeFunctionWithCallback(reference, $0, callback) }
  }
}

extension JSContext {
  /// The context for raw operations.
  package var raw: RawContext { RawContext(reference) }
}
