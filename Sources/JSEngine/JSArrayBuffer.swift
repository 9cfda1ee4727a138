import CJavaScriptCore

/// A JavaScript `ArrayBuffer`.
///
/// Lending its bytes pins it: the script can no longer detach or transfer it, ever. A resizable buffer cannot be lent, since
/// the script could shrink it under a native reader, nor a shared one, which another thread could write, nor the memory of a
/// WebAssembly instance, which may move.
public final class JSArrayBuffer: JSObject {
  /// The value, if it is an `ArrayBuffer`.
  public convenience init?(_ value: JSValue) {
    guard value.isObject, value.typedArrayType == kJSTypedArrayTypeArrayBuffer else { return nil }
    self.init(adopting: value.reference, in: value.context)
  }

  public enum State: Sendable, Equatable { case plain, resizable, shared, detached }

  /// What kind of buffer it is now.
  public func state() throws(JSException) -> State {
    let answer = try call(context.intrinsics.bufferState)
    return switch JSValueToNumber(context.reference, answer, nil) {
    case 0: .plain
    case 1: .resizable
    case 3: .detached
    default: .shared
    }
  }

  /// In bytes; zero once detached.
  public func byteCount() throws(JSException) -> Int {
    try context.perform { JSObjectGetArrayBufferByteLength($0, reference, $1) }
  }

  /// Lends the bytes, without a copy, for as long as `body` runs.
  /// - Throws: `.buffer` if it is detached, resizable or shared.
  public func withUnsafeBytes<Result>(
    _ body: (UnsafeMutableRawBufferPointer) throws -> Result
  ) throws -> Result {
    let state = try state()
    guard state == .plain else { throw JSException(.buffer, "the buffer is \(state)", name: "TypeError") }
    let count = try byteCount()
    let start = try context.perform { JSObjectGetArrayBufferBytesPtr($0, reference, $1) }
    return try withExtendedLifetime(self) { try body(UnsafeMutableRawBufferPointer(start: start, count: count)) }
  }

  /// Takes the memory away from the script, into a buffer of a fixed length that only native code has; this one is
  /// detached, and so are the views on it. Without a copy, unless it is resizable.
  ///
  /// A buffer that is pinned stays what it is: the new one is a copy then.
  /// - Throws: for a buffer that is detached already, shared, or the memory of a WebAssembly instance.
  public func transfer() throws(JSException) -> JSArrayBuffer {
    JSArrayBuffer(adopting: try call(context.intrinsics.transferBuffer), in: context)
  }

  private func call(_ intrinsic: JSObjectRef, _ arguments: [JSValue] = []) throws(JSException) -> JSValueRef {
    try context.reference { context, exception in
      withArguments([self] + arguments) {
        JSObjectCallAsFunction(context, intrinsic, nil, arguments.count + 1, $0, exception)
      }
    }
  }

  /// A copy of the bytes; works for every buffer that is not detached, and does not pin it. O(n).
  /// - Parameter range: which bytes; all of them if nil.
  public func copyBytes(in range: Range<Int>? = nil) throws(JSException) -> [UInt8] {
    // A buffer of the script's making in between: it is that one which gets pinned.
    let window = range.map { [context.number(Double($0.lowerBound)), context.number(Double($0.count))] }
    let copy = try call(context.intrinsics.copyBuffer, window ?? [])
    return try context.perform { context, exception in
      let count = JSObjectGetArrayBufferByteLength(context, copy, exception)
      guard let start = JSObjectGetArrayBufferBytesPtr(context, copy, exception) else { return [] }
      return Array(UnsafeRawBufferPointer(start: start, count: count))
    }
  }
}

extension JSContext {
  /// An `ArrayBuffer` with a copy of `bytes`. O(n).
  public func makeArrayBuffer(copying bytes: some Collection<UInt8>) throws(JSException) -> JSArrayBuffer {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: max(bytes.count, 1), alignment: 16)
    memory.copyBytes(from: bytes)
    return try makeArrayBuffer(
      adopting: UnsafeMutableRawBufferPointer(start: memory.baseAddress, count: bytes.count),
      deallocator: { _ in memory.deallocate() })
  }

  /// An `ArrayBuffer` over native memory, which `deallocator` frees when the collector has found the buffer to be garbage.
  /// The buffer is pinned: without that `transfer()` would free the memory early. The memory must not move, and what
  /// native code writes while a script runs on another thread is a race.
  public func makeArrayBuffer(
    adopting memory: UnsafeMutableRawBufferPointer, deallocator: @escaping (UnsafeMutableRawBufferPointer) -> Void
  ) throws(JSException) -> JSArrayBuffer {
    try checkOpen()
    // Frees the memory by itself should the engine never see it.
    let box = BufferOwner(memory, deallocator, releases)
    let reference = try reference { context, exception in
      JSObjectMakeArrayBufferWithBytesNoCopy(
        context, memory.baseAddress, memory.count, releaseBuffer, Unmanaged.passRetained(box).toOpaque(), exception)
    }
    try perform { _ = JSObjectGetArrayBufferBytesPtr($0, reference, $1) }
    return JSArrayBuffer(adopting: reference, in: self)
  }
}

/// Frees native memory when its buffer is gone.
private final class BufferOwner {
  private let memory: UnsafeMutableRawBufferPointer
  private let deallocator: (UnsafeMutableRawBufferPointer) -> Void
  let releases: ReleaseQueue

  init(
    _ memory: UnsafeMutableRawBufferPointer, _ deallocator: @escaping (UnsafeMutableRawBufferPointer) -> Void,
    _ releases: ReleaseQueue
  ) {
    self.memory = memory
    self.deallocator = deallocator
    self.releases = releases
  }

  deinit { deallocator(memory) }
}

private let releaseBuffer: JSTypedArrayBytesDeallocator = { _, owner in
  guard let owner else { return }
  let box = Unmanaged<BufferOwner>.fromOpaque(owner)
  box.takeUnretainedValue().releases.release(Unmanaged<AnyObject>.fromOpaque(owner))
}

extension JSValue {
  var typedArrayType: JSTypedArrayType {
    guard !context.isClosed else { return kJSTypedArrayTypeNone }
    return JSValueGetTypedArrayType(context.reference, reference, nil)
  }
}
