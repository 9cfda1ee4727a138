import EventLoop
import JSEngine
import TestSupport
import Testing

@testable import TrestleCore

private typealias Function = ScriptFunction<Double, Double>

/// What methods do with the functions that they are given, and what came of it.
private final class Caller: Sendable {
  let bridge = Lock<Bridge?>(nil)
  let kept = Lock<Function?>(nil)
  let notes = Lock<[String]>([])

  func note(_ text: String) { notes.withLock { $0.append(text) } }

  /// What the call gives, or why it does not.
  static func outcome<Result>(_ call: () throws -> Result) -> String {
    do { return "\(try call())" } catch let error as BridgeError where error.exceeded != nil {
      return "\(error.code)"
    } catch let error as JavaScriptError {
      return "\(error.name): \(error.message)"
    } catch { return "\(error)" }
  }
}

/// Functions of scripts that Swift calls and waits for.
@Suite struct SynchronousFunctionTests {
  private let caller = Caller()

  private var module: ModuleDefinition {
    ModuleDefinition("Caller", make: { [caller] _ in caller }) {
      Member<Caller>.sync("sum", "count", "add") {
        (_, count: Int, add: ScriptFunction<Double, Double, Double>) throws in
        try (0..<count).reduce(0.0) { try add.callNow($0, Double($1)) }
      }
      Member<Caller>.sync("pass", "value", "function") {
        (_, value: JSONValue, function: ScriptFunction<JSONValue, JSONValue>) throws in
        try function.callNow(value)
      }
      Member<Caller>.sync("outcome", "function") { (_, function: Function) in
        Caller.outcome { try function.callNow(1) }
      }
      Member<Caller>.sync("number", "function") { (_, function: ScriptFunction<Double>) in
        Caller.outcome { try function.callNow() }
      }
      Member<Caller>.sync("move", "place", "function") {
        (_, place: Place, function: ScriptFunction<Place, Place>) in
        Caller.outcome {
          let moved = try function.callNow(place)
          return "\(moved.x) \(moved.y) \(moved.name.map { "\($0.count) \($0.prefix(3))" } ?? "none")"
        }
      }
      Member<Caller>.sync("grow", "tree", "function") { (_, tree: Tree, function: ScriptFunction<Tree, Tree>) throws in
        try function.callNow(tree)
      }
      Member<Caller>.sync("nothing", "function") { (_, function: ScriptFunction<Undefined>) throws in
        _ = try function.callNow()
      }
      Member<Caller>.sync("bytes", "function") { (_, function: ScriptFunction<[UInt8], [UInt8]>) throws in
        try function.callNow([1, 2, 3])
      }
      Member<Caller>.sync("lend", "bytes", "function") { (_, bytes: BorrowedBytes, function: Function) throws in
        try bytes.withBytes { _ in Caller.outcome { try function.callNow(1) } }
      }
      // Over React Native's wire a function that stands last is called once.
      Member<Caller>.void("keep", "function", "name") { (caller, function: Function, _: String?) in
        caller.kept.withLock { $0 = function }
      }
      Member<Caller>.void("callKept", "value") { (caller, value: Double) in
        guard let function = caller.kept.withLock({ $0 }) else { return }
        caller.note("begin \(Caller.outcome { try function.callNow(value) }) end")
      }
      Member<Caller>.void("note", "text") { (caller, text: String) in caller.note(text) }
      Member<Caller>.sync("noteNow", "text") { (caller, text: String) in caller.note(text) }
      Member<Caller>.sync("quit") { caller in
        caller.bridge.withLock { $0 }?.assumeIsolated { $0.shutDown() }
      }
    }
  }

