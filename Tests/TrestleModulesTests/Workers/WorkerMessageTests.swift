import Testing
import Trestle
import TrestleModules

@Suite struct WorkerMessageTests {
  static let echo = "new Worker('onmessage = ({ data }) => postMessage(data)', { eval: true })"

  @Test(arguments: [
    "{ a: [1, , 'x', { b: null }], c: undefined }", "new Map([[{ k: 1 }, new Set([1, [2]])]])", "new Date(5)", "/x/gi",
    "new Float64Array([0.5, NaN, -0])", "2n ** 80n", "-5n", "[true, null, undefined, '', -0, 1e300]",
    "new DataView(new ArrayBuffer(8), 2, 3)", "Object('s')", "'a€😀'", "'€'.repeat(5000)", "'x'.repeat(100000)",
    "Object.assign([1, 2], { more: 3 })", "new ArrayBuffer(0)", "Array.from({ length: 50000 }, (_, i) => i)",
  ])
  func comeBackAsTheyWere(_ expression: String) async throws {
    let script = """
      const value = (\(expression)), worker = \(Self.echo);
      worker.onmessage = ({ data }) => { console.log(data); console.log(value) };
      worker.postMessage(value);
      """
    let lines = try await WorkerBridge.lines(of: script)
    #expect(!lines.isEmpty && lines.prefix(lines.count / 2) == lines.suffix(lines.count / 2))
  }

  /// Where nothing was sent before, and the stack ends: each message is sent, or tells that it is not.
  @Test func sentWhereTheStackEnds() async throws {
    let worker = """
      let left = 300, sent = 0, ends = 0;
      function deep() {
        try { deep(); } catch {}
        if (left-- > 0) try { postMessage([1, { a: 'x' }]); sent++; } catch (error) { if (error instanceof RangeError) ends++; }
      }
      deep();
      postMessage({ sent, ends });
      """
    let script = """
      const worker = new Worker(`\(worker)`, { eval: true });
      let count = 0;
      worker.onmessage = ({ data }) => {
        if (Array.isArray(data)) return count++;
        console.log(count === data.sent, data.sent + data.ends === 300, data.ends > 0);
        worker.terminate();
      };
      """
    try await WorkerBridge.expect(["true true true"], of: script)
  }

  @Test func identityAndLoneSurrogatesStay() async throws {
    let script = """
      const shared = {}, value = { one: shared, two: shared, lone: 'x\\ud800' }, worker = \(Self.echo);
      value.self = value;
      worker.onmessage = ({ data }) => console.log(data.self === data, data.one === data.two, data.lone === value.lone);
      worker.postMessage(value);
      """
    try await WorkerBridge.expect(["true true true"], of: script)
  }

  @Test func buffersChangeHands() async throws {
    let worker = "onmessage = ({ data }) => { data[1] = 9; postMessage(data, [data.buffer]); postMessage(data.length) }"
    let script = """
      const bytes = new Uint8Array(1e6).fill(7), worker = new Worker(`\(worker)`, { eval: true });
      worker.onmessage = ({ data }) => console.log(typeof data === 'number' ? data : [data.length, data[0], data[1], data[999999]]);
      worker.postMessage(bytes, { transfer: [bytes.buffer] });
      console.log(bytes.length, bytes.buffer.detached);
      """
    try await WorkerBridge.expect(["0 true", "[ 1000000, 7, 9, 7 ]", "0"], of: script)
  }

  @Test(arguments: [
    ("() => {}", "DataCloneError a function cannot be cloned"),
    ("1, [{}]", "DataCloneError transfer[0]: expected an ArrayBuffer"),
    (
      "1, 5",
      "TypeError postMessage, argument 2: expected an array of ArrayBuffers, or an object with one as 'transfer'"
    ),
    ("", "TypeError postMessage: 1 argument needed, got 0"),
    ("{ get x() { throw new Error('mine') } }", "Error mine"),
    ("{ get x() { taken.transfer() } }, [taken]", "DataCloneError transfer[0]: the ArrayBuffer is detached"),
  ])
  func whatCannotBeSentThrowsWhereItIsSent(_ arguments: String, _ expected: String) async throws {
    let attempt =
      "const taken = new ArrayBuffer(1); try { TARGET.postMessage(\(arguments)); TELL('no error') } catch (e) { TELL(e.name + ' ' + e.message) }"
    let inWorker = attempt.replacing("TARGET", with: "self").replacing("TELL", with: "postMessage")
    let script = """
      const worker = new Worker(`\(inWorker)`, { eval: true });
      worker.onmessage = ({ data }) => { if (data !== 1) console.log(data) };
      \(attempt.replacing("TARGET", with: "worker").replacing("TELL", with: "console.log"))
      """
    try await WorkerBridge.expect([expected, expected], of: script)
  }

