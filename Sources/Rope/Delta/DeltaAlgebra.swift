extension Delta {
  /// This change and then `later`, as one. O(elements of both).
  ///
  /// Law: `text.applying(a).applying(b) == text.applying(a.composed(with: b))`.
  package func composed(with later: Delta) -> Delta {
    precondition(later.baseByteCount == newByteCount, "a delta of another text")
    if edits.count == 1, later.edits.count == 1, let joined = joined(edits[0], later.edits[0]) { return joined }
    let pieces = elements
    var composed: [Element] = []
    var index = 0
    var start: ByteOffset = 0
    for element in later.elements {
      guard case .copy(let range) = element else {
        composed.append(element)
        continue
      }
      while index < pieces.count {
        let end = start + pieces[index].byteCount
        let part = range.clamped(to: start..<end)
        if !part.isEmpty { composed.append(pieces[index].slice((part.lowerBound - start)..<(part.upperBound - start))) }
        if end > range.upperBound { break }
        start = end
        index += 1
      }
    }
    // Copies of copies in order are in order.
    return Delta(baseByteCount: baseByteCount, orderedElements: composed)
  }

  /// What typing makes: two edits of which the second touches what the first has put in are one. In a third of the time.
  private func joined(_ first: Edit, _ second: Edit) -> Delta? {
    let (middle, range) = (first.newRange, second.range)
    guard range.lowerBound <= middle.upperBound, range.upperBound >= middle.lowerBound else { return nil }
    var text = second.replacement
    if range.lowerBound > middle.lowerBound {
      let end = ByteOffset(range.lowerBound - middle.lowerBound)
      var start = end.value == first.replacement.byteCount ? first.replacement : first.replacement.slice(0..<end)
      start.append(text)
      text = start
    }
    if range.upperBound < middle.upperBound {
      let end = first.replacement.endOffset
      text.append(first.replacement.slice((end - (middle.upperBound - range.upperBound))..<end))
    }
    let start = first.range.lowerBound - max(0, middle.lowerBound - range.lowerBound)
    let end = first.range.upperBound + max(0, range.upperBound - middle.upperBound)
    return Delta(baseByteCount: baseByteCount, replacing: start..<end, with: text)
  }

  /// The change that takes this one back; `base` is the text before it. O(edits · log n).
  ///
  /// Law: `text.applying(d).applying(d.inverted(base: text)) == text`.
  package func inverted(base: Rope) -> Delta { inverted(base: base) {} }

  /// - Parameter step: Called for each edit; what it throws ends the work.
  package func inverted(base: Rope, _ step: () throws -> Void) rethrows -> Delta {
    precondition(base.byteCount == baseByteCount, "a delta of another text")
    var builder = Builder(baseByteCount: newByteCount)
    // Who replaces much replaces the same again and again: that is kept once.
    var removed = Rope()
    for index in edits.indices {
      if !base.holds(removed, at: edits[index].range) { removed = base.slice(edits[index].range) }
      builder.replace(edits[index].newRange, with: removed)
      try step()
    }
    return builder.build()
  }

  /// This change, made on the same base as `other`, for the text that `other` made of it. O(edits of both).
  ///
  /// Where both insert at one place, this one's text lands on the `side` of the other's. What either removes is removed; text inserted
  /// inside of what the other removed stays.
  ///
  /// Law: `b` then `a.transformed(over: b, landing: .left)` makes the same text as `a` then `b.transformed(over: a, landing: .right)`.
  package func transformed(over other: Delta, landing side: Bias) -> Delta {
    precondition(other.baseByteCount == baseByteCount, "a delta of another text")
    var builder = Builder(baseByteCount: other.newByteCount)
    var own = BaseSweep(edits)
    var others = BaseSweep(other.edits)
    var start: ByteOffset = 0
    var newStart: ByteOffset = 0
    while true {
      let inserted = own.insertion(at: start)
      let passed = others.insertion(at: start)?.byteCount ?? 0
      if side == .right { newStart += passed }
      if let inserted { builder.replace(newStart..<newStart, with: inserted) }
      if side == .left { newStart += passed }
      guard start.value < baseByteCount else { return builder.build() }
      let end = min(own.nextBorder(after: start), others.nextBorder(after: start), ByteOffset(baseByteCount))
      if !others.isRemoved {
        let range = newStart..<(newStart + (end - start))
        if own.isRemoved { builder.replace(range, with: Rope()) }
        newStart = range.upperBound
      }
      start = end
    }
  }
}

extension Rope {
  /// Whether `text`, which is short, is what stands in `range`.
  fileprivate func holds(_ text: Rope, at range: Range<ByteOffset>) -> Bool {
    guard range.count == text.byteCount, range.count <= 64 else { return false }
    return withBytes(in: range) { here in
      text.withBytes(in: text.fullRange) { here.elementsEqual($0) }
    }
  }
}

extension Delta.Element {
  fileprivate var byteCount: Int {
    switch self {
    case .copy(let range): range.count
    case .insert(let text): text.byteCount
    }
  }

  fileprivate func slice(_ range: Range<Int>) -> Delta.Element {
    switch self {
    case .copy(let whole): .copy((whole.lowerBound + range.lowerBound)..<(whole.lowerBound + range.upperBound))
    case .insert(let text): .insert(text.slice(ByteOffset(range.lowerBound)..<ByteOffset(range.upperBound)))
    }
  }
}

/// Walks the edits of a delta along its base.
private struct BaseSweep {
  private let edits: [Delta.Edit]
  /// The edit that lies around or after the position.
  private var index = 0
  /// Whether the position lies in what an edit removed.
  private(set) var isRemoved = false

  init(_ edits: [Delta.Edit]) {
    self.edits = edits
  }

  /// Moves to `position`; the text inserted there, if any.
  mutating func insertion(at position: ByteOffset) -> Rope? {
    if isRemoved, edits[index].range.upperBound == position {
      isRemoved = false
      index += 1
    }
    guard index < edits.count, !isRemoved, edits[index].range.lowerBound == position else { return nil }
    let edit = edits[index]
    if edit.range.isEmpty { index += 1 } else { isRemoved = true }
    return edit.replacement.isEmpty ? nil : edit.replacement
  }

  func nextBorder(after position: ByteOffset) -> ByteOffset {
    guard index < edits.count else { return ByteOffset(.max) }
    return isRemoved ? edits[index].range.upperBound : edits[index].range.lowerBound
  }
}
