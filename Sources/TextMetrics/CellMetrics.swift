/// Measures text in the cells of a character terminal.
///
/// The core and the front end both measure by this type, so that both place a column in the same cell. Clusters are those of
/// the standard library; a cluster is as wide as its first code point, except that a variation selector 16 makes an emoji two
/// cells wide and two regional indicators make a flag. This is the rule of most terminals, not of all: a front end places the
/// cursor explicitly after a cluster that is not plain ASCII.
package struct CellMetrics: Equatable, Sendable {
  /// The version of Unicode that widths and clusters follow.
  package static let unicodeVersion = CellWidthTable.unicodeVersion

  /// Cells between tab stops, at least 1.
  package let tabSize: Int

  package init(tabSize: Int) {
    self.tabSize = max(1, tabSize)
  }

  /// Calls `body` for each cluster of `text` from the left, until `body` returns false.
  ///
  /// A line end (`\n` or `\r\n`) at the end of the text is no cluster. O(n); some 2 ns a byte of ASCII.
  package func forEachCluster(
    in text: borrowing UTF8Span, startingAtColumn startColumn: Int = 0, _ body: (CellCluster) -> Bool
  ) {
    let bytes = text.span
    let end = Self.endOfContent(bytes)
    var offset = 0
    var column = startColumn
    while offset < end {
      if bytes[offset] < 0x80, offset + 1 >= end || bytes[offset + 1] < 0x80 {
        let cluster = asciiCluster(bytes[offset], at: offset, column: column)
        guard body(cluster) else { return }
        offset += 1
        column += cluster.width
        continue
      }
      let stop = Self.endOfMixedRun(bytes, from: offset, end: end)
      let run = UTF8Span(unchecked: bytes.extracting(offset..<stop))
      guard forEachMixedCluster(in: run, at: offset, column: &column, body) else { return }
      offset = stop
    }
  }

  /// The cells that `text` fills when it starts at `startColumn` (tab stops count from 0).
  package func width(of text: String, startingAtColumn startColumn: Int = 0) -> Int {
    var end = startColumn
    forEachCluster(in: text.utf8Span, startingAtColumn: startColumn) { cluster in
      end = cluster.column + cluster.width
      return true
    }
    return end - startColumn
  }

  /// The cell of the cluster that holds the byte at `byteOffset`; past the end, the cell after the text.
  package func column(ofByteOffset byteOffset: Int, in text: String) -> Int {
    var column = 0
    forEachCluster(in: text.utf8Span) { cluster in
      column = cluster.column
      guard byteOffset >= cluster.byteOffset + cluster.byteCount else { return false }
      column += cluster.width
      return true
    }
    return column
  }

  /// The start of the cluster that covers the cell `column`; past the end, the end of the content.
  package func byteOffset(ofColumn column: Int, in text: String) -> Int {
    var offset = 0
    forEachCluster(in: text.utf8Span) { cluster in
      offset = cluster.byteOffset
      guard column >= cluster.column + cluster.width else { return false }
      offset += cluster.byteCount
      return true
    }
    return offset
  }

  /// What is drawn for an escaped cluster, ASCII only: `^M` for a control,
  /// `<202e>` for a code point past ASCII.
  package static func escape(of cluster: some Sequence<Unicode.Scalar>) -> String {
    var drawn = ""
    for scalar in cluster { drawn += escape(of: scalar) }
    return drawn
  }
}

extension CellMetrics {
  private static func escape(of scalar: Unicode.Scalar) -> String {
    switch scalar.value {
    case 0..<0x20, 0x7F: "^" + String(Unicode.Scalar(UInt8(scalar.value ^ 0x40)))
    case 0x20..<0x7F: String(scalar)
    default: "<" + String(scalar.value, radix: 16) + ">"
    }
  }

  /// The cells of ``escape(of:)``.
  static func escapedWidth(of scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case 0..<0x20, 0x7F: 2
    case 0x20..<0x7F: 1
    default: 2 + (35 - scalar.value.leadingZeroBitCount) / 4
    }
  }

  /// Where the text ends without its line end.
  private static func endOfContent(_ bytes: borrowing Span<UInt8>) -> Int {
    var end = bytes.count
    if end > 0, bytes[end - 1] == 0x0A {
      end -= 1
      if end > 0, bytes[end - 1] == 0x0D { end -= 1 }
    }
    return end
  }

  /// The end of a stretch that starts at `start` and is not plain ASCII: no cluster reaches over it, since two ASCII
  /// characters in a row always have a boundary between them.
  private static func endOfMixedRun(_ bytes: borrowing Span<UInt8>, from start: Int, end: Int) -> Int {
    var index = start + 1
    while index < end {
      if bytes[index] < 0x80, bytes[index - 1] < 0x80 { return index }
      index += 1
    }
    return end
  }

  private func asciiCluster(_ byte: UInt8, at offset: Int, column: Int) -> CellCluster {
    switch byte {
    case 0x20..<0x7F: CellCluster(byteOffset: offset, byteCount: 1, column: column, width: 1, appearance: .text)
    case 0x09:
      CellCluster(
        byteOffset: offset, byteCount: 1, column: column, width: tabSize - column % tabSize, appearance: .tab)
    default: CellCluster(byteOffset: offset, byteCount: 1, column: column, width: 2, appearance: .escaped)
    }
  }

  /// Clusters by the standard library; false when `body` stopped.
  private func forEachMixedCluster(
    in run: borrowing UTF8Span, at base: Int, column: inout Int, _ body: (CellCluster) -> Bool
  ) -> Bool {
    var start = 0
    while start < run.count {
      var iterator = UTF8Span(unchecked: run.span.extracting(start..<run.count)).makeCharacterIterator()
      guard iterator.skipForward() > 0 else { return true }
      let count = iterator.currentCodeUnitOffset
      let bytes = run.span.extracting(start..<start + count)
      var cluster = measure(UTF8Span(unchecked: bytes), firstByte: bytes[0], column: column)
      cluster.byteOffset = base + start
      guard body(cluster) else { return false }
      column += cluster.width
      start += count
    }
    return true
  }

  private func measure(_ cluster: borrowing UTF8Span, firstByte: UInt8, column: Int) -> CellCluster {
    if cluster.count == 1 { return asciiCluster(firstByte, at: 0, column: column) }
    var summary = ClusterSummary()
    var scalars = cluster.makeUnicodeScalarIterator()
    while let scalar = scalars.next() { summary.add(scalar) }
    let (width, appearance) = summary.cells
    return CellCluster(byteOffset: 0, byteCount: cluster.count, column: column, width: width, appearance: appearance)
  }
}
