extension Rope {
  /// Hands the bytes of `range` over in order, a piece of a chunk at a time, until `body` returns false. O(log n + bytes).
  ///
  /// A piece is valid only during the call. Returns whether all were read.
  @discardableResult
  package func forEachChunk(
    in range: Range<ByteOffset>, _ body: (UnsafeRawBufferPointer) throws -> Bool
  ) rethrows -> Bool {
    precondition(range.lowerBound.value >= 0 && range.upperBound <= endOffset, "range outside the text")
    return try tree.forEachLeaf(in: range.lowerBound.value..<range.upperBound.value) { chunk, part in
      try body(UnsafeRawBufferPointer(rebasing: chunk.bytes[part]))
    }
  }

  /// Hands the bytes of `range` over in one piece: a chunk's own memory if they lie in one, else a copy.
  package func withBytes<Result>(
    in range: Range<ByteOffset>, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    precondition(range.lowerBound.value >= 0 && range.upperBound <= endOffset, "range outside the text")
    if tree.height == 0 {
      let chunk = tree.root.leaf
      return try withExtendedLifetime(chunk) {
        try body(UnsafeRawBufferPointer(rebasing: chunk.bytes[range.lowerBound.value..<range.upperBound.value]))
      }
    }
    let position = tree.seek(range.lowerBound.value, by: .bytes, bias: .right)
    let start = range.lowerBound.value - position.before.bytes
    if start + range.count <= position.leaf.size {
      return try withExtendedLifetime(position.leaf) {
        try body(UnsafeRawBufferPointer(rebasing: position.leaf.bytes[start..<(start + range.count)]))
      }
    }
    return try bytes(in: range).withUnsafeBytes(body)
  }

  /// A copy of the bytes of `range`.
  package func bytes(in range: Range<ByteOffset>) -> [UInt8] {
    // Of no bytes the library would write to the storage that all empty arrays share.
    guard !range.isEmpty else { return [] }
    return [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
      forEachChunk(in: range) { chunk in
        UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[count...]).copyMemory(from: chunk)
        count += chunk.count
        return true
      }
    }
  }

  /// The text of `range`, with one U+FFFD for each byte that is no part of a well-formed sequence.
  package func string(in range: Range<ByteOffset>) -> String {
    withBytes(in: range) { String(repairingEachByte: $0) }
  }

  /// The offset of the next newline at or after `offset`. O(log n + bytes between).
  package func firstNewline(from offset: ByteOffset) -> ByteOffset? {
    var start = offset
    var found: ByteOffset?
    forEachChunk(in: offset..<endOffset) { chunk in
      found = ByteScan.firstIndex(of: ByteScan.newline, in: chunk).map { start + $0 }
      start += chunk.count
      return found == nil
    }
    return found
  }

  /// The offset of the last newline before `offset`. O(log n).
  package func lastNewline(before offset: ByteOffset) -> ByteOffset? {
    let line = line(at: offset)
    return line == 0 ? nil : convert(line, to: ByteOffset.self) - 1
  }
}

extension String {
  /// Decodes UTF-8; each byte that is no part of a well-formed sequence becomes one U+FFFD.
  package init(repairingEachByte bytes: UnsafeRawBufferPointer) {
    guard TextSummary(of: bytes).invalidBytes > 0 else {
      self = String(decoding: bytes, as: UTF8.self)
      return
    }
    var repaired: [UInt8] = []
    repaired.reserveCapacity(bytes.count + 64)
    var index = 0
    while index < bytes.count {
      let length = UTF8Sequence.length(at: index, in: bytes)
      repaired.append(contentsOf: length.map { bytes[index..<(index + $0)] }.map(Array.init) ?? [0xEF, 0xBF, 0xBD])
      index += length ?? 1
    }
    self = String(decoding: repaired, as: UTF8.self)
  }
}

extension Rope {
  /// How many newlines stand behind a carriage return. O(bytes).
  package func countCarriageReturnLineFeeds() -> Int {
    var count = 0
    var endsInReturn = false
    forEachChunk(in: fullRange) { chunk in
      if endsInReturn, chunk[0] == ByteScan.newline { count += 1 }
      count += ByteScan.countPairs(UInt8(ascii: "\r"), ByteScan.newline, in: chunk)
      endsInReturn = chunk[chunk.count - 1] == UInt8(ascii: "\r")
      return true
    }
    return count
  }
}
