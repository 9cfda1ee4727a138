import Synchronization

/// How many bytes shared objects may keep in several bridges together: one with a limit, and the workers that it leads to. From any thread.
package final class MemoryBudget: Sendable {
  private let limit: Int
  private let used = Atomic(0)

  init(limit: Int) { self.limit = limit }

  /// - Returns: false if that is more than there is left; then none of it is taken.
  func take(_ bytes: Int) -> Bool {
    var before = used.load(ordering: .relaxed)
    while true {
      guard bytes <= limit - before else { return false }
      let attempt = used.weakCompareExchange(expected: before, desired: before + bytes, ordering: .relaxed)
      if attempt.exchanged { return true }
      before = attempt.original
    }
  }

  func giveBack(_ bytes: Int) { used.subtract(bytes, ordering: .relaxed) }
}
