import Dispatch
import EventLoop
import TestSupport
import Testing

@testable import TrestleObservables

private struct Trouble: Error {}

/// What an observer was told, in words.
private final class Record: Sendable {
  private let lines = Lock<[String]>([])
  var all: [String] { lines.withLock { $0 } }

  func append(_ line: String) { lines.withLock { $0.append(line) } }

  func take<Value>(_ event: ObservableEvent<Value>) {
    switch event {
    case .next(let value): append("\(value)")
    case .failed(let error): append("failed \(type(of: error))")
    case .completed: append("completed")
    }
  }

  /// Returns once the last line is that one.
  func waitFor(_ line: String) async throws {
    let deadline = ContinuousClock.now + patience
    while all.last != line {
      if ContinuousClock.now > deadline { throw Missing(line: line, all: all) }
      try await Task.sleep(for: .milliseconds(1))
    }
  }

  struct Missing: Error {
    let line: String
    let all: [String]
  }
}

extension Observable {
  /// What it tells an observer at once.
  fileprivate func told() -> [String] {
    let record = Record()
    let subscription = subscribe { record.take($0) }
    subscription.dispose()
    return record.all
  }
}

@Suite struct ObservableTests {
  private let record = Record()

  @Test func operatorsOfValues() {
    let numbers = Observable([3, 1, 1, 4, 1])
    #expect(numbers.told() == ["3", "1", "1", "4", "1", "completed"])
    #expect(numbers.map { $0 * 2 }.told() == ["6", "2", "2", "8", "2", "completed"])
    #expect(numbers.filter { $0 > 1 }.told() == ["3", "4", "completed"])
    #expect(numbers.scan(0) { $0 + $1 }.told() == ["3", "4", "5", "9", "10", "completed"])
    #expect(numbers.distinct().told() == ["3", "1", "4", "1", "completed"])
    #expect(numbers.take(2).told() == ["3", "1", "completed"])
    #expect(numbers.take(0).told() == ["completed"] && numbers.take(9).told().count == 6)
    #expect(Observable<Int>.failed(Trouble()).map { $0 }.told() == ["failed Trouble"])
    #expect(Observable<Int>.never.told() == [] && Observable<Int>([]).told() == ["completed"])
    #expect(numbers.map { if $0 == 4 { throw Trouble() } else { $0 } }.told() == ["3", "1", "1", "failed Trouble"])
    #expect(numbers.filter { _ in throw Trouble() }.told() == ["failed Trouble"])
    #expect(numbers.scan(0) { _, _ in throw Trouble() }.told() == ["failed Trouble"])
  }

  @Test func nothingComesBehindAnEnd() {
    let unruly = Observable<Int> { observer in
      observer.next(1)
      observer.complete()
      observer.next(2)
      observer.fail(Trouble())
      observer.complete()
      return Disposable {}
    }
    #expect(unruly.told() == ["1", "completed"])
    #expect(unruly.map { $0 }.filter { _ in true }.scan(0) { $1 }.told() == ["1", "completed"])
  }

  @Test func disposingEndsTheSourceOnce() {
    let record = record
    let source = Observable<Int> { observer in
      observer.next(1)
      return Disposable { record.append("ended") }
    }
    let subscription = source.subscribe { record.take($0) }
    subscription.dispose()
    subscription.dispose()
    #expect(record.all == ["1", "ended"])
    _ = source.map { $0 }.take(1).subscribe { record.take($0) }
    #expect(record.all == ["1", "ended", "1", "completed", "ended"])
    var dropped: Disposable? = source.subscribe { _ in }
    _ = dropped
    dropped = nil
    #expect(record.all.count == 6)
  }

  /// An endless source that tells all at once ends when the observer at the end of the chain has.
  @Test func anEndStopsASourceThatIsStillBeginning() {
    let count = Lock(0)
    let endless = Observable<Int> { observer in
      while !observer.isOver {
        observer.next(
          count.withLock {
            $0 += 1; return $0
          })
      }
      return Disposable {}
    }
    #expect(endless.map { $0 }.filter { $0 % 2 == 0 }.distinct().take(3).told() == ["2", "4", "6", "completed"])
    #expect(count.withLock { $0 } == 6)
    #expect(Observable.merge([endless, endless]).take(1).told() == ["7", "completed"])
  }

