/// What a `binary` value on the wire was made from: an element kind, or one of these.
enum BinaryKind {
  static let uint8Clamped: UInt32 = 10
  static let dataView: UInt32 = 11
  static let arrayBuffer: UInt32 = 12
  static let float16: UInt32 = 13

  /// The name of JavaScript's constructor.
  static func constructorName(_ kind: UInt32) -> String {
    switch kind {
    case uint8Clamped: "Uint8ClampedArray"
    case dataView: "DataView"
    case arrayBuffer: "ArrayBuffer"
    case float16: "Float16Array"
    default: ElementKind(rawValue: kind)?.constructorName ?? "typed array"
    }
  }
}

/// A part of an ArrayBuffer beside the record: what a `binary` value says before its bytes are reached.
struct BinaryView {
  /// Which of the side values holds the buffer.
  let index: Int
  let kind: UInt32
  let byteOffset: Int
  let byteCount: Int

  var range: Range<Int> { byteOffset..<byteOffset + byteCount }
}

extension ValueReader {
  /// Reads a `binary` value.
  mutating func binaryView() throws(ConversionError) -> BinaryView {
    let (tag, index) = try header()
    guard tag == Tag.binary.rawValue else { throw error(.mismatch) }
    // The kind and, of the next two, 16 bits each that they have no room for; offset and length.
    let kind = try slot(UInt64.self)
    let range = try slot(UInt64.self)
    return BinaryView(
      index: Int(index), kind: UInt32(truncatingIfNeeded: kind),
      byteOffset: Int(range & 0xFFFF_FFFF | kind & 0xFFFF_0000_0000), byteCount: Int(range >> 32 | (kind >> 48) << 32))
  }

  /// Calls `body` with the bytes of a view that was just read, if its buffer is there and as long as the view says.
  func withBytes<Result>(
    of view: BinaryView, _ body: (UnsafeRawBufferPointer) -> Result
  ) throws(ConversionError) -> Result {
    sideValues.copiedByteCount &+= view.byteCount
    guard let result = sideValues.withBytes(of: view, body) else { throw error(.missing, bytesBack: 24) }
    return result
  }
}

/// For conversions that are written outside of this module.
extension ValueReader {
  /// The next value, an ArrayBuffer or any view on one, copied.
  package mutating func binary() throws(ConversionError) -> [UInt8] {
    let view = try binaryView()
    return try withBytes(of: view) { [UInt8]($0) }
  }

  /// The next value, a `Date`: whole milliseconds since 1970.
  package mutating func date() throws(ConversionError) -> Double {
    guard try header().tag == Tag.date.rawValue else { throw error(.mismatch) }
    let milliseconds = try slot(Double.self)
    guard !milliseconds.isNaN else { throw error(.mismatch, bytesBack: 16) }
    return milliseconds
  }
}

extension SideValues {
  /// - Returns: nil if the buffer is detached, or shorter than the view.
  func withBytes<Result>(of view: BinaryView, _ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
    var result: Result?
    let isLent = withBinary(at: view.index) { bytes in
      guard view.range.upperBound <= bytes.count else { return }
      result = body(UnsafeRawBufferPointer(rebasing: bytes[view.range]))
    }
    if isLent { return result }
    return copyOfBinary(at: view.index, in: view.range)?.withUnsafeBytes(body)
  }
}
