import TextMetrics

/// Drawing text.
extension CellGrid {
  /// Draws text of any kind in one style.
  /// - Parameter limit: The first cell that is not to be drawn in.
  /// - Returns: The cell after it.
  @discardableResult
  mutating func put(_ text: String, row: Int, column: Int, limit: Int, style: TextStyle) -> Int {
    let index = index(of: style)
    var end = column
    CellMetrics(tabSize: 1).forEachCluster(in: text.utf8Span, startingAtColumn: column) { cluster in
      guard cluster.column + cluster.width <= limit else { return false }
      put(
        cluster, of: text, row: row, column: cluster.column, within: 0..<columns, style: index, escape: index)
      end = cluster.column + cluster.width
      return true
    }
    return end
  }

  /// The same; `…` stands for what there is no room for.
  @discardableResult
  mutating func put(shortened text: String, row: Int, column: Int, limit: Int, style: TextStyle) -> Int {
    let end = put(text, row: row, column: column, limit: limit, style: style)
    guard limit > column, column + CellMetrics(tabSize: 1).width(of: text) > limit else { return end }
    return put("…", row: row, column: limit - 1, limit: limit, style: style)
  }

  /// Draws one cluster of a text.
  /// - Parameters:
  ///   - bounds: What may be drawn in. A wide cluster that hangs over an edge becomes blank.
  ///   - escape: The style of what stands for a character that has no form.
  mutating func put(
    _ cluster: CellCluster, of text: String, row: Int, column: Int, within bounds: Range<Int>, style: UInt16,
    escape: UInt16
  ) {
    switch cluster.appearance {
    case .text where cluster.byteCount == 1:
      guard column >= bounds.lowerBound else { return }
      put(UInt32(text.utf8Span.span[cluster.byteOffset]), row: row, column: column, style: style)
    case .text, .mark:
      let cells = column..<column + (cluster.appearance == .mark ? 1 : cluster.width)
      guard bounds.contains(cells) else { return blank(row: row, columns: cells.clamped(to: bounds), style: style) }
      let content = (cluster.appearance == .mark ? "\u{25CC}" : "") + text.cluster(cluster)
      put(cluster: content, width: cells.count, row: row, column: column, style: style)
    case .tab: blank(row: row, columns: (column..<column + cluster.width).clamped(to: bounds), style: style)
    case .escaped:
      let shown = CellMetrics.escape(of: text.cluster(cluster).unicodeScalars)
      for (offset, byte) in shown.utf8.enumerated() where bounds.contains(column + offset) {
        put(UInt32(byte), row: row, column: column + offset, style: escape)
      }
    }
  }

  private mutating func blank(row: Int, columns: Range<Int>, style: UInt16) {
    for column in columns { put(0x20, row: row, column: column, style: style) }
  }
}

extension String {
  /// The text of a cluster, cut after a number of code points that no script reaches.
  fileprivate func cluster(_ cluster: CellCluster) -> String {
    let start = utf8.index(startIndex, offsetBy: cluster.byteOffset)
    let end = utf8.index(start, offsetBy: cluster.byteCount)
    let limit = 24
    guard cluster.byteCount > 4 * limit else { return String(self[start..<end]) }
    return String(String.UnicodeScalarView(self[start..<end].unicodeScalars.prefix(limit)))
  }
}
