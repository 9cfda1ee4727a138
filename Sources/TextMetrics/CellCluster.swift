/// One grapheme cluster of a line and the cells that it fills.
package struct CellCluster: Equatable, Sendable {
  /// What is drawn in the cells.
  package enum Appearance: Equatable, Sendable {
    /// The cluster's own text.
    case text
    /// A dotted circle, then the cluster's own text: marks that follow nothing.
    case mark
    /// Blank cells up to the next tab stop.
    case tab
    /// Something that would be invisible or move the cursor: drawn as ``CellMetrics/escape(of:)`` says.
    case escaped
  }

  /// Where the cluster starts, in UTF-8 bytes from the start of the text.
  package var byteOffset: Int
  /// Its length in UTF-8 bytes, at least 1.
  package var byteCount: Int
  /// Its first cell, from 0.
  package var column: Int
  /// The cells that it fills, at least 1.
  package var width: Int
  package var appearance: Appearance

  package init(byteOffset: Int, byteCount: Int, column: Int, width: Int, appearance: Appearance) {
    self.byteOffset = byteOffset
    self.byteCount = byteCount
    self.column = column
    self.width = width
    self.appearance = appearance
  }
}
