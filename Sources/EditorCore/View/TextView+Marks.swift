import EditorProtocol
import JSON
import Rope

/// What plugins say of ranges of the text.
struct ViewMarks {
  /// Styles, by the plugin.
  var spans: [Int: Spans] = [:]
  var annotations: [Int: [String: MarkedRanges]] = [:]

  mutating func follow(_ delta: Delta) {
    for plugin in spans.keys { spans[plugin]?.follow(delta) }
    for (plugin, types) in annotations {
      for type in types.keys { annotations[plugin]?[type]?.follow(delta) }
    }
  }
}

extension TextView {
  func setSpans(_ spans: [Spans.Span], in range: Range<ByteOffset>, by plugin: Int) {
    marks.spans[plugin, default: Spans(byteCount: text.byteCount)].setByteCount(text.byteCount)
    // What goes may reach further.
    let old = marks.spans[plugin]?.spans(touching: range).map(\.range) ?? []
    marks.spans[plugin]?.replace(in: range, with: spans)
    guard !range.isEmpty else { return }
    let first = min(range.lowerBound, old.first?.lowerBound ?? range.lowerBound)
    let end = old.map(\.upperBound).reduce(range.upperBound, max)
    shadow.invalidate(line(of: first)..<(line(of: end) + 1), [.text, .styles])
  }

  func setAnnotations(
    _ items: [MarkedRanges.Item], ofType type: String, in range: Range<ByteOffset>, by plugin: Int
  ) {
    // What a file has grown by while it was loaded has no marks.
    marks.annotations[plugin, default: [:]][type, default: MarkedRanges(byteCount: text.byteCount)]
      .setByteCount(text.byteCount)
    marks.annotations[plugin]?[type]?.replace(in: range, with: items)
  }

  func forgetMarks(of plugin: Int) {
    marks.annotations[plugin] = nil
    guard marks.spans.removeValue(forKey: plugin) != nil else { return }
    shadow.invalidate(0..<lineCount, [.text, .styles])
  }
}
