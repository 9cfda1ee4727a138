/// How much room a code point takes when it starts a grapheme cluster.
package enum WidthClass: UInt8, Sendable {
  /// One cell.
  case narrow
  /// Two cells (East Asian wide and full width, emoji).
  case wide
  /// No room of its own: combining marks. Alone it is drawn on a dotted circle, in one cell.
  case mark
  /// Nothing to see: controls, bidirectional controls, zero-width and other ignorable characters. Alone it is drawn as its
  /// code.
  case hidden

  /// The class of `scalar`; O(log n) in a table of some 800 runs, at once for ASCII.
  package init(_ scalar: Unicode.Scalar) {
    let code = scalar.value
    if code < 0x80 {
      self = code < 0x20 || code == 0x7F ? .hidden : .narrow
      return
    }
    let wanted = code << 2 | 3
    var low = 0
    var high = CellWidthTable.runs.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if CellWidthTable.runs[middle] <= wanted { low = middle } else { high = middle }
    }
    self = WidthClass(rawValue: UInt8(truncatingIfNeeded: CellWidthTable.runs[low] & 3)) ?? .narrow
  }
}
