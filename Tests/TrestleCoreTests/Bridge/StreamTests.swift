import EventLoop
import JSEngine
import TestSupport
import Testing

@testable import TrestleCore

private struct Exhausted: Error, CustomStringConvertible { var description: String { "no more" } }

/// Counts up; tells the journal of every number that it was asked for, and of its end.
private struct Counter: AsyncSequence, Sendable {
  let journal: Journal
  let end: Int
  var fails = false

  final class Life: Sendable {
    let journal: Journal
    init(_ journal: Journal) { self.journal = journal }
    deinit { journal.append("gone") }
  }

  struct AsyncIterator: AsyncIteratorProtocol {
    let counter: Counter
    let life: Life
    var last = 0

    mutating func next() async throws -> Int? {
      if last == counter.end {
        if counter.fails { throw Exhausted() }
        return nil
      }
      last += 1
      counter.journal.append("\(last)")
      return last
    }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(counter: self, life: Life(journal)) }
}

@Suite struct StreamTests {
  private let journal = Journal()

  private var module: ModuleDefinition {
    ModuleDefinition("Streams", make: { _ in Nothing() }) { [journal] in
      Member<Nothing>.promise("count", "end") { (_, end: Int) in
        BridgeStream(Counter(journal: journal, end: end), ahead: 0)
      }
      Member<Nothing>.sync("countNow", "end") { (_, end: Int) in
        BridgeStream(Counter(journal: journal, end: end), ahead: 0)
      }
      Member<Nothing>.promise("fast", "end") { (_, end: Int) in BridgeStream(Counter(journal: journal, end: end)) }
      Member<Nothing>.promise("fail", "after") { (_, end: Int) in
        BridgeStream(Counter(journal: journal, end: end, fails: true), ahead: 0)
      }
      Member<Nothing>.promise("ahead", "end", "fails") { (_, end: Int, fails: Bool) in
        BridgeStream(Counter(journal: journal, end: end, fails: fails), ahead: 9)
      }
      Member<Nothing>.promise("never") { _ in
        AsyncStream<Int> { continuation in
          continuation.onTermination = { _ in journal.append("terminated") }
          journal.append("begun")
        }
      }
      Member<Nothing>.promise("latest") { _ in
        AsyncStream<Int>(bufferingPolicy: .bufferingNewest(2)) { continuation in
          for number in 0..<10 { continuation.yield(number) }
          continuation.finish()
        }
      }
      Member<Nothing>.promise("several", "count") { (_, count: Int) in
        (0..<count).map { BridgeStream(Counter(journal: journal, end: $0)) }
      }
      Member<Nothing>.promise("points") { _ in
        AsyncThrowingStream<Point, any Error> { continuation in
          continuation.yield(Point(x: 1, y: 2, name: "é"))
          continuation.finish()
        }
      }
    }
  }

  /// The value of an async function with `body`, which has `Streams`.
  private func run<Value: BridgeDecodable & Sendable>(
    _ body: String, wire: Wire = .shared, as: Value.Type
  ) async throws -> Value {
    try await withBridge([module], wire: wire) { bridge, log in
      let value = try await bridge.evaluate(
        "(async () => { const {Streams} = NativeModules; \(body) })()", as: Value.self)
      #expect(log.texts == [])
      return value
    }
  }

  @Test(arguments: Wire.allCases) func aLoopTakesEveryElement(wire: Wire) async throws {
    let sum = try await run(
      "let sum = 0; for await (const number of await Streams.count(1000)) sum += number; return sum;", wire: wire,
      as: Int.self)
    #expect(sum == 500_500)
    #expect(journal.all == (1...1000).map(String.init) + ["gone"])
  }

  @Test(arguments: Wire.allCases) func methodsOfAStreamAreOfStreamsAlone(wire: Wire) async throws {
    let messages = try await run(
      """
      const stream = await Streams.count(1), messages = [];
      for (const method of ['next', 'return', Symbol.asyncDispose]) for (const other of [{}, Object.create(stream), null]) {
        try { await stream[method].call(other); } catch (error) { messages.push(`${error instanceof TypeError} ${error.message}`); }
      }
      return messages;
      """, wire: wire, as: [String].self)
    let expected = ["next", "return", "Symbol.asyncDispose"].flatMap { method in
      Array(repeating: "true \(method): expected to be called on a stream of native code", count: 3)
    }
    #expect(messages == expected)
  }