  @Test func subjectsTellWhoIsThere() {
    let (record, subject) = (record, Subject<Int>())
    subject.next(0)
    let one = subject.observable.subscribe { record.take($0) }
    subject.next(1)
    let other = subject.observable.map { -$0 }.subscribe { record.take($0) }
    subject.next(2)
    one.dispose()
    subject.next(3)
    #expect(record.all == ["1", "2", "-2", "-3"] && subject.hasObservers)
    subject.fail(Trouble())
    subject.next(4)
    subject.complete()
    #expect(record.all.last == "failed Trouble" && record.all.count == 5 && !subject.hasObservers)
    #expect(subject.observable.told() == ["failed Trouble"])
    other.dispose()
  }

  /// Who is told may tell, subscribe and dispose.
  @Test func observersMayDoAnything() {
    let (record, subject) = (record, Subject<Int>())
    let all = Lock<[Disposable]>([])
    let first = subject.observable.subscribe { event in
      record.take(event)
      guard case .next(let number) = event else { return }
      if number < 3 { subject.next(number + 1) }
      let inner = subject.observable.subscribe { _ in record.append("inner") }
      all.withLock { $0.append(inner) }
      if number == 3 {
        let open = all.withLock { all in
          defer { all = [] }
          return all
        }
        for one in open { one.dispose() }
        subject.complete()
      }
    }
    subject.next(1)
    #expect(record.all.filter { $0 != "inner" } == ["1", "2", "3", "completed"])
    first.dispose()
  }

  @Test func severalThreadsAreToldInOneLine() async throws {
    let (record, subject, isTelling) = (record, Subject<Int>(), Lock(false))
    let subscription = subject.observable.scan(0) { sum, _ in sum + 1 }.subscribe { event in
      let overlaps = isTelling.withLock { isTelling in
        defer { isTelling = true }
        return isTelling
      }
      if overlaps { record.append("two at once") }
      isTelling.withLock { $0 = false }
      if case .completed = event { record.append("completed") }
      if case .next(4000) = event { subject.complete() }
    }
    DispatchQueue.concurrentPerform(iterations: 4) { _ in for number in 0..<1000 { subject.next(number) } }
    try await record.waitFor("completed")
    #expect(record.all == ["completed"])
    subscription.dispose()
  }

