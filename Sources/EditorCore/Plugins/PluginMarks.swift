import EditorProtocol
import Rope

/// What a plugin says of ranges of a text, where they are now.
struct PluginMarks<Value> {
  var range: Range<ByteOffset>
  var spans: [(range: Range<ByteOffset>, value: Value)] = []

  /// nil when it makes no sense, or is of a text that is gone.
  init?(_ part: MarkedPart, _ list: [(start: Int, end: Int, value: Value)], in document: Document) {
    let history = document.plugins.history
    guard let base = history.text(at: part.revision, now: (document.buffer.revision, document.buffer.text)),
      part.length <= base.byteCount, part.start <= base.byteCount - part.length
    else { return nil }
    range = ByteOffset(part.start)..<ByteOffset(part.start + part.length)
    for span in list {
      guard span.start <= span.end, span.end <= part.length else { return nil }
      spans.append((range.lowerBound + span.start..<range.lowerBound + span.end, span.value))
    }
    for delta in history.deltas(since: part.revision) {
      let move = { (range: Range<ByteOffset>) in
        let start = delta.transform(range.lowerBound, bias: .right)
        return start..<max(start, delta.transform(range.upperBound, bias: .left))
      }
      range = move(range)
      spans = spans.map { (move($0.range), $0.value) }
    }
    spans.removeAll { $0.range.isEmpty }
  }
}