  @Test func leavingTheLoopEndsTheSequence() async throws {
    try await withBridge([module]) { bridge, log in
      let last = try await bridge.evaluate(
        """
        (async () => {
          for await (const number of await NativeModules.Streams.count(1e9)) if (number === 3) return number;
        })()
        """, as: Int.self)
      #expect(last == 3)
      try await journal.waitFor("gone")
      #expect(journal.all == ["1", "2", "3", "gone"])
      #expect(log.texts == [])
    }
  }

  @Test func nothingIsAskedForThatNobodyWants() async throws {
    let first = try await run(
      "globalThis.stream = await Streams.count(100); return (await stream.next()).value;", as: Int.self)
    #expect(first == 1)
    #expect(journal.all.filter { $0 != "gone" } == ["1"])
  }

  @Test func questionsAtOnceAreAnsweredInOrder() async throws {
    let values = try await run(
      """
      const stream = Streams.countNow(3);
      const answers = await Promise.all([stream.next(), stream.next(), stream.next(), stream.next(), stream.next()]);
      return answers.map(({value, done}) => `${value} ${done}`);
      """, as: [String].self)
    #expect(values == ["1 false", "2 false", "3 false", "undefined true", "undefined true"])
  }

  @Test(arguments: Wire.allCases) func anErrorEndsTheLoop(wire: Wire) async throws {
    let text = try await run(
      """
      let seen = 0;
      try { for await (const number of await Streams.fail(2)) seen = number; } catch (error) { return `${seen} ${error.message}`; }
      """, wire: wire, as: String.self)
    #expect(text == "2 no more")
  }

  @Test func elementsThatCameAheadAreGivenFirst() async throws {
    let text = try await run(
      """
      const seen = [];
      for await (const number of await Streams.ahead(25, false)) seen.push(number);
      let last = 0;
      try { for await (const number of await Streams.ahead(13, true)) last = number; } catch (error) { seen.push(last, error.message); }
      const left = await Streams.ahead(100, false);
      for await (const number of left) if (number === 3) break;
      seen.push((await left.next()).done);
      return seen.join();
      """, as: String.self)
    #expect(text == (1...25).map(String.init).joined(separator: ",") + ",13,no more,true")
    // Ten ahead of those that the loop had when it asked last: of three, as slow as they may come.
    #expect((48...51).contains(journal.all.count { $0 != "gone" }))
  }

  @Test(arguments: Wire.allCases) func elementsThatAreThereCrossTogether(wire: Wire) async throws {
    let sum = try await run(
      "let sum = 0; for await (const number of Streams.fast(1000)) sum += number; return sum;", wire: wire, as: Int.self
    )
    #expect(sum == 500_500)
    let elements = StreamElements(Counter(journal: journal, end: 150), ahead: 63, atOnce: 64)
    var counts: [Int] = []
    while case let some = try await elements.next(), !some.isEmpty { counts.append(some.count) }
    // How many are there depends on how often the pool lets the iterator go on before the question.
    #expect(counts.allSatisfy { $0 <= 64 } && counts.reduce(0, +) == 150, "\(counts)")
  }

