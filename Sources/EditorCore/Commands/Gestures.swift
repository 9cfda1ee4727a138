import EditorProtocol
import Rope

extension TextView {
  func perform(_ gesture: Gesture, at place: LineColumn) {
    let offset = offset(of: place)
    switch gesture {
    case .select(let granularity, let multi): select(at: offset, granularity, multi: multi)
    case .selectExtend(let granularity): extendSelection(to: offset, granularity)
    case .drag: drag(to: offset)
    case .selectColumns(let cell, let extends): selectColumns(to: place, cell: cell, extends: extends)
    }
  }

  private func select(at offset: ByteOffset, _ granularity: Gesture.Granularity, multi: Bool) {
    if multi, granularity == .point, deselect(at: offset) { return }
    let range = range(at: offset, granularity)
    let kept = multi ? selection : Selection()
    var selection = kept
    selection.add(SelectionRegion(range.lowerBound, range.upperBound))
    select(selection)
    carets.drag = Carets.Drag(kept: kept, first: range, granularity: granularity)
  }

  /// Removes the region at `offset`, unless it is the only one.
  private func deselect(at offset: ByteOffset) -> Bool {
    guard !selection.regions(touching: offset...offset).isEmpty else { return false }
    var selection = selection
    selection.removeRegions(touching: offset...offset)
    guard !selection.isEmpty else { return false }
    carets.drag = nil
    setSelection(selection)
    return true
  }

  /// Moves the active end of the last region; its anchor stays.
  private func extendSelection(to offset: ByteOffset, _ granularity: Gesture.Granularity) {
    guard let last = selection.regions.last else { return }
    var kept = Selection()
    for region in selection.regions.dropLast() { kept.add(region) }
    carets.drag = Carets.Drag(kept: kept, first: last.anchor..<last.anchor, granularity: granularity)
    drag(to: offset)
  }

  func drag(to offset: ByteOffset) {
    guard let drag = carets.drag else { return }
    var selection = drag.kept
    selection.add(region(from: drag.first, to: offset, drag.granularity))
    select(selection)
    carets.drag = drag
  }

  private func region(
    from first: Range<ByteOffset>, to offset: ByteOffset, _ granularity: Gesture.Granularity
  ) -> SelectionRegion {
    if granularity == .point { return SelectionRegion(first.lowerBound, offset) }
    let range = range(at: offset, granularity)
    return offset < first.lowerBound
      ? SelectionRegion(first.upperBound, range.lowerBound) : SelectionRegion(first.lowerBound, range.upperBound)
  }

  private func range(at offset: ByteOffset, _ granularity: Gesture.Granularity) -> Range<ByteOffset> {
    switch granularity {
    case .point: offset..<offset
    case .word: text.wordRange(around: offset)
    case .line: text.range(ofLine: text.line(at: offset))
    }
  }
}
