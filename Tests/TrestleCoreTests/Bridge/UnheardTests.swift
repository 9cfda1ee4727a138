import EventLoop
import Glibc
import JSEngine
import TestSupport
import Testing

@testable import TrestleCore

/// What native code sends when limits leave scripts no turn, or end them before they have it.
@Suite struct UnheardTests {
  private let replies = Lock<[Reply]>([])
  private let journal = Journal()
  /// Of a script that is in native code: it ends when it returns to the script.
  private let endTurn = Lock<@Sendable () -> Void>({})

  private var module: ModuleDefinition {
    ModuleDefinition("Late", make: { _ in Nothing() }) { [replies, journal, endTurn] in
      Member<Nothing>._method("keep", .promise) { _ in
        { (call) throws(ConversionError) in
          let reply = call.reply()
          replies.withLock { $0.append(reply) }
        }
      }
      Member<Nothing>.event("changed", Int.self)
      Member<Nothing>.promise("promise", "title") { (_, title: String) in TextDocument(title, journal: journal) }
      Member<Nothing>.sync("make", "title") { (_, title: String) in TextDocument(title, journal: journal) }
      Member<Nothing>.sync("open", "name") { (_, name: String) in
        BridgeStream<Int>(StreamSource(next: { [Int]() }, end: { journal.append("ended \(name)") }))
      }
      Member<Nothing>.sync("makeLate", "title") { (_, title: String) in
        endTurn.withLock { $0() }
        return TextDocument(title, journal: journal)
      }
      Member<Nothing>.sync("openLate", "name") { (_, name: String) in
        endTurn.withLock { $0() }
        return BridgeStream<Int>(StreamSource(next: { [Int]() }, end: { journal.append("ended \(name)") }))
      }
    }
  }

  /// Nothing may run.
  private static let noTurn = ExecutionLimits(residentMemory: 1)

  @Test(arguments: Wire.allCases) func whoWaitsHearsOfItInTheNextTurn(wire: Wire) async throws {
    try await withBridge([module], wire: wire) { bridge, log throws in
      try await bridge.evaluate(
        """
        globalThis.codes = [];
        for (let i = 0; i < 3; i++) NativeModules.Late.keep().then(() => codes.push('value'), error => codes.push(error.code));
        """)
      try await bridge.answerWithoutTurn(limits: Self.noTurn) { [replies, journal] in
        replies.withLock { replies in
          replies[0].resolve(1)
          replies[1].resolve(TextDocument("lost", journal: journal))
          replies[2].reject(BridgeError(.notFound, "none"))
          replies = []
        }
      }
      #expect(!log.texts.isEmpty)
      try await journal.waitFor("gone lost")
      try await bridge.setLimits(nil)
      await bridge.waitUntilIdle()
      #expect(try await bridge.evaluate("codes", as: [String].self) == ["ERR_LIMIT", "ERR_LIMIT", "ERR_LIMIT"])
    }
  }

  @Test(arguments: Wire.allCases) func aListenerBeginsLate(wire: Wire) async throws {
    let sensor = Sensor()
    try await sensor.withBridge(wire: wire) { bridge, log throws in
      try await bridge.withContext { context in
        try context.evaluate("Sensor.changed.addListener(value => seen.push(value)); trestle.flush();")
        context.limits = Self.noTurn
      }
      try await bridge.setLimits(nil)
      await bridge.waitUntilIdle()
      sensor.changed.emit(7)
      await bridge.waitUntilIdle()
      #expect(try await bridge.evaluate("seen", as: [Int].self) == [7])
    }
  }

  /// Events go by numbers of their names, which JavaScript learns with the first one.
  @Test(arguments: Wire.allCases) func namesAreSentAnew(wire: Wire) async throws {
    let sensor = Sensor()
    try await sensor.withBridge(wire: wire) { bridge, log throws in
      try await bridge.evaluate("Sensor.changed.addListener(value => seen.push(value))")
      try await bridge.answerWithoutTurn(limits: Self.noTurn) { sensor.changed.emit(1) }
      try await bridge.setLimits(nil)
      sensor.changed.emit(2)
      await bridge.waitUntilIdle()
      #expect(try await bridge.evaluate("seen", as: [Int].self) == [2])
    }
  }

