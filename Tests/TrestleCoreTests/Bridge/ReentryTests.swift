import EventLoop
import TestSupport
import Testing

@testable import TrestleCore

private typealias Function = ScriptFunction<Double>

/// Calls inside calls, in the places where one could take what is another's.
@Suite struct ReentryTests {
  private let journal = Journal()
  private let kept = Lock<[any Sendable]>([])

  private var module: ModuleDefinition {
    ModuleDefinition("M", make: { _ in Nothing() }) { [journal, kept] in
      Member<Nothing>.sync("number") { _ in 7 }
      Member<Nothing>.sync("text", "function") {
        (_, function: ScriptFunction<Undefined>) throws -> String in
        _ = try function.callNow()
        return "the answer"
      }
      // Over React Native's wire a function that stands last is called once.
      Member<Nothing>.void("later", "function", "name") { (_, function: Function, _: String) in
        journal.append(describe { try function.callNow() })
      }
      Member<Nothing>.void("read", "bytes", "function") { (_, bytes: BorrowedBytes, function: Function) in
        _ = try? function.callNow()
        journal.append(describe { try bytes.copy() })
      }
      Member<Nothing>.void("take", "bytes") { (_, bytes: BorrowedBytes) in _ = try? bytes.copy() }
      Member<Nothing>.void("signal", "function") { (_, function: ScriptFunction<AbortSignal, Undefined>) in
        _ = try? function.callNow(AbortSignal())
      }
      Member<Nothing>.void("keep", "count", "values") { (_, _: Int, values: ScriptFunction<Int, Int>) in
        kept.withLock { $0.append(values) }
      }
      Member<Nothing>.promise("fail") { (_) throws -> Int in throw BridgeError(.argument, "no") }
      Member<Nothing>._method("call", .callbacks, [.callback("done", Int.self)]) { _ in
        { (call) throws(ConversionError) in (try call.callback(Int.self))(1) }
      }
      Member<Nothing>._method(
        "optional", .callbacks,
        [.callback("failure", Int.self, isOptional: true), .callback("success", Int.self, isOptional: true)]
      ) { _ in
        { (call) throws(ConversionError) in
          let (failure, success) = (try call.optionalCallback(Int.self), try call.optionalCallback(Int.self))
          if let success { success(2) } else { failure?(1) }
        }
      }
    }
  }

  private func withM<Result: Sendable>(
    wire: Wire = .shared, _ configure: (inout BridgeConfiguration) -> Void = { _ in },
    _ body: (Bridge, ErrorLog) async throws -> Result
  ) async throws -> Result {
    try await withBridge([module], wire: wire, configure) { bridge, log in
      try await bridge.evaluate("const { M } = NativeModules;")
      return try await body(bridge, log)
    }
  }

  /// The outer call is answered, and behind it in the buffer is one that leads to another synchronous call.
  @Test(arguments: Wire.allCases) func anAnswerStaysThatOfItsCall(wire: Wire) async throws {
    try await withM(wire: wire) { bridge, log in
      let text = try await bridge.evaluate(
        "M.text(() => { M.later(() => M.number(), ''); })", as: String.self)
      #expect(text == "the answer")
      #expect(journal.all == ["7.0"])
      #expect(log.texts == [])
    }
  }

  /// Calls before it in the buffer run scripts that call synchronously, too: each gets its own.
  @Test(arguments: Wire.allCases) func callsBeforeASynchronousOneCallInTheirTurn(wire: Wire) async throws {
    try await withM(wire: wire) { bridge, log in
      let texts = try await bridge.evaluate(
        """
        const inner = [];
        M.later(() => { inner.push(M.number()); return 1; }, '');
        M.later(() => { inner.push(M.text(() => {})); return 1; }, '');
        const outer = M.text(() => {});
        [outer, ...inner.sort()].map(String);
        """, as: [String].self)
      #expect(texts == ["the answer", "7", "the answer"])
      #expect(log.texts == [])
    }
  }

  /// The same where the calls before it were left by another callback of the same delivery.
  @Test(arguments: Wire.allCases) func callsOfAnotherCallbackBeforeASynchronousOneCallInTheirTurn(
    wire: Wire
  ) async throws {
    try await withM(wire: wire) { bridge, log in
      let texts = try await bridge.evaluate(
        """
        new Promise(resolve => {
          const inner = [];
          M.call(() => M.later(() => { inner.push(M.number()); return 1; }, ''));
          M.call(() => {
            inner.push(M.text(() => {}));
            resolve(inner.map(String));
          });
        });
        """, as: [String].self)
      #expect(texts == ["7", "the answer"])
      #expect(log.texts == [])
    }
  }

