/// Which lines an update brings, which the front end may keep, and which it drops (xi-core's figures).
struct RenderPlan {
  enum Tactic { case discard, preserve, render }

  private static let slop = 2
  private static let preservedCount = 1000

  private(set) var parts: [(tactic: Tactic, lines: Range<Int>)] = []

  /// - Parameter window: The lines on screen.
  init(lineCount: Int, window: Range<Int>) {
    let first = min(window.lowerBound, lineCount)
    let end = min(max(window.upperBound, first), lineCount)
    let bounds = [
      0, max(0, first - Self.preservedCount), max(0, first - Self.slop), min(lineCount, end + Self.slop),
      min(lineCount, end + Self.preservedCount), lineCount,
    ]
    let tactics: [Tactic] = [.discard, .preserve, .render, .preserve, .discard]
    for (index, tactic) in tactics.enumerated() { append(tactic, bounds[index]..<bounds[index + 1]) }
  }

  private mutating func append(_ tactic: Tactic, _ lines: Range<Int>) {
    if !lines.isEmpty { parts.append((tactic, lines)) }
  }

  /// Renders these lines too.
  mutating func request(_ lines: Range<Int>) {
    var parts: [(tactic: Tactic, lines: Range<Int>)] = []
    for part in self.parts {
      let wanted = lines.clamped(to: part.lines)
      if wanted.isEmpty || part.tactic == .render {
        parts.append(part)
        continue
      }
      let pieces = [
        (part.tactic, part.lines.lowerBound..<wanted.lowerBound), (Tactic.render, wanted),
        (part.tactic, wanted.upperBound..<part.lines.upperBound),
      ]
      parts += pieces.filter { !$0.1.isEmpty }
    }
    self.parts = parts
  }
}
