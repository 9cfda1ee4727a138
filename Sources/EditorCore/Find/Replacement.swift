import Rope

/// What takes the place of many matches. It can be worked out beside the loop, as it holds the text as it was.
struct Replacement: Sendable {
  let text: Rope
  let regions: [SelectionRegion]
  let chars: String
  let preservesCase: Bool

  /// A change with what takes it back, and the text that it makes.
  struct Outcome: Sendable {
    let delta: Delta
    let inverse: Delta
    let text: Rope
  }

  var delta: Delta {
    var builder = Delta.Builder(baseByteCount: text.byteCount)
    _ = addEdits(to: &builder) { true }
    return builder.build()
  }

  /// O(matches · log n). Nil when `goOn` was false, which is told now and then how much is done, of 1.
  func workOut(_ goOn: (_ done: Double) -> Bool) -> Outcome? {
    var steps = 0
    func step() -> Bool {
      steps += 1
      return steps % 256 != 0 || goOn(Double(steps) / Double(3 * regions.count))
    }
    var builder = Delta.Builder(baseByteCount: text.byteCount)
    guard addEdits(to: &builder, step) else { return nil }
    let delta = builder.build()
    var inverse = Delta.Builder(baseByteCount: delta.newByteCount)
    var result = text
    for edit in delta.edits {
      inverse.replace(edit.newRange, with: text.slice(edit.range))
      guard step() else { return nil }
    }
    for edit in delta.edits.reversed() {
      result.replace(edit.range, with: edit.replacement)
      guard step() else { return nil }
    }
    return Outcome(delta: delta, inverse: inverse.build(), text: result)
  }

  private func addEdits(to builder: inout Delta.Builder, _ goOn: () -> Bool) -> Bool {
    let replacement = Rope(chars)
    for region in regions {
      builder.replace(
        region.range,
        with: preservesCase ? Rope(chars.inCase(of: text.string(in: region.range))) : replacement)
      guard goOn() else { return false }
    }
    return true
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
