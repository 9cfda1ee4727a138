import Testing

@testable import TrestleReactNative

/// Scripts may have as many timers as they like: each costs the logarithm of their number.
@Suite struct TimerOrderTests {
  @Test func ofOneTimeTheOneSetFirstIsFirst() {
    var timers = TimerOrder<Double>()
    for (id, target) in [(1, 5.0), (2, 3), (3, 5), (4, 3), (1, 3), (5, 9), (5, 1), (6, 0)] {
      timers.set(id, at: target, interval: nil)
    }
    timers.remove(6)
    timers.remove(7)
    #expect(timers.takeAll() == [5, 2, 4, 1, 3])
    #expect(timers.first == nil)
  }

  @Test(arguments: [[0, 1], [1, 0], [1]], [true, false])
  func manyCostLittle(lowBits: [Int], removesTheLatestFirst: Bool) {
    let count = 50_000
    let work = Work()
    var timers = TimerOrder<CountedTime>()
    for id in 0..<count {
      timers.set(
        id, at: CountedTime(time: lowBits[id % lowBits.count] * count + (id * 7919) % count, work: work), interval: nil)
    }
    // Most are removed, as timeouts are; others are set anew.
    for index in 0..<count where index % 5 != 0 {
      let id = removesTheLatestFirst ? count - 1 - index : index
      if index % 5 == 1 {
        timers.set(id, at: CountedTime(time: id, work: work), interval: nil)
      } else {
        timers.remove(id)
      }
    }
    let left = timers.takeAll()
    #expect(left.count == count / 5 * 2)
    // Up and down a heap of 16 levels, for as many timers as were ever set.
    #expect(work.comparisons < count * 6 / 5 * 16 * 5)
  }
}

extension TimerOrder {
  fileprivate mutating func takeAll() -> [Int] {
    var ids: [Int] = []
    while let first {
      ids.append(first.id)
      remove(first.id)
    }
    return ids
  }
}

private final class Work {
  var comparisons = 0
}

private struct CountedTime: Comparable {
  let time: Int
  let work: Work

  static func == (one: CountedTime, other: CountedTime) -> Bool { one.time == other.time }

  static func < (one: CountedTime, other: CountedTime) -> Bool {
    one.work.comparisons += 1
    return one.time < other.time
  }
}