  @Test func mergingAndCombining() {
    let (record, one, other) = (record, Subject<Int>(), Subject<String>())
    let merged = Observable.merge([one.observable.map { "\($0)" }, other.observable]).subscribe { record.take($0) }
    let combined = one.observable.combineLatest(with: other.observable).map { "\($0.0)\($0.1)" }
      .subscribe { record.take($0) }
    one.next(1)
    other.next("a")
    one.next(2)
    one.complete()
    other.next("b")
    other.complete()
    #expect(record.all == ["1", "a", "1a", "2", "2a", "b", "2b", "completed", "completed"])
    #expect(Observable<Int>.merge([]).told() == ["completed"])
    let failing = Observable([1]).merge(with: .failed(Trouble())).merge(with: Observable([2]))
    #expect(failing.told() == ["1", "failed Trouble"])
    #expect(
      Observable([1]).combineLatest(with: Observable<Int>.failed(Trouble())).map { $0.0 }.told() == ["failed Trouble"])
    merged.dispose()
    combined.dispose()
  }

  @Test func debouncingWaitsForSilence() async throws {
    let (record, subject, clock) = (record, Subject<Int>(), ManualClock())
    let subscription = subject.observable.debounce(for: .seconds(2), clock: clock).subscribe { record.take($0) }
    subject.next(1)
    try await clock.advance(by: .seconds(1), sleepers: 1)
    subject.next(2)
    try await clock.advance(by: .seconds(1), sleepers: 1)
    #expect(record.all == [])
    try await clock.advance(by: .seconds(1), sleepers: 1)
    try await record.waitFor("2")
    subject.next(3)
    subject.next(4)
    subject.complete()
    #expect(record.all == ["2", "4", "completed"])
    try await clock.advance(by: .seconds(9), sleepers: 0)
    #expect(record.all.count == 3)
    subscription.dispose()
    let disposed = Subject<Int>()
    let other = disposed.observable.debounce(for: .seconds(2), clock: clock).subscribe { record.take($0) }
    disposed.next(5)
    other.dispose()
    try await clock.advance(by: .seconds(9), sleepers: 0)
    #expect(record.all.count == 3 && !disposed.hasObservers)
  }

  @Test func executorsAreObeyed() async throws {
    let thread = try LoopThread(name: "observers")
    defer { thread.stop() }
    let (record, loop) = (record, thread.loop)
    let source = Observable<Int> { observer in
      record.append(loop.isOnOwnThread ? "begun there" : "begun elsewhere")
      for number in 0..<5_000 { observer.next(number) }
      observer.complete()
      return Disposable { record.append(loop.isOnOwnThread ? "ended there" : "ended elsewhere") }
    }
    let numbers = Lock<[Int]>([])
    let subscription = source.subscribe(on: .loop(loop)).observe(on: .pool).observe(on: .actor(Keeper())).subscribe {
      event in
      if loop.isOnOwnThread { record.append("told there") }
      if case .next(let number) = event { numbers.withLock { $0.append(number) } } else { record.take(event) }
    }
    try await record.waitFor("completed")
    #expect(record.all.first == "begun there" && !record.all.contains("told there"))
    #expect(numbers.withLock { $0 } == Array(0..<5_000))
    subscription.dispose()
    let told = Record()
    let there = Observable([1, 2]).observe(on: .loop(loop)).subscribe { event in
      told.append(loop.isOnOwnThread ? "there" : "elsewhere")
      if case .completed = event { told.append("completed") }
    }
    try await told.waitFor("completed")
    #expect(told.all == ["there", "there", "there", "completed"])
    there.dispose()
  }

  /// One that is disposed of before its executor has begun it is not begun at all.
  @Test func whatIsDisposedOfIsNotBegun() {
    let (record, jobs) = (record, Lock<[@Sendable () -> Void]>([]))
    let executor = ObservableExecutor { body in jobs.withLock { $0.append(body) } }
    let source = Observable<Int> { _ in
      record.append("begun")
      return Disposable { record.append("ended") }
    }
    func runAll() {
      for job in jobs.withLock({ jobs in
        defer { jobs = [] }; return jobs
      }) { job() }
    }
    source.subscribe(on: executor).subscribe { _ in }.dispose()
    runAll()
    #expect(record.all == [])
    let subscription = source.subscribe(on: executor).subscribe { _ in }
    runAll()
    subscription.dispose()
    #expect(record.all == ["begun"])
    runAll()
    #expect(record.all == ["begun", "ended"])
    let silent = Observable([1]).observe(on: executor).subscribe { record.take($0) }
    silent.dispose()
    runAll()
    #expect(record.all == ["begun", "ended"])
  }

  @Test func sequencesBothWays() async throws {
    var sum = 0
    for try await number in Observable(Observable([1, 2, 3]).values()).map({ $0 * 2 }).values() { sum += number }
    #expect(sum == 12)
    await #expect(throws: Trouble.self) {
      for try await _ in Observable<Int>.failed(Trouble()).values() {}
    }
    let subject = Subject<Int>()
    let task = Task {
      for try await number in subject.observable.values() where number == 3 { return number }
      return 0
    }
    let deadline = ContinuousClock.now + patience
    while !subject.hasObservers, ContinuousClock.now < deadline { await Task.yield() }
    for number in 1...5 { subject.next(number) }
    #expect(try await task.value == 3)
    while subject.hasObservers, ContinuousClock.now < deadline { await Task.yield() }
    #expect(!subject.hasObservers)
  }
}

private actor Keeper {}
