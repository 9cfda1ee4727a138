import Rope

/// The lines in which a text differs from an earlier one, kept while it is edited. What stands outside of the hunks is the same in both at
/// any time, so that what a hunk has replaced can be put back.
struct LineChanges: Sendable {
  let base: Rope
  /// In their order; no two touch.
  private(set) var hunks: [LineHunk] = []
  /// A hunk took too long to be compared at once: what is the same in it shows when it is refined.
  private(set) var isRough = false

  /// More changes than these are one from there on.
  static let mostHunks = 10_000
  /// More edits at once are one.
  private static let mostEdits = 10_000

  /// Of a text that is the base.
  init(of base: Rope) { self.base = base }

  /// - Returns: Nil when there is too much to compare. For the worker thread: O(bytes that the texts do not share).
  init?(from base: Rope, to text: Rope) {
    guard let hunks = LineDifference.hunks(from: base, to: text) else { return nil }
    self.init(base, hunks)
    // What is the same need not be kept twice.
    var edits = Delta.Builder(baseByteCount: text.byteCount)
    for hunk in hunks { edits.replace(text.range(ofLines: hunk.new), with: oldText(of: hunk)) }
    self.init(text.applying(edits.build()), hunks)
  }

  private init(_ base: Rope, _ hunks: [LineHunk]) {
    (self.base, self.hunks) = (base, hunks)
    joinLast()
  }

  func oldText(of hunk: LineHunk) -> Rope { base.slice(base.range(ofLines: hunk.old)) }

  // MARK: Edits

  /// O(hunks + edits · log n), and what is compared at once.
  mutating func follow(_ delta: Delta, from before: Rope, to text: Rope) {
    let edits = Self.edits(of: delta, from: before, to: text)
    guard !edits.isEmpty else { return }
    var (result, left): ([LineHunk], ComparisonEffort) = ([], .atOnce)
    result.reserveCapacity(hunks.count + edits.count)
    var (hunk, edit) = (0, 0)
    // How many lines more the text before has than the base, and the text than that, above what is next.
    var (shift, growth) = (0, 0)
    while edit < edits.count {
      while hunk < hunks.count, hunks[hunk].new.upperBound < edits[edit].old.lowerBound {
        result.append(hunks[hunk].moved(by: growth))
        shift = hunks[hunk].shift
        hunk += 1
      }
      // All that touch each other, in the lines of the text before.
      var lines = edits[edit].old
      let above = (shift: shift, growth: growth)
      while true {
        if edit < edits.count, edits[edit].old.lowerBound <= lines.upperBound {
          lines = lines.union(edits[edit].old)
          growth = edits[edit].shift
          edit += 1
        } else if hunk < hunks.count, hunks[hunk].new.lowerBound <= lines.upperBound {
          lines = lines.union(hunks[hunk].new)
          shift = hunks[hunk].shift
          hunk += 1
        } else {
          break
        }
      }
      let joined = LineHunk(
        old: lines.lowerBound - above.shift..<lines.upperBound - shift,
        new: lines.lowerBound + above.growth..<lines.upperBound + growth)
      result += compared(joined, in: text, &left)
    }
    hunks = result + hunks[hunk...].map { $0.moved(by: growth) }
    joinLast()
  }

  /// Of the lines that an edit has changed, those of the text before and of the one behind it; such as touch are one.
  private static func edits(of delta: Delta, from before: Rope, to text: Rope) -> [LineHunk] {
    guard let first = delta.edits.first, let last = delta.edits.last else { return [] }
    let (count, newCount) = (before.filledLineCount, text.filledLineCount)
    func lines(_ range: Range<ByteOffset>, of text: Rope, _ count: Int) -> Range<Int> {
      let line = min(text.line(at: range.lowerBound).value, count)
      return line..<max(line, min(text.line(at: range.upperBound).value + 1, count))
    }
    func hunk(_ range: Range<ByteOffset>, _ newRange: Range<ByteOffset>) -> LineHunk {
      LineHunk(old: lines(range, of: before, count), new: lines(newRange, of: text, newCount))
    }
    if delta.edits.count > mostEdits {
      return [hunk(first.range.lowerBound..<last.range.upperBound, first.newStart..<last.newRange.upperBound)]
    }
    var hunks: [LineHunk] = []
    for edit in delta.edits {
      let next = hunk(edit.range, edit.newRange)
      if let last = hunks.last, last.old.upperBound >= next.old.lowerBound {
        hunks[hunks.count - 1] = LineHunk(old: last.old.union(next.old), new: last.new.union(next.new))
      } else {
        hunks.append(next)
      }
    }
    return hunks
  }

  private mutating func compared(
    _ hunk: LineHunk, in text: Rope, _ left: inout ComparisonEffort
  ) -> [LineHunk] {
    let hunks = LineDifference.hunks(from: base, to: text, in: hunk, within: &left)
    if hunks == nil || left.isUsedUp { isRough = true }
    return hunks ?? [hunk]
  }

  private mutating func joinLast() {
    guard hunks.count > Self.mostHunks, let last = hunks.last else { return }
    let first = hunks[Self.mostHunks - 1]
    hunks.removeSubrange((Self.mostHunks - 1)...)
    hunks.append(
      LineHunk(
        old: first.old.lowerBound..<last.old.upperBound, new: first.new.lowerBound..<last.new.upperBound))
  }

  /// For the worker thread: each hunk is compared.
  func refined(in text: Rope) -> LineChanges {
    LineChanges(base, hunks.flatMap { LineDifference.hunks(from: base, to: text, in: $0) ?? [$0] })
  }

  // MARK: Lookup

  /// Those that touch lines of the text: one that has only removed lines is at the line before, or at the first.
  func hunks(at lines: Range<Int>) -> ArraySlice<LineHunk> {
    let start = hunks.partitioningIndex { $0.marked.upperBound > lines.lowerBound }
    return hunks[start..<max(start, hunks.partitioningIndex { $0.marked.lowerBound >= lines.upperBound })]
  }
}

extension LineHunk {
  /// How many lines more there are up to its end.
  fileprivate var shift: Int { new.upperBound - old.upperBound }

  fileprivate func moved(by count: Int) -> LineHunk {
    LineHunk(old: old, new: new.lowerBound + count..<new.upperBound + count)
  }

  /// The lines that show it.
  var marked: Range<Int> {
    guard new.isEmpty else { return new }
    let line = max(new.lowerBound - 1, 0)
    return line..<line + 1
  }
}

extension Range<Int> {
  fileprivate func union(_ other: Range) -> Range {
    Swift.min(lowerBound, other.lowerBound)..<Swift.max(upperBound, other.upperBound)
  }
}
