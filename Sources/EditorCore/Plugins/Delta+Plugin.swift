import EditorProtocol
import Rope

extension Delta {
  /// nil when it is none of `base`, or cuts a character.
  init?(_ told: TextDelta, of base: Rope) {
    guard told.baseByteCount == base.byteCount else { return nil }
    var elements: [Element] = []
    for element in told.elements {
      switch element {
      case .insert(let text): elements.append(.insert(Rope(text)))
      case .copy(let range):
        guard range.upperBound <= base.byteCount else { return nil }
        for offset in [range.lowerBound, range.upperBound] where offset < base.byteCount {
          if UTF8Sequence.isContinuation(base[ByteOffset(offset)]) { return nil }
        }
        elements.append(.copy(ByteOffset(range.lowerBound)..<ByteOffset(range.upperBound)))
      }
    }
    self.init(baseByteCount: base.byteCount, elements: elements)
  }
}

extension TextDelta {
  var insertedByteCount: Int {
    elements.reduce(0) { if case .insert(let text) = $1 { $0 + text.utf8.count } else { $0 } }
  }
}
