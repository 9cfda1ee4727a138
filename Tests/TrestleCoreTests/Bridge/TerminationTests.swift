import EventLoop
import JSEngine
import Testing

@testable import TrestleCore

/// What a call of `Ledger.enter` carried.
private struct Entry: Sendable, Equatable {
  var number: Int
  var text: String
  var point: Point
}

/// Scripts ended in the middle of a call leave no half of it behind.
@Suite struct TerminationTests {
  /// Every member of an entry follows from its number, so that a torn or mixed record shows.
  private static let script = """
    for (;;) {
      const number = globalThis.next++;
      NativeModules.Ledger.enter(number, 'entry ' + number, {
        get x() { if (number % 7 === 0) NativeModules.Ledger.note('inner'); return number }, y: -number,
        get name() { if (number % 11 === 0) trestle.flush(); return '\u{FC}'.repeat(number % 13) },
      }).catch(() => {});
      if (number % 5 === 0) NativeModules.Ledger.size();
    }
    """

  @Test func aThousandTerminationsAtRandomMomentsTearNothing() async throws {
    let entries = Lock<[Entry]>([])
    let ledger = ModuleDefinition("Ledger", make: { _ in Nothing() }) {
      Member<Nothing>.promise("enter", "number", "text", "point") { (_, number: Int, text: String, point: Point) in
        entries.withLock { $0.append(Entry(number: number, text: text, point: point)) }
        return number
      }
      Member<Nothing>.sync("size") { _ in entries.withLock { $0.count } }
      Member<Nothing>.void("note", "text") { (_, _: String) in }
    }
    try await withBridge([ledger]) { bridge, log in
      try await bridge.evaluate("globalThis.next = 0")
      var random = SystemRandomNumberGenerator()
      for _ in 0..<1000 {
        let span = Duration.microseconds(Int.random(in: 1000...2500, using: &random))
        try await bridge.setLimits(ExecutionLimits(time: span))
        await #expect(throws: BridgeError.self) { try await bridge.evaluate(Self.script) }
      }
      try await bridge.setLimits(nil)
      let next = try await bridge.evaluate("next", as: Int.self)
      #expect(try await bridge.evaluate("NativeModules.Ledger.size()", as: Int.self) == entries.withLock { $0.count })
      let torn = entries.withLock { entries in
        entries.filter { $0 != Entry(expectedOf: $0.number) }
      }
      #expect(torn == [])
      let numbers = entries.withLock { $0.map(\.number) }
      #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
      #expect(numbers.count > 1000 && numbers.last ?? 0 < next)
      #expect(log.texts.filter { $0.contains("ERR_MALFORMED") } == [])
    }
  }
}

extension Entry {
  fileprivate init(expectedOf number: Int) {
    self.init(
      number: number, text: "entry \(number)",
      point: Point(x: Double(number), y: -Double(number), name: String(repeating: "ü", count: number % 13)))
  }
}
