import JSEngine
import TestSupport
import Testing
import Trestle
import TrestleModules
import TrestleReactNative

/// `AbortController` and `AbortSignal`, and calls of native modules that they end.
@Suite struct AbortTests {
  @Test(arguments: [
    ("new AbortController().signal.aborted", "false"),
    (
      "(() => { const c = new AbortController(); c.abort(); return [c.signal.aborted, c.signal.reason.name, c.signal.reason.code].join() })()",
      "true,AbortError,20"
    ),
    ("(() => { const c = new AbortController(); c.abort(3); c.abort(4); return c.signal.reason })()", "3"),
    ("AbortSignal.abort('now').reason", "now"),
    ("(() => { try { AbortSignal.abort('now').throwIfAborted() } catch (reason) { return reason } })()", "now"),
    (
      "(() => { try { new AbortSignal() } catch (error) { return error.message } })()",
      "AbortSignal is made by AbortController, AbortSignal.abort, any or timeout"
    ),
    (
      "(() => { try { AbortSignal.any([{}]) } catch (error) { return error.message } })()",
      "AbortSignal.any, argument 1 'signals[0]': expected AbortSignal"
    ),
    (
      """
      (() => {
        const c = new AbortController(), seen = [];
        const gone = () => seen.push('gone'), twice = event => seen.push(event.type);
        c.signal.onabort = () => seen.push('on');
        c.signal.addEventListener('abort', twice);
        c.signal.addEventListener('abort', twice);
        c.signal.addEventListener('abort', gone);
        c.signal.addEventListener('other', gone);
        c.signal.addEventListener('abort', { handleEvent(event) { seen.push(event.target === c.signal) } });
        c.signal.removeEventListener('abort', gone);
        c.abort();
        c.signal.addEventListener('abort', gone);
        return seen.join();
      })()
      """, "on,abort,true"
    ),
    (
      """
      (() => {
        const one = new AbortController(), both = AbortSignal.any([one.signal, new AbortController().signal]);
        const before = both.aborted;
        one.abort('one');
        return [before, both.aborted, both.reason, AbortSignal.any([both, AbortSignal.abort(2)]).reason].join();
      })()
      """, "false,true,one,one"
    ),
  ])
  func signals(_ expression: String, _ expected: String) async throws {
    #expect(try await ModuleBridge.logged(expression) == expected)
  }

  @Test func aListenerThatThrowsStopsNoOther() async throws {
    let bridge = try await ModuleBridge()
    try await bridge.run(
      """
      const c = new AbortController();
      c.signal.addEventListener('abort', () => { throw new Error('mine') });
      c.signal.addEventListener('abort', () => console.log('heard'));
      c.abort();
      """)
    #expect(bridge.output == "heard\n")
    #expect(bridge.uncaught == ["mine"])
    await bridge.bridge.close()
  }

  @Test(arguments: BridgeConfiguration.Wire.allCases, hostileErrors)
  func oneThatThrowsWhatNobodyCanReadStopsNoOther(wire: BridgeConfiguration.Wire, error: String) async throws {
    let bridge = try await ModuleBridge(wire: wire)
    try await bridge.run(
      """
      const c = new AbortController(), any = AbortSignal.any([c.signal]), fail = () => { throw \(error) };
      c.signal.onabort = fail;
      for (const [signal, name] of [[c.signal, 'own'], [any, 'any']]) {
        for (const listener of [fail, { get handleEvent() { fail() } }, () => console.log(name)]) signal.addEventListener('abort', listener);
      }
      c.abort();
      """)
    #expect(bridge.output == "own\nany\n")
    #expect(bridge.uncaught.count == 5, "\(bridge.uncaught)")
    #expect(await bridge.bridge.close(within: patience))
  }

  /// Nothing is left to do where only a deadline is still to come.
  @Test func aDeadlineKeepsNoRunAlive() async throws {
    let bridge = try await ModuleBridge()
    try await bridge.run("globalThis.signals = [AbortSignal.timeout(1e9), AbortSignal.any([AbortSignal.timeout(1e9)])]")
    #expect(try await bridge.bridge.evaluate("signals.some((signal) => signal.aborted)", as: Bool.self) == false)
    await bridge.bridge.close()
  }

  /// A signal that lives long does not keep all that were ever made of it.
  @Test func signalsOfAnotherAreForgottenWithWhoeverMadeThem() async throws {
    let bridge = try await ModuleBridge()
    try await bridge.run(
      """
      globalThis.collected = 0;
      globalThis.registry = new FinalizationRegistry(() => { collected++; });
      globalThis.controller = new AbortController();
      for (let i = 0; i < 200; i++) {
        const signal = AbortSignal.any([controller.signal]), heard = () => {};
        signal.addEventListener('abort', heard);
        signal.removeEventListener('abort', heard);
        registry.register(signal, i);
        // Nobody can abort this one any more, and those who listen to it never hear of it.
        const other = AbortSignal.any([new AbortController().signal]);
        other.addEventListener('abort', heard);
        registry.register(other, i);
      }
      """)
    let deadline = ContinuousClock.now + patience
    var collected = 0
    while collected < 350, ContinuousClock.now < deadline {
      try await bridge.bridge.withContext { $0.collectGarbage() }
      try await Task.sleep(for: .milliseconds(5))
      collected = try await bridge.bridge.evaluate("collected", as: Int.self)
    }
    #expect(collected >= 350)
    await bridge.bridge.close()
  }

