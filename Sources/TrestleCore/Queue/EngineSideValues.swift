import JSEngine

/// The values beside the buffer: an array in JavaScript that no script can reach. On the JS thread.
final class EngineSideValues: SideValues {
  private let context: JSContext
  private let array: JSObject

  init(_ context: JSContext, array: JSObject) {
    self.context = context
    self.array = array
    super.init()
  }

  /// Keeps a value in JavaScript and gives its number; set once the runtime's JavaScript is there.
  var keep: ((JSValue) -> KeptError?)?

  override func errorIdentity(at index: Int) -> JavaScriptError.Identity? {
    guard let error = try? array.get(at: index), error.isObject else { return nil }
    return keep?(error)
  }

  override func longString(at index: Int) -> String? {
    guard let value = context.raw.get(array.reference, at: index), context.raw.isString(value) else { return nil }
    return context.raw.toString(value)
  }

  override func withBinary(at index: Int, _ body: (UnsafeRawBufferPointer) -> Void) -> Bool {
    withArrayBuffer(at: index, body)
  }

  func withArrayBuffer(at index: Int, _ body: (UnsafeRawBufferPointer) -> Void) -> Bool {
    guard let value = context.raw.get(array.reference, at: index), context.raw.isObject(value),
      let bytes = context.raw.bytes(ofArrayBuffer: value)
    else { return false }
    body(UnsafeRawBufferPointer(bytes))
    // The collector finds the buffer on this stack for as long as its bytes are read.
    withExtendedLifetime(value) {}
    return true
  }

  /// The value itself, protected.
  func value(at index: Int) -> JSValue? { try? array.get(at: index) }

  /// Lets go of the first `count` values.
  func clear(count: Int) { try? array.set("length", context.number(0)) }
}
