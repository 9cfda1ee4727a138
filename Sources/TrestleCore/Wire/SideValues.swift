/// What a record refers to beside its buffer, by index: long strings, binary data, values that stay in JavaScript.
///
/// The engine's side implements it over JavaScript values; tests without an engine over Swift ones. Used on the JS
/// thread, while the record is decoded.
@usableFromInline
package class SideValues {
  /// Behind a pointer: raised for every call, without the check of exclusive access to a member.
  private final let loans = UnsafeMutablePointer<(last: UInt64, current: UInt64)>.allocate(capacity: 1)
  /// Why the last `Codable` value did not convert: more than a `ConversionError` can say.
  final var decodingFailure: (any Error)?

  /// How much was copied of them, or lent, since this was last set to 0.
  final var copiedByteCount = 0

  /// How many are reading bytes that are lent to them.
  final var readers = 0

  init() { loans.initialize(to: (0, 0)) }

  deinit { loans.deallocate() }

  /// Why nothing of them can be read any more; nil as long as it can.
  package var failure: BridgeError? { nil }

  /// The call that bytes are lent to now: what another borrowed is refused.
  package final var loan: UInt64 { loans.pointee.current }

  /// A call begins; the one before is over, or goes on later.
  package final func beginLoans() {
    loans.pointee.last &+= 1
    loans.pointee.current = loans.pointee.last
  }

  /// The call inside of which others were made goes on.
  package final func goOnLending(_ loan: UInt64) { loans.pointee.current = loan }

  /// The long string of that index, or nil if there is none.
  package func longString(at index: Int) -> String? { nil }

  /// Whether each surrogate of the long string of that index has its other half.
  package func isLongStringWellFormed(at index: Int) -> Bool { true }

  /// Calls `body` with the bytes of the binary value of that index, which are valid only during the call.
  ///
  /// - Returns: false if there is no such value, or its memory cannot be lent.
  package func withBinary(at index: Int, _ body: (UnsafeRawBufferPointer) -> Void) -> Bool { false }

  /// A copy of a part of the binary value of that index, which stays as it is.
  ///
  /// - Returns: nil if there is no such value, it is detached, or shorter than that.
  package func copyOfBinary(at index: Int, in range: Range<Int>) -> [UInt8]? {
    var copy: [UInt8]?
    _ = withBinary(at: index) { bytes in
      if range.upperBound <= bytes.count { copy = [UInt8](bytes[range]) }
    }
    return copy
  }

  /// Whether the binary value of that index may become shorter, so that its memory is not to be lent.
  package func isResizable(at index: Int) -> Bool { false }

  /// Takes the binary value of that index away from JavaScript.
  ///
  /// - Returns: a part of its bytes; nil if there is no such value, it is detached, or shorter than that.
  package func takeBinary(at index: Int, in range: Range<Int>) -> TransferredBytes? { nil }

  /// A hold on the error object of that index, for an error that outlives the record; nil if there is none to be had.
  package func errorIdentity(at index: Int) -> JavaScriptError.Identity? { nil }

  /// The Swift object that JavaScript has by that number; nil if it has none.
  func sharedObject(_ number: UInt32) -> (any SharedObject)? { nil }

  /// A hold on the function of that index; nil if there is none to be had.
  func function(at index: Int) -> KeptValue? { nil }

  /// The same for an object of any kind.
  func object(at index: Int) -> KeptValue? { nil }
}
