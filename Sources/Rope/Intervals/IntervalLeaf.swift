/// The intervals that begin in a stretch of text.
final class IntervalLeaf: Leaf, Sendable {
  typealias BranchType = IntervalBranch

  static let empty = IntervalLeaf(byteCount: 0, [])

  private let summary: IntervalSummary
  /// Of each, the gap from the start of the one before it, its length and its value: seven bits a byte, the low ones
  /// first, the last byte below 128. A million matches take 6 MB so, and 16 as pairs of offsets.
  private let packed: [UInt8]

  /// - Parameters:
  ///   - start: Where the leaf begins, counted as the intervals are.
  ///   - intervals: In the order of their starts, each before the end of the leaf. They may reach over it.
  init(byteCount: Int, from start: Int = 0, _ intervals: some Collection<Interval>) {
    var summary = IntervalSummary(bytes: byteCount, intervals: intervals.count)
    packed = withUnsafeTemporaryAllocation(byteCount: intervals.count * 30, alignment: 1) { buffer in
      var (count, last) = (0, start)
      @inline(__always) func put(_ number: Int) {
        var rest = UInt(bitPattern: number)
        repeat {
          buffer[count] = UInt8(truncatingIfNeeded: rest) | (rest < 0x80 ? 0 : 0x80)
          rest &>>= 7
          count &+= 1
        } while rest > 0
      }
      for interval in intervals {
        put(interval.start - last)
        put(interval.range.count)
        put(interval.value)
        last = interval.start
        summary.reach = max(summary.reach, interval.end - start)
      }
      return Array(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
    self.summary = summary
  }

  /// Those intervals as one leaf, or evenly as two when they are more than `leafSize`. What begins at one place is not
  /// parted.
  static func leaves(byteCount: Int, _ intervals: [Interval], leafSize: Int) -> (IntervalLeaf, IntervalLeaf?) {
    let border = intervals.count > leafSize ? intervals[intervals.count / 2].start : 0
    let first = intervals.partitioningIndex { $0.start >= border }
    guard first > 0 else { return (IntervalLeaf(byteCount: byteCount, intervals), nil) }
    return (
      IntervalLeaf(byteCount: border, intervals[..<first]),
      IntervalLeaf(byteCount: byteCount - border, from: border, intervals[first...])
    )
  }

  var byteCount: Int { summary.bytes }
  var size: Int { summary.intervals }

  func summarize() -> IntervalSummary { summary }

  func slice(_ range: Range<Int>) -> IntervalLeaf {
    IntervalLeaf(
      byteCount: range.count, from: range.lowerBound, intervals.filter { range.contains($0.start) })
  }

  static func join(_ left: IntervalLeaf, _ right: IntervalLeaf, leafSize: Int) -> (IntervalLeaf, IntervalLeaf?) {
    leaves(
      byteCount: left.byteCount + right.byteCount,
      left.intervals + right.intervals.map { $0.shifted(by: left.byteCount) }, leafSize: leafSize)
  }

  var intervals: Intervals { Intervals(packed: packed) }

  /// From the start of the leaf, unpacked one by one.
  struct Intervals: Sequence, IteratorProtocol {
    fileprivate let packed: [UInt8]
    private var index = 0
    private var start = 0

    fileprivate init(packed: [UInt8]) { self.packed = packed }

    mutating func next() -> Interval? {
      guard index < packed.count else { return nil }
      start += number()
      return Interval(ByteOffset(start)..<ByteOffset(start + number()), value: number())
    }

    @inline(__always)
    private mutating func number() -> Int {
      packed.withUnsafeBufferPointer { bytes in
        var (number, shift) = (UInt(bytes[index] & 0x7F), UInt(7))
        while bytes[index] >= 0x80 {
          index &+= 1
          number |= UInt(bytes[index] & 0x7F) &<< shift
          shift &+= 7
        }
        index &+= 1
        return Int(bitPattern: number)
      }
    }
  }
}

final class IntervalBranch: Branch<IntervalLeaf> {
  deinit { deinitializeChildren() }
}

/// The counts of a stretch of text and the intervals that begin in it, and where the last of those ends.
struct IntervalSummary: Summary {
  enum Dimension { case bytes, intervals }

  var bytes = 0
  var intervals = 0
  /// From the start of the stretch; 0 if no interval begins in it.
  var reach = 0

  static let zero = IntervalSummary()
  var length: Int { bytes }

  @inline(__always)
  func measure(_ dimension: Dimension) -> Int { dimension == .bytes ? bytes : intervals }

  @inline(__always)
  static func += (left: inout IntervalSummary, right: IntervalSummary) {
    if right.reach > 0 { left.reach = max(left.reach, left.bytes &+ right.reach) }
    left.bytes &+= right.bytes
    left.intervals &+= right.intervals
  }
}
