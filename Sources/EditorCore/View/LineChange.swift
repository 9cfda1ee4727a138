import Rope

/// Lines that have become other lines.
struct LineChange {
  var old: Range<Int>
  var new: Range<Int>

  /// With more regions, or edits at once, all lines are taken for changed.
  static let preciseCount = 1000

  /// Pairs the lines of each edit before and after, those of neighbours on one line taken together.
  static func merge(_ old: [Range<Int>], _ new: [Range<Int>]) -> [LineChange] {
    var merged: [LineChange] = []
    for (old, new) in zip(old, new) {
      if let last = merged.last, old.lowerBound < last.old.upperBound || new.lowerBound < last.new.upperBound {
        merged[merged.count - 1].old = last.old.lowerBound..<max(last.old.upperBound, old.upperBound)
        merged[merged.count - 1].new = last.new.lowerBound..<max(last.new.upperBound, new.upperBound)
      } else {
        merged.append(LineChange(old: old, new: new))
      }
    }
    return merged
  }
}

extension VisualLines {
  /// The lines that each range touches; while wrapping, those of whole logical lines.
  func touched(by ranges: [Range<ByteOffset>], in text: Rope) -> [Range<Int>] {
    guard ranges.count <= LineChange.preciseCount else { return [0..<count(text)] }
    return ranges.map { range in
      guard mode != .off else {
        return text.line(at: range.lowerBound).value..<(text.line(at: range.upperBound).value + 1)
      }
      let start = line(of: text.lineStart(of: range.lowerBound), in: text)
      let end = text.nextLineStart(after: range.upperBound).map { line(of: $0, in: text) }
      return start..<(end ?? count(text))
    }
  }
}
