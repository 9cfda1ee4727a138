import Testing
import Trestle
import TrestleModules

/// `Event`, `EventTarget`, `CustomEvent`, `DOMException`.
@Suite struct EventTests {
  /// As their declarations say.
  @Test func theirTimeIsThatOfPerformance() async throws {
    let text = try await ModuleBridge.logged(
      "(() => { const before = performance.now(), { timeStamp } = new Event('a'); return [timeStamp >= before, timeStamp <= performance.now()] })()"
    )
    #expect(text == "[ true, true ]")
  }

  @Test(arguments: [
    (
      "[new Event('a').isTrusted, Object.keys(new Event('a')).join(), String(new CustomEvent('a', { detail: 1 })), new CustomEvent('a', { detail: 1 }).detail].join()",
      "false,isTrusted,[object CustomEvent],1"
    ),
    (
      """
      (() => {
        const target = new EventTarget(), seen = [], event = new Event('a', { cancelable: true });
        target.addEventListener('a', () => seen.push('bubbling'));
        target.addEventListener('a', function (given) { seen.push('capturing', this === target, given === event, given.eventPhase); given.preventDefault(); }, true);
        target.addEventListener('a', () => seen.push('once'), { once: true });
        seen.push(target.dispatchEvent(event), target.dispatchEvent(new Event('a')), event.target === target, event.currentTarget);
        return seen.join();
      })()
      """, "capturing,true,true,2,bubbling,once,capturing,true,false,2,bubbling,false,true,true,"
    ),
    (
      """
      (() => {
        const target = new EventTarget(), controller = new AbortController(), seen = [];
        target.addEventListener('a', (event) => { seen.push(1); event.stopImmediatePropagation(); }, { signal: controller.signal });
        target.addEventListener('a', () => seen.push(2));
        target.dispatchEvent(new Event('a'));
        controller.abort();
        target.dispatchEvent(new Event('a'));
        target.addEventListener('a', () => seen.push(3), { signal: controller.signal });
        target.dispatchEvent(new Event('a'));
        return seen.join();
      })()
      """, "1,2,2"
    ),
    (
      """
      (() => {
        class Mine extends EventTarget { #x = 4; get x() { return this.#x } }
        const mine = new Mine(), event = new Event('a');
        let text = '';
        mine.addEventListener('a', () => { try { mine.dispatchEvent(event) } catch (error) { text = error.name + error.code } });
        mine.dispatchEvent(event);
        return [mine.x, text, mine instanceof EventTarget].join();
      })()
      """, "4,InvalidStateError11,true"
    ),
    (
      "(() => { const e = new DOMException('text', 'AbortError'); return [e.name, e.message, e.code, e instanceof Error, e.stack.length > 0, String(e), DOMException.ABORT_ERR, new DOMException().name].join() })()",
      "AbortError,text,20,true,true,AbortError: text,20,Error"
    ),
    (
      "(() => { const c = new AbortController(); let e; c.signal.addEventListener('abort', (event) => e = event); c.abort(); return [c.signal instanceof EventTarget, c.signal.reason instanceof DOMException, e instanceof Event, e.isTrusted].join() })()",
      "true,true,true,true"
    ),
    (
      "(() => { const c = new AbortController(), any = AbortSignal.any(new Set([c.signal])); let seen; c.signal.onabort = () => seen = any.aborted; c.abort(); return seen })()",
      "true"
    ),
  ])
  func events(_ expression: String, _ expected: String) async throws {
    #expect(try await ModuleBridge.logged(expression) == expected)
  }

  @Test(arguments: [
    ("new Event()", "TypeError: Event: 1 argument needed, got 0"),
    ("new EventTarget().dispatchEvent({})", "TypeError: dispatchEvent, argument 1 'event': expected Event, got object"),
    (
      "new EventTarget().addEventListener('a', 5)",
      "TypeError: addEventListener, argument 2 'listener': expected function or object, got number 5"
    ),
    (
      "new EventTarget().addEventListener('a', () => {}, { signal: {} })",
      "TypeError: addEventListener, argument 3 'options.signal': expected AbortSignal, got object"
    ),
    ("Reflect.get(Event.prototype, 'type', {})", "TypeError: Event.type: expected to be called on Event"),
  ])
  func whatIsWrongIsSaid(_ script: String, _ expected: String) async throws {
    #expect(
      try await ModuleBridge.logged("(() => { try { \(script) } catch (error) { return String(error) } })()")
        == expected)
  }

  /// No part of them is made for scripts that name none.
  @Test func aScriptMayPutItsOwnInTheirPlace() async throws {
    #expect(
      try await ModuleBridge.logged(
        "(() => { globalThis.Event = 5; return [Event, delete globalThis.Event, typeof Event, 'EventTarget' in globalThis].join() })()"
      ) == "5,true,undefined,true")
  }
}