  /// One that is there, the 63 that may wait when it is slow to come for more, and the 64 that cross at once from a sequence that has
  /// them all.
  @Test(arguments: Wire.allCases) func whatCrossesWhereNothingIsSaid(wire: Wire) async throws {
    let numbers = GatedNumbers(end: 1 + 63 + 64 + 64 + 10)
    let module = ModuleDefinition("Streams", make: { _ in Nothing() }) {
      Member<Nothing>.promise("numbers") { _ in BridgeStream(numbers) }
    }
    let deliveries = Deliveries()
    try await withBridge([module], wire: wire) {
      $0.observers = [deliveries]
    } _: { bridge, _ in
      try await bridge.evaluate("NativeModules.Streams.numbers().then((stream) => { globalThis.stream = stream; })")
      #expect(try await bridge.evaluate("stream.next().then(({ value }) => value)", as: Int.self) == 1)
      numbers.open()
      let deadline = ContinuousClock.now + patience
      while numbers.given < 1 + 63, ContinuousClock.now < deadline { await Task.yield() }
      // Nobody asks for more.
      #expect(numbers.given == 1 + 63)
      let rest = try await bridge.evaluate(
        "(async () => { const rest = []; for await (const number of stream) rest.push(number); return rest; })()",
        as: [Int].self)
      #expect(rest == Array(2...202))
    }
    #expect(deliveries.counts == [1, 63, 64, 64, 10, 0])
  }

  /// An element is not held back for those behind it, and no more than `ahead` wait while nobody asks.
  @Test(arguments: [0, 3]) func noMoreWaitThanAreWanted(ahead: Int) async throws {
    let (numbers, feed) = AsyncStream.makeStream(of: Int.self)
    let asked = Lock(0)
    let elements = StreamElements(Asked(base: numbers, count: asked), ahead: ahead, atOnce: ahead + 1)
    feed.yield(0)
    #expect(try await elements.next() == [0])
    for number in 1...100 { feed.yield(number) }
    let deadline = ContinuousClock.now + patience
    while asked.withLock({ $0 }) < 1 + ahead, ContinuousClock.now < deadline { await Task.yield() }
    var seen = try await elements.next()
    #expect((1...ahead + 1).contains(seen.count))
    while seen.count < 100 { seen += try await elements.next() }
    #expect(seen == Array(1...100))
    feed.finish()
    #expect(try await elements.next() == [])
    #expect(asked.withLock { $0 } == 102)
  }

  /// The end comes while the iterator is asked at once, before anybody knows the task that could be cancelled.
  @Test(arguments: [1, 2]) func anEndInTheMiddleOfAQuestionIsHeard(atOnce: Int) async throws {
    struct Ending: AsyncSequence, AsyncIteratorProtocol, Sendable {
      let ask: @Sendable () -> Void
      func makeAsyncIterator() -> Ending { self }
      func next() async throws -> Int? {
        ask()
        try await Task.sleep(for: .seconds(3600))
        return nil
      }
    }
    let end = Lock<(@Sendable () -> Void)?>(nil)
    let elements = StreamElements(Ending { end.withLock { $0 }?() }, ahead: 0, atOnce: atOnce)
    let source = StreamSource(next: { try await elements.next() }, end: { elements.end() })
    end.withLock { $0 = { source.end() } }
    let isEnded = Lock(false)
    let task = Task {
      do { _ = try await source.next() } catch { isEnded.withLock { $0 = error is CancellationError } }
    }
    while await !elements.hasBegun { await Task.yield() }
    source.follow(task)
    await task.value
    #expect(isEnded.withLock { $0 })
    #expect(try await elements.next() == [])
  }

  @Test(arguments: Wire.allCases) func aLoopWalksOverThePromise(wire: Wire) async throws {
    let text = try await run(
      """
      const seen = [];
      for await (const number of Streams.fast(3)) seen.push(number);
      for await (const number of Streams.fast(1e9)) { seen.push(number); if (number === 70) break; }
      try { for await (const number of Streams.fail(1)) seen.push(number); } catch (error) { seen.push(error.message); }
      try { for await (const number of Streams.fast('x')) seen.push(number); } catch (error) { seen.push(error.code); }
      const promise = Streams.count(2), loop = promise[Symbol.asyncIterator]();
      const both = await Promise.all([loop.next(), loop.next(), loop.next()]);
      seen.push(...both.map(({ value, done }) => `${value} ${done}`));
      const left = Streams.fast(1e9);
      const end = await left[Symbol.asyncIterator]().return('left');
      const disposed = await Streams.fast(1e9);
      await disposed[Symbol.asyncDispose]();
      seen.push((await disposed.next()).done);
      seen.push(end.value, end.done, (await (await left).next()).done);
      seen.push(Symbol.asyncIterator in Streams.several(1), Symbol.asyncIterator in (await Streams.fast(1)));
      return seen.slice(3).filter((value, i) => i < 1 || i > 68).join();
      """, wire: wire, as: String.self)
    #expect(text == "1,70,1,no more,ERR_ARGUMENT,1 false,2 false,undefined true,true,left,true,true,false,true")
  }

