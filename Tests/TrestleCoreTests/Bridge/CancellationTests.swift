import EventLoop
import TestSupport
import Testing

@testable import TrestleCore

/// Stands in for the module `Web`: scripts of this target have no `AbortController`.
private let controllers = """
  globalThis.AbortController = class {
    signal = { aborted: false, reason: undefined, listeners: [],
      addEventListener(type, listener) { this.listeners.push(listener); },
      removeEventListener(type, listener) { this.listeners = this.listeners.filter(other => other !== listener); } };
    abort(reason = new Error('aborted')) {
      if (this.signal.aborted) return;
      this.signal.aborted = true;
      this.signal.reason = reason;
      for (const listener of this.signal.listeners.slice()) listener();
    }
  };
  """

@Suite struct CancellationTests {
  private let log = Journal()

  /// A method that ends only when it is cancelled, others that end at once, and one whose task waits in line.
  private var module: ModuleDefinition {
    let executor = ModuleExecutor()
    return ModuleDefinition("Slow", home: { _ in .executor(executor) }, make: { _ in Nothing() }) { [log] in
      Member<Nothing>._method("wait", .promise, [Parameter("name", String.self)], result: String.self) { _ in
        { (call) throws(ConversionError) in
          let name = try call.next(String.self)
          let reply = call.reply()
          reply.startConcurrently {
            log.append("began \(name)")
            do { try await Task.sleep(for: .seconds(1000)) } catch { log.append("cancelled \(name)") }
            reply.resolve(name)
          }
        }
      }
      Member<Nothing>._method("queued", .promise, [Parameter("name", String.self)], result: String.self) { _ in
        { (call) throws(ConversionError) in
          let name = try call.next(String.self)
          let reply = call.reply()
          call.enqueue {
            reply.start {
              log.append(name)
              reply.resolve(name)
            }
          }
        }
      }
      Member<Nothing>.promise("echo", "value") { (_, value: JSONValue) in value }
      Member<Nothing>.promise("option", "value") { (_, value: Int?) in value ?? -1 }
    }
  }

  private func withSlow<Value: Sendable>(
    wire: Wire = .shared, _ body: (Bridge, ErrorLog) async throws -> Value
  ) async throws -> Value {
    try await withBridge([module], wire: wire) { bridge, errors in
      try await bridge.evaluate(controllers + "const {Slow} = NativeModules; const controller = new AbortController();")
      return try await body(bridge, errors)
    }
  }

  @Test(arguments: Wire.allCases) func aSignalCancelsTheTask(wire: Wire) async throws {
    try await withSlow(wire: wire) { bridge, errors in
      try await bridge.evaluate(
        """
        globalThis.outcome = null;
        Slow.wait('a', controller).then(() => { outcome = 'resolved' }, error => { outcome = error.message });
        """)
      try await log.waitFor("began a")
      try await bridge.evaluate("controller.abort(new Error('enough'))")
      #expect(try await bridge.evaluate("outcome", as: String.self) == "enough")
      try await log.waitFor("cancelled a")
      await bridge.waitUntilIdle()
      #expect(try await bridge.evaluate("controller.signal.listeners.length", as: Int.self) == 1)
      #expect(errors.texts == [])
    }
  }

  @Test(arguments: Wire.allCases) func aSignalIsTakenItselfToo(wire: Wire) async throws {
    try await withSlow(wire: wire) { bridge, errors in
      try await bridge.evaluate("globalThis.failed = Slow.wait('b', controller.signal).catch(error => error.message)")
      try await log.waitFor("began b")
      try await bridge.evaluate("controller.abort()")
      #expect(try await bridge.evaluate("failed", as: String.self) == "aborted")
      try await log.waitFor("cancelled b")
      #expect(errors.texts == [])
    }
  }

  @Test(arguments: Wire.allCases) func nothingIsCalledWithASignalThatIsAborted(wire: Wire) async throws {
    try await withSlow(wire: wire) { bridge, errors in
      let answer = try await bridge.evaluate(
        "controller.abort(); Slow.wait('c', controller).catch(error => error.message)", as: String.self)
      #expect(answer == "aborted")
      #expect(log.all == [])
    }
  }

  /// The slot of a call that was cancelled before its task began is taken by others afterwards, which nobody cancels.
  @Test(arguments: Wire.allCases) func slotsOfCancelledCallsAreTakenAgain(wire: Wire) async throws {
    try await withSlow(wire: wire) { bridge, errors in
      for round in 0..<50 {
        let count = try await bridge.evaluate(
          """
          (async () => {
            let rejected = 0;
            const controllers = [];
            const calls = [];
            for (let i = 0; i < 20; i++) {
              controllers[i] = new AbortController();
              calls[i] = i % 2 ? Slow.queued('x', controllers[i]) : Slow.echo({i}, controllers[i]);
              if (i % 3 === 0) controllers[i].abort();
            }
            const outcomes = await Promise.allSettled(calls);
            for (const {status} of outcomes) if (status === 'rejected') rejected++;
            const others = [];
            for (let i = 0; i < 20; i++) others.push(Slow.queued('later'));
            if ((await Promise.all(others)).join() !== Array(20).fill('later').join()) throw new Error('lost');
            return rejected;
          })()
          """, as: Int.self)
        #expect(count == 7, "round \(round)")
      }
      // Calls that have waited for 5 ms go over early, and begin.
      let begun = log.all.count { $0 == "x" }
      #expect((50 * 7..<50 * 10).contains(begun), "what was cancelled before it began is not begun")
      #expect(errors.texts == [])
    }
  }

