import CJavaScriptCore

/// A JavaScript value, kept alive for as long as this object lives.
///
/// Not `Sendable`: it stays on the thread of its context. Should the last reference be dropped elsewhere all the same, the
/// value is released on its own thread. Making one costs about 100 ns; the bridge's hot paths use `RawValue` instead.
public class JSValue {
  public final let context: JSContext
  package final let reference: JSValueRef

  /// Takes a value that is on the stack, and keeps it.
  package init(adopting reference: JSValueRef, in context: JSContext) {
    self.context = context
    self.reference = reference
    // A call may have closed its own context.
    if !context.isClosed { JSValueProtect(context.reference, reference) }
  }

  /// What a closed context answers.
  init(ofClosed context: JSContext) {
    self.context = context
    reference = OpaquePointer(bitPattern: -1)!
  }

  deinit {
    if context.loop.isOnOwnThread {
      context.unprotect(reference)
    } else {
      let orphan = Orphan(context: context, reference: reference)
      context.loop.perform { orphan.context.unprotect(orphan.reference) }
    }
  }

  /// A value whose last owner was on another thread: carried to its own, which alone uses it.
  private struct Orphan: @unchecked Sendable {
    let context: JSContext
    let reference: JSValueRef
  }

  /// What `typeof` tells apart, and null.
  public enum Kind: Sendable { case undefined, null, boolean, number, string, object, symbol, bigInt }

  /// `.undefined` once the context is closed.
  public final var kind: Kind {
    guard !context.isClosed else { return .undefined }
    return switch JSValueGetType(context.reference, reference) {
    case kJSTypeNull: .null
    case kJSTypeBoolean: .boolean
    case kJSTypeNumber: .number
    case kJSTypeString: .string
    case kJSTypeObject: .object
    case kJSTypeSymbol: .symbol
    case kJSTypeBigInt: .bigInt
    default: .undefined
    }
  }

  public final var isUndefined: Bool { kind == .undefined }
  public final var isNull: Bool { kind == .null }
  public final var isObject: Bool { kind == .object }

  /// The boolean, if it is one.
  public final var boolean: Bool? {
    kind == .boolean ? JSValueToBoolean(context.reference, reference) : nil
  }

  /// The number, if it is one.
  public final var number: Double? {
    kind == .number ? JSValueToNumber(context.reference, reference, nil) : nil
  }

  /// The text, if it is a string; unpaired surrogates become U+FFFD.
  public final var string: String? {
    guard kind == .string else { return nil }
    return JSValueToStringCopy(context.reference, reference, nil).map { String(adopting: $0) }
  }

  /// The same; of a text that is longer than a megabyte the beginning.
  final var beginning: String? {
    guard kind == .string else { return nil }
    return JSValueToStringCopy(context.reference, reference, nil).map { String(adoptingBeginningOf: $0) }
  }

  // MARK: Coercions, which may run the script's own code

  /// `Boolean(value)`, which runs none.
  public final func toBoolean() -> Bool {
    !context.isClosed && JSValueToBoolean(context.reference, reference)
  }

  /// `Number(value)`.
  public final func toNumber() throws(JSException) -> Double {
    try context.perform { JSValueToNumber($0, reference, $1) }
  }

  /// `String(value)`; throws for a symbol.
  public final func toString() throws(JSException) -> String { String(adopting: try toEngineString()) }

  private func toEngineString() throws(JSException) -> JSStringRef {
    guard let string = try context.perform({ JSValueToStringCopy($0, reference, $1) }) else {
      throw JSException(.engine, "the value has no text")
    }
    return string
  }

  /// `JSON.stringify(value)`; `nil` where that answers undefined.
  /// - Parameter indentation: spaces for each level, at most 10.
  public final func toJSON(indentation: Int = 0) throws(JSException) -> String? {
    let indentation = UInt32(clamping: min(max(indentation, 0), 10))
    return try context.perform { JSValueCreateJSONString($0, reference, indentation, $1) }.map { String(adopting: $0) }
  }

  // MARK: Comparisons

  /// `===`, but false across contexts.
  public final func isStrictlyEqual(to other: JSValue) -> Bool {
    guard !context.isClosed, other.context === context else { return false }
    return JSValueIsStrictEqual(context.reference, reference, other.reference)
  }

  /// `==`.
  public final func isEqual(to other: JSValue) throws(JSException) -> Bool {
    try context.check(other)
    return try context.perform { JSValueIsEqual($0, reference, other.reference, $1) }
  }

  /// `instanceof`.
  public final func isInstance(of constructor: JSObject) throws(JSException) -> Bool {
    try context.check(constructor)
    return try context.perform { JSValueIsInstanceOfConstructor($0, reference, constructor.reference, $1) }
  }
}

@available(*, unavailable)
extension JSValue: Sendable {}

extension JSContext {
  func unprotect(_ reference: JSValueRef) {
    if !isClosed { JSValueUnprotect(self.reference, reference) }
  }

  /// A value that takes no memory; dead if the context is closed.
  func immediate(_ make: (JSContextRef) -> JSValueRef?) -> JSValue {
    loop.preconditionOnOwnThread()
    guard !isClosed, let value = make(reference) else { return JSValue(ofClosed: self) }
    return JSValue(adopting: value, in: self)
  }

  public var undefined: JSValue { immediate(JSValueMakeUndefined) }
  public var null: JSValue { immediate(JSValueMakeNull) }
  public func boolean(_ boolean: Bool) -> JSValue { immediate { JSValueMakeBoolean($0, boolean) } }
  public func number(_ number: Double) -> JSValue { immediate { JSValueMakeNumber($0, number) } }
  public func string(_ string: String) -> JSValue {
    immediate { context in withJSString(string) { JSValueMakeString(context, $0) } }
  }

  /// `JSON.parse(text)`.
  public func parseJSON(_ text: String) throws(JSException) -> JSValue {
    let parsed = try perform { context, _ in withJSString(text) { JSValueMakeFromJSONString(context, $0) } }
    guard let parsed else { throw JSException(.thrown, "the text is not JSON", name: "SyntaxError") }
    return JSValue(adopting: parsed, in: self)
  }
}
