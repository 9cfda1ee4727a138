/// How often values of which size occurred, in powers of two: small, and exact to a factor of two. O(1) a value.
public struct Histogram: Sendable, Equatable {
  /// How many values are in [2^(i−1), 2^i), the first for 0.
  public private(set) var buckets = [Int](repeating: 0, count: 64)
  public private(set) var count = 0
  /// Saturated.
  public private(set) var sum = 0
  public private(set) var maximum = 0

  package init() {}

  public var mean: Double { count == 0 ? 0 : Double(sum) / Double(count) }

  /// Counts one value; below 0 counts as 0.
  package mutating func add(_ value: Int) {
    let value = max(value, 0)
    buckets[Int.bitWidth - value.leadingZeroBitCount] += 1
    count += 1
    let (newSum, overflow) = sum.addingReportingOverflow(value)
    sum = overflow ? .max : newSum
    maximum = max(maximum, value)
  }

  /// What so many percent of the values are not above: the end of a bucket, or the maximum. 0 without values.
  public func percentile(_ percent: Double) -> Int {
    let rank = (Double(count) * percent / 100).rounded(.up)
    var seen = 0
    for (index, bucket) in buckets.enumerated() where bucket > 0 {
      seen += bucket
      if Double(seen) >= rank { return min(Int.max >> (63 - index), maximum) }
    }
    return maximum
  }
}
