/// What was selected before, in one and the same text; bounded.
struct SelectionTrail {
  private struct Step {
    let selection: Selection
    /// The region that was the main one, where it was not the last.
    let newest: SelectionRegion?
  }

  private static let mostSteps = 200
  private static let mostRegions = 200_000

  private var steps: [Step] = []
  private var regionCount = 0

  var isEmpty: Bool { steps.isEmpty }

  mutating func append(_ selection: Selection, newest: SelectionRegion?) {
    steps.append(Step(selection: selection, newest: newest))
    regionCount += selection.regions.count
    while steps.count > Self.mostSteps || (regionCount > Self.mostRegions && steps.count > 1) {
      regionCount -= steps.removeFirst().selection.regions.count
    }
  }

  mutating func removeLast() -> (selection: Selection, newest: SelectionRegion?)? {
    guard let step = steps.popLast() else { return nil }
    regionCount -= step.selection.regions.count
    return (step.selection, step.newest)
  }

  /// The text has changed: the places are others.
  mutating func removeAll() {
    guard !steps.isEmpty else { return }
    self = SelectionTrail()
  }
}
