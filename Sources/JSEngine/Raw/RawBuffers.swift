import CJavaScriptCore

// What the bridge's wire needs: memory shared with scripts, text as UTF-16, functions that know their owner.
extension RawContext {
  /// An ArrayBuffer over memory that someone else owns and that outlives the context.
  ///
  /// Its address is asked for once, which pins it: a script's `transfer()` then copies instead of taking the memory away.
  package func sharedArrayBuffer(_ memory: UnsafeMutableRawBufferPointer) -> RawValue? {
    let buffer = JSObjectMakeArrayBufferWithBytesNoCopy(
      reference, memory.baseAddress, memory.count, { _, _ in }, nil, nil)
    if let buffer { JSObjectGetArrayBufferBytesPtr(reference, buffer, nil) }
    return buffer
  }

  /// An ArrayBuffer with a copy of the bytes. O(n).
  package func arrayBuffer(copying bytes: UnsafeRawBufferPointer) -> RawValue? {
    let copy = UnsafeMutableRawPointer.allocate(byteCount: max(bytes.count, 1), alignment: 8)
    if let source = bytes.baseAddress { copy.copyMemory(from: source, byteCount: bytes.count) }
    return JSObjectMakeArrayBufferWithBytesNoCopy(
      reference, copy, bytes.count, { memory, _ in memory?.deallocate() }, nil, nil)
  }

  /// An ArrayBuffer over memory that is its own from now on: `deallocator` is called once, on any thread, also if this
  /// fails. Not pinned: a script's `transfer()` hands the memory on, and `deallocator` with it.
  package func arrayBuffer(
    adopting memory: UnsafeMutableRawBufferPointer,
    deallocator: @escaping @Sendable (UnsafeMutableRawBufferPointer) -> Void
  ) -> RawValue? {
    let owner = Unmanaged.passRetained(AdoptedMemory(memory, deallocator))
    // Without a result the engine has dropped the memory already, as it drops that of any buffer.
    return JSObjectMakeArrayBufferWithBytesNoCopy(
      reference, memory.baseAddress, memory.count,
      { _, owner in if let owner { Unmanaged<AdoptedMemory>.fromOpaque(owner).release() } }, owner.toOpaque(), nil)
  }

  /// The bytes of an ArrayBuffer, nil if it is none or detached. Asking pins it.
  package func bytes(ofArrayBuffer value: RawValue) -> UnsafeMutableRawBufferPointer? {
    guard let start = JSObjectGetArrayBufferBytesPtr(reference, value, nil) else { return nil }
    return UnsafeMutableRawBufferPointer(
      start: start, count: JSObjectGetArrayBufferByteLength(reference, value, nil))
  }

  /// A string of UTF-16 units. O(n).
  package func string(_ units: UnsafeBufferPointer<UInt16>) -> RawValue {
    let string = JSStringCreateWithCharacters(units.baseAddress, units.count)
    defer { JSStringRelease(string) }
    return JSValueMakeString(reference, string)
  }

  /// Of a function that `JSContext.rawFunction` made.
  @inlinable
  package static func owner<Owner: AnyObject>(of function: RawValue, as: Owner.Type) -> Owner {
    Unmanaged<Owner>.fromOpaque(JSObjectGetPrivate(function)).takeUnretainedValue()
  }
}

extension JSContext {
  /// A function of a plain C callback, which finds `owner` with `owner(of:)`. The heap, and with it every function, keeps the
  /// owner for as long as it lasts.
  package func rawFunction(owner: AnyObject, _ callback: @escaping RawFunction) -> RawValue {
    var definition = kJSClassDefinitionEmpty
    definition.callAsFunction = callback
    let functionClass = JSClassCreate(&definition)
    defer { JSClassRelease(functionClass) }
    owners.append(owner)
    return JSObjectMake(reference, functionClass, Unmanaged.passUnretained(owner).toOpaque())
  }
}

/// Native memory that an ArrayBuffer owns.
private final class AdoptedMemory {
  private let memory: UnsafeMutableRawBufferPointer
  private let deallocator: @Sendable (UnsafeMutableRawBufferPointer) -> Void

  init(
    _ memory: UnsafeMutableRawBufferPointer, _ deallocator: @escaping @Sendable (UnsafeMutableRawBufferPointer) -> Void
  ) {
    (self.memory, self.deallocator) = (memory, deallocator)
  }

  deinit { deallocator(memory) }
}