  private func kept() throws -> Function { try #require(caller.kept.withLock { $0 }) }

  private func evaluate(_ script: String, wire: Wire = .shared) async throws -> String {
    try await withBridge([module], wire: wire) { bridge, log in
      let result = try await bridge.evaluate(
        "const { Caller } = NativeModules; (async () => {\(script)})().then(String, error => `thrown ${error}`)",
        as: String.self)
      #expect(log.texts == [])
      return result
    }
  }

  @Test(arguments: Wire.allCases) func givesItsResultAtOnce(wire: Wire) async throws {
    #expect(try await evaluate("return Caller.sum(101, (a, b) => a + b)", wire: wire) == "5050")
  }

  @Test(arguments: Wire.allCases) func valuesOfEveryKindCross(wire: Wire) async throws {
    let script = """
      const all = [null, true, -1.5, '', 'a', 'ä€😀', 'x'.repeat(5000), [1, 'b', [null]], { a: { b: [1] } },
        Array.from({ length: 30000 }, (_, i) => `item ${i}`)];
      const fails = all.filter(value => JSON.stringify(Caller.pass(value, got => got)) !== JSON.stringify(value));
      Caller.nothing(() => ({ any: 1 }));
      return `${fails.length} ${Array.from(Caller.bytes(bytes => new Uint8Array(bytes).map(byte => byte * 2)))}`;
      """
    #expect(try await evaluate(script, wire: wire) == "0 2,4,6")
  }

  @Test(arguments: Wire.allCases) func whatItThrowsIsTheErrorOfTheCall(wire: Wire) async throws {
    let script = """
      const seen = [
        Caller.outcome(() => { throw new RangeError('no') }), Caller.outcome(() => { throw 'text' }),
        Caller.outcome(async () => 1), Caller.number(() => 'a'), Caller.number(() => ({ deep: 1 })),
        Caller.outcome(() => new Proxy({}, { ownKeys() { throw new Error('hostile') } })),
        Caller.outcome(() => { throw new Proxy(new Error('hidden'), { get() { throw 1 } }) }),
      ];
      const error = new Error('mine');
      try { Caller.pass(1, () => { throw error }); } catch (caught) { seen.push(caught === error); }
      const deep = () => deep() + 1;
      seen.push(Caller.outcome(deep));
      return seen.join('\\n');
      """
    let lines = try await evaluate(script, wire: wire).split(separator: "\n").map(String.init)
    try #require(lines.count >= 9)
    #expect(lines[0] == "RangeError: no" && lines[1].hasSuffix("text"))
    #expect(lines[2].contains("the function gave a promise"))
    #expect(lines[3].contains("expected number, got string \"a\""))
    #expect(lines[4].contains("expected number, got object"))
    #expect(lines[5].contains("hostile"))
    if wire == .shared { #expect(lines[7] == "true") }
    #expect(lines[8].contains("RangeError"))
  }

  @Test(arguments: Wire.allCases) func recordsCrossByTheirShape(wire: Wire) async throws {
    let script = """
      const place = { x: 1, y: 2, name: 'a' };
      const move = then => Caller.move(place, then);
      const seen = [
        move(({ x, y, name }) => ({ x: x + 1, y, name })), move(({ x, y }) => ({ y, more: 1, x })), move(got => ({ ...got, name: null })),
        move(got => ({ ...got, name: 'äöü' })), move(got => ({ ...got, name: 'x'.repeat(5000) })), move(got => [got.x, got.y]),
        move(got => ({ ...got, x: '1' })), move(got => ({ ...got, name: 5 })), move(() => undefined),
        move(async got => got), move(() => new Proxy({}, { get() { throw new Error('hostile') } })),
        // What getters call writes where the result will be.
        move(() => ({ get x() { return Number(move(got => got)[0]) }, get y() { return Caller.sum(3, (a, b) => a + b) }, name: 'g' })),
      ];
      const tree = Caller.grow({ label: 'a' }, got => ({ ...got, children: [{ label: 'b', limit: 3 }] }));
      return seen.join('\\n') + '\\n' + JSON.stringify(tree);
      """
    let lines = try await evaluate(script, wire: wire).split(separator: "\n").map(String.init)
    try #require(lines.count == 13)
    #expect(lines[0...4] == ["2.0 2.0 1 a", "1.0 2.0 none", "1.0 2.0 none", "1.0 2.0 3 äöü", "1.0 2.0 5000 xxx"])
    #expect(lines[5].contains("expected Place, got array"))
    #expect(lines[6].contains("'result.x': expected number, got string \"1\""))
    #expect(lines[7].contains("'result.name': expected string, got number 5"))
    #expect(lines[8].contains("expected Place, got undefined"))
    #expect(lines[9].contains("the function gave a promise") && lines[10].contains("hostile"))
    #expect(lines[11] == "1.0 3.0 1 g")
    #expect(
      lines[12]
        == #"{"label":"a","limit":100,"children":[{"label":"b","limit":3,"children":[]}]}"#)
  }

  @Test(arguments: Wire.allCases) func itMayCallNativeCode(wire: Wire) async throws {
    let script = """
      const inner = Caller.sum(3, (a, b) => a + Caller.sum(4, (c, d) => c + d) + b);
      Caller.keep(value => { Caller.noteNow(`now ${value}`); Caller.note('later'); return value; }, '');
      Caller.callKept(1);
      Caller.callKept(2);
      Caller.noteNow('after');
      return inner;
      """
    #expect(try await evaluate(script, wire: wire) == "21")
    let notes = caller.notes.withLock { $0 }
    #expect(notes.filter { $0.hasPrefix("begin") }.count == 2 && notes.contains("now 2") && notes.contains("after"))
    #expect(notes.filter { $0 == "later" }.count == 2)
  }

  /// By way of calls that nobody waits for, which are not counted like those that are.
  @Test func endlessRecursionIsAnError() async throws {
    let script = """
      Caller.keep(value => { Caller.callKept(value + 1); trestle.flush(); return value; });
      Caller.callKept(0);
      trestle.flush();
      let deepest;
      const again = () => { const text = Caller.outcome(again); deepest ??= text; return 1; };
      again();
      return deepest.includes('100 deep') && Caller.sum(2, (a, b) => a + b) === 1;
      """
    let result = try await evaluate(script)
    #expect(result == "true")
    let notes = caller.notes.withLock { Set($0) }
    #expect(notes.contains { $0.contains("RangeError") || $0.contains("ERR_LIMIT") }, "\(notes)")
  }

  /// What method and script make of it does not matter: the turn is over.
  @Test(arguments: Wire.allCases) func limitsEndIt(wire: Wire) async throws {
    try await withBridge([module], wire: wire) {
      (bridge, _) async throws in
      try await bridge.setLimits(.ofProcessor(.milliseconds(100)))
      let error = await #expect(throws: BridgeError.self) {
        try await bridge.evaluate(
          """
          try { globalThis.text = NativeModules.Caller.outcome(() => { for (;;); }) } catch {}
          for (;;);
          """)
      }
      #expect(error?.exceeded == .time)
      try await bridge.setLimits(nil)
      #expect(
        try await bridge.evaluate("NativeModules.Caller.sum(3, (a, b) => a + b)", as: Double.self) == 3)
    }
  }

