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
    guard Self.areInOrder(elements, baseByteCount: baseByteCount) else { return nil }
    self.init(baseByteCount: baseByteCount, orderedElements: elements)
  }

  private static func areInOrder(_ elements: [Element], baseByteCount: Int) -> Bool {
    var end: ByteOffset = 0
    for case .copy(let range) in elements {
      guard range.lowerBound >= end else { return false }
      end = range.upperBound
    }
    return end.value <= baseByteCount
  }

  /// A change whose copies are in order and inside the base.
  init(baseByteCount: Int, orderedElements: [Element]) {
    var builder = Builder(baseByteCount: baseByteCount)
    var end: ByteOffset = 0
    var inserted = Rope()
    for element in orderedElements {
      switch element {
      case .insert(let text): inserted.append(text)
      case .copy(let range):
        builder.replace(end..<range.lowerBound, with: inserted)
        inserted = Rope()
        end = range.upperBound
      }
    }
    builder.replace(end..<ByteOffset(baseByteCount), with: inserted)
    self = builder.build()
  }
}
