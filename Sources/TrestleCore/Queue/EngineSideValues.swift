import JSEngine

/// The values beside the buffer: an array in JavaScript that no script can reach. On the JS thread.
final class EngineSideValues: SideValues {
  private let context: JSContext
  private let array: JSObject
  let takenBuffers: TakenBuffers

  init(_ context: JSContext, array: JSObject) {
    self.context = context
    self.array = array
    takenBuffers = TakenBuffers(context)
    super.init()
    context.willClose = { [takenBuffers] in takenBuffers.giveUp() }
  }

  /// The objects that JavaScript has.
  var sharedObjects: SharedObjects?

  override func sharedObject(_ number: UInt32) -> (any SharedObject)? { sharedObjects?.object(number) }

  /// Keeps a value in JavaScript and gives its number; set once the runtime's JavaScript is there.
  var keep: ((JSValue, _ index: Int, _ isThrown: Bool) -> KeptValue?)?

  override var failure: BridgeError? { context.endOfTurn.map { BridgeError($0) } }

  override func errorIdentity(at index: Int) -> JavaScriptError.Identity? {
    guard let error = try? array.get(at: index), error.isObject else { return nil }
    return keep?(error, index, true)
  }

  override func function(at index: Int) -> KeptValue? {
    guard let function = value(at: index).flatMap(JSFunction.init) else { return nil }
    return keep?(function, index, false)
  }

  override func object(at index: Int) -> KeptValue? {
    guard let object = value(at: index), object.isObject else { return nil }
    return keep?(object, index, false)
  }

  override func longString(at index: Int) -> String? {
    guard !context.isClosed, let value = context.raw.get(array.reference, at: index), context.raw.isString(value)
    else { return nil }
    return context.raw.toString(value)
  }

  override func isLongStringWellFormed(at index: Int) -> Bool {
    if context.isClosed { return false }
    return context.raw.get(array.reference, at: index).map { context.raw.isWellFormed($0) } ?? false
  }

  override func withBinary(at index: Int, _ body: (UnsafeRawBufferPointer) -> Void) -> Bool {
    withArrayBuffer(at: index, body)
  }

  func withArrayBuffer(at index: Int, _ body: (UnsafeRawBufferPointer) -> Void) -> Bool {
    guard !context.isClosed, let value = context.raw.get(array.reference, at: index), context.raw.isObject(value),
      let bytes = context.raw.bytes(ofArrayBuffer: value)
    else { return false }
    // The array keeps the buffer meanwhile: nothing is called that could change that.
    body(UnsafeRawBufferPointer(bytes))
    return true
  }

  override func copyOfBinary(at index: Int, in range: Range<Int>) -> [UInt8]? {
    try? buffer(at: index)?.copyBytes(in: range)
  }

  override func isResizable(at index: Int) -> Bool { (try? buffer(at: index)?.state()) == .resizable }

  override func takeBinary(at index: Int, in range: Range<Int>) -> TransferredBytes? {
    guard let buffer = buffer(at: index) else { return nil }
    if let (bytes, own) = takenBuffers.take(buffer, range) {
      // For those who look at the record again: the words for another argument.
      try? array.set(at: index, own)
      return bytes
    }
    // Of memory that the engine does not let go.
    return copyOfBinary(at: index, in: range).map(TransferredBytes.init(copying:))
  }

  private func buffer(at index: Int) -> JSArrayBuffer? { value(at: index).flatMap(JSArrayBuffer.init) }

  /// The value itself, protected.
  func value(at index: Int) -> JSValue? { try? array.get(at: index) }

  /// For tests.
  func put(_ value: JSValue, at index: Int) throws(JSException) { try array.set(at: index, value) }

  /// Lets go of the values from that index on.
  func clear(from index: Int) { try? array.set("length", context.number(Double(index))) }
}