  /// From Swift that no script has called: a turn of its own, with all that comes of it.
  @Test(arguments: Wire.allCases) func isATurnWhereThereIsNone(wire: Wire) async throws {
    try await withBridge([module], wire: wire) {
      bridge, log in
      try await bridge.evaluate(
        """
        NativeModules.Caller.keep(value => {
          if (value === 2) for (;;);
          Promise.resolve().then(() => NativeModules.Caller.note('microtask'));
          return value;
        }, '')
        """)
      #expect(try await bridge.callNow(kept(), 1) == 1)
      #expect(caller.notes.withLock { $0 } == ["microtask"])
      try await bridge.setLimits(.ofProcessor(.milliseconds(100)))
      let error = await #expect(throws: BridgeError.self) {
        try await bridge.callNow(kept(), 2)
      }
      #expect(error?.exceeded == .time)
      try await bridge.setLimits(nil)
      #expect(try await bridge.callNow(kept(), 3) == 3)
      #expect(log.texts == [])
    }
  }

  @Test func elsewhereItIsRefused() async throws {
    try await withBridge([module]) { (bridge, _) async throws in
      try await bridge.evaluate("NativeModules.Caller.keep(value => value)")
      let function = try kept()
      let error = #expect(throws: BridgeError.self) { try function.callNow(1) }
      #expect(error?.code == .thread)
    }
    let function = try kept()
    let error = #expect(throws: BridgeError.self) { try function.callNow(1) }
    #expect(error?.code == .closed || error?.code == .thread)
  }

  @Test(arguments: Wire.allCases) func itMayCloseTheBridge(wire: Wire) async throws {
    try await withBridge([module], wire: wire) { (bridge, _) async throws in
      caller.bridge.withLock { $0 = bridge }
      try? await bridge.evaluate(
        """
        const { Caller } = NativeModules;
        Caller.keep(() => { Caller.quit(); return 7 }, '');
        Caller.callKept(1);
        Caller.callKept(2);
        """)
      let error = await #expect(throws: BridgeError.self) {
        try await bridge.callNow(kept(), 2)
      }
      #expect(error?.code == .closed)
      caller.bridge.withLock { $0 = nil }
    }
    let notes = caller.notes.withLock { $0 }
    #expect(notes.first == "begin 7.0 end")
  }

  /// The function could detach them.
  @Test func notWhileBorrowedBytesAreRead() async throws {
    let script = "return Caller.lend(new Uint8Array([1]), () => 1) + Caller.outcome(() => 1)"
    let text = try await evaluate(script)
    #expect(text.contains("while borrowed bytes are read") && text.hasSuffix("1.0"))
  }
}

extension Bridge {
  fileprivate func callNow(_ function: Function, _ value: Double) throws -> Double { try function.callNow(value) }
}
