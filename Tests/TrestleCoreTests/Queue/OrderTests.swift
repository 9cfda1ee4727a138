import EventLoop
import TestSupport
import Testing

@testable import TrestleCore

/// An actor whose calls run on an executor of the bridge's making.
private actor OwnRecorder: ModuleActor {
  nonisolated let moduleExecutor = ModuleExecutor()
  nonisolated var unownedExecutor: UnownedSerialExecutor { moduleExecutor.asUnownedSerialExecutor() }
  private(set) var numbers: [Int] = []
  func record(_ number: Int) { numbers.append(number) }
  func recordSlowly(_ number: Int) async {
    numbers.append(number)
    await Task.yield()
  }
}

/// An actor on Swift's own executor, foreign to the bridge.
private actor ForeignRecorder {
  private(set) var numbers: [Int] = []
  func record(_ number: Int) { numbers.append(number) }
}

@Suite struct OrderTests {
  private static let batches = 10_000

  /// Batches of 1 to 3 calls; each batch is a turn of its own.
  private func run(
    _ definition: ModuleDefinition, _ wire: Wire, _ method: String, total: () async -> Int
  ) async throws {
    try await withBridge([definition], wire: wire) { bridge, log in
      try await bridge.evaluate("let next = 0; const {Recorder} = NativeModules;")
      let count = try await bridge.evaluate(
        """
        (async () => {
          for (let batch = 0; batch < \(Self.batches); batch++) {
            for (let i = 0; i <= batch % 3; i++) Recorder.\(method)(next++);
            await null;
            trestle.flush();
          }
          return next;
        })()
        """, as: Int.self)
      let deadline = ContinuousClock.now + patience
      while await total() < count, ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(1)) }
      #expect(log.texts == [])
    }
  }

  @Test(arguments: Wire.allCases, ["record", "recordSlowly"])
  func callsToAnActorOnOurExecutorStartInOrder(wire: Wire, method: String) async throws {
    let recorder = OwnRecorder()
    let definition = ModuleDefinition(
      "Recorder", home: { .executor($0.moduleExecutor) }, make: { _ in recorder }
    ) {
      Member<OwnRecorder>._method("record", .void, [Parameter("number", Int.self)]) { recorder in
        { (call) throws(ConversionError) in
          let number = try call.next(Int.self)
          call.enqueue { recorder.assumeIsolated { $0.record(number) } }
        }
      }
      Member<OwnRecorder>._method("recordSlowly", .void, [Parameter("number", Int.self)]) { recorder in
        { (call) throws(ConversionError) in
          let number = try call.next(Int.self)
          let reply = call.reply()
          call.enqueue {
            recorder.assumeIsolated { recorder in
              reply.start {
                _ = recorder
                await reply.complete { await recorder.recordSlowly(number) }
              }
            }
          }
        }
      }
    }
    try await run(definition, wire, method) { await recorder.numbers.count }
    let numbers = await recorder.numbers
    #expect(numbers == Array(0..<numbers.count) && numbers.count == 19_999)
  }

  @Test(arguments: Wire.allCases) func callsToAForeignActorStartInOrder(wire: Wire) async throws {
    let recorder = ForeignRecorder()
    let definition = ModuleDefinition("Recorder", home: { .actor($0) }, make: { _ in recorder }) {
      Member<ForeignRecorder>._method("record", .void, [Parameter("number", Int.self)]) { recorder in
        { (call) throws(ConversionError) in
          let number = try call.next(Int.self)
          call.enqueue { recorder.assumeIsolated { $0.record(number) } }
        }
      }
    }
    try await run(definition, wire, "record") { await recorder.numbers.count }
    let numbers = await recorder.numbers
    #expect(numbers == Array(0..<numbers.count) && numbers.count == 19_999)
  }

  @Test(arguments: Wire.allCases) func aSyncCallComesAfterTheCallsBeforeIt(wire: Wire) async throws {
    let lines = Lock<[String]>([])
    let definition = ModuleDefinition("Log", make: { _ in Nothing() }) {
      Member<Nothing>._method("write", .void, [Parameter("line", String.self)]) { _ in
        { (call) throws(ConversionError) in
          let line = try call.next(String.self)
          call.complete { lines.withLock { $0.append(line) } }
        }
      }
      Member<Nothing>._method("read", .sync, result: [String].self) { _ in
        { (call) throws(ConversionError) in call.answer { lines.withLock { $0 } } }
      }
    }
    let read = try await withBridge([definition], wire: wire) { bridge, _ in
      try await bridge.evaluate(
        "const {Log} = NativeModules; Log.write('a'); Log.write('b'); const all = Log.read(); Log.write('c'); all",
        as: [String].self)
    }
    #expect(read == ["a", "b"])
    #expect(lines.withLock { $0 } == ["a", "b", "c"])
  }
}
