import Glibc
import TestSupport
import Testing
import Trestle
import TrestleModules

/// The attacks of `attackHarness` on either side of a worker's messages, while both sides send some: nothing of the runtime is handed
/// to the script, and everything works as before once the properties are as they were. Each attack has a worker of its own.
///
/// One after the other: together they would take the processors from all other tests.
@Suite(.serialized) struct WorkerAttackTests {
  @Test(arguments: AttackKind.allCases, BridgeConfiguration.Wire.allCases)
  func inTheWorker(kind: AttackKind, wire: BridgeConfiguration.Wire) async throws {
    try await attack(kind, wire) { bridge, group in
      let worker =
        Self.attacker + """
          const post = postMessage, { apply } = Reflect;
          // What it is told must not be what an attack makes of it.
          const { get: dataOf } = Object.getOwnPropertyDescriptor(MessageEvent.prototype, 'data');
          let isOver = false;
          addEventListener('message', (event) => {
            const data = apply(dataOf, event, []);
            if (data !== 'end') return isOver ? post(data) : postMessage(data);
            isOver = true;
            post({ asked: attacks.end(), leaks: attacks.takeLeaks() });
            for (const value of values()) send(post, value);
          });
          postMessage(attacks.count);
          attacks.begin([\(group)], '\(kind.rawValue)');
          for (const value of values()) send(postMessage, value);
          """
      return try await bridge.evaluate(
        """
        \(Self.values)
        const attempt = (left) => new Promise((resolve) => {
          const worker = new Worker(\(Self.quoted(worker)), { eval: true });
          const post = worker.postMessage.bind(worker), texts = [];
          let count = 0, outcome;
          const close = (text) => {
            resolve({ count, asked: outcome?.asked ?? [], leaks: outcome?.leaks ?? '', text });
            worker.terminate();
          };
          // What is ended by a limit in the middle is told as an error.
          let tries = 20;
          const end = () => { if (outcome === undefined) tries-- > 0 ? post('end') : close('same'); };
          worker.onerror = () => {
            // The limit may end it before it has begun to listen.
            if (count > 0) return end();
            if (left === 0) return close('it never began');
            worker.terminate();
            resolve(attempt(left - 1));
          };
          worker.onmessage = ({ data }) => {
            if (outcome !== undefined) {
              texts.push(text(data));
              if (texts.length === values().length) close(texts.join() === values().map(text).join() ? 'same' : texts.join());
            } else if (typeof data?.asked === 'object') outcome = data;
            else if (count === 0) {
              count = data;
              for (const value of values()) send(post, value);
              end();
            }
          };
        });
        attempt(100);
        """, as: Outcome.self)
    }
  }

  @Test(arguments: AttackKind.allCases, BridgeConfiguration.Wire.allCases)
  func inTheStarter(kind: AttackKind, wire: BridgeConfiguration.Wire) async throws {
    try await attack(kind, wire) { bridge, group in
      let worker = "\(Self.values) onmessage = ({ data }) => send(postMessage, data); postMessage('ready');"
      try await bridge.evaluate(
        """
        \(Self.attacker)
        const worker = new Worker(\(Self.quoted(worker)), { eval: true });
        const post = worker.postMessage.bind(worker);
        let take, isThrough = false;
        worker.addEventListener('message', ({ data }) => {
          if (data === 'end') isThrough = true;
          if (take !== undefined) return take(data);
          worker.postMessage('more');
        });
        globalThis.attempt = () => {
          attacks.begin([\(group)], '\(kind.rawValue)');
          try { for (const value of values()) send((...all) => worker.postMessage(...all), value); } finally { post('end'); }
        };
        globalThis.finish = () => {
          const asked = attacks.end(), leaks = attacks.takeLeaks(), texts = [];
          return new Promise((resolve) => {
            take = (data) => {
              // Those of the attack may still come.
              if (data?.isLast !== true && texts.length === 0 && data?.isFirst !== true) return;
              texts.push(text(data));
              if (data?.isLast !== true) return;
              const expected = [{ isFirst: true }, ...values(), { isLast: true }].map(text).join();
              resolve({ count: attacks.count, asked, leaks, text: texts.join() === expected ? 'same' : texts.join() });
              worker.terminate();
            };
            for (const value of [{ isFirst: true }, ...values(), { isLast: true }]) send(post, value);
          });
        };
        """)
      try await bridge.setLimits(Self.limits(kind))
      _ = try? await bridge.evaluate("attempt()")
      // Where each turn is ended that says so, nothing gets through.
      for _ in 0..<100 where try await !bridge.evaluate("isThrough", as: Bool.self) {
        try await Task.sleep(for: .milliseconds(1))
      }
      try await bridge.setLimits(nil)
      return try await bridge.evaluate("finish()", as: Outcome.self)
    }
  }

