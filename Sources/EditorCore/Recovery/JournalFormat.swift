/// The bytes of a journal file.
///
/// The magic; then records: the payload's length in four bytes, or, where it does not fit, four bytes 0xFF and eight for it; the payload,
/// its checksum in eight bytes; numbers with the lowest byte first.
/// A checksum covers the one before it too: a journal is a chain, valid up to the first link that does not hold.
enum JournalFormat {
  static let magic: [UInt8] = Array("xiedit-journal 2\n".utf8)

  /// What a journal begins with.
  static func start(_ base: JournalBase) -> (bytes: [UInt8], checksum: UInt64) {
    let record = encode(.base(base), after: 0)
    return (magic + record.bytes, record.checksum)
  }

  /// The bytes of a record that follows one with the checksum `previous`, and its own checksum.
  static func encode(_ record: JournalRecord, after previous: UInt64) -> (bytes: [UInt8], checksum: UInt64) {
    let payload = record.payload
    let checksum = checksum(of: payload[...], after: previous)
    var bytes = lengthBytes(payload.count)
    bytes.reserveCapacity(payload.count + 12)
    bytes += payload
    bytes += littleEndianBytes(checksum)
    return (bytes, checksum)
  }

  /// What could be read of a journal.
  struct Contents {
    var records: [JournalRecord] = []
    /// How long the valid part is; what follows was cut short or damaged.
    var validByteCount = 0
    /// The checksum of the last record.
    var checksum: UInt64 = 0
    /// With whole records of a message of which others are missing.
    var readByteCount = 0
  }

  /// Nil when the bytes do not begin as a journal does.
  static func decode(_ bytes: [UInt8]) -> Contents? {
    guard bytes.starts(with: magic) else { return nil }
    var contents = Contents(validByteCount: magic.count, readByteCount: magic.count)
    var (last, unfinished): (UInt64, [JournalRecord]) = (0, [])
    while let (record, end, checksum) = decodeRecord(bytes[contents.readByteCount...], after: last) {
      (contents.readByteCount, last) = (end, checksum)
      unfinished.append(record)
      if case .edit(let edit) = record, edit.step?.hasMore == true { continue }
      contents.records += unfinished
      unfinished = []
      (contents.validByteCount, contents.checksum) = (end, checksum)
    }
    return contents
  }

  /// Whether these bytes are fewer than their record has.
  static func isCutRecord(_ bytes: ArraySlice<UInt8>) -> Bool {
    payloadBounds(in: bytes) == nil
  }

  static func lengthBytes(_ count: Int) -> [UInt8] {
    if let short = UInt32(exactly: count), short < UInt32.max { return littleEndianBytes(short) }
    return littleEndianBytes(UInt32.max) + littleEndianBytes(UInt64(count))
  }

  /// Where the payload of the record at the start of `bytes` lies, if all of that is there.
  private static func payloadBounds(in bytes: ArraySlice<UInt8>) -> Range<Int>? {
    guard let (length, start) = length(at: bytes), length <= bytes.endIndex - start - 8 else { return nil }
    return start..<(start + length)
  }

  /// What ``lengthBytes(_:)`` has written, and where it ends; nil when that is not all there.
  static func length(at bytes: ArraySlice<UInt8>) -> (count: Int, end: Int)? {
    guard bytes.count >= 4 else { return nil }
    let short = littleEndianNumber(bytes.prefix(4))
    if short < UInt32.max { return (Int(short), bytes.startIndex + 4) }
    guard bytes.count >= 12 else { return nil }
    // What no disk holds is damage, or cut short: it is not there.
    return (Int(exactly: littleEndianNumber(bytes.dropFirst(4).prefix(8))) ?? .max, bytes.startIndex + 12)
  }

  private static func decodeRecord(
    _ bytes: ArraySlice<UInt8>, after previous: UInt64
  ) -> (JournalRecord, end: Int, checksum: UInt64)? {
    guard let bounds = payloadBounds(in: bytes) else { return nil }
    let payload = bytes[bounds]
    let checksum = littleEndianNumber(bytes[payload.endIndex...].prefix(8))
    guard checksum == self.checksum(of: payload, after: previous), let record = JournalRecord(payload: payload) else {
      return nil
    }
    return (record, payload.endIndex + 8, checksum)
  }

  private static func checksum(of payload: ArraySlice<UInt8>, after previous: UInt64) -> UInt64 {
    var hash = ContentHash()
    littleEndianBytes(previous).withUnsafeBytes { hash.update($0) }
    payload.withUnsafeBytes { hash.update($0) }
    return hash.value
  }

  static func littleEndianBytes(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }

  private static func littleEndianNumber(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