  /// Its microtasks would call natives, whose answers lie where its own does.
  @Test(arguments: Wire.allCases) func microtasksWaitUntilAResultIsRead(wire: Wire) async throws {
    try await withM(wire: wire) {
      $0.limits = .ofProcessor(.seconds(20))
    } _: { bridge, log in
      try await bridge.evaluate("M.later(() => { Promise.resolve().then(() => M.number()); return 1; }, '')")
      await bridge.waitUntilIdle()
      #expect(journal.all == ["1.0"])
      #expect(log.texts == [])
    }
  }

  @Test func callsThatWaitShareOneTime() async throws {
    try await withM {
      $0.limits = .ofProcessor(.milliseconds(200))
    } _: { (bridge, _) async throws in
      try? await bridge.evaluate(
        """
        let left = 50;
        const again = () => {
          if (left-- > 0) M.later(again, '');
          for (let i = 0; i < 3e7; i++);
          return 1;
        };
        M.later(again, '');
        """)
      await bridge.waitUntilIdle()
      #expect(journal.all.contains { $0.hasPrefix("ERR_LIMIT") }, "\(journal.all)")
      #expect(try await bridge.evaluate("1 + 1", as: Int.self) == 2)
    }
  }

  @Test func whatACallHasBorrowedStaysItsOwn() async throws {
    try await withM { bridge, _ in
      try await bridge.evaluate(
        """
        M.later(() => {
          M.read(new Uint8Array([1, 2, 3]), () => {
            trestle.flush();
            M.take(new Uint8Array([7, 8, 9]));
            M.take(new Uint8Array([7, 8, 9]));
            return 1;
          });
          return 1;
        }, '');
        """)
      await bridge.waitUntilIdle()
      #expect(journal.all.contains("[1, 2, 3]"), "\(journal.all)")
    }
  }

  @Test func aSignalIsThatOfItsCall() async throws {
    try await withM { bridge, _ in
      try await bridge.evaluate(
        """
        globalThis.seen = [];
        globalThis.note = (value) => { seen.push(typeof value); return new Promise(() => {}); };
        M.signal((signal) => { globalThis.early = signal; });
        """)
      await bridge.waitUntilIdle()
      let task = Task { try await bridge.call("note", 1, as: Int.self) }
      while try await bridge.evaluate("seen.length", as: Int.self) == 0 { await Task.yield() }
      task.cancel()
      _ = await task.result
      try await bridge.evaluate("0")
      #expect(try await bridge.evaluate("early.aborted", as: Bool.self) == false)
    }
  }

  /// With callbacks that may be left out, of either position.
  @Test func aCallWithoutItsCallbacksHoldsNothing() async throws {
    try await withM { bridge, log in
      try await bridge.evaluate(
        """
        globalThis.told = [];
        M.optional();
        M.optional(undefined, undefined);
        M.optional(undefined, (value) => told.push(`success ${value}`));
        M.optional((value) => told.push(`failure ${value}`), undefined);
        """)
      await bridge.waitUntilIdle()
      #expect(try await bridge.evaluate("told", as: [String].self) == ["success 2", "failure 1"])
      #expect(log.texts == [])
    }
  }

  /// A proxy whose trap makes another call is asked for nothing while native code reads the call that it is in.
  @Test func noValueIsAskedWhileACallIsRead() async throws {
    try await withM {
      $0.tracksOutstanding = true
    } _: { bridge, log in
      try await bridge.evaluate(
        """
        globalThis.asked = 0;
        let isArmed = false;
        const hostile = new Proxy(function () { return 5; }, { getPrototypeOf() { if (isArmed) { asked++; M.number(); } return null; } });
        M.keep(1, hostile);
        isArmed = true;
        trestle.flush();
        isArmed = false;
        """)
      #expect(try await bridge.evaluate("asked", as: Int.self) == 0)
      #expect(kept.withLock { $0.count } == 1)
      #expect(log.texts == [])
    }
  }

  /// The reading of an answer is not ended by any limit: it runs nothing of a script's.
  @Test func nothingIsAskedWhileAnAnswerIsRead() async throws {
    try await withM {
      $0.limits = .ofProcessor(.seconds(20))
    } _: { bridge, _ in
      try await bridge.evaluate(
        """
        globalThis.asked = 0;
        Object.setPrototypeOf(Error.prototype, new Proxy(Object.prototype, { getPrototypeOf() { asked++; return null; } }));
        try { M.number(1, 2, 3); } catch {}
        globalThis.outcome = M.fail().then(String, (error) => error.code);
        """)
      #expect(try await bridge.evaluate("outcome", as: String.self) == "ERR_ARGUMENT")
      #expect(try await bridge.evaluate("asked", as: Int.self) == 0)
    }
  }
}

private func describe<Value>(_ body: () throws -> Value) -> String {
  do { return "\(try body())" } catch { return "\(error)" }
}
