import Rope

/// Grapheme clusters, those of the standard library; a byte that is no UTF-8 is a cluster of its own.
///
/// Where nothing surely begins one in a whole stretch of 4 KB, one begins at the end of that stretch all the same: a text of nothing but
/// marks is no single character, and none is looked through for one. ``lastGraphemeStart`` has this law, and who goes forward asks it.
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
        return count + 4 >= bytes.count && end < endOffset && windowCount < Self.farthestCount ? nil : count
      }
      if let count { return cut(offset..<(offset + count)) }
      windowCount = min(windowCount * 4, Self.farthestCount)
    }
  }

  /// The end of a cluster, or the place where one that is too long is taken apart.
  private func cut(_ cluster: Range<ByteOffset>) -> ByteOffset {
    let stretches = (cluster.lowerBound.value / Self.stretchCount + 1)...
    for stretch in stretches {
      let end = ByteOffset(stretch * Self.stretchCount)
      guard end < cluster.upperBound else { break }
      if let start = graphemeStart(before: end + 1), start > cluster.lowerBound { return start }
    }
    return cluster.upperBound
  }

  /// The start of the cluster that ends at, or around, `offset`; nil at the start of the text.
  func graphemeStart(before offset: ByteOffset) -> ByteOffset? {
    guard offset > 0 else { return nil }
    var windowCount = 32
    while true {
      let start = max(0, offset - windowCount)
      // With the whole of a character that `offset` stands in.
      let found = withBytes(in: start..<min(offset + 3, endOffset)) { bytes in
        Self.lastGraphemeStart(before: offset - start, in: bytes, from: start.value)
      }
      if let found { return start + found }
      windowCount = min(windowCount * 8, Self.farthestCount)
    }
  }

  /// `offset` itself if a cluster begins there, else the start of the cluster around it.
  func graphemeBoundary(atOrBefore offset: ByteOffset) -> ByteOffset {
    if offset >= endOffset { return endOffset }
    var cursor = Cursor(self, at: max(offset - 1, 0))
    return cursor.graphemeBoundary(atOrBefore: offset)
  }

  /// Whether no cluster goes on behind `offset`.
  func isBetweenClusters(_ offset: ByteOffset) -> Bool { graphemeBoundary(atOrBefore: offset) == offset }

  /// The region with ends that stand inside a cluster moved out of it; a caret goes behind it.
  func wholeClusters(_ region: SelectionRegion) -> SelectionRegion {
    let end = graphemeBoundary(atOrAfter: region.upperBound)
    if region.isCaret { return SelectionRegion(end, end, column: region.column) }
    let start = graphemeBoundary(atOrBefore: region.lowerBound)
    let isForward = region.anchor < region.active
    return SelectionRegion(isForward ? start : end, isForward ? end : start, column: region.column)
  }

  func wholeClusters(_ range: Range<ByteOffset>) -> Range<ByteOffset> {
    var cursor = Cursor(self, at: range.lowerBound)
    return cursor.wholeClusters(range)
  }

  func graphemeBoundary(atOrAfter offset: ByteOffset) -> ByteOffset {
    let start = graphemeBoundary(atOrBefore: offset)
    return start < offset ? graphemeEnd(after: start) ?? offset : offset
  }

  private static let stretchCount = 4096
  /// Two stretches and the characters at their ends.
  private static let farthestCount = 2 * stretchCount + 16

  /// The start of the cluster that ends at, or around, `end`, counted from the nearest place where one begins; nil where that is before
  /// these bytes.
  ///
  /// - Parameter origin: Where they are in the text. Nil is never the answer for ``farthestCount`` bytes.
  private static func lastGraphemeStart(before end: Int, in bytes: UnsafeRawBufferPointer, from origin: Int) -> Int? {
    let last = UTF8Sequence.start(at: end - 1, in: bytes)
    // The last place where a stretch ends; the character there begins the next.
    let lastEnd = last + (UTF8Sequence.length(at: last, in: bytes) ?? 1)
    let stretchEnd = (origin + lastEnd - 1) / stretchCount * stretchCount - origin
    var (start, scalar) = (last, scalar(at: last, in: bytes))
    while origin + start > 0 {
      if start <= stretchEnd - stretchCount {
        start = UTF8Sequence.start(at: stretchEnd, in: bytes)
        break
      }
      let before = start > 0 ? UTF8Sequence.start(at: start - 1, in: bytes) : 0
      // The first bytes of a window may be the rest of a character.
      guard start > 0, origin == 0 || before >= 3 else { return nil }
      let previous = self.scalar(at: before, in: bytes)
      if previous.alwaysEndsCluster(before: scalar) { break }
      (start, scalar) = (before, previous)
    }
    if start == last { return last }
    let text = String(repairingEachByte: UnsafeRawBufferPointer(rebasing: bytes[start..<lastEnd]))
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
    return next.standsAlone && (standsAlone || isEndOfEmoji && next.properties.isEmoji)
  }

  /// A tone of skin, or what asks for colours: no emoji goes on with another behind it. Many stand in a row.
  private var isEndOfEmoji: Bool { value == 0xFE0F || (0x1F3FB...0x1F3FF).contains(value) }

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

/// The same for many places near each other. All of them move the cursor.
extension Rope.Cursor {
  mutating func graphemeBoundary(atOrBefore offset: ByteOffset) -> ByteOffset {
    if offset >= rope.endOffset { return rope.endOffset }
    return isBetweenPlainCharacters(offset) ? offset : rope.graphemeStart(before: offset + 1) ?? offset
  }

  mutating func graphemeBoundary(atOrAfter offset: ByteOffset) -> ByteOffset {
    let start = graphemeBoundary(atOrBefore: offset)
    return start < offset ? rope.graphemeEnd(after: start) ?? offset : offset
  }

  mutating func isBetweenClusters(_ offset: ByteOffset) -> Bool { graphemeBoundary(atOrBefore: offset) == offset }

  mutating func wholeClusters(_ range: Range<ByteOffset>) -> Range<ByteOffset> {
    graphemeBoundary(atOrBefore: range.lowerBound)..<graphemeBoundary(atOrAfter: range.upperBound)
  }

  /// Where nearly all clusters are asked for, and nothing has to be counted. Moves there.
  mutating func isBetweenPlainCharacters(_ offset: ByteOffset) -> Bool {
    guard offset.value > 0 else { return true }
    move(to: ByteOffset(offset.value - 1))
    guard let first = next(), let second = next() else { return true }
    return first < 0x80 && second < 0x80 && !(first == 0x0D && second == 0x0A)
  }
}