  @Test func blobsCross() async throws {
    let script = """
      const worker = new Worker('onmessage = async ({ data }) => postMessage([await data.text(), data])', { eval: true });
      worker.onmessage = ({ data }) => console.log(data);
      worker.postMessage(new File(['text'], 'name', { type: 'a/b', lastModified: 7 }));
      """
    try await WorkerBridge.expect(
      ["[ 'text', File { size: 4, type: 'a/b', name: 'name', lastModified: 7 } ]"], of: script)
  }

  /// Timers come between messages, and an end is not behind those that are on their way.
  @Test func aFloodKeepsNothingElseWaiting() async throws {
    let script = """
      const workers = Array.from({ length: 3 }, () => new Worker('for (;;) postMessage(1)', { eval: true }));
      for (const worker of workers) worker.onmessage = () => {};
      let ticks = 0;
      const beat = setInterval(async () => {
        if (++ticks < 20) return;
        clearInterval(beat);
        await Promise.all(workers.map((worker) => worker.terminate()));
        console.log('ended');
      }, 5);
      """
    try await WorkerBridge.expect(["ended"], of: script)
  }

  @Test func orderIsKeptFromTheFirstOn() async throws {
    let script = """
      const worker = new Worker('const seen = []; onmessage = ({ data }) => { seen.push(data); if (data === 999) postMessage(seen) }', { eval: true });
      worker.onmessage = ({ data }) => console.log(data.length, data.every((value, i) => value === i));
      for (let i = 0; i < 500; i++) worker.postMessage(i);
      setTimeout(() => { for (let i = 500; i < 1000; i++) worker.postMessage(i); }, 20);
      """
    try await WorkerBridge.expect(["1000 true"], of: script)
  }

  @Test func listenersComeAndGo() async throws {
    let script = """
      const worker = \(Self.echo), log = name => ({ type, data, target }) => console.log(name, type, data, target === worker);
      const second = log('second');
      worker.addEventListener('message', log('once'), { once: true });
      worker.addEventListener('message', second);
      worker.addEventListener('message', second);
      worker.addEventListener('message', { handleEvent: log('object') });
      worker.postMessage(1);
      worker.postMessage(2);
      worker.addEventListener('message', ({ data }) => { if (data === 2) { worker.removeEventListener('message', second); worker.postMessage(3); } });
      """
    try await WorkerBridge.expect(
      [
        "once message 1 true", "second message 1 true", "object message 1 true", "second message 2 true",
        "object message 2 true", "object message 3 true",
      ], of: script)
  }

  @Test func manyMessagesBothWays() async throws {
    let script = """
      let sum = 0, count = 0;
      for (let w = 0; w < 4; w++) {
        const worker = new Worker('onmessage = ({ data }) => postMessage({ value: data.value * 2 })', { eval: true });
        worker.onmessage = ({ data }) => { sum += data.value; if (++count === 8000) console.log(sum); };
        for (let i = 0; i < 2000; i++) worker.postMessage({ value: i });
      }
      """
    try await WorkerBridge.expect(["15992000"], of: script)
  }

  /// What lies below `Worker` is not in reach; built-ins are replaced after it was there.
  @Test(arguments: [
    "if ('Workers' in NativeModules || NativeModules.Workers !== undefined) throw 1; worker.postMessage(1)",
    "Map.prototype.get = Map.prototype.set = Array.prototype.push = () => { throw 1 }; worker.postMessage(1)",
    "Object.defineProperty(Array.prototype, '0', { set() { throw 1 } }); worker.postMessage([1][0])",
    "worker.postMessage({ get x() { worker.postMessage(1) } })",
    "globalThis.Promise = null; Reflect.apply = null; worker.postMessage(1)",
  ])
  func hostileScripts(_ attack: String) async throws {
    let script = """
      const worker = \(Self.echo);
      worker.onmessage = ({ data }) => { if (data === 1) console.log('alive') };
      \(attack)
      """
    try await WorkerBridge.expect(["alive"], of: script)
  }
}
