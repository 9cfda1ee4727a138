/// What a value on the wire is. Each value starts with an 8-byte slot: its tag, then 32 bits whose meaning depends on it.
///
/// Both directions use the same tags. `js/runtime/wire.js` is the other side; a test compares the two.
@usableFromInline
package enum Tag: UInt32, Sendable {
  case undefined = 0
  case null
  /// The low half is 0 or 1.
  case bool
  /// A slot with an IEEE double follows.
  case number
  /// A slot with a signed 64-bit integer follows: a BigInt.
  case bigInt
  /// As `bigInt`, unsigned, for values that do not fit a signed one.
  case bigUInt
  /// Towards native: so many bytes of ASCII follow, padded to a slot. Towards JavaScript: so many UTF-16 units of the
  /// delivery's text.
  case string
  /// So many UTF-16 units follow, padded to a slot. Towards native only.
  case utf16String
  /// A long string, beside the buffer: its index.
  case longString
  /// So many values follow.
  case array
  /// The values of a record follow in the order of its shape, whose number this is.
  case record
  /// So many pairs of a string and a value follow.
  case object
  /// Binary data beside the buffer: its index. Towards native a slot with the kind of view follows (an `ElementKind`,
  /// 10 Uint8ClampedArray, 11 DataView, 12 ArrayBuffer, 13 Float16Array), and one with its offset in the ArrayBuffer (low
  /// half) and its length (high half), in bytes. Towards JavaScript the low half is 0 for an ArrayBuffer, or 1 more than the
  /// `ElementKind` of a typed array.
  case binary
  /// A slot with milliseconds since 1970 follows.
  case date
  /// A function, standing for the answer of this call: 0 failure, 1 success.
  case callback
  /// An error: name, message, code, stack, properties (an object) and cause follow as values, code, stack and cause
  /// perhaps `undefined`. The low half is, towards native, the index of the error object itself beside the buffer; towards
  /// JavaScript 1 if the number that JavaScript keeps it under lies there.
  case error
  /// A JavaScript value that stays where it is. Towards native a function, an object or a large record: its index beside the
  /// buffer. Towards JavaScript the number that it is kept under lies there.
  case reference
  /// A string that JavaScript keeps, by number. If the lowest bit is set the string itself follows. Towards JavaScript only.
  case name
  /// The signal of the call in whose arguments it stands. Towards JavaScript only.
  case signal
  /// A stream, beside the buffer by its number. Towards JavaScript only.
  case stream
  /// A Swift object. Towards native its number, towards JavaScript the number of its class; its own lies beside the buffer then.
  case shared
}
