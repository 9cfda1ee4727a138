import Rope

/// Lines that are others in two texts: what stands between them is the same in both.
struct LineHunk: Equatable, Sendable {
  /// Of the one text, from 0; empty where the other has lines more.
  var old: Range<Int>
  /// In their place.
  var new: Range<Int>
}

/// The change between two texts, by whole lines: what is the same on both sides is left alone, so that carets stay in it.
enum LineDifference {
  private static let pieceSize = 64 << 10

  /// O(bytes that the texts do not share): for the worker thread.
  static func delta(from old: Rope, to new: Rope) -> Delta {
    let middle = middle(of: old, new)
    var builder = Delta.Builder(baseByteCount: old.byteCount)
    for hunk in hunks(from: old, to: new, in: middle) ?? [middle] {
      builder.replace(old.range(ofLines: hunk.old), with: new.slice(new.range(ofLines: hunk.new)))
    }
    return builder.build()
  }

  /// O(bytes that the texts do not share): for the worker thread. Nil when too much lies between what differs first and last.
  static func hunks(from old: Rope, to new: Rope) -> [LineHunk]? {
    hunks(from: old, to: new, in: middle(of: old, new))
  }

  /// Of the lines of a hunk: nil when they are too long.
  static func hunks(from old: Rope, to new: Rope, in hunk: LineHunk) -> [LineHunk]? {
    var effort = ComparisonEffort()
    return hunks(from: old, to: new, in: hunk, within: &effort)
  }

  static func hunks(
    from old: Rope, to new: Rope, in hunk: LineHunk, within effort: inout ComparisonEffort
  ) -> [LineHunk]? {
    if hunk.old.isEmpty || hunk.new.isEmpty { return hunk.old.isEmpty && hunk.new.isEmpty ? [] : [hunk] }
    let (range, newRange) = (old.range(ofLines: hunk.old), new.range(ofLines: hunk.new))
    guard range.count + newRange.count <= effort.byteCount else { return nil }
    effort.byteCount -= range.count + newRange.count
    let hunks = LineComparison.hunks(
      from: old.lineHashes(in: range), to: new.lineHashes(in: newRange), within: &effort.steps)
    let (line, newLine) = (hunk.old.lowerBound, hunk.new.lowerBound)
    return hunks.map {
      LineHunk(
        old: $0.old.lowerBound + line..<$0.old.upperBound + line,
        new: $0.new.lowerBound + newLine..<$0.new.upperBound + newLine)
    }
  }

  /// What is left of both between the lines that are the same at the start and at the end.
  private static func middle(of old: Rope, _ new: Rope) -> LineHunk {
    let prefix = commonLineStart(old, new)
    let suffix = commonEnd(old, new, limit: min(old.byteCount, new.byteCount) - prefix)
    return LineHunk(
      old: old.lineIndex(at: prefix)..<old.lineIndex(at: old.byteCount - suffix),
      new: new.lineIndex(at: prefix)..<new.lineIndex(at: new.byteCount - suffix))
  }

  /// How many bytes are the same from the start, up to the start of a line.
  private static func commonLineStart(_ old: Rope, _ new: Rope) -> Int {
    let count = firstDifference(old, new)
    return count == old.byteCount && count == new.byteCount ? count : old.lineStart(of: ByteOffset(count)).value
  }

  private static func firstDifference(_ old: Rope, _ new: Rope) -> Int {
    let end = min(old.byteCount, new.byteCount)
    var position = old.sharedStart(with: new)
    while position < end {
      let piece = ByteOffset(position)..<ByteOffset(min(position + pieceSize, end))
      let (left, right) = (old.bytes(in: piece), new.bytes(in: piece))
      guard left == right else { return position + zip(left, right).prefix { $0 == $1 }.count }
      position = piece.upperBound.value
    }
    return position
  }

  /// How many bytes are the same at the end.
  private static func commonEnd(_ old: Rope, _ new: Rope, limit: Int) -> Int {
    var count = min(old.sharedEnd(with: new), limit)
    while count < limit {
      let size = min(pieceSize, limit - count)
      let left = old.bytes(in: (old.endOffset - count - size)..<(old.endOffset - count))
      let right = new.bytes(in: (new.endOffset - count - size)..<(new.endOffset - count))
      guard left == right else {
        count += zip(left.reversed(), right.reversed()).prefix { $0 == $1 }.count
        break
      }
      count += size
    }
    // Not from within a line.
    let start = old.endOffset - count
    if start == 0 || old[start - 1] == 0x0A, count == new.byteCount || new[new.endOffset - count - 1] == 0x0A {
      return count
    }
    return old.nextLineStart(after: start).map { min(count, old.endOffset - $0) } ?? 0
  }
}

extension Rope {
  /// The lines that hold something: the empty row behind the last line end is none.
  var filledLineCount: Int { lineCount - (isEmpty || self[endOffset - 1] == 0x0A ? 1 : 0) }

  /// The bytes of filled lines, with their ends.
  func range(ofLines lines: Range<Int>) -> Range<ByteOffset> {
    start(ofLine: lines.lowerBound)..<start(ofLine: lines.upperBound)
  }

  func start(ofLine line: Int) -> ByteOffset { line < lineCount ? convert(LineNumber(line)) : endOffset }

  /// Of a line start, or of the end.
  fileprivate func lineIndex(at offset: Int) -> Int {
    offset == byteCount ? filledLineCount : line(at: ByteOffset(offset)).value
  }

  /// Of each line with its end, by a secret of the process: nobody can write two lines that differ and have the same.
  fileprivate func lineHashes(in range: Range<ByteOffset>) -> [Int] {
    var hashes: [Int] = []
    var begun: [UInt8] = []
    func end(with bytes: UnsafeRawBufferPointer) {
      var hasher = Hasher()
      if begun.isEmpty {
        hasher.combine(bytes: bytes)
      } else {
        begun += bytes
        begun.withUnsafeBytes { hasher.combine(bytes: $0) }
        begun.removeAll(keepingCapacity: true)
      }
      hashes.append(hasher.finalize())
    }
    forEachChunk(in: range) { chunk in
      var start = 0
      while start < chunk.count {
        let rest = UnsafeRawBufferPointer(rebasing: chunk[start...])
        guard let newline = rest.firstIndex(of: 0x0A) else {
          begun += rest
          break
        }
        end(with: UnsafeRawBufferPointer(rebasing: rest[...newline]))
        start += newline + 1
      }
      return true
    }
    if !begun.isEmpty { end(with: UnsafeRawBufferPointer(start: nil, count: 0)) }
    return hashes
  }
}
