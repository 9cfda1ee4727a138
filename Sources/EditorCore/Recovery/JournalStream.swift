import Rope

/// A long record on its way to the file, piece by piece: what `JournalFormat.encode` makes of it at once.
struct JournalStream {
  let record: JournalRecord
  private let payload: Rope
  private var hash = ContentHash()
  private var done: ByteOffset = 0
  private var isBegun = false
  private(set) var isAtEnd = false
  /// Of all that is taken; the record's own at the end.
  private(set) var byteCount = 0
  var checksum: UInt64 { hash.value }

  /// - Parameter previous: The checksum of the record before.
  init(_ record: JournalRecord, after previous: UInt64) {
    self.record = record
    payload = record.payloadText
    JournalFormat.littleEndianBytes(previous).withUnsafeBytes { hash.update($0) }
  }

  mutating func takeBytes(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    if !isBegun { bytes += JournalFormat.lengthBytes(payload.byteCount) }
    isBegun = true
    let end = min(done + count, payload.endOffset)
    let piece = payload.bytes(in: done..<end)
    piece.withUnsafeBytes { hash.update($0) }
    bytes += piece
    done = end
    if done == payload.endOffset {
      bytes += JournalFormat.littleEndianBytes(checksum)
      isAtEnd = true
    }
    byteCount += bytes.count
    return bytes
  }
}
