import Testing

@testable import TrestleCLI

@Suite struct RaceTests {
  /// Whoever waits is woken, however early the time is over, and by no time but its own.
  @Test func theTimeEndsEachWait() async {
    for _ in 0..<500 {
      let race = Race {
        try await Task.sleep(for: .seconds(1000))
        return .null
      }
      for limit in [Duration.zero, .nanoseconds(1), .microseconds(100)] {
        let outcome = await race.outcome(within: limit)
        #expect(outcome == nil)
      }
      race.cancel()
      guard case .failed(is CancellationError) = await race.outcome(within: .seconds(600)) else {
        Issue.record("a wait was ended by the time of another")
        return
      }
    }
  }
}
