/// What a record refers to beside its buffer, by index: long strings, binary data, values that stay in JavaScript.
///
/// The engine's side implements it over JavaScript values; tests without an engine over Swift ones. Used on the JS
/// thread, while the record is decoded.
open class SideValues {
  /// Behind a pointer: raised for every call, without the check of exclusive access to a member.
  private final let loanCount = UnsafeMutablePointer<UInt64>.allocate(capacity: 1)
  /// Why the last `Codable` value did not convert: more than a `ConversionError` can say.
  final var decodingFailure: (any Error)?

  public init() { loanCount.initialize(to: 0) }

  deinit { loanCount.deallocate() }

  /// Counts the calls that bytes may have been lent to: what a call borrowed is refused afterwards.
  package final var loan: UInt64 { loanCount.pointee }

  /// A call is over.
  package final func endLoans() { loanCount.pointee &+= 1 }

  /// The long string of that index, or nil if there is none.
  open func longString(at index: Int) -> String? { nil }

  /// Calls `body` with the bytes of the binary value of that index, which are valid only during the call.
  ///
  /// - Returns: false if there is no such value, or it is detached.
  open func withBinary(at index: Int, _ body: (UnsafeRawBufferPointer) -> Void) -> Bool { false }

  /// A hold on the error object of that index, for an error that outlives the record; nil if there is none to be had.
  open func errorIdentity(at index: Int) -> JavaScriptError.Identity? { nil }

  /// The JavaScript value kept under that number, for its owner to protect.
  open func reference(at index: Int) -> UnsafeRawPointer? { nil }
}