  @Test func returnEndsAQuestionThatWaits() async throws {
    let ends = try await run(
      """
      const stream = await Streams.never();
      const waiting = stream.next();
      await null;
      const end = await stream.return('over');
      const first = await waiting;
      const later = await stream.next();
      return [end.value, end.done, first.done, later.done].join();
      """, as: String.self)
    #expect(ends == "over,true,true,true")
    try await journal.waitFor("terminated")
  }

  @Test func closingTheBridgeEndsTheSequence() async throws {
    try await withBridge([module]) { bridge, _ in
      try await bridge.evaluate(
        "(async () => { for await (const number of await NativeModules.Streams.never()); })().catch(() => {})")
      try await journal.waitFor("begun")
      await bridge.close()
    }
    try await journal.waitFor("terminated")
  }

  /// By the collection alone: nothing enters the bridge after it.
  @Test(arguments: Wire.allCases) func whatIsForgottenEnds(wire: Wire) async throws {
    try await withBridge([module], wire: wire) { bridge, log in
      for _ in 0..<200 {
        try await bridge.evaluate("(async () => { await NativeModules.Streams.countNow(5).next(); })()")
      }
      await bridge.waitUntilIdle()
      try await bridge.withContext { $0.collectGarbage() }
      // The collector may take some for reachable that are not.
      try await journal.waitFor("gone", count: 100)
      #expect(log.texts == [])
    }
  }

  @Test func aPolicyDropsWhatNobodyAskedFor() async throws {
    let values = try await run(
      "const seen = []; for await (const number of await Streams.latest()) seen.push(number); return seen;",
      as: [Int].self)
    #expect(values == [8, 9])
  }

  private static let policies: [(String, [Int])] = [("latest", [0, 9]), ("newest", [0, 7, 8, 9]), ("sum", [0, 45])]

  /// The first element is asked for; then nine come, before the next question.
  @Test(arguments: policies) func policiesSayWhatBecomesOfTheRest(policy: String, expected: [Int]) async throws {
    let (numbers, feed) = AsyncStream.makeStream(of: Int.self)
    let asked = Lock(0)
    let module = ModuleDefinition("Fast", make: { _ in () }) {
      Member<Void>.promise("stream") { _ in
        let counted = Asked(base: numbers, count: asked)
        return switch policy {
        case "latest": BridgeStream(counted, policy: .latest)
        case "newest": BridgeStream(counted, policy: .newest(3))
        default: BridgeStream(counted, policy: .coalesced { $0 + $1 })
        }
      }
      Member<Void>.promiseConcurrently("feed") { (_) -> Int in
        for number in 1...9 { feed.yield(number) }
        // For the eleventh: the tenth has been taken in.
        while asked.withLock({ $0 }) < 11 { await Task.yield() }
        feed.finish()
        return 0
      }
    }
    feed.yield(0)
    let seen = try await withBridge([module]) { bridge, _ in
      try await bridge.evaluate(
        """
        (async () => {
          const { Fast } = NativeModules, stream = await Fast.stream(), seen = [(await stream.next()).value];
          await Fast.feed();
          for await (const number of stream) seen.push(number);
          return seen;
        })()
        """, as: [Int].self)
    }
    #expect(seen == expected)
  }

