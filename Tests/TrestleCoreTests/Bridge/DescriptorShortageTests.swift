import EventLoop
import Testing

@testable import TrestleCore

/// A script that holds what it has opened does not collect garbage whenever it asks for more.
@Suite struct DescriptorShortageTests {
  private var shortage = DescriptorShortage()
  private var now = MonotonicTime(nanoseconds: 1)

  /// - Returns: whether it was collected, and whether to try again.
  private mutating func collect(for cost: Duration = .milliseconds(1)) -> [Bool] {
    var (isCollected, time) = (false, now)
    let isWorthIt = shortage.collect(at: { time }) {
      isCollected = true
      time = time + cost
    }
    now = time
    return [isCollected, isWorthIt]
  }

  @Test mutating func thePauseAfterACollection() {
    #expect(collect() == [true, true])
    now = now + .milliseconds(199)
    #expect(collect() == [false, true])
    now = now + .milliseconds(1)
    #expect(collect(for: .seconds(1)) == [true, true])
    now = now + .milliseconds(999)
    #expect(collect() == [false, true])
    now = now + .milliseconds(1)
    #expect(collect() == [true, true])
  }

  @Test mutating func whatCostsMuchIsTriedLessOften() {
    #expect(collect(for: .seconds(1)) == [true, true])
    shortage.giveUp(at: now)
    now = now + .milliseconds(19_999)
    #expect(collect() == [false, false])
    now = now + .milliseconds(1)
    #expect(collect() == [true, true])
  }

  @Test(arguments: [(1, 5000), (40, 5000), (100, 5000), (1000, 20_000)])
  mutating func asLongAsTheMachineIsSlow(cost: Int, patience: Int) {
    #expect(collect(for: .milliseconds(cost)) == [true, true])
    #expect(shortage.patience == .milliseconds(patience))
  }

  @Test mutating func whoeverComesAfterAllAttemptsWereInVainNeedNotTry() {
    #expect(collect() == [true, true])
    now = now + .milliseconds(100)
    shortage.giveUp(at: now)
    now = now + .milliseconds(199)
    #expect(collect() == [false, false])
    now = now + .milliseconds(1)
    #expect(collect() == [true, true])
  }

  @Test mutating func noPauseAfterOneThatWasNot() {
    #expect(collect() == [true, true])
    shortage.giveUp(at: now)
    shortage.end()
    #expect(collect() == [true, true])
  }
}
