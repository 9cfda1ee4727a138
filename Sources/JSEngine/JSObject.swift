import CJavaScriptCore

/// A JavaScript object.
///
/// Reading or writing a member may run the script's own code: getters, setters and proxies.
public class JSObject: JSValue {
  /// The value, if it is an object.
  public convenience init?(_ value: JSValue) {
    guard value.isObject else { return nil }
    self.init(adopting: value.reference, in: value.context)
  }

  // MARK: Members

  /// `object[name]`; undefined if there is none.
  public final func get(_ name: String) throws(JSException) -> JSValue {
    try context.value { context, exception in
      withJSString(name) { JSObjectGetProperty(context, reference, $0, exception) }
    }
  }

  /// `object[name] = value`.
  public final func set(
    _ name: String, _ value: JSValue, _ attributes: PropertyAttributes = []
  ) throws(JSException) {
    try context.check(value)
    try context.perform { context, exception in
      withJSString(name) {
        JSObjectSetProperty(context, reference, $0, value.reference, attributes.rawValue, exception)
      }
    }
  }

  /// `name in object`.
  public final func has(_ name: String) throws(JSException) -> Bool {
    let name = context.string(name)
    let answer = try context.value { reference, exception in
      withArguments([self, name]) {
        JSObjectCallAsFunction(reference, context.intrinsics.has, nil, 2, $0, exception)
      }
    }
    return answer.boolean == true
  }

  /// `delete object[name]`.
  /// - Returns: false if the member may not be deleted.
  @discardableResult
  public final func delete(_ name: String) throws(JSException) -> Bool {
    try context.perform { context, exception in
      withJSString(name) { JSObjectDeleteProperty(context, reference, $0, exception) }
    }
  }

  /// `object[key]` for any key: symbols, numbers, strings.
  public final func get(key: JSValue) throws(JSException) -> JSValue {
    try context.check(key)
    return try context.value { JSObjectGetPropertyForKey($0, reference, key.reference, $1) }
  }

  /// `object[key] = value` for any key.
  public final func set(
    key: JSValue, _ value: JSValue, _ attributes: PropertyAttributes = []
  ) throws(JSException) {
    try context.check(key)
    try context.check(value)
    try context.perform {
      JSObjectSetPropertyForKey($0, reference, key.reference, value.reference, attributes.rawValue, $1)
    }
  }

  /// `object[index]`.
  public final func get(at index: Int) throws(JSException) -> JSValue {
    guard let index = UInt32(exactly: index) else { return try get(String(index)) }
    return try context.value { JSObjectGetPropertyAtIndex($0, reference, index, $1) }
  }

  /// `object[index] = value`.
  public final func set(at index: Int, _ value: JSValue) throws(JSException) {
    guard let index = UInt32(exactly: index) else { return try set(String(index), value) }
    try context.check(value)
    try context.perform { JSObjectSetPropertyAtIndex($0, reference, index, value.reference, $1) }
  }

  /// The names of `for (name in object)`.
  public final func memberNames() throws(JSException) -> [String] {
    let names = try context.value { reference, exception in
      withArguments([self]) {
        JSObjectCallAsFunction(reference, context.intrinsics.memberNames, nil, 1, $0, exception)
      }
    }
    return try JSArray(names)?.elements().compactMap(\.string) ?? []
  }

  /// `Object.getPrototypeOf(object)`.
  public final func prototype() throws(JSException) -> JSValue {
    try context.value { context, _ in JSObjectGetPrototype(context, reference) }
  }

  /// `Object.setPrototypeOf(object, prototype)`.
  public final func setPrototype(_ prototype: JSValue) throws(JSException) {
    try context.check(prototype)
    try context.perform { context, _ in JSObjectSetPrototype(context, reference, prototype.reference) }
  }

  /// `object[name](…arguments)`.
  @discardableResult
  public final func invoke(_ name: String, _ arguments: [JSValue] = []) throws(JSException) -> JSValue {
    guard let method = JSFunction(try get(name)) else {
      throw JSException(.wrongType, "\(name) is not a function", name: "TypeError")
    }
    return try method.call(arguments, this: self)
  }
}

/// How a member that is made by `set` behaves.
public struct PropertyAttributes: OptionSet, Sendable {
  public let rawValue: JSPropertyAttributes
  public init(rawValue: JSPropertyAttributes) { self.rawValue = rawValue }

  public static let readOnly = PropertyAttributes(rawValue: JSPropertyAttributes(kJSPropertyAttributeReadOnly))
  public static let hidden = PropertyAttributes(rawValue: JSPropertyAttributes(kJSPropertyAttributeDontEnum))
  public static let permanent = PropertyAttributes(rawValue: JSPropertyAttributes(kJSPropertyAttributeDontDelete))
}

extension JSContext {
  /// `{}`.
  public func makeObject() throws(JSException) -> JSObject {
    JSObject(adopting: try reference { context, _ in JSObjectMake(context, nil, nil) }, in: self)
  }

  /// `[…elements]`.
  public func makeArray(_ elements: [JSValue] = []) throws(JSException) -> JSArray {
    for element in elements { try check(element) }
    let references = elements.map { Optional($0.reference) }
    let array = try reference { JSObjectMakeArray($0, references.count, references, $1) }
    return JSArray(adopting: array, in: self)
  }
}

/// Lends the references of `values`, which `values` protect meanwhile.
func withArguments<Result>(
  _ values: [JSValue], _ body: (UnsafePointer<JSValueRef?>?) -> Result
) -> Result {
  withExtendedLifetime(values) {
    withUnsafeTemporaryAllocation(of: JSValueRef?.self, capacity: values.count) { references in
      for (index, value) in values.enumerated() { references.initializeElement(at: index, to: value.reference) }
      return body(references.baseAddress)
    }
  }
}
