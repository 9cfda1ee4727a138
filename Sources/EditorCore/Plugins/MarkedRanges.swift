import JSON
import Rope

/// Ranges of a text with what a plugin says of each; they follow its changes.
struct MarkedRanges {
  typealias Item = (range: Range<ByteOffset>, value: JSONValue)

  private var spans: Spans
  /// By the numbers of the spans. What belongs to none any more goes when there is more of it than of the rest.
  private var values: [JSONValue] = []

  init(byteCount: Int) { spans = Spans(byteCount: byteCount) }

  /// Takes the place of what touches `range`.
  mutating func replace(in range: Range<ByteOffset>, with new: [Item]) {
    spans.replace(
      in: range,
      with: new.enumerated().map { Spans.Span(range: $0.element.range, value: values.count + $0.offset) })
    values += new.map(\.value)
    if values.count > 2 * spans.count + 64 { dropUnusedValues() }
  }

  private mutating func dropUnusedValues() {
    let all = 0..<ByteOffset(spans.byteCount)
    let used = items(touching: all)
    values = used.map(\.value)
    spans.replace(in: all, with: used.enumerated().map { Spans.Span(range: $0.element.range, value: $0.offset) })
  }

  mutating func follow(_ delta: Delta) { spans.follow(delta) }

  mutating func setByteCount(_ count: Int) { spans.setByteCount(count) }

  func items(touching range: Range<ByteOffset>) -> [Item] {
    spans.spans(touching: range).map { ($0.range, values[$0.value]) }
  }
}
