import CJavaScriptCore

/// A JavaScript array.
public final class JSArray: JSObject {
  /// The value, if it is an array.
  public convenience init?(_ value: JSValue) {
    guard !value.context.isClosed, JSValueIsArray(value.context.reference, value.reference) else { return nil }
    self.init(adopting: value.reference, in: value.context)
  }

  /// The number of elements.
  public func count() throws(JSException) -> Int {
    // An array's own, which is a whole number of 32 bits: a proxy of one is none.
    Int(exactly: try get("length").number ?? 0) ?? 0
  }

  /// All elements; holes are undefined. O(n), an API call each: ask for ``count()`` first where a script has made it.
  public func elements() throws(JSException) -> [JSValue] {
    var elements: [JSValue] = []
    for index in 0..<(try count()) { elements.append(try get(at: index)) }
    return elements
  }

  /// Adds an element at the end.
  public func append(_ element: JSValue) throws(JSException) { try set(at: try count(), element) }
}