  /// What an attack came to.
  @Record struct Outcome: Sendable {
    /// How many properties could be replaced.
    var count: Int
    var asked: [Int]
    var leaks: String
    /// What was sent to and fro afterwards.
    var text: String
  }

  private func attack(
    _ kind: AttackKind, _ wire: BridgeConfiguration.Wire, _ attempt: (Bridge, String) async throws -> Outcome
  ) async throws {
    let count = try await outcome(of: [], kind, wire, attempt).count
    #expect(count > 2000)
    let triesAll = getenv("TRESTLE_ALL_ATTACKS") != nil
    var plan = AttackPlan(
      count: count, inGroupsOf: 256, stride: triesAll || kind == .planting ? 1 : 8,
      first: (AttackKind.allCases.firstIndex(of: kind) ?? 0) + (wire == .shared ? 0 : 4),
      strideAlone: triesAll ? 1 : 32)
    while let group = plan.next() {
      let outcome = try await outcome(of: group, kind, wire, attempt)
      #expect(outcome.leaks == "", "after \(kind) attacks on \(group), of which \(outcome.asked) were asked")
      #expect(outcome.text == "same", "after \(kind) attacks on \(group), of which \(outcome.asked) were asked")
      plan.note(group, asked: outcome.asked)
    }
    #expect(plan.hits > 0 || kind.isEnded)
  }

  private func outcome(
    of group: [Int], _ kind: AttackKind, _ wire: BridgeConfiguration.Wire,
    _ attempt: (Bridge, String) async throws -> Outcome
  ) async throws -> Outcome {
    var options = WorkerOptions()
    options.modules = .definitions([.foreignCheck, .timers, .web])
    options.configuration.limits = Self.limits(kind)
    options.configuration.wire = wire
    options.timeToEnd = patience
    let bridge = try await ModuleBridge(
      .workers(options) + .definitions([.foreignCheck]), capabilities: [.files], wire: wire
    ).bridge
    // A message that is lost must not keep the test for ever.
    let watchdog = Task {
      try await Task.sleep(for: patience)
      Issue.record("no outcome after \(kind) attacks on \(group)")
      await bridge.close(within: patience)
    }
    defer { watchdog.cancel() }
    let result: Result<Outcome, any Error>
    do { result = .success(try await attempt(bridge, group.map(String.init).joined(separator: ","))) } catch {
      result = .failure(error)
    }
    let hasClosed = await bridge.close(within: patience)
    #expect(hasClosed, "after \(kind) attacks on \(group)")
    return try result.get()
  }

  private static func limits(_ kind: AttackKind) -> ExecutionLimits {
    .ofProcessor(kind.isEnded ? .milliseconds(40) : .seconds(5))
  }

  /// What of a script is not attacked: it tells what came of it.
  private static let attacker = """
    // What messages have nothing to do with: to make all of it would take more than the time that attacks are ended after.
    for (const name of Object.getOwnPropertyNames(globalThis)) {
      if (/Stream|^URL|Strategy$|^Byte|^Crypto|^crypto|^Navigator|^navigator|Transform|atob|btoa|^Blob|^File$/.test(name)) delete globalThis[name];
    }
    \(attackHarness)
    \(values)
    attacks.meddle = () => { structuredClone({ a: [1] }); setTimeout(() => {}, 0); };

    """

  /// What either side sends, and the same told by its text.
  private static let values = """
    const { stringify } = JSON, { isView } = ArrayBuffer;
    const values = () => [
      { a: [1, 'x', { b: null }], d: new Date(5), m: new Map([[1, new Set([2, undefined])]]) },
      [new Uint8Array([1, 2, 3]), new Error('told'), /x/g, 12n, , 'end'], { transferred: new ArrayBuffer(8) },
    ];
    const told = (value) => value instanceof Map ? [...value].map(([key, inner]) => [key, [...inner]]) : isView(value) ? [...value]
      : value instanceof Error ? value.message : value instanceof ArrayBuffer ? value.byteLength : typeof value === 'bigint' ? `${value}` : value;
    const text = (value) => stringify(value, (key, inner) => told(inner));
    const send = (post, value) => value?.transferred === undefined ? post(value) : post(value, [value.transferred]);

    """

  /// As a template of JavaScript.
  private static func quoted(_ script: String) -> String {
    var text = "`"
    for character in script {
      if "\\`$".contains(character) { text.append("\\") }
      text.append(character)
    }
    return text + "`"
  }
}
