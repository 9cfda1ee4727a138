extension Delta {
  /// Where `offset` of the base lies in the changed text. O(log edits).
  ///
  /// At an insertion, `bias` says on which side of it; inside of what was removed, behind what took its place.
  package func transform(_ offset: ByteOffset, bias: Bias) -> ByteOffset {
    var hint = -1
    return transform(offset, bias: bias, hint: &hint)
  }

  /// The same, O(1) for offsets that are asked for in about their order with one `hint`, at first 0.
  package func transform(_ offset: ByteOffset, bias: Bias, hint: inout Int) -> ByteOffset {
    let next = firstEdit(after: offset, bias, near: hint)
    hint = next
    guard next > 0 else { return offset }
    let growth =
      next < edits.count ? edits[next].newStart - edits[next].range.lowerBound : newByteCount - baseByteCount
    return max(offset, edits[next - 1].range.upperBound) + growth
  }

  private func firstEdit(after offset: ByteOffset, _ bias: Bias, near hint: Int) -> Int {
    // Looked at where it is: a copy of the edit would count references to its text.
    func isAfter(_ index: Int) -> Bool {
      let start = edits[index].range.lowerBound
      return start > offset || (bias == .left && start == offset)
    }
    if hint >= 0 {
      for index in hint..<min(hint + 4, edits.count + 1)
      where (index == edits.count || isAfter(index)) && (index == 0 || !isAfter(index - 1)) { return index }
    }
    var (low, high) = (0, edits.count)
    while low < high {
      let middle = (low + high) / 2
      if isAfter(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
