import JSON
import Rope

/// Ranges of a text with what a plugin says of each; they follow its changes.
struct MarkedRanges {
  typealias Item = (range: Range<ByteOffset>, value: JSONValue)

  private var intervals = IntervalTree()
  /// By the numbers of the intervals. What belongs to none any more goes when there is more of it than of the rest.
  private var values: [JSONValue] = []

  /// Takes the place of what touches `range`.
  mutating func replace(in range: Range<ByteOffset>, with new: [Item]) {
    intervals.replace(
      in: range, with: new.enumerated().map { Interval($0.element.range, value: values.count + $0.offset) })
    values += new.map(\.value)
    if values.count > 2 * intervals.count + 64 { dropUnusedValues() }
  }

  private mutating func dropUnusedValues() {
    var used: [JSONValue] = []
    var numbered = IntervalTree.Builder()
    for interval in intervals {
      numbered.append(Interval(interval.range, value: used.count))
      used.append(values[interval.value])
    }
    (values, intervals) = (used, numbered.finish())
  }

  mutating func follow(_ delta: Delta) { intervals.follow(delta) }

  func items(touching range: Range<ByteOffset>) -> [Item] {
    intervals.touching(range).map { ($0.range, values[$0.value]) }
  }
}
