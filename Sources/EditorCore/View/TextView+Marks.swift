import EditorProtocol
import JSON
import Rope

/// What plugins say of ranges of the text.
struct ViewMarks {
  /// Styles, by the plugin.
  var spans: [Int: IntervalTree] = [:]
  var annotations: [Int: [String: MarkedRanges]] = [:]

  mutating func follow(_ delta: Delta) {
    for plugin in spans.keys { spans[plugin]?.follow(delta) }
    for (plugin, types) in annotations {
      for type in types.keys { annotations[plugin]?[type]?.follow(delta) }
    }
  }
}

extension TextView {
  func setSpans(_ spans: [Interval], in range: Range<ByteOffset>, by plugin: Int) {
    // What goes may reach further.
    let old = marks.spans[plugin]?.touching(range).map(\.range) ?? []
    marks.spans[plugin, default: IntervalTree()].replace(in: range, with: spans)
    guard !range.isEmpty else { return }
    let first = min(range.lowerBound, old.first?.lowerBound ?? range.lowerBound)
    let end = old.map(\.upperBound).reduce(range.upperBound, max)
    shadow.invalidate(line(of: first)..<(line(of: end) + 1), [.text, .styles])
  }

  func setAnnotations(
    _ items: [MarkedRanges.Item], ofType type: String, in range: Range<ByteOffset>, by plugin: Int
  ) {
    marks.annotations[plugin, default: [:]][type, default: MarkedRanges()].replace(in: range, with: items)
  }

  /// Each type is sent with each update.
  private static let mostAnnotationTypes = 64

  func hasRoom(forAnnotationsOfType type: String, by plugin: Int) -> Bool {
    let types = marks.annotations[plugin] ?? [:]
    return types.count < Self.mostAnnotationTypes || types[type] != nil
  }

  func forgetMarks(of plugin: Int) {
    marks.annotations[plugin] = nil
    guard marks.spans.removeValue(forKey: plugin) != nil else { return }
    shadow.invalidate(0..<lineCount, [.text, .styles])
  }
}
