import EventLoop
import JSEngine
import TestSupport
import Testing

@testable import TrestleCore

/// Nothing of the realm in which the runtime lives is in a script's reach.
@Suite struct RealmTests {
  private let lab = Lab()

  /// Walks all that a script can get to, from the global object and from what each feature has given it, and notes what
  /// inherits from the other realm.
  private static let walk =
    realmWalk + """

      async function found(isForeign) {
        const { given, attempt, keep } = gather();
        const rejected = (name, promise) => attempt(name, () => promise);
        // At the very end of the stack, and a frame or some before it.
        const deep = (body) => {
          let left = 20;
          const go = () => { try { return go(); } catch (error) { given.overflow = error; if (left-- > 0) return body(); throw error; } };
          return go();
        };

        given.subscription = Lab.changed.addListener(keep('listener'));
        await rejected('emit', Lab.emit(7));
        const loop = Lab.changed[Symbol.asyncIterator]();
        given.loop = loop;
        const turn = loop.next();
        given.turn = turn;
        await Lab.emit(8);
        given.turned = await turn;
        await attempt('loop return', () => loop.return(1));
        const sample = given.sample = Lab.sample();
        given.label = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(sample), 'label');
        await attempt('sample method', () => sample.isSame(sample));
        await attempt('sample constructor', () => new sample.constructor({}, {}));
        await attempt('sample misuse', () => sample.isSame.call({}, sample));
        await attempt('release misuse', () => sample.release.call({}));
        const numbers = given.numbers = Lab.numbers();
        given.next = numbers.next();
        given.element = await given.next;
        given.end = await numbers.next();
        given.returned = await numbers.return(1);
        await attempt('stream constructor', () => new numbers.constructor({}, 1));
        await attempt('event constructor', () => new Lab.changed.constructor({}, 1));
        await rejected('record', Lab.echo({ x: 1, y: 2, name: 'a' }));
        await rejected('records', Lab.echoes([{ x: 1, y: 2, name: 'a' }, { x: 1, y: 2, name: 'b' }, { x: 1, y: 2, name: 'c' }, { x: 1, y: 2, name: 'd' }]));
        for (const value of [{ a: [1, 2, 3, 4, 5], b: { c: [{}] } }, [], [1], [1, 2], [1, 2, 3], {}]) await rejected(`data ${JSON.stringify(value)}`, Lab.anything(value));
        for (const value of [undefined, Symbol(), { get a() { throw new Error('mine') } }, (() => { const a = []; a[0] = a; return a; })()]) {
          await rejected(`mistake ${typeof value}`, Lab.anything(value));
        }
        await attempt('too many', () => Lab.isSample(1, 2, 3, 4));
        await attempt('not this', () => Lab.isSample({}, 1));
        await attempt('bytes', () => Lab.bytes());
        await attempt('failure', () => Lab.fail());
        const points = [{ x: 1, y: 2, name: 'a' }, { x: 1, y: 2, name: 'b' }, { x: 1, y: 2, name: 'c' }, { x: 1, y: 2, name: 'd' }];
        await attempt('through', () => Lab.through(points, keep('through')));
        await attempt('what comes through', () => Lab.through(points, (all) => { given.all = all; return all[0]; }));
        await attempt('failure through', () => Lab.through(points, () => { throw new Error('mine') }));
        await attempt('promise through', () => Lab.through(points, async () => 1));
        await attempt('deep through', () => Lab.through(points, function again() { return again() + 1; }));
        await attempt('listener', () => Lab.changed.addListener(5));
        await attempt('listener of a module', () => Lab.addListener('changed', 5));
        await attempt('sum', () => Lab.sum({ [Symbol.iterator]: () => ({ next: keep('iterator') }) }));
        await attempt('sum of a proxy', () => Lab.sum(new Proxy([1], { get: keep('proxy'), ownKeys: keep('keys') })));
        await attempt('array of a proxy', () => Lab.echoes(new Proxy([], { get: keep('proxy of an array'), getPrototypeOf(target) { keep('prototype')(target); return null; } })));
        await attempt('signal', () => Lab.emit(1, { aborted: false, addEventListener: keep('signal'), removeEventListener: keep('end of signal') }));
        await attempt('no signal', () => Lab.emit(1, 2));
        Lab.keep(new Proxy(function () { return 1; }, { apply: keep('proxied function') }), 1);
        for (const name of ['emit', 'sample', 'isSample', 'numbers', 'keep', 'through', 'echo', 'echoes', 'anything', 'sum', 'bytes']) {
          await attempt(`deep ${name}`, () => deep(() => Lab[name]()));
        }
        for (const body of [
          () => NativeModules.Nothing, () => Object.keys(NativeModules), () => 'x' in NativeModules, () => Lab.changed.addListener(() => {}),
          () => sample.label, () => Lab.numbers().next(), () => trestle.moduleNames(), () => trestle.requireVersion('a', 'b'),
          () => Object.getOwnPropertyDescriptor(NativeModules, 'Lab'), () => (NativeModules.mine = 1),
        ]) {
          await attempt(`deep ${body}`, () => deep(body));
          await attempt(`${body}`, body);
        }
        for (const name of Object.getOwnPropertyNames(globalThis)) {
          if (!/^(native|__fb|trestle)/.test(name)) continue;
          for (const [key, value] of [[name, globalThis[name]], ...Object.entries(globalThis[name] ?? {})]) {
            if (typeof value !== 'function') continue;
            for (const values of [[], [1], [[]], [[0], [0], [[]]], ['Lab'], ['Lab', 'emit', []], [() => {}], [0, 0, [1], keep('failed'), keep('succeeded')]]) {
              await attempt(`${key}(${values.length})`, () => value(...values));
            }
          }
        }
        await new Promise((resolve) => { given.resolve = resolve; Lab.emit(0).then(resolve); });

        const { places, seen } = walkFrom({ globalThis, given }, isForeign);
        return { places, size: [seen, Object.keys(given).length] };
      }
      """

