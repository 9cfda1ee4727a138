import Rope

/// Commands about brackets. They are found by themselves: one in a string or a comment counts as any.
extension TextView {
  /// So many steps a command takes to look for the partners of brackets.
  static let bracketSteps = 8 << 20

  /// What becomes of each region, for which none of the others can take the steps that are its own.
  func regionsAfterLooking(_ body: (SelectionRegion, inout Budget) -> SelectionRegion) -> Selection {
    var budget = Budget(Self.bracketSteps)
    var selected = Selection()
    for (index, region) in selection.regions.enumerated() {
      var part = budget.takePart(of: selection.regions.count - index)
      selected.add(body(region, &part))
      budget.giveBack(part)
    }
    return selected
  }

  /// To the partner of the bracket beside the caret; where there is none, to the one that opens what is around it.
  func moveToBracket() {
    select(
      regionsAfterLooking { region, budget in
        if let (place, partner) = pair(at: region.active, &budget) {
          // On the same side of it.
          return .caret(region.active == place ? partner : partner + 1)
        }
        return .caret(text.brackets(around: region.range, &budget)?.lowerBound ?? region.active)
      })
  }

  /// Each press takes the next pair around.
  func selectBrackets(around: Bool) {
    select(
      regionsAfterLooking { region, budget in
        var range = region.range
        while let outer = text.brackets(around: range, &budget) {
          let inner = (outer.lowerBound + 1)..<(outer.upperBound - 1)
          range = text.wholeClusters(around ? outer : inner)
          if range != region.range { return SelectionRegion(range.lowerBound, range.upperBound) }
          range = outer
        }
        return region
      })
  }

  /// The bracket behind a caret, or else before it, and its partner.
  private func pair(at caret: ByteOffset, _ budget: inout Budget) -> (place: ByteOffset, partner: ByteOffset)? {
    for place in [caret, caret - 1] where place >= 0 {
      guard let byte = byte(at: place) else { continue }
      var part = budget.takePart(of: 2)
      defer { budget.giveBack(part) }
      if let closing = Brackets.closing(byte) {
        if let partner = text.bracket(closing, from: place + 1, &part) { return (place, partner) }
      } else if let opening = Brackets.opening(byte) {
        if let partner = text.bracket(opening, pairedWith: byte, before: place, &part) { return (place, partner) }
      }
    }
    return nil
  }
}
