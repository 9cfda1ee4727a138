import Rope

/// One caret, or one selected range with an active end.
struct SelectionRegion: Equatable, Sendable {
  /// The end that stays.
  var anchor: ByteOffset
  /// The end that moves: where the caret is drawn.
  var active: ByteOffset
  /// What vertical motion aims at: a cell, or a byte for who edits no code.
  var column: Int?

  init(_ anchor: ByteOffset, _ active: ByteOffset, column: Int? = nil) {
    self.anchor = anchor
    self.active = active
    self.column = column
  }

  static func caret(_ offset: ByteOffset, column: Int? = nil) -> Self { Self(offset, offset, column: column) }

  var lowerBound: ByteOffset { min(anchor, active) }
  var upperBound: ByteOffset { max(anchor, active) }
  var range: Range<ByteOffset> { lowerBound..<upperBound }
  var isCaret: Bool { anchor == active }

  /// Whether this region and one that does not begin before it are one: their insides meet, or a caret touches.
  func merges(with next: Self) -> Bool {
    next.lowerBound < upperBound || ((isCaret || next.isCaret) && next.lowerBound == upperBound)
  }

  func merged(with other: Self) -> Self {
    let (low, high) = (min(lowerBound, other.lowerBound), max(upperBound, other.upperBound))
    // Two carets at one place aim where the first does.
    let column = low == high ? column ?? other.column : nil
    return active >= anchor ? Self(low, high, column: column) : Self(high, low)
  }
}