  @Test(arguments: Wire.allCases) func aSignalThatIsNeverAbortedIsLeftAlone(wire: Wire) async throws {
    try await withSlow(wire: wire) { bridge, errors in
      let answer = try await bridge.evaluate(
        """
        (async () => {
          const values = [await Slow.echo(1, controller), await Slow.echo('é', controller.signal), await Slow.option(undefined, controller)];
          const left = controller.signal.listeners.length;
          controller.abort();
          return [...values, left];
        })()
        """, as: JSONValue.self)
      #expect(answer == .array([.integer(1), .string("é"), .integer(-1), .integer(0)]))
      #expect(errors.texts == [])
    }
  }

  @Test(
    arguments: Wire.allCases,
    [
      ("Slow.echo(1, 2)", "Slow.echo: expected 1 argument, got 2"),
      ("Slow.echo(1, 'abc')", "Slow.echo: expected 1 argument, got 2"),
      ("Slow.echo(1, undefined)", "Slow.echo: expected 1 argument, got 2"),
      ("Slow.echo(1, controller, 3)", "Slow.echo: expected 1 argument, got 3"),
      ("Slow.echo(1, {signal: 3})", "Slow.echo, argument 2 'options.signal': expected AbortSignal, got number 3"),
    ])
  func whatIsNoSignalIsRefused(wire: Wire, _ mistake: (call: String, message: String)) async throws {
    try await withSlow(wire: wire) { bridge, _ in
      let answer = try await bridge.evaluate("\(mistake.call).catch(error => error.message)", as: String.self)
      #expect(answer == mistake.message)
    }
  }

  @Test(arguments: Wire.allCases) func optionsWithoutASignalAreFine(wire: Wire) async throws {
    try await withSlow(wire: wire) { bridge, _ in
      let answer = try await bridge.evaluate("Slow.echo(7, {})", as: Int.self)
      #expect(answer == 7)
    }
  }

  // MARK: From Swift

  @Test func aCancelledTaskWaitsForNoScript() async throws {
    try await withSlow { bridge, errors in
      try await bridge.evaluate("globalThis.never = () => { globalThis.asked = true; return new Promise(() => {}); }")
      let task = Task { try await bridge.call("never", as: Int.self) }
      _ = try await awaitGlobal("asked", of: bridge, as: Bool.self)
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(errors.texts == [])
    }
  }

  @Test func aScriptHearsThatItsCallIsCancelled() async throws {
    try await withSlow { bridge, errors in
      try await bridge.evaluate(
        """
        globalThis.never = (name, signal) => {
          globalThis.asked = name;
          return new Promise((resolve, reject) => signal.addEventListener('abort', () => { globalThis.heard = name; reject(signal.reason); }));
        };
        """)
      let task = Task { try await bridge.call("never", "d", AbortSignal(), as: Int.self) }
      #expect(try await awaitGlobal("asked", of: bridge, as: String.self) == "d")
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(try await awaitGlobal("heard", of: bridge, as: String.self) == "d")
      #expect(errors.texts == [])
    }
  }

  /// What a script has put in place of `AbortController` throws: it gets no signal, and everything else goes on.
  @Test(arguments: [
    "undefined", "class { constructor() { throw new Error('no') } }",
    "class { get signal() { throw new Error('no') } }",
    "class { signal = 1; abort() { throw new Error('not now') } }",
  ])
  func aControllerOfTheScriptsThatThrowsBreaksNothing(controller: String) async throws {
    try await withSlow { bridge, errors in
      try await bridge.evaluate(
        """
        globalThis.AbortController = \(controller);
        globalThis.never = (signal) => { globalThis.asked = `${signal}`; return new Promise(() => {}) };
        """)
      let task = Task { try await bridge.call("never", AbortSignal(), as: Int.self) }
      _ = try await awaitGlobal("asked", of: bridge, as: String.self)
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(try await bridge.evaluate("Slow.echo(7)", as: Int.self) == 7)
      #expect(errors.texts.allSatisfy { $0.contains("not now") })
    }
  }

  @Test func aTaskThatIsCancelledBeforeItCallsCallsNothing() async throws {
    try await withSlow { bridge, errors in
      try await bridge.evaluate("globalThis.count = 0; globalThis.once = () => ++count")
      let task = Task {
        while !Task.isCancelled { await Task.yield() }
        return try await bridge.call("once", as: Int.self)
      }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(try await bridge.evaluate("count", as: Int.self) == 0)
    }
  }

  @Test func manyCallsAreCancelledAtRandomMoments() async throws {
    try await withSlow { bridge, errors in
      try await bridge.evaluate(
        "globalThis.later = (value, signal) => new Promise(resolve => { Promise.resolve().then(() => resolve(value)) })"
      )
      for round in 0..<300 {
        let task = Task { try await bridge.call("later", round, AbortSignal(), as: Int.self) }
        for _ in 0..<round % 5 { await Task.yield() }
        task.cancel()
        switch await task.result {
        case .success(let value): #expect(value == round)
        case .failure(let error): #expect(error is CancellationError)
        }
      }
      await bridge.waitUntilIdle()
      #expect(errors.texts == [])
    }
  }
}