  @Test func aLongChainIsAbortedToItsEnd() async throws {
    let bridge = try await ModuleBridge()
    let text = try await bridge.bridge.evaluate(
      """
      const controller = new AbortController(), signals = [controller.signal];
      for (let i = 0; i < 30_000; i++) signals.push(AbortSignal.any([signals[i]]));
      let told = 0;
      signals.at(-1).onabort = () => told++;
      controller.abort('over');
      [signals.every((signal) => signal.aborted && signal.reason === 'over'), told].join();
      """, as: String.self)
    #expect(text == "true,1")
    await bridge.bridge.close()
  }

  /// Wherever the end of the stack cuts an abort off, the next one aborts what follows, and tells nobody twice.
  @Test func anAbortThatIsCutOffIsGoneOnWith() async throws {
    let bridge = try await ModuleBridge()
    let text = try await bridge.bridge.evaluate(
      """
      const odd = [];
      for (let room = 0; room < 400; room++) {
        const controller = new AbortController(), dependent = AbortSignal.any([controller.signal]), told = [];
        controller.signal.onabort = () => told.push('a');
        controller.signal.addEventListener('abort', () => told.push('b'));
        controller.signal.addEventListener('abort', () => told.push('c'));
        dependent.addEventListener('abort', () => told.push('d'));
        let left = room;
        const go = () => { try { return go(); } catch (error) { if (left-- > 0) throw error; return controller.abort(); } };
        try { go(); } catch {}
        controller.abort();
        // A listener that overflows itself was told.
        if (!dependent.aborted || new Set(told).size !== told.length) odd.push(`${room}: ${told}`);
      }
      odd.join(' ');
      """, as: String.self)
    #expect(text == "")
    await bridge.bridge.close()
  }

  /// There a call either ends with its signal, or when that is aborted again.
  @Test func callsEndAtTheEndOfTheStack() async throws {
    let bridge = try await ModuleBridge(.instance(Sleeper()))
    try await bridge.run(
      """
      const calls = Array.from({ length: 300 }, () => {
        const controller = new AbortController();
        return { controller, promise: NativeModules.Sleeper.sleep(1000, controller) };
      });
      let next = 0, tried = 0;
      function deep() {
        try { deep(); } catch {}
        if (next < calls.length) try { calls[next++].controller.abort(); } catch { tried++; }
      }
      deep();
      for (const { controller } of calls) controller.abort();
      Promise.allSettled(calls.map(({ promise }) => promise)).then(results => {
        console.log(tried > 0, results.every(({ reason }) => reason?.name === 'AbortError'));
      });
      """)
    #expect(bridge.output == "true true\n")
    #expect(bridge.uncaught == [])
    await bridge.bridge.close()
  }

  @Test(arguments: [
    // Of a signal of ours nobody asks the script.
    "call = Sleeper.sleep(1000, signal); Object.defineProperty(signal, 'reason', { get() { throw 1 } }); controller.abort()",
    // By a getter among the arguments.
    "call = Sleeper.rest({ get seconds() { controller.abort(); return 1000 } }, { signal })",
  ])
  func aCallEndsWithItsSignal(_ script: String) async throws {
    let bridge = try await ModuleBridge(.instance(Sleeper()))
    try await bridge.run(
      """
      const { Sleeper } = NativeModules, controller = new AbortController(), { signal } = controller;
      let call;
      \(script);
      call.catch(error => console.log(error.name));
      """)
    #expect(bridge.output == "AbortError\n")
    await bridge.bridge.close()
  }

  @Test func aDeadlineEndsACallAndItsTask() async throws {
    let sleeper = Sleeper()
    let bridge = try await ModuleBridge(.instance(sleeper))
    try await bridge.run(
      """
      NativeModules.Sleeper.sleep(1000, { signal: AbortSignal.timeout(5) })
        .catch(error => console.log(error.name, error.code, error.message));
      """)
    #expect(bridge.output == "TimeoutError 23 this operation took more than 5 ms\n")
    await bridge.bridge.waitUntilIdle()
    // On a busy machine the deadline comes before the call begins; then it does not begin.
    #expect(await sleeper.wasCancelled == sleeper.hasBegun)
    #expect(bridge.uncaught == [])
    await bridge.bridge.close()
  }
}

@NativeModule
actor Sleeper {
  private(set) var hasBegun = false
  private(set) var wasCancelled = false
  @Exported func sleep(_ seconds: Int) async throws {
    hasBegun = true
    do { try await Task.sleep(for: .seconds(seconds)) } catch {
      wasCancelled = true
      throw error
    }
  }

  @Exported func rest(_ time: RestingTime) async throws { try await sleep(time.seconds) }
}

@Record
struct RestingTime {
  var seconds: Int
}
