import EventLoop
import TestSupport
import Testing

@testable import TrestleCore

@Suite struct OwnTurnsTests {
  private let journal = Journal()

  /// In order; and what the loop was given meanwhile comes behind the one that is under way.
  @Test func othersComeBetweenTwo() throws {
    let loop = Loop()
    let turns = OwnTurns(on: loop)
    for number in 0..<100 {
      turns.add { [journal] in
        journal.append("\(number)")
        if number == 3 { loop.perform { journal.append("between") } }
      }
    }
    while journal.all.count < 101 { loop.iterate(waiting: true) }
    #expect(journal.all.filter { $0 != "between" } == (0..<100).map(String.init))
    #expect(try #require(journal.all.firstIndex(of: "between")) < 6)
    turns.add { [journal] in journal.append("later") }
    loop.iterate(waiting: true)
    #expect(journal.all.last == "later")
    loop.close()
  }

  @Test func allRunWhenTheLoopCloses() {
    let loop = Loop()
    let turns = OwnTurns(on: loop)
    for number in 0..<10 { turns.add { [journal] in journal.append("\(number)") } }
    loop.close()
    turns.add { [journal] in journal.append("10") }
    #expect(journal.all == (0...10).map(String.init))
  }

  @Test func fromManyThreadsEachRunsOnce() async throws {
    let thread = try LoopThread(name: "turns")
    let turns = OwnTurns(on: thread.loop)
    await withDiscardingTaskGroup { group in
      for sender in 0..<8 {
        group.addTask { [journal] in for number in 0..<500 { turns.add { journal.append("\(sender) \(number)") } } }
      }
    }
    thread.stop()
    thread.join()
    #expect(journal.all.count == 4000)
    for sender in 0..<8 {
      #expect(journal.all.filter { $0.hasPrefix("\(sender) ") } == (0..<500).map { "\(sender) \($0)" })
    }
  }
}
