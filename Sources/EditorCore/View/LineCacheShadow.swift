/// What the core knows of the front end's line cache: which of its lines are still right, and where they stand.
///
/// It mirrors the front end's cache, as in xi-core: runs of lines, each with the line that it was in the last update.
struct LineCacheShadow {
  struct Validity: OptionSet {
    let rawValue: UInt8
    static let text = Validity(rawValue: 1)
    static let styles = Validity(rawValue: 2)
    static let cursors = Validity(rawValue: 4)
    static let all: Validity = [.text, .styles, .cursors]
  }

  struct Run: Equatable {
    var count: Int
    /// The first line in the front end's cache; meaningless while the text is invalid.
    var theirLine: Int
    var validity: Validity
  }

  private(set) var runs: [Run] = []
  /// Lines were added, removed or invalidated since the last update.
  private(set) var isDirty = true

  var lineCount: Int { runs.reduce(0) { $0 + $1.count } }

  mutating func replaceAll(_ runs: [Run]) {
    self.runs = runs
    isDirty = false
  }

  /// The front end knows nothing of any of `lineCount` lines.
  mutating func invalidateAll(lineCount: Int) {
    runs = [Run(count: lineCount, theirLine: 0, validity: [])]
    isDirty = true
  }

  /// The lines `range` have become `newCount` lines that the front end does not know.
  mutating func replace(_ range: Range<Int>, newCount: Int) {
    var builder = Builder()
    builder.append(runs, lines: 0..<range.lowerBound)
    builder.append(Run(count: newCount, theirLine: 0, validity: []))
    builder.append(runs, lines: range.upperBound..<Int.max)
    runs = builder.runs
    isDirty = true
  }

  mutating func invalidate(_ range: Range<Int>, _ parts: Validity) {
    var isKnown = false
    Self.forEachPart(of: runs, in: range) { isKnown = isKnown || !$0.validity.isDisjoint(with: parts) }
    guard isKnown else { return }
    var builder = Builder()
    builder.append(runs, lines: 0..<range.lowerBound)
    builder.append(runs, lines: range, removing: parts)
    builder.append(runs, lines: range.upperBound..<Int.max)
    runs = builder.runs
  }

  struct Builder {
    private(set) var runs: [Run] = []

    mutating func append(_ run: Run) {
      guard run.count > 0 else { return }
      if let last = runs.last, last.validity == run.validity,
        !run.validity.contains(.text) || last.theirLine + last.count == run.theirLine
      {
        runs[runs.count - 1].count += run.count
      } else {
        runs.append(run)
      }
    }

    mutating func append(_ runs: [Run], lines: Range<Int>, removing parts: Validity = []) {
      forEachPart(of: runs, in: lines) { part in
        var part = part
        part.validity.subtract(parts)
        append(part)
      }
    }
  }

  /// The parts of `runs` that lie within `lines`, in order.
  static func forEachPart(of runs: [Run], in lines: Range<Int>, _ body: (Run) -> Void) {
    var line = 0
    for run in runs {
      let start = max(line, lines.lowerBound)
      let end = min(line + run.count, lines.upperBound)
      if start < end {
        body(Run(count: end - start, theirLine: run.theirLine + start - line, validity: run.validity))
      }
      line += run.count
      if line >= lines.upperBound { break }
    }
  }
}

extension LineCacheShadow.Builder {
  private func forEachPart(of runs: [LineCacheShadow.Run], in lines: Range<Int>, _ body: (LineCacheShadow.Run) -> Void)
  {
    LineCacheShadow.forEachPart(of: runs, in: lines, body)
  }
}
