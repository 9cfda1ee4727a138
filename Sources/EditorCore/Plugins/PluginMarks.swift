import JSON
import Rope

/// What a plugin says of ranges of a text, where they are now.
struct PluginMarks {
  var range: Range<ByteOffset>
  var spans: [(range: Range<ByteOffset>, value: JSONValue)] = []

  /// nil when it makes no sense, or is of a text that is gone.
  init?(_ params: JSONValue, in document: Document) {
    guard let start = params["start"]?.int, let length = params["len"]?.int, let revision = params["rev"]?.int,
      let list = params["spans"]?.array,
      let base = document.plugins.history.text(at: revision, now: (document.revision, document.text)), start >= 0,
      length >= 0, length <= base.byteCount, start <= base.byteCount - length
    else { return nil }
    range = ByteOffset(start)..<ByteOffset(start + length)
    for span in list {
      guard let first = span["start"]?.int, let end = span["end"]?.int, 0 <= first, first <= end, end <= length else {
        return nil
      }
      spans.append((range.lowerBound + first..<range.lowerBound + end, span))
    }
    for delta in document.plugins.history.deltas(since: revision) {
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
