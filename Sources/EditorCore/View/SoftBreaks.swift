import Rope

/// Places where lines are broken for display, in the order of the text.
///
/// A gap array: breaks behind the gap are kept as distances from the end of the text, so that an edit costs as many moves as
/// there are breaks between it and the last edit, not as many as there are in the text.
struct SoftBreaks {
  private var before: [Int] = []
  /// From the last break of the text to the one behind the gap, as distances from the end.
  private var behind: [Int] = []
  private var byteCount: Int

  init(byteCount: Int) { self.byteCount = byteCount }

  var count: Int { before.count + behind.count }

  subscript(index: Int) -> ByteOffset {
    if index < before.count { return ByteOffset(before[index]) }
    return ByteOffset(byteCount - behind[behind.count - 1 - (index - before.count)])
  }

  /// How many breaks lie at or before `offset`. O(log n).
  func countUpTo(_ offset: ByteOffset) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] <= offset { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Whether there is a break at `offset`. O(log n).
  func contains(_ offset: ByteOffset) -> Bool {
    let index = countUpTo(offset)
    return index > 0 && self[index - 1] == offset
  }

  /// Removes the breaks inside of `range`, not those at its start, and makes it `newByteCount` long.
  mutating func replace(_ range: Range<ByteOffset>, newByteCount: Int) {
    moveGap(behind: range.lowerBound.value)
    while let last = behind.last, byteCount - last < range.upperBound.value { behind.removeLast() }
    byteCount += newByteCount - range.count
  }

  /// Removes the breaks inside of `range` and at its ends.
  mutating func removeAll(in range: ClosedRange<ByteOffset>) {
    moveGap(behind: range.upperBound.value)
    while let last = before.last, last >= range.lowerBound.value { before.removeLast() }
  }

  /// Puts breaks where there are none, in the order of the text.
  mutating func insert(_ breaks: [ByteOffset]) {
    guard let first = breaks.first else { return }
    moveGap(behind: first.value)
    before.append(contentsOf: breaks.lazy.map(\.value))
  }

  private mutating func moveGap(behind offset: Int) {
    while let last = before.last, last > offset {
      behind.append(byteCount - last)
      before.removeLast()
    }
    while let last = behind.last, byteCount - last <= offset {
      before.append(byteCount - last)
      behind.removeLast()
    }
  }
}
