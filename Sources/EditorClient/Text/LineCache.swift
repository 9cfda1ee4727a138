import EditorProtocol

/// One visual line as the core sent it; immutable, so that its identity tells whether a row must be drawn again.
package final class CachedLine {
  /// With its line end, or a part of a long line.
  package let text: String
  /// UTF-8 columns of the carets in the whole line.
  package let cursors: [Int]
  package let styles: [StyleSpan]
  package let window: UpdateLine.Window?

  package init(text: String, cursors: [Int] = [], styles: [StyleSpan] = [], window: UpdateLine.Window? = nil) {
    self.text = text
    self.cursors = cursors
    self.styles = styles
    self.window = window
  }

  /// The UTF-8 column of the first byte of `text`.
  package var startColumn: Int { min(window?.start ?? 0, Self.lastColumn) }
  /// No line is so long; a core may lie, and cells are counted on from there.
  private static let lastColumn = 1 << 53
}

/// The visual lines of a view as far as the core has sent them, the mirror of its shadow (XI front-end protocol, `update`).
package struct LineCache {
  package struct Entry {
    package var line: CachedLine
    /// From 1; nil for the continuation of a wrapped line.
    package var number: Int?
  }

  /// Runs of known lines and of holes.
  fileprivate enum Run {
    case lines(ArraySlice<Entry>)
    case hole(Int)

    var count: Int {
      switch self {
      case .lines(let entries): entries.count
      case .hole(let count): count
      }
    }
  }

  /// So many runs at the most: then neighbours become one.
  private static let runLimit = 32

  private var runs: [Run] = []
  /// All visual lines of the view, known or not.
  package private(set) var count = 0

  package init() {}

  /// The line at `index`, if it is known. O(runs), of which there are a few.
  package subscript(index: Int) -> Entry? {
    guard index >= 0 else { return nil }
    var offset = index
    // By index: to hold each run counts its references, for every row of every frame.
    for position in runs.indices {
      let count = runs[position].count
      if offset < count {
        guard case .lines(let entries) = runs[position] else { return nil }
        return entries[entries.startIndex + offset]
      }
      offset -= count
    }
    return nil
  }

  /// Whether some line in `range` is known to exist and is not here.
  package func hasHole(in range: Range<Int>) -> Bool {
    var start = 0
    for run in runs {
      if case .hole(let count) = run, range.overlaps(start..<start + count) { return true }
      start += run.count
    }
    return false
  }

  /// Puts another line in the place of one that is known.
  mutating func replaceLine(at index: Int, by line: CachedLine) {
    var offset = index
    for position in runs.indices {
      if offset < runs[position].count {
        guard case .lines(var entries) = runs[position] else { return }
        entries[entries.startIndex + offset].line = line
        runs[position] = .lines(entries)
        return
      }
      offset -= runs[position].count
    }
  }

  /// Becomes what `ops` say. On an error the cache is unchanged and no longer the core's: it must be asked again.
  package mutating func apply(_ ops: [UpdateOp]) throws(LineCacheError) {
    var old = Source(runs: runs)
    var new = Builder()
    for op in ops {
      switch op {
      case .copy(let count, let firstNumber):
        guard try new.append(old.take(count), firstNumber: firstNumber) else { throw .tooManyLines }
      case .skip(let count): _ = try old.take(count)
      case .invalidate(let count):
        guard new.append(.hole(count)) else { throw .tooManyLines }
      case .insert(let lines):
        new.append(lines: lines.map { Entry(line: CachedLine($0), number: $0.number) })
      case .update(let lines, let firstNumber):
        guard try new.append(old.take(lines.count).updated(by: lines), firstNumber: firstNumber ?? 1) else {
          throw .tooManyLines
        }
      }
    }
    if new.runs.count > Self.runLimit { new.joinNeighbours() }
    runs = new.runs
    count = new.count
  }

  /// The caret that comes first.
  package var firstCursor: LineColumn? {
    var start = 0
    for run in runs {
      if case .lines(let entries) = run {
        for (index, entry) in entries.enumerated() {
          if let column = entry.line.cursors.first { return LineColumn(line: start + index, column: column) }
        }
      }
      start += run.count
    }
    return nil
  }
}