  @Test(arguments: ["break", "close"]) func aSequenceWithAPolicyIsLetGo(how: String) async throws {
    let (numbers, feed) = AsyncStream.makeStream(of: Int.self)
    let isOver = Lock(false)
    feed.onTermination = { _ in isOver.withLock { $0 = true } }
    let module = ModuleDefinition("Fast", make: { _ in () }) {
      Member<Void>.promise("stream") { _ in BridgeStream(numbers, policy: .latest) }
    }
    feed.yield(0)
    try await withBridge([module]) { bridge, _ in
      _ = try await bridge.evaluate(
        """
        (async () => {
          for await (const number of await NativeModules.Fast.stream()) if ('\(how)' === 'break' || number === 0) break;
          const other = await NativeModules.Fast.stream();
          other.next();
          if ('\(how)' === 'break') await other.return();
        })().then(() => 1)
        """, as: Int.self)
      if how == "close" { await bridge.close() }
      let deadline = ContinuousClock.now + patience
      while !isOver.withLock({ $0 }), ContinuousClock.now < deadline { await Task.yield() }
      #expect(isOver.withLock { $0 })
    }
  }

  @Test func streamsStandInsideOtherValues() async throws {
    let sums = try await run(
      """
      const sums = [];
      for (const stream of await Streams.several(5)) {
        let sum = 0;
        for await (const number of stream) sum += number;
        sums.push(sum);
      }
      for await (const point of await Streams.points()) sums.push(point.x + point.y + point.name.length);
      return sums;
      """, as: [Int].self)
    #expect(sums == [0, 1, 3, 6, 10, 4])
  }

  /// Two streams are ended at random moments while a third goes on: no answer reaches another's question.
  @Test func endsAtRandomMomentsDisturbNoOther() async throws {
    let sum = try await run(
      """
      let sum = 0;
      const whole = (async () => { for await (const number of await Streams.count(500)) sum += number; })();
      for (let round = 0; round < 100; round++) {
        const stream = await Streams.count(1e9), other = await Streams.never();
        const waiting = [stream.next(), stream.next(), other.next()];
        for (let i = 0; i < round % 4; i++) await null;
        await Promise.all([stream.return(), other.return(), ...waiting]);
      }
      await whole;
      return sum;
      """, as: Int.self)
    #expect(sum == 125_250)
  }
}

/// Counts the questions for elements.
private struct Asked: AsyncSequence {
  let base: AsyncStream<Int>
  let count: Lock<Int>

  struct AsyncIterator: AsyncIteratorProtocol {
    var base: AsyncStream<Int>.Iterator
    let count: Lock<Int>

    mutating func next() async -> Int? {
      count.withLock { $0 += 1 }
      return await base.next()
    }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(base: base.makeAsyncIterator(), count: count) }
}

/// Counts up without ever suspending, but for one time, between the first number and the second.
private struct GatedNumbers: AsyncSequence, Sendable {
  private struct State: Sendable {
    var given = 0
    var isOpen = false
    var waiting: CheckedContinuation<Void, Never>?
  }

  let end: Int
  private let state = Lock(State())

  init(end: Int) { self.end = end }

  var given: Int { state.withLock { $0.given } }

  func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      return state.waiting.take()
    }
    waiting?.resume()
  }

  struct AsyncIterator: AsyncIteratorProtocol {
    let numbers: GatedNumbers

    mutating func next() async -> Int? { await next(isolation: nil) }

    mutating func next(isolation: isolated (any Actor)?) async -> Int? {
      let state = numbers.state
      if state.withLock({ $0.given == 1 && !$0.isOpen }) {
        await withCheckedContinuation { continuation in
          let isOpen = state.withLock { state in
            if !state.isOpen { state.waiting = continuation }
            return state.isOpen
          }
          if isOpen { continuation.resume() }
        }
      }
      return state.withLock { state in
        guard state.given < numbers.end else { return nil }
        state.given += 1
        return state.given
      }
    }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(numbers: self) }
}

/// How many elements each answer has, of those that are arrays or typed ones.
private final class Deliveries: QueueObserver {
  private let all = Lock<[Int]>([])
  var counts: [Int] { all.withLock { $0 } }

  func willMake(_ call: MethodReference, slot: UInt32, arguments: () -> [ScriptValue]) {}

  func willDeliver(_ record: ReplyDecoder.Record) {
    guard case .answer(_, .value(let value)) = record else { return }
    switch value {
    case .array(let elements): all.withLock { $0.append(elements.count) }
    case .binary(let bytes, _): all.withLock { $0.append(bytes.count / 8) }
    default: break
    }
  }
}