  /// Functions of which Swift waits for what they return: objects that keep what their `then` is given, and call it at the end of
  /// the stack.
  private static let thenables = """
    globalThis.ends = [];
    const callAtTheEnd = (padding, body) => {
      let left = 8;
      const go = () => {
        try { go(); } catch {}
        if (left-- > 0) { try { body(); } catch (error) { ends.push(error); } }
      };
      const begin = (frames) => frames === 0 ? go() : begin(frames - 1);
      try { begin(padding); } catch {}
    };
    globalThis.thenable = (padding, isRejected, isDeep) => ({
      then(resolve, reject) {
        ends.push(resolve, reject);
        if (isDeep) return resolve(thenable(padding, isRejected, false));
        const end = () => isRejected ? reject(1) : resolve(1);
        callAtTheEnd(padding, end);
        end();
      },
    });
    """

  @Test(arguments: Wire.allCases) func nothingIsAtTheEndOfTheStack(wire: Wire) async throws {
    try await withBridge([lab.module], wire: wire) { bridge, _ in
      try await bridge.installForeignCheck()
      try await bridge.evaluate(Self.thenables)
      for padding in 0..<16 {
        for isRejected in [false, true] {
          for isDeep in [false, true] {
            _ = try? await bridge.call("thenable", padding, isRejected, isDeep, as: Int.self)
            _ = try? await bridge.evaluate("thenable(\(padding), \(isRejected), \(isDeep))", as: Int.self)
          }
        }
      }
      let found = try await bridge.evaluate("[ends.length, ends.filter(isForeign).length]", as: [Int].self)
      #expect(found[0] > 200 && found[1] == 0, "\(found)")
    }
  }

