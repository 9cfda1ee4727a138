/// A number that JavaScript keeps in typed arrays.
///
/// Arrays of it go out as a typed array, and come in from a typed array of the same kind or from a plain array. 64-bit
/// integers are not among them: their typed arrays hold BigInts, which do not mix with numbers in script.
public protocol TypedArrayElement: BridgeCodable, BitwiseCopyable {
  static var _elementKind: _Expansion.ElementKind { get }
}

extension UInt8: TypedArrayElement { @inlinable public static var _elementKind: _Expansion.ElementKind { .uint8 } }
extension Int8: TypedArrayElement { @inlinable public static var _elementKind: _Expansion.ElementKind { .int8 } }
extension UInt16: TypedArrayElement { @inlinable public static var _elementKind: _Expansion.ElementKind { .uint16 } }
extension Int16: TypedArrayElement { @inlinable public static var _elementKind: _Expansion.ElementKind { .int16 } }
extension UInt32: TypedArrayElement { @inlinable public static var _elementKind: _Expansion.ElementKind { .uint32 } }
extension Int32: TypedArrayElement { @inlinable public static var _elementKind: _Expansion.ElementKind { .int32 } }
extension Float: TypedArrayElement { @inlinable public static var _elementKind: _Expansion.ElementKind { .float32 } }
extension Double: TypedArrayElement { @inlinable public static var _elementKind: _Expansion.ElementKind { .float64 } }

extension TypedArrayElement {
  public static var _bridgeArraySchema: BridgeSchema { BridgeSchema(.numbers(_elementKind)) }

  @inlinable
  public static func _decodeArray(from reader: inout ValueReader) throws(ConversionError) -> [Self] {
    if reader.peekTag() == Tag.binary.rawValue { return try decodeTypedArray(from: &reader) }
    let (tag, count) = try reader.header()
    guard tag == Tag.array.rawValue else { throw reader.error(.mismatch) }
    guard reader.plausibleCount(count) == count else { throw reader.error(.malformed) }
    var elements: [Self] = []
    elements.reserveCapacity(Int(count))
    for _ in 0..<count { elements.append(try decode(from: &reader)) }
    return elements
  }

  /// Copies a typed array. Bytes are also taken from an ArrayBuffer.
  @usableFromInline
  static func decodeTypedArray(from reader: inout ValueReader) throws(ConversionError) -> [Self] {
    let view = try reader.binaryView()
    guard _elementKind.accepts(view.kind) else { throw reader.error(.mismatch, bytesBack: 24) }
    return try reader.withBytes(of: view) { bytes in
      let count = bytes.count / MemoryLayout<Self>.stride
      return [Self](unsafeUninitializedCapacity: count) { elements, initializedCount in
        UnsafeMutableRawBufferPointer(elements).copyMemory(
          from: UnsafeRawBufferPointer(rebasing: bytes[..<(count * MemoryLayout<Self>.stride)]))
        initializedCount = count
      }
    }
  }

  @inlinable
  public static func _encodeArray(_ elements: [Self], into writer: inout ValueWriter) {
    writer.append(bytes: elements.withUnsafeBytes { [UInt8]($0) }, elements: _elementKind)
  }
}

extension ElementKind {
  /// Whether arrays of this element are read from a view of that kind.
  func accepts(_ kind: UInt32) -> Bool {
    kind == rawValue || self == .uint8 && (kind == BinaryKind.uint8Clamped || kind == BinaryKind.arrayBuffer)
  }
}
