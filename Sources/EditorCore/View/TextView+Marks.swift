import EditorProtocol
import JSON
import Rope

/// What plugins say of ranges of the text.
struct ViewMarks {
  /// Styles, by the plugin.
  var spans: [Int: MarkedRanges<Int>] = [:]
  var annotations: [Int: [String: MarkedRanges<JSONValue>]] = [:]

  mutating func follow(_ delta: Delta) {
    for plugin in spans.keys { spans[plugin]?.follow(delta) }
    for (plugin, types) in annotations {
      for type in types.keys { annotations[plugin]?[type]?.follow(delta) }
    }
  }
}

extension TextView {
  func setSpans(_ spans: [(range: Range<ByteOffset>, value: Int)], in range: Range<ByteOffset>, by plugin: Int) {
    marks.spans[plugin, default: MarkedRanges()].replace(in: range, with: spans)
    guard !range.isEmpty else { return }
    shadow.invalidate(line(of: range.lowerBound)..<(line(of: range.upperBound) + 1), [.text, .styles])
  }

  func setAnnotations(
    _ items: [(range: Range<ByteOffset>, value: JSONValue)], ofType type: String, in range: Range<ByteOffset>,
    by plugin: Int
  ) {
    marks.annotations[plugin, default: [:]][type, default: MarkedRanges()].replace(in: range, with: items)
  }

  func forgetMarks(of plugin: Int) {
    marks.annotations[plugin] = nil
    guard marks.spans.removeValue(forKey: plugin) != nil else { return }
    shadow.invalidate(0..<lineCount, [.text, .styles])
  }
}
