import Rope

/// What the front end shows of a view, and where it is to scroll.
struct ViewScreen {
  /// The lines on screen.
  private(set) var window = 0..<10
  /// As the front end measures, in cells if it is this project's.
  var size: (width: Double, height: Double) = (0, 0)
  /// Other lines that are on screen.
  var alsoShown: [Range<Int>] = []
  /// Where the front end is to scroll with the next update.
  private var target: ByteOffset? = 0
  /// Lines that the front end asked for.
  private var requested: Range<Int>?

  /// The front end has scrolled: at least one line is on screen.
  mutating func scroll(first: Int, end: Int) {
    let first = min(max(0, first), Int.max / 4)
    window = first..<max(first + 1, min(end, Int.max / 2))
  }

  /// Follows a caret in `line`.
  mutating func scroll(to caret: ByteOffset, inLine line: Int) {
    if line < window.lowerBound {
      window = line..<(line + window.count)
    } else if line >= window.upperBound {
      window = (line + 1 - window.count)..<(line + 1)
    }
    target = caret
  }

  /// As many lines more are above line `end` as before.
  mutating func add(_ count: Int, linesAbove end: Int) {
    if window.lowerBound >= end { window = (window.lowerBound + count)..<(window.upperBound + count) }
  }

  /// Stays where it is, whatever a change has done to the carets.
  mutating func stay(over delta: Delta) { target = target.map { delta.transform($0, bias: .right) } }

  mutating func request(first: Int, end: Int, of lineCount: Int) {
    let first = min(max(0, first), lineCount)
    requested = first..<max(first, min(end, lineCount))
  }

  /// What the next update is to bring.
  mutating func takePlan(of lineCount: Int) -> RenderPlan {
    defer { requested = nil }
    var plan = RenderPlan(lineCount: lineCount, windows: [window] + alsoShown)
    if let requested { plan.request(requested) }
    return plan
  }

  mutating func takeTarget() -> ByteOffset? {
    defer { target = nil }
    return target
  }
}