/// Why an update does not fit.
package enum LineCacheError: Error {
  /// It copies or skips more lines than there are.
  case notEnoughLines
  case tooManyLines
}

extension LineCache {
  /// The old lines, consumed from the front.
  fileprivate struct Source {
    private var runs: ArraySlice<Run>

    init(runs: [Run]) { self.runs = runs[...] }

    mutating func take(_ count: Int) throws(LineCacheError) -> [Run] {
      var rest = count
      var taken: [Run] = []
      while rest > 0 {
        guard let run = runs.popFirst() else { throw .notEnoughLines }
        if run.count <= rest {
          taken.append(run)
          rest -= run.count
        } else {
          let (head, tail) = run.split(at: rest)
          taken.append(head)
          runs = [tail] + runs
          rest = 0
        }
      }
      return taken
    }
  }

  /// The new lines; neighbours become one run where that copies little: a key changes one line among hundreds.
  fileprivate struct Builder {
    /// Runs of more lines stay apart.
    private var joinedCount = 64

    var runs: [Run] = []
    var count = 0

    /// - Returns: false if the count of lines would overflow.
    mutating func append(_ run: Run) -> Bool {
      let (sum, overflows) = count.addingReportingOverflow(run.count)
      guard !overflows else { return false }
      count = sum
      guard run.count > 0 else { return true }
      switch (runs.last, run) {
      case (.hole(let before)?, .hole(let more)): runs[runs.count - 1] = .hole(before + more)
      case (.lines(var entries)?, .lines(let more)) where entries.count + more.count <= joinedCount:
        runs.removeLast()
        entries.append(contentsOf: more)
        runs.append(.lines(entries))
      default: runs.append(run)
      }
      return true
    }

    mutating func joinNeighbours() {
      let all = runs
      runs = []
      count = 0
      joinedCount = .max
      for run in all { _ = append(run) }
    }

    mutating func append(lines: [Entry]) { _ = append(.lines(lines[...])) }

    mutating func append(_ taken: [Run], firstNumber: Int?) -> Bool {
      var number = firstNumber
      for run in taken {
        guard append(run.renumbered(from: &number)) else { return false }
      }
      return true
    }
  }
}

extension LineCache.Run {
  fileprivate func split(at count: Int) -> (Self, Self) {
    switch self {
    case .lines(let entries): (.lines(entries.prefix(count)), .lines(entries.dropFirst(count)))
    case .hole(let total): (.hole(count), .hole(total - count))
    }
  }

  /// With numbers that go on from `number`, the number of the first logical line here; nil after a hole, whose lines are
  /// of unknown numbers.
  fileprivate func renumbered(from number: inout Int?) -> Self {
    guard case .lines(var entries) = self, let first = number else {
      number = nil
      return self
    }
    let numbered = entries.firstIndex { $0.number != nil }
    let isTail = numbered != entries.startIndex
    if let numbered, entries[numbered].number == (isTail ? first + 1 : first) {
      number = entries.last(where: { $0.number != nil })?.number.map { $0 + 1 }
      return self
    }
    var next = isTail ? first + 1 : first
    for index in entries.indices where entries[index].number != nil {
      entries[index].number = next
      next += 1
    }
    number = next
    return .lines(entries)
  }
}

extension [LineCache.Run] {
  /// The old text with new cursors, and new styles where there are some.
  fileprivate func updated(by lines: [UpdateLine]) -> [LineCache.Run] {
    var result: [LineCache.Run] = []
    var next = lines.startIndex
    for run in self {
      if case .lines(var entries) = run {
        for (index, update) in zip(entries.indices, lines[next...]) {
          entries[index] = LineCache.Entry(
            line: CachedLine(update, textOf: entries[index].line), number: update.number ?? entries[index].number)
        }
        result.append(.lines(entries))
      } else {
        result.append(run)
      }
      next += run.count
    }
    return result
  }
}

extension CachedLine {
  fileprivate convenience init(_ line: UpdateLine) {
    self.init(text: line.text ?? "", cursors: line.cursors, styles: line.styles ?? [], window: line.window)
  }

  fileprivate convenience init(_ update: UpdateLine, textOf old: CachedLine) {
    self.init(
      text: old.text, cursors: update.cursors, styles: update.styles ?? old.styles, window: update.window ?? old.window)
  }
}
