/// Steps that a command, or the opening of a file, may take in all: whatever scans it makes take them from here, so that scans within scans
/// cannot multiply.
struct Budget {
  private(set) var steps: Int

  init(_ steps: Int) { self.steps = steps }

  var isSpent: Bool { steps <= 0 }

  mutating func spend(_ count: Int = 1) { steps -= count }

  /// An even part for the first of `count` that are left. What it does not need is to be given back.
  mutating func takePart(of count: Int) -> Budget {
    let part = Budget(steps / count)
    steps -= part.steps
    return part
  }

  mutating func giveBack(_ rest: Budget) { steps += rest.steps }
}
