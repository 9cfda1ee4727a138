/// Which lines an update brings, which the front end may keep, and which it drops (xi-core's figures).
struct RenderPlan {
  enum Tactic: Int { case discard, preserve, render }

  private static let slop = 2
  private static let preservedCount = 1000

  private(set) var parts: [(tactic: Tactic, lines: Range<Int>)] = []

  /// - Parameter windows: The lines on screen.
  init(lineCount: Int, windows: [Range<Int>]) {
    parts = [(.discard, 0..<lineCount)].filter { !$0.1.isEmpty }
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
    for part in self.parts {
      let wanted = lines.clamped(to: part.lines)
      if wanted.isEmpty || part.tactic.rawValue >= tactic.rawValue {
        parts.append(part)
        continue
      }
      let pieces = [
        (part.tactic, part.lines.lowerBound..<wanted.lowerBound), (tactic, wanted),
        (part.tactic, wanted.upperBound..<part.lines.upperBound),
      ]
      parts += pieces.filter { !$0.1.isEmpty }
    }
    self.parts = parts
  }
}
