extension Delta {
  /// A piece of the changed text: a range of the base, or new text. xi's `els`.
  package enum Element: Sendable, Equatable {
    case copy(Range<ByteOffset>)
    case insert(Rope)
  }

  /// The changed text from start to end.
  package var elements: [Element] {
    var elements: [Element] = []
    var end: ByteOffset = 0
    for edit in edits {
      if end < edit.range.lowerBound { elements.append(.copy(end..<edit.range.lowerBound)) }
      if !edit.replacement.isEmpty { elements.append(.insert(edit.replacement)) }
      end = edit.range.upperBound
    }
    if end.value < baseByteCount { elements.append(.copy(end..<ByteOffset(baseByteCount))) }
    return elements
  }

  /// A change as it came over the wire; nil when the copies are not in order or not inside the base.
  package init?(baseByteCount: Int, elements: [Element]) {
    var builder = Builder(baseByteCount: baseByteCount)
    guard baseByteCount >= 0, builder.append(elements, baseByteCount: baseByteCount) else { return nil }
    self = builder.build()
  }
}

extension Delta.Builder {
  /// False when the copies are not in order or not inside the base.
  fileprivate mutating func append(_ elements: [Delta.Element], baseByteCount: Int) -> Bool {
    var end: ByteOffset = 0
    var inserted = Rope()
    for element in elements {
      switch element {
      case .insert(let text): inserted.append(text)
      case .copy(let range):
        guard range.lowerBound >= end, range.upperBound.value <= baseByteCount else { return false }
        replace(end..<range.lowerBound, with: inserted)
        inserted = Rope()
        end = range.upperBound
      }
    }
    replace(end..<ByteOffset(baseByteCount), with: inserted)
    return true
  }
}
