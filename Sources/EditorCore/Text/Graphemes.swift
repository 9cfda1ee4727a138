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
        let length = UTF8Sequence.length(at: 0, in: bytes) ?? 1
        if bytes.count == 1 { return 1 }
        if length < bytes.count,
          Self.scalar(at: 0, in: bytes).alwaysEndsCluster(before: Self.scalar(at: length, in: bytes))
        {
          return length
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
    var windowCount = 32
    while true {
      let start = max(0, offset - windowCount)
      let isLast = start == 0 || windowCount >= Self.countedByteCount
      // With the whole of a character that `offset` stands in.
      let found = withBytes(in: start..<min(offset + 3, endOffset)) { bytes in
        Self.lastGraphemeStart(before: offset - start, in: bytes, isTextStart: start == 0, isLast: isLast)
      }
      if let found { return start + found }
      windowCount = min(windowCount * 8, Self.countedByteCount)
    }
  }

  /// `offset` itself if a cluster begins there, else the start of the cluster around it.
  func graphemeBoundary(atOrBefore offset: ByteOffset) -> ByteOffset {
    if offset >= endOffset { return endOffset }
    return isBetweenPlainCharacters(offset) ? offset : graphemeStart(before: offset + 1) ?? offset
  }

  /// Whether no cluster goes on behind `offset`.
  func isBetweenClusters(_ offset: ByteOffset) -> Bool { graphemeBoundary(atOrBefore: offset) == offset }

  /// Where nearly all of them are asked for, and nothing has to be counted.
  private func isBetweenPlainCharacters(_ offset: ByteOffset) -> Bool {
    guard offset > 0 else { return true }
    return withBytes(in: (offset - 1)..<(offset + 1)) { bytes in
      bytes[0] < 0x80 && bytes[1] < 0x80 && !(bytes[0] == 0x0D && bytes[1] == 0x0A)
    }
  }

  /// The region with ends that stand inside a cluster moved out of it; a caret goes behind it.
  func wholeClusters(_ region: SelectionRegion) -> SelectionRegion {
    let end = graphemeBoundary(atOrAfter: region.upperBound)
    if region.isCaret { return SelectionRegion(end, end, column: region.column) }
    let start = graphemeBoundary(atOrBefore: region.lowerBound)
    let isForward = region.anchor < region.active
    return SelectionRegion(isForward ? start : end, isForward ? end : start, column: region.column)
  }

  func wholeClusters(_ range: Range<ByteOffset>) -> Range<ByteOffset> {
    graphemeBoundary(atOrBefore: range.lowerBound)..<graphemeBoundary(atOrAfter: range.upperBound)
  }

  func graphemeBoundary(atOrAfter offset: ByteOffset) -> ByteOffset {
    let start = graphemeBoundary(atOrBefore: offset)
    return start < offset ? graphemeEnd(after: start) ?? offset : offset
  }

  /// So far back clusters are counted at most: longer ones may be taken apart.
  private static let countedByteCount = 4096

  /// The start of the cluster that ends at, or around, `end`, counted from the nearest place where one surely begins.
  /// - Parameter isLast: Whether to count from the start of `bytes` when there is none; else the answer is nil then.
  private static func lastGraphemeStart(
    before end: Int, in bytes: UnsafeRawBufferPointer, isTextStart: Bool, isLast: Bool
  ) -> Int? {
    let last = UTF8Sequence.start(at: end - 1, in: bytes)
    var (start, scalar) = (last, scalar(at: last, in: bytes))
    var isSure = isTextStart && start == 0
    while start > 0, !isSure {
      let before = UTF8Sequence.start(at: start - 1, in: bytes)
      // The first bytes of a window may be the rest of a character.
      guard isTextStart || before >= 3 else { break }
      let previous = self.scalar(at: before, in: bytes)
      isSure = previous.alwaysEndsCluster(before: scalar)
      if isSure { break }
      (start, scalar) = (before, previous)
      isSure = isTextStart && start == 0
    }
    guard isSure || isLast else { return nil }
    if start == last { return last }
    let counted = UnsafeRawBufferPointer(
      rebasing: bytes[start..<last + (UTF8Sequence.length(at: last, in: bytes) ?? 1)])
    let text = String(repairingEachByte: counted)
    for _ in text[..<text.index(before: text.endIndex)].unicodeScalars {
      start += UTF8Sequence.length(at: start, in: bytes) ?? 1
    }
    return start
  }

  private static func scalar(at index: Int, in bytes: UnsafeRawBufferPointer) -> Unicode.Scalar {
    UTF8Sequence.length(at: index, in: bytes).map { UTF8Sequence.decode($0, at: index, in: bytes) } ?? "\u{FFFD}"
  }

  private static func firstGraphemeByteCount(in bytes: UnsafeRawBufferPointer) -> Int {
    guard let first = String(repairingEachByte: bytes).first else { return 0 }
    var count = 0
    for _ in first.unicodeScalars { count += UTF8Sequence.length(at: count, in: bytes) ?? 1 }
    return count
  }
}

extension Unicode.Scalar {
  /// Whether a cluster ends between this and `next` whatever stands around them (UAX 29); false where that is not certain.
  func alwaysEndsCluster(before next: Unicode.Scalar) -> Bool {
    if value < 0x20 || next.value < 0x20 { return !(self == "\r" && next == "\n") }
    return standsAlone && next.standsAlone
  }

  /// Whether it joins no other of which this is true. Most do; conjuncts, families of emoji and the like have something between
  /// that does not.
  private var standsAlone: Bool {
    switch value {
    case ..<0x300: true
    // Vowel signs by rule that are letters by category: Thai, Lao, Kirat Rai; and what goes before a letter.
    case 0x0E33, 0x0EB3, 0x16D40...0x16D7F, 0x0D4E, 0x11000...0x11FFF: false
    // The parts of Hangul syllables.
    case 0x1100...0x11FF, 0xA960...0xA97F, 0xD7B0...0xD7FF: false
    case 0x3041...0x3096, 0x4E00...0x9FFF, 0xAC00...0xD7A3: true
    // Halves of flags, and tones of skin.
    case 0x1F1E6...0x1F1FF, 0x1F3FB...0x1F3FF: false
    default:
      properties.isGraphemeBase
        ? properties.generalCategory != .spacingMark : properties.generalCategory == .privateUse
    }
  }
}