  /// Whatever a script can call there throws an error of the script's.
  @Test(arguments: Wire.allCases) func nothingComesOutOfACallAtTheEndOfTheStack(wire: Wire) async throws {
    try await withBridge([lab.module], wire: wire) { bridge, _ in
      try await bridge.installForeignCheck()
      try await bridge.evaluate(stackEndHarness)
      let standard = try await bridge.withContext { context in
        try context.ownRealm.evaluate("Object.getOwnPropertyNames(globalThis).join()").string ?? ""
      }
      let found = try await bridge.evaluate(
        """
        (async () => {
          const { Lab } = NativeModules;
          const found = await callAllAtTheEnd('\(standard)'.split(','), {
            Lab, async: [(async function* () {})(), async () => {}], changed: Lab.changed, sample: Lab.sample(), numbers: Lab.numbers(),
            subscription: Lab.changed.addListener(() => {}), loop: Lab.changed[Symbol.asyncIterator](), promise: Lab.emit(1),
          });
          return found.map(String);
        })()
        """, as: [String].self)
      #expect(found.dropFirst(2) == [])
      #expect(
        found.count >= 2 && Int(found[0]).map { $0 > 40 } == true && Int(found[1]).map { $0 > 4000 } == true, "\(found)"
      )
    }
  }

  /// Errors that Swift hands from one script to another.
  @Test func whatAFunctionThrowsAtTheEndOfTheStackIsTheScripts() async throws {
    try await withBridge([lab.module]) { bridge, _ in
      try await bridge.installForeignCheck()
      try await bridge.withContext { context in
        let pass = try context.makeFunction("pass") { call in try JSFunction(call.argument(0))?.call() }
        try context.globalObject.set("pass", pass)
      }
      try await bridge.evaluate(Self.thenables)
      for padding in 0..<16 {
        try await bridge.evaluate(
          "callAtTheEnd(\(padding), () => pass(() => NativeModules.Lab.add(1, 2))); callAtTheEnd(\(padding), () => pass(trestle.moduleNames))"
        )
      }
      try await bridge.evaluate(
        "try { pass(() => { throw globalThis.hostile = new Proxy({}, { getPrototypeOf() { throw 1 } }) }) } catch (error) { globalThis.isSame = error === hostile }"
      )
      #expect(try await bridge.evaluate("ends.filter(isForeign).length", as: Int.self) == 0)
      #expect(try await bridge.evaluate("isSame", as: Bool.self))
    }
  }

  @Test(arguments: Wire.allCases, [false, true])
  func nothingOfTheOtherRealmIsInReach(wire: Wire, isDevelopment: Bool) async throws {
    try await withBridge([lab.module], wire: wire) {
      $0.isDevelopment = isDevelopment
      $0.tracksOutstanding = isDevelopment
    } _: { bridge, _ in
      try await bridge.installForeignCheck()
      try await bridge.evaluate("const { Lab } = NativeModules; const tell = isForeign; delete globalThis.isForeign;")
      try await bridge.evaluate(Self.walk)
      try await bridge.evaluate(
        """
        const asked = [];
        globalThis.ask = function (...values) { asked.push(this, values); return { then(...functions) { asked.push(...functions); functions[0](1); } }; };
        """)
      _ = try await bridge.call("ask", [1, 2, 3, 4], ["a": [1]], AbortSignal(), as: Int.self)
      try await bridge.evaluate("const walked = found(tell);")
      #expect(try await bridge.evaluate("walked.then(({ places }) => places)", as: [String].self) == [])
      let size = try await bridge.evaluate("walked.then(({ size }) => size)", as: [Int].self)
      #expect(size[0] > 800 && size[1] > 100, "\(size)")
      // On React Native's wire the walk has taken the queue away.
      let kept = lab.kept.withLock { $0.take() }
      #expect(kept != nil || wire == .reactNative)
      _ = try? await kept?(1)
      #expect(try await bridge.evaluate("Object.values(asked).flat().filter(tell).length", as: Int.self) == 0)
    }
  }

  /// The test above would see one.
  @Test func theWalkSeesWhatIsThere() async throws {
    try await withBridge([lab.module]) { bridge, _ in
      try await bridge.installForeignCheck()
      try await bridge.evaluate(
        "const { Lab } = NativeModules; const tell = isForeign; globalThis.hidden = { list: [Object(isForeign).bind(null)] };"
      )
      try await bridge.evaluate(Self.walk)
      let places = try await bridge.evaluate("found(tell).then(({ places }) => places)", as: [String].self)
      #expect(places.count == 1 && places[0].hasSuffix("hidden.list.0"), "\(places)")
    }
  }
}
