import Synchronization

/// How many bytes shared objects may keep in several bridges together: one with a limit, and the workers that it leads to. From any thread.
package final class MemoryBudget: Sendable {
  private let limit: Int
  private let used = Atomic(0)
  private let outer: MemoryBudget?

  /// - Parameter outer: of which it is a part.
  init(limit: Int, within outer: MemoryBudget?) { (self.limit, self.outer) = (limit, outer) }

  /// - Returns: false if that is more than there is left; then none of it is taken.
  func take(_ bytes: Int) -> Bool {
    var before = used.load(ordering: .relaxed)
    while true {
      guard bytes <= limit - before else { return false }
      let attempt = used.weakCompareExchange(expected: before, desired: before + bytes, ordering: .relaxed)
      if attempt.exchanged { break }
      before = attempt.original
    }
    if outer?.take(bytes) != false { return true }
    used.subtract(bytes, ordering: .relaxed)
    return false
  }

  func giveBack(_ bytes: Int) {
    used.subtract(bytes, ordering: .relaxed)
    outer?.giveBack(bytes)
  }
}
