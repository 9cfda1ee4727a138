/// Which lines an update brings, which the front end may keep, and which it drops (xi-core's figures).
struct RenderPlan {
  enum Tactic: Int { case discard, preserve, render }

  private static let slop = 2
  private static let preservedCount = 1000

  private(set) var parts: [(tactic: Tactic, lines: Range<Int>)] = []

  /// - Parameter windows: The lines on screen.
  init(lineCount: Int, windows: [Range<Int>]) {
    if lineCount > 0 { parts = [(.discard, 0..<lineCount)] }
    for window in windows {
      let first = min(window.lowerBound, lineCount)
      let end = min(max(window.upperBound, first), lineCount)
      func around(_ count: Int) -> Range<Int> { max(0, first - count)..<min(lineCount, end + count) }
      use(.preserve, for: around(Self.preservedCount))
      use(.render, for: around(Self.slop))
    }
  }

  /// Renders these lines too.
  mutating func request(_ lines: Range<Int>) { use(.render, for: lines) }

  /// Where it is not more already.
  private mutating func use(_ tactic: Tactic, for lines: Range<Int>) {
    var parts: [(tactic: Tactic, lines: Range<Int>)] = []
    func append(_ tactic: Tactic, _ lines: Range<Int>) { if !lines.isEmpty { parts.append((tactic, lines)) } }
    for part in self.parts {
      let wanted = lines.clamped(to: part.lines)
      if wanted.isEmpty || part.tactic.rawValue >= tactic.rawValue {
        append(part.tactic, part.lines)
        continue
      }
      append(part.tactic, part.lines.lowerBound..<wanted.lowerBound)
      append(tactic, wanted)
      append(part.tactic, wanted.upperBound..<part.lines.upperBound)
    }
    self.parts = parts
  }
}
