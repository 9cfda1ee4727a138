import EditorProtocol
import Rope

/// A block of the screen's rows and columns, of which each row is selected by itself.
struct ColumnBlock {
  struct Corner {
    var line: Int
    var cell: Int
    /// Where the line begins: lines are broken anew as the window and the settings want it, and get other numbers.
    var lineStart = ByteOffset(0)
  }

  /// The corner that stays, and the one that moves.
  var anchor: Corner
  var active: Corner
  /// What it has selected, in that state of the text: whatever else is selected since ends the block.
  var selection = Selection()
  var revision = 0

  /// Each row costs a moment, and there is a row for each line of a file.
  static let mostLines = 20_000
}

extension TextView {
  /// - Parameter extends: Takes the corner that moves there; else a block begins there.
  func selectColumns(to place: LineColumn, cell: Int, extends: Bool) {
    let corner = ColumnBlock.Corner(line: max(min(place.line, lineCount - 1), 0), cell: cell)
    carets.drag = nil
    var block = extends ? presentColumnBlock : nil
    if block == nil, extends { block = columnBlockOfSelection() }
    select(ColumnBlock(anchor: block?.anchor ?? corner, active: corner))
  }

  func extendColumns(_ movement: Movement) {
    guard var block = presentColumnBlock ?? columnBlockOfSelection() else { return }
    switch movement {
    case .up: block.active.line = max(block.active.line - 1, 0)
    case .down: block.active.line = min(block.active.line + 1, lineCount - 1)
    case .left: block.active.cell = max(block.active.cell - 1, 0)
    default:
      // Right of all that is there, nothing would be seen to move.
      var lookup = LineLookup(lines, of: text)
      let widest = block.lines.map { endCell(ofLine: $0, &lookup) }.max() ?? 0
      block.active.cell = min(block.active.cell + 1, max(widest, block.active.cell))
    }
    carets.drag = nil
    select(block)
  }

  private var presentColumnBlock: ColumnBlock? {
    guard var block = carets.columns, block.revision == document.buffer.revision, block.selection == selection else {
      return nil
    }
    var lookup = LineLookup(lines, of: text)
    for corner in [\ColumnBlock.anchor, \.active] {
      block[keyPath: corner].line = lookup.place(of: block[keyPath: corner].lineStart).line
    }
    return block
  }

  /// From one end of what was selected last to the other.
  private func columnBlockOfSelection() -> ColumnBlock? {
    guard let region = carets.main else { return nil }
    var lookup = LineLookup(lines, of: text)
    func corner(_ offset: ByteOffset) -> ColumnBlock.Corner {
      let place = lookup.place(of: offset)
      return .init(line: place.line, cell: cell(of: offset, lineStart: offset - place.column))
    }
    return ColumnBlock(anchor: corner(region.anchor), active: corner(region.active))
  }

  private func select(_ block: ColumnBlock) {
    var lookup = LineLookup(lines, of: text)
    var (selection, last) = (Selection(), SelectionRegion?.none)
    for line in block.lines {
      // A row that ends to the left of the block is none of it.
      guard endCell(ofLine: line, &lookup) >= block.leftCell else { continue }
      let anchor = offset(ofCell: block.anchor.cell, inLine: line, &lookup)
      let active = offset(ofCell: block.active.cell, inLine: line, &lookup)
      let region = SelectionRegion(anchor, active)
      selection.add(region)
      if last == nil || block.active.line >= block.anchor.line { last = region }
    }
    if selection.isEmpty {
      selection = .caret(offset(ofCell: block.active.cell, inLine: block.active.line, &lookup))
    }
    if abs(block.active.line - block.anchor.line) >= ColumnBlock.mostLines {
      remark = "A block has at most \(ColumnBlock.mostLines) lines"
    }
    self.select(selection)
    carets.newest = last
    var block = block
    for corner in [\ColumnBlock.anchor, \.active] {
      block[keyPath: corner].lineStart = lookup.range(ofLine: block[keyPath: corner].line).lowerBound
    }
    (block.selection, block.revision) = (self.selection, document.buffer.revision)
    carets.columns = block
  }

  private func endCell(ofLine line: Int, _ lookup: inout LineLookup) -> Int {
    let end = offset(ofCell: .max, inLine: line, &lookup)
    return cell(of: end, lineStart: lookup.range(ofLine: line).lowerBound)
  }
}

extension ColumnBlock {
  fileprivate var leftCell: Int { min(anchor.cell, active.cell) }

  fileprivate var lines: ClosedRange<Int> {
    let most = Self.mostLines - 1
    return anchor.line <= active.line
      ? anchor.line...min(active.line, anchor.line + most) : max(active.line, anchor.line - most)...anchor.line
  }
}