  @Test(arguments: Wire.allCases) func resultsThatNobodyReadsAreLetGo(wire: Wire) async throws {
    try await withBridge([module], wire: wire) { bridge, _ throws in
      try await bridge.evaluate(
        """
        globalThis.Late = NativeModules.Late;
        globalThis.kept = [Late.make('kept'), Late.make('kept')], globalThis.stream = Late.open('kept');
        """)
      endTurn.withLock { $0 = bridge.interrupt }
      try await bridge.setLimits(ExecutionLimits(isInterruptible: true))
      for call in ["makeLate('lost')", "openLate('lost')"] {
        await #expect(throws: BridgeError.self) { try await bridge.evaluate("globalThis.result = Late.\(call)") }
      }
      endTurn.withLock { $0 = {} }
      try await journal.waitFor("gone lost")
      try await journal.waitFor("ended lost")
      #expect(journal.all.count == 2)
      #expect(try await bridge.sharedObjectCounts() == ["Document": 2])
      let script =
        "[typeof result, kept[1].title, Late.make('new').title, kept[0] !== kept[1]].join()"
      #expect(try await bridge.evaluate(script, as: String.self) == "undefined,kept,new,true")
    }
  }

  /// The first listener uses all time up: there is no turn for what stands behind it. What came with an earlier delivery, of which all
  /// was read, is not let go with that.
  @Test func objectsOfEarlierDeliveriesStay() async throws {
    try await withBridge([module]) { bridge, log throws in
      try await bridge.evaluate("NativeModules.Late.promise('mine').then(made => { globalThis.mine = made })")
      await bridge.waitUntilIdle()
      try await bridge.evaluate("NativeModules.Late.addListener('changed', () => { for (;;); })")
      try await bridge.setLimits(ExecutionLimits(totalTime: .milliseconds(30)))
      await bridge.emitTwice()
      await bridge.waitUntilIdle()
      for _ in 0..<2000 where log.texts.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
      try await bridge.setLimits(nil)
      #expect(try await bridge.sharedObjectCounts() == ["Document": 1])
      try await bridge.evaluate("NativeModules.Late.promise('other').then(made => { globalThis.other = made })")
      await bridge.waitUntilIdle()
      #expect(try await bridge.evaluate("[mine.title, other.title]", as: [String].self) == ["mine", "other"])
    }
  }

  /// They would be tried again and again, each time in vain, and each time told. (Now and then the call is made at once: 5 ms have passed.)
  @Test func callsThatGetNoTurnFail() async throws {
    try await withBridge([module]) { bridge, log throws in
      try await bridge.withContext { context in
        try context.evaluate(
          "NativeModules.Late.promise('x').then(() => 'made', error => error.message).then(text => { globalThis.outcome = text })"
        )
        context.limits = Self.noTurn
      }
      try await Task.sleep(for: .milliseconds(200))
      #expect(log.texts.count < 10, "\(log.texts.count)")
      try await bridge.setLimits(nil)
      await bridge.waitUntilIdle()
      let outcome = try await bridge.evaluate("outcome", as: String.self)
      #expect(outcome == "made" || outcome.contains("no turn"), "\(outcome)")
    }
  }

  @Test func whatSwiftLetsGoOfIsReleasedInALaterTurn() async throws {
    try await withBridge([module], { $0.tracksOutstanding = true }) { bridge, _ throws in
      try await bridge.evaluate("globalThis.make = () => ({})")
      var held: ScriptObject? = try await bridge.callForObject("make")
      #expect(try await bridge.outstanding().count == 1)
      try await bridge.setLimits(Self.noTurn)
      _ = held.take()
      try await Task.sleep(for: .milliseconds(50))
      try await bridge.setLimits(nil)
      for _ in 0..<1000 where try await !bridge.outstanding().isEmpty { try await Task.sleep(for: .milliseconds(5)) }
      #expect(try await bridge.outstanding().map(\.description) == [])
    }
  }

  /// An object that comes again while the one before it waits for its finalizer counts as one with it.
  @Test func objectsThatComeAgainAreCounted() async throws {
    let document = TextDocument("again", journal: nil)
    let module = ModuleDefinition("Again", make: { _ in Nothing() }) { [endTurn] in
      Member<Nothing>.sync("get") { _ in document }
      Member<Nothing>.sync("getLate") { _ in
        endTurn.withLock { $0() }
        return document
      }
    }
    try await withBridge([module]) { bridge, _ throws in
      try await bridge.evaluate("globalThis.Again = NativeModules.Again; Again.get();")
      for _ in 0..<20 {
        try await bridge.withContext { context in
          context.collectGarbage()
          try context.evaluate("Again.get().title")
          context.collectGarbage()
          try context.evaluate("globalThis.held = Again.get()")
        }
        #expect(try await bridge.evaluate("held.title", as: String.self) == "again")
      }
      endTurn.withLock { $0 = bridge.interrupt }
      try await bridge.setLimits(ExecutionLimits(isInterruptible: true))
      await #expect(throws: BridgeError.self) { try await bridge.evaluate("Again.getLate()") }
      endTurn.withLock { $0 = {} }
      #expect(try await bridge.sharedObjectCounts() == ["Document": 1])
      #expect(try await bridge.evaluate("held.title", as: String.self) == "again")
      try await bridge.evaluate("held.release()")
      #expect(try await bridge.sharedObjectCounts() == [:])
    }
  }

