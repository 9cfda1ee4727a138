import EventLoop
import Testing

@testable import TrestleCore

/// What a mailbox knows of the tasks that work on answers.
@Suite struct CallTasksTests {
  /// A key that counts how often it is compared.
  private struct Counted: Hashable, ExpressibleByIntegerLiteral, Sendable {
    static let comparisons = Lock(0)
    let number: Int

    init(_ number: Int) { self.number = number }
    init(integerLiteral number: Int) { self.number = number }

    static func == (one: Counted, other: Counted) -> Bool {
      comparisons.withLock { $0 += 1 }
      return one.number == other.number
    }

    func hash(into hasher: inout Hasher) { hasher.combine(number) }
  }

  /// To search among the others would take some million comparisons.
  @Test func noneIsSearchedForAmongTheOthers() {
    // One less than a prime: the multiples below are all numbers up to it, in another order.
    let count = 3000
    var tasks = CallTasks<Counted, Counted>()
    let task = Task {}
    Counted.comparisons.withLock { $0 = 0 }
    var (expected, cancelled, refused) = (0, 0, 0)
    for number in 1...count where tasks.expect(Counted(-number), slot: Counted(number)) { expected += 1 }
    for number in 1...count where tasks.follow(task, for: Counted(-number)) { refused += 1 }
    for number in 1...count where tasks.cancel(slot: Counted(number * 7 % (count + 1))) != nil { cancelled += 1 }
    for number in 1...count { tasks.end(Counted(-(number * 11 % (count + 1)))) }
    #expect(expected == count && cancelled == count && refused == 0 && tasks.isEmpty)
    for number in 1...count where tasks.cancel(slot: Counted(number)) != nil { cancelled += 1 }
    for number in 1...count where !tasks.expect(Counted(-number), slot: Counted(number)) { refused += 1 }
    for number in 1...count { tasks.forgetCancellation(of: Counted(number)) }
    #expect(cancelled == count && refused == count)
    let comparisons = Counted.comparisons.withLock { $0 }
    #expect(comparisons < 100 * count, "\(comparisons)")
  }

  @Test func aCallIsCancelledBeforeItsTaskIsKnown() {
    var tasks = CallTasks<Int, Int>()
    let results = [
      tasks.expect(1, slot: 5), tasks.cancel(slot: 5) == nil, tasks.follow(Task {}, for: 1),
    ]
    tasks.end(1)
    #expect(results == [true, true, true])
    // Not even begun; and nobody waits in slot 0.
    let others = [
      tasks.cancel(slot: 6) == nil, tasks.expect(2, slot: 6), tasks.expect(3, slot: 0), tasks.expect(4, slot: 0),
    ]
    #expect(others == [true, false, true, true])
    tasks.forgetCancellation(of: 6)
    let isExpected = tasks.expect(2, slot: 6)
    #expect(isExpected)
  }

  /// The slot of one that has been answered is another's.
  @Test func aSlotThatIsTakenAgainIsTheNextCalls() {
    var tasks = CallTasks<Int, Int>()
    let areExpected = tasks.expect(1, slot: 5) && tasks.expect(2, slot: 5)
    tasks.end(1)
    let wasCancelled = tasks.follow(Task {}, for: 2)
    let task = tasks.cancel(slot: 5)
    #expect(areExpected && !wasCancelled && task != nil)
    let left = tasks.removeAll()
    #expect(left.count == 1 && tasks.isEmpty)
  }
}
