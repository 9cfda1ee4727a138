import Rope

/// Grapheme clusters, those of the standard library; a byte that is no UTF-8 is a cluster of its own.
extension Rope {
  /// The end of the cluster that begins at `offset`; nil at the end of the text.
  func graphemeEnd(after offset: ByteOffset) -> ByteOffset? {
    guard offset < endOffset else { return nil }
    var windowCount = 64
    while true {
      let end = min(offset + windowCount, endOffset)
      let count = withBytes(in: offset..<end) { bytes -> Int? in
        if bytes.count == 1 || (bytes[0] < 0x80 && bytes[1] < 0x80) {
          return bytes.count > 1 && bytes[0] == 0x0D && bytes[1] == 0x0A ? 2 : 1
        }
        let count = Self.firstGraphemeByteCount(in: bytes)
        // A cluster that fills the window may go on behind it.
        return count + 4 >= bytes.count && end < endOffset ? nil : count
      }
      if let count { return offset + count }
      windowCount *= 4
    }
  }

  /// The start of the cluster that ends at, or around, `offset`; nil at the start of the text.
  func graphemeStart(before offset: ByteOffset) -> ByteOffset? {
    guard offset > 0 else { return nil }
    var cluster = safeBoundary(before: offset)
    if cluster == offset - 1 { return cluster }
    while let end = graphemeEnd(after: cluster), end < offset { cluster = end }
    return cluster
  }

  /// `offset` itself if a cluster begins there, else the start of the cluster around it.
  func graphemeBoundary(atOrBefore offset: ByteOffset) -> ByteOffset {
    offset >= endOffset ? endOffset : graphemeStart(before: offset + 1) ?? offset
  }

  /// The region with ends that stand inside a cluster moved out of it; a caret goes behind it.
  func wholeClusters(_ region: SelectionRegion) -> SelectionRegion {
    let (start, end) = (graphemeBoundary(atOrBefore: region.lowerBound), graphemeBoundary(atOrAfter: region.upperBound))
    if region.isCaret { return SelectionRegion(end, end, column: region.column) }
    let isForward = region.anchor < region.active
    return SelectionRegion(isForward ? start : end, isForward ? end : start, column: region.column)
  }

  private func graphemeBoundary(atOrAfter offset: ByteOffset) -> ByteOffset {
    let start = graphemeBoundary(atOrBefore: offset)
    return start < offset ? graphemeEnd(after: start) ?? offset : offset
  }

  /// So far back clusters are counted at most: longer ones may be taken apart.
  private static let countedByteCount = 4096

  /// A boundary before `offset`, near enough to begin counting there: behind a character of ASCII that another follows, or
  /// before the character that is so far back that it hardly belongs to the cluster in question.
  private func safeBoundary(before offset: ByteOffset) -> ByteOffset {
    var cursor = Cursor(self, at: offset)
    guard var last = cursor.previous() else { return 0 }
    while let byte = cursor.previous() {
      if byte < 0x80, last < 0x80, !(byte == 0x0D && last == 0x0A) { return cursor.offset + 1 }
      if offset - cursor.offset >= Self.countedByteCount, !UTF8Sequence.isContinuation(byte) { return cursor.offset }
      last = byte
    }
    return 0
  }

  private static func firstGraphemeByteCount(in bytes: UnsafeRawBufferPointer) -> Int {
    guard let first = String(repairingEachByte: bytes).first else { return 0 }
    var count = 0
    for _ in first.unicodeScalars { count += UTF8Sequence.length(at: count, in: bytes) ?? 1 }
    return count
  }
}