  @Test func recordsAreFoundFromWhereReadingBrokeOff() throws {
    var writer = ValueWriter()
    var names = SentNames()
    var starts: [Int] = []
    for slot in 1...2 as ClosedRange<UInt32> {
      starts.append(writer.byteCount)
      writer.appendAnswer(["a": 1.5, "b": 2], slot: slot)
      try writer.appendEvent("changed", ofModule: 7, [1, 2, 3], names: &names)
      writer.appendRejection(BridgeError(.notFound, "none", at: "here", cause: BridgeError(.limit, "why")), slot: slot)
      try writer.appendCall(slot, of: "f", "text", [[Int64.max]], UInt64.max, true)
      writer.append(.abort, slot: slot)
      writer.append(.listener, slot: slot)
      writer.append(.array, low: 1)
      try Point(x: 1, y: 2, name: "p").encode(into: &writer)
    }
    let kinds: [ReplyKind] = [.resolve, .event, .reject, .call, .abort, .listener]
    #expect(writer.records(from: 0).map(\.kind) == kinds + kinds)
    #expect(writer.records(from: 0).map(\.slot) == [1, 7, 1, 1, 1, 1, 2, 7, 2, 2, 2, 2])
    #expect(writer.records(from: starts[1]).map(\.kind) == kinds)
    #expect(writer.records(from: writer.byteCount).isEmpty)
  }

  @Test func whatWasHandedOverAndNotReadIsLetGo() async throws {
    try await withBridge([module]) { [journal] bridge, _ throws in
      #expect(try await bridge.giveUpDelivery(after: 0, journal) == ["Document": 0])
      #expect(journal.all.sorted() == ["ended 0", "ended 1", "gone 0", "gone 1"])
      #expect(try await bridge.giveUpDelivery(after: 1, journal) == ["Document": 1])
      #expect(journal.all.sorted() == ["ended 0", "ended 1", "ended 1", "gone 0", "gone 1", "gone 1"])
    }
  }
}

extension Bridge {
  /// Has answers crossing while there is no turn for them.
  fileprivate func emitTwice() { for value in 1...2 { emit("changed", of: "Late", value) } }

  fileprivate func answerWithoutTurn(limits: ExecutionLimits, _ answer: @Sendable () -> Void) throws {
    try setLimits(limits)
    answer()
    try openRuntime().context.gate.settle()
  }

  /// Hands over two answers with an object and a stream each, of which JavaScript reads so many.
  fileprivate func giveUpDelivery(after count: Int32, _ journal: Journal) throws -> [String: Int] {
    let runtime = try openRuntime()
    let queue = runtime.queue
    let nobody = try #require(JSFunction(try runtime.context.evaluate("() => {}")))
    try runtime.session.withWriter { writer throws in
      var ends: [Int] = []
      for index in 0..<2 {
        writer.append(.resolve, slot: 1000)
        writer.append(.array, low: 2)
        TextDocument("\(index)", journal: journal).encode(into: &writer)
        BridgeStream<Int>(StreamSource(next: { [Int]() }, end: { journal.append("ended \(index)") })).encode(
          into: &writer)
        ends.append(writer.byteCount / 4)
      }
      queue.willDeliver()
      try queue.deliver(writer, to: nobody, in: runtime.context)
      if count > 0 {
        let start = Int32(CommandBuffer.answersStart)
        queue.buffer[CommandBuffer.Word.answerEnd] = start + Int32(ends[1])
        queue.buffer[CommandBuffer.Word.answerCursor] = start + Int32(ends[Int(count) - 1])
        queue.buffer[CommandBuffer.Word.answerSide] = 2 * count
      }
      queue.giveUpDelivery(of: writer, wasHandedOver: true)
    }
    #expect(runtime.session.unheard.count == 2 - Int(count) && !queue.isDeliveryUnfinished)
    runtime.session.unheard = []
    return ["Document": runtime.session.sharedObjects.counts["Document", default: 0]]
  }
}
