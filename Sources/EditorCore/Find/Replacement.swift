import Rope

/// What takes the place of many matches. It can be worked out beside the loop, as it holds the text as it was.
struct Replacement: Sendable {
  let text: Rope
  let regions: [SelectionRegion]
  let chars: String
  let preservesCase: Bool
  /// Whose groups may stand in `chars`, and the end of a line there.
  let pattern: SearchPattern?
  let lineEnding: String

  /// A change with what takes it back, and the text that it makes.
  struct Outcome: Sendable {
    let delta: Delta
    let inverse: Delta
    let text: Rope
    /// Whether that is another text.
    let hasEffect: Bool
  }

  /// Groups of the matches are put in, which are looked for again, each as long as it takes.
  var isForWorker: Bool { pattern?.expands(chars) == true }

  /// Nil when it is for the worker.
  var delta: Delta? {
    var expander: ReplacementExpander?
    return isForWorker ? nil : makeDelta(&expander) {}
  }

  /// O(bytes + matches · log n). Nil when `goOn` was false, which is told now and then how much is done, of 1.
  func workOut(on thread: RegularExpression.OwnThread, _ goOn: @escaping (_ done: Double) -> Bool) -> Outcome? {
    var (steps, isStopped) = (0, false)
    let done = { Double(steps) / Double(3 * regions.count) }
    var expander = pattern?.expander(of: chars, lineEnding: lineEnding, thread) {
      isStopped = isStopped || !goOn(done())
      return !isStopped
    }
    func step() throws(CancellationError) {
      steps += 1
      if isStopped || steps % 256 == 0 && !goOn(done()) { throw CancellationError() }
    }
    do {
      let delta = try makeDelta(&expander, step)
      return Outcome(
        delta: delta, inverse: try delta.inverted(base: text, step), text: try text.sweep(delta, step),
        hasEffect: delta.changes(text))
    } catch {
      return nil
    }
  }

  private func makeDelta(_ expander: inout ReplacementExpander?, _ step: () throws -> Void) rethrows -> Delta {
    var builder = Delta.Builder(baseByteCount: text.byteCount)
    let replacement = Rope(chars)
    for region in regions {
      let replacement = expander?.replacement(for: region.range, in: text) ?? replacement
      builder.replace(
        region.range,
        with: preservesCase
          ? Rope(replacement.string(in: replacement.fullRange).inCase(of: text.string(in: region.range))) : replacement)
      try step()
    }
    return builder.build()
  }
}

/// A replacement that is for the worker.
final class ReplacementWork {
  let replacement: Replacement
  /// Of the document.
  let revision: Int
  /// Set when it has been begun.
  var ticket: SearchWorker.Ticket?
  private(set) var isDone = false
  private(set) var outcome: Replacement.Outcome?

  init(_ replacement: Replacement, revision: Int) {
    self.replacement = replacement
    self.revision = revision
  }

  /// - Parameter outcome: Nil when it could not be done.
  func finish(_ outcome: Replacement.Outcome?) {
    (self.outcome, isDone) = (outcome, true)
  }
}

extension String {
  /// In capitals if `match` is, with a capital first if `match` begins with one; else as it is.
  fileprivate func inCase(of match: String) -> String {
    let letters = match.filter(\.isCased)
    guard letters.first?.isUppercase == true else { return self }
    if letters.count > 1, letters.allSatisfy(\.isUppercase) { return uppercased() }
    guard let first = firstIndex(where: \.isCased) else { return self }
    return self[..<first] + self[first].uppercased() + self[index(after: first)...]
  }
}
