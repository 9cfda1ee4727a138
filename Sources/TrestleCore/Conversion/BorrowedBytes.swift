import Glibc

/// The bytes of an ArrayBuffer or of a view on one, not copied: a parameter type for synchronous methods. (A copy where the
/// memory cannot stand still: that of a resizable or shared buffer, or of a WebAssembly instance.)
///
/// Lent for the call: on the JS thread and until the method returns. Anywhere else, and once script has detached the
/// buffer, reading them throws `ERR_DETACHED`; nothing is ever read from memory that is gone. `copy()` keeps them.
public struct BorrowedBytes: BridgeDecodable, @unchecked Sendable {  // used on one thread only: `withBytes` checks
  private let owner: SideValues
  private let loan: UInt64
  private let view: BinaryView
  /// Of a buffer that JavaScript may shrink.
  private let copied: [UInt8]?
  private let thread = pthread_self()

  public static var bridgeSchema: BridgeSchema { BridgeSchema(.data) }

  public static func decode(from reader: inout ValueReader) throws(ConversionError) -> BorrowedBytes {
    let view = try reader.binaryView()
    let isResizable = reader.sideValues.isResizable(at: view.index)
    // Refuses a buffer that is detached already, with the words of a conversion error.
    let copied = try reader.withBytes(of: view) { bytes in isResizable ? [UInt8](bytes) : nil }
    return BorrowedBytes(owner: reader.sideValues, view: view, copied: copied)
  }

  private init(owner: SideValues, view: BinaryView, copied: [UInt8]?) {
    (self.owner, self.view, self.copied) = (owner, view, copied)
    loan = owner.loan
  }

  /// The number of bytes lent.
  public var count: Int { view.byteCount }

  /// Calls `body` with the bytes. JavaScript must not run meanwhile.
  public func withBytes<Result>(_ body: (RawSpan) throws -> Result) throws -> Result {
    // Outside of any call the number is 0.
    guard thread == pthread_self(), loan != 0, owner.loan == loan else {
      throw BridgeError(.detached, "borrowed bytes were used after the call that lent them")
    }
    if let copied { return try body(copied.span.bytes) }
    owner.readers += 1
    defer { owner.readers -= 1 }
    let result = owner.withBytes(of: view) { bytes in Swift.Result { try body(bytes.bytes) } }
    guard let result else { throw BridgeError(.detached, "the ArrayBuffer is detached") }
    return try result.get()
  }

  /// The bytes as an array of their own. O(count).
  public func copy() throws -> [UInt8] {
    try withBytes { span in span.withUnsafeBytes { [UInt8]($0) } }
  }
}
