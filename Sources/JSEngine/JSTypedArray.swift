import CJavaScriptCore

/// A JavaScript typed array: a window of numbers over an `ArrayBuffer`.
public final class JSTypedArray: JSObject {
  /// The type of the elements.
  public enum Element: Sendable, CaseIterable {
    case int8, uint8, uint8Clamped, int16, uint16, int32, uint32, float32, float64, bigInt64, bigUInt64

    /// In bytes.
    public var size: Int {
      switch self {
      case .int8, .uint8, .uint8Clamped: 1
      case .int16, .uint16: 2
      case .int32, .uint32, .float32: 4
      case .float64, .bigInt64, .bigUInt64: 8
      }
    }

    var type: JSTypedArrayType {
      switch self {
      case .int8: kJSTypedArrayTypeInt8Array
      case .uint8: kJSTypedArrayTypeUint8Array
      case .uint8Clamped: kJSTypedArrayTypeUint8ClampedArray
      case .int16: kJSTypedArrayTypeInt16Array
      case .uint16: kJSTypedArrayTypeUint16Array
      case .int32: kJSTypedArrayTypeInt32Array
      case .uint32: kJSTypedArrayTypeUint32Array
      case .float32: kJSTypedArrayTypeFloat32Array
      case .float64: kJSTypedArrayTypeFloat64Array
      case .bigInt64: kJSTypedArrayTypeBigInt64Array
      case .bigUInt64: kJSTypedArrayTypeBigUint64Array
      }
    }
  }

  /// The value, if it is a typed array. (`DataView` and `Float16Array` are none to the engine.)
  public convenience init?(_ value: JSValue) {
    guard value.isObject, Element(value.typedArrayType) != nil else { return nil }
    self.init(adopting: value.reference, in: value.context)
  }

  /// The type of the elements; `nil` once the context is closed.
  public var element: Element? { Element(typedArrayType) }

  /// In elements; zero once its buffer is detached.
  public func count() throws(JSException) -> Int {
    try context.perform { JSObjectGetTypedArrayLength($0, reference, $1) }
  }

  /// The whole buffer that this is a window of.
  public func buffer() throws(JSException) -> JSArrayBuffer {
    JSArrayBuffer(
      adopting: try context.reference { JSObjectGetTypedArrayBuffer($0, reference, $1) }, in: context)
  }

  /// Lends the bytes of the window, under the conditions of `JSArrayBuffer.withUnsafeBytes`.
  public func withUnsafeBytes<Result>(
    _ body: (UnsafeMutableRawBufferPointer) throws -> Result
  ) throws -> Result {
    let buffer = try buffer()
    return try buffer.withUnsafeBytes { bytes in
      let start = try context.perform { JSObjectGetTypedArrayByteOffset($0, reference, $1) }
      let count = try context.perform { JSObjectGetTypedArrayByteLength($0, reference, $1) }
      guard start + count <= bytes.count else { throw JSException(.buffer, "the window is out of bounds") }
      return try body(UnsafeMutableRawBufferPointer(rebasing: bytes[start..<start + count]))
    }
  }
}

extension JSTypedArray.Element {
  init?(_ type: JSTypedArrayType) {
    guard let element = Self.allCases.first(where: { $0.type == type }) else { return nil }
    self = element
  }
}

extension JSContext {
  /// `new Float64Array(count)` and its like, all zero.
  public func makeTypedArray(_ element: JSTypedArray.Element, count: Int) throws(JSException) -> JSTypedArray {
    guard count >= 0 else { throw JSException(.wrongType, "a negative count", name: "RangeError") }
    let reference = try reference { JSObjectMakeTypedArray($0, element.type, count, $1) }
    return JSTypedArray(adopting: reference, in: self)
  }

  /// A window over a buffer.
  /// - Parameters:
  ///   - offset: of its first byte, a multiple of the element's size.
  ///   - count: in elements.
  public func makeTypedArray(
    _ element: JSTypedArray.Element, over buffer: JSArrayBuffer, atByteOffset offset: Int = 0, count: Int
  ) throws(JSException) -> JSTypedArray {
    try check(buffer)
    let (size, overflow) = count.multipliedReportingOverflow(by: element.size)
    guard offset >= 0, count >= 0, !overflow, offset.isMultiple(of: element.size),
      try buffer.byteCount() - offset >= size
    else { throw JSException(.buffer, "the window is out of bounds", name: "RangeError") }
    let reference = try reference {
      JSObjectMakeTypedArrayWithArrayBufferAndOffset($0, element.type, buffer.reference, offset, count, $1)
    }
    return JSTypedArray(adopting: reference, in: self)
  }
}
