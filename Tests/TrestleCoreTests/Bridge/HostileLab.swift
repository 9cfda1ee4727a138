import EventLoop
import TestSupport

@testable import TrestleCore

final class LabSample: SharedObject {
  static let sharedClass = SharedClass("Sample", of: LabSample.self) {
    Member<LabSample>.sync("get label") { _ in "sample" }
    Member<LabSample>.promise("isSame", "other") { (sample, other: LabSample) in sample === other }
  }
}

/// A module with all that scripts and Swift may hold of each other.
struct Lab: Sendable {
  let changed = EventSource<Int>()
  let kept = Lock<ScriptFunction<Int, Int>?>(nil)

  var module: ModuleDefinition { module(named: "Lab") }

  func module(named name: String) -> ModuleDefinition {
    ModuleDefinition(name, make: { _ in self }) {
      Member<Lab>.event("changed") { $0.changed }
      Member<Lab>.promise("emit", "value") { (lab, value: Int) in
        lab.changed.emit(value)
        return value
      }
      Member<Lab>.sync("sample") { _ in LabSample() }
      Member<Lab>.sync("isSample", "sample", "number") { (_, _: LabSample, _: Int) in true }
      Member<Lab>.sync("numbers") { _ in
        AsyncStream<Int> { continuation in
          continuation.yield(1)
          continuation.finish()
        }
      }
      Member<Lab>.promise("stream") { _ in
        AsyncStream<Int> { continuation in
          continuation.yield(1)
          continuation.finish()
        }
      }
      Member<Lab>.void("keep", "function", "number") { (lab, function: ScriptFunction<Int, Int>, _: Int) in
        lab.kept.withLock { $0 = function }
      }
      Member<Lab>._method("sum", .promise, [Parameter("numbers", ScriptSequence<Int>.self)], result: Int.self) { _ in
        { (call) throws(ConversionError) in
          let numbers = try call.next(ScriptSequence<Int>.self)
          let reply = call.reply()
          reply.startConcurrently {
            do {
              var sum = 0
              for try await number in numbers { sum += number }
              reply.resolve(sum)
            } catch { reply.reject(error) }
          }
        }
      }
      Member<Lab>.promise("point", "value") { (_, value: Point) in value.name }
      Member<Lab>.promise("list", "value") { (_, value: [Point]) in value.map(\.name) }
      Member<Lab>.promise("echo", "value") { (_, value: Point) in value }
      Member<Lab>.promise("echoes", "value") { (_, value: [Point]) in value }
      Member<Lab>.sync("through", "values", "function") {
        (_, values: [Point], function: ScriptFunction<[Point], Point>) throws in try function.callNow(values)
      }
      Member<Lab>.sync("add", "a", "b") { (_, a: Int, b: Int) in a + b }
      Member<Lab>.sync("bytes") { _ in [UInt8](repeating: 7, count: 5000) }
      Member<Lab>.sync("fail") { (_) throws -> Int in throw BridgeError(.argument, "no") }
      Member<Lab>.promise("anything", "value") { (_, value: JSONValue) in value }
      Member<Lab>._method("ask", .callbacks, [Parameter("value", Int.self), .callback("success", Int.self)]) { _ in
        { (call) throws(ConversionError) in
          let value = try call.next(Int.self)
          try call.callback(Int.self)(value)
        }
      }
      Member<Lab>.sync("measure", "bytes", "text") { (_, bytes: [UInt8], text: String) in bytes.count + text.utf8.count
      }
      Member<Lab>.promise("shaped", "shape", "encoding", "table", "set", "pause") {
        (_, shape: Shape, _: Encoding, table: [String: UInt64], set: Set<Int>, pause: Duration) in
        table["a"] == 3 && set.count == 2 && pause == .milliseconds(2) ? shape : .empty
      }
      Member<Lab>._method("look", .promise, [Parameter("object", ScriptObject.self)], result: Int.self) { _ in
        { (call) throws(ConversionError) in
          let object = try call.next(ScriptObject.self)
          let reply = call.reply()
          reply.startConcurrently {
            do {
              try await object.set("seen", to: 1)
              reply.resolve(try await object.call("add", 5, as: Int.self))
            } catch { reply.reject(error) }
          }
        }
      }
    }
  }
}

extension Lab {
  /// `exercise(module)` uses each feature once, without a built-in that could be replaced.
  static let exercise = """
    globalThis.exercise = async (module) => {
      let text = '';
      const subscription = module.changed.addListener((value) => { text += `event ${value};`; });
      await module.emit(7);
      subscription.remove();
      text += `${module.add(1, 2)};`;
      const point = await module.echo({ x: 1, y: 2, name: 'p' });
      text += `${point.x}${point.y}${point.name};`;
      const points = await module.echoes([point, { x: 3, y: 4, name: 'q' }, point, point, point]);
      text += `${points.length}${points[1].x}${points[4].name};`;
      const data = await module.anything({ list: [1, 'two', { three: 3 }], empty: {} });
      text += `${data.list[2].three}${data.list[1]};`;
      const sample = module.sample();
      text += `${sample.label} ${await sample.isSame(sample)};`;
      sample.release();
      const numbers = module.numbers();
      text += `${(await numbers.next()).value}${(await numbers.next()).done};`;
      text += `${module.through([point], (points) => points[0]).name};`;
      module.keep((x) => x + 1, 0);
      module.ask(4, (value) => { text += `called ${value};`; });
      const shape = await module.shaped({ type: 'circle', center: point, radius: 2 }, 'utf8', { a: 3 }, [1, 2], 2);
      text += `${shape.type}${shape.center.name}${module.measure([1, 2, 3], 'ä€😀')};`;
      const looked = { own: 2, add(value) { return this.own + this.seen + value; } };
      text += `${await module.look(looked)}${looked.seen};`;
      try { module.fail(); } catch (error) { text += `${error.message};`; }
      try { module.add('x'); } catch (error) { text += `${error.code};`; }
      return text;
    };
    """

  /// `useFreely(module)` uses them as scripts do, by all that the language has for it.
  static let useFreely = """
    globalThis.useFreely = async (module) => {
      const wait = [];
      const heard = (async () => { for await (const value of module.changed) if (value === 9) return value; })();
      for (const value of [7, 8, 9]) wait.push(module.emit(value));
      await Promise.allSettled([...wait, heard]);
      const all = [];
      for await (const number of module.numbers()) all.push(number);
      const points = await Promise.all([1, 2, 3].map((x) => module.echo({ x, y: -x, name: `p${x}` })));
      const [first, ...rest] = await module.echoes(points);
      await module.anything({ ...first, rest, map: Object.fromEntries(Object.entries(first)) }).then((data) => JSON.stringify(data), () => {}).finally(() => {});
      await Promise.any([module.sum(new Set([1, 2, 3])), module.sum([4, 5][Symbol.iterator]()), module.sum((function* () { yield 1; yield 2; })())]);
      await module.sum((async function* () { yield 1; })());
      const samples = [module.sample(), module.sample()];
      await Promise.race(samples.map((sample) => sample.isSame(samples[0])));
      for (const sample of samples) sample[Symbol.dispose]();
      [...new Uint8Array(module.bytes())].slice(1).sort();
      for (const wrong of [() => module.fail(), () => module.add(1n, {}), () => module.add(new Date(0), /x/), () => module.through(5), () => NativeModules.Nothing.at, () => module.echoo(1)]) {
        try { wrong(); } catch (error) { String(error); error.stack.split(/\\n/); Object.assign({}, error); error instanceof TypeError; }
      }
      module.measure(new Uint8Array(3000).fill(7), 'ä'.repeat(100000));
      module.shaped({ type: 'pair', first: { type: 'empty' }, second: { type: 'empty' } }, 'latin1', new Map(), new Set([1, 2]), 1).catch(() => {});
      await module.look(new Proxy({ add: (value) => value }, { set: Reflect.set, get: Reflect.get }));
      module.through(points, (given) => Object.freeze(given.at(-1)));
      module.through(points, function ({ length }) { throw Object.assign(new Error('mine'), { length, cause: arguments }); });
    };
    """

  /// `attackInDelivery(name, indices, kind)` attacks while what native code sends is read, from the first of some things that come
  /// together; then it is `exercise(NativeModules[name])`.
  static let attackInDelivery = """
    globalThis.attackInDelivery = async (name, indices, kind) => {
      const module = NativeModules.Canary;
      const numbers = module.numbers();
      const subscription = module.changed.addListener((value) => { if (value === 0) attacks.begin(indices, kind); });
      const answers = [
        module.emit(0), module.echo({ x: 1, y: 2, name: 'p' }), module.emit(1), numbers.next(), module.anything({ list: [1, 'two', { three: 3 }] }),
        module.echoes([{ x: 1, y: 2, name: 'p' }, { x: 3, y: 4, name: 'q' }]), module.echo({}), module.emit(2),
      ];
      for (let i = 0; i < 8; i++) try { await answers[i]; } catch {}
      subscription.remove();
      return await exercise(NativeModules[name]);
    };
    """

  /// What re-entering attacks do.
  static let meddling = """
    {
      const { Canary } = NativeModules;
      attacks.meddle = () => { Canary.add(1, 2); Canary.echo({ x: 1, y: 2, name: '' }); Canary.keep(() => 1, 2); };
    }
    """

  /// A script that lets others have the module by functions of its own.
  static let moduleScript = ModuleScript(sourceURL: "lab.js") {
    """
    (native) => ({
      get changed() { return native.changed; },
      emit: (value) => native.emit(value), echo: (value) => native.echo(value), echoes: (values) => native.echoes(values),
      anything: (value) => native.anything(value), sum: (values) => native.sum(values), sample: () => native.sample(),
      numbers: () => native.numbers(), through: (values, body) => native.through(values, body), bytes: () => native.bytes(),
      keep: (body, number) => native.keep(body, number), ask: (value, body) => native.ask(value, body),
      measure: (bytes, text) => native.measure(bytes, text), look: (object) => native.look(object),
      shaped: (shape, encoding, table, set, pause) => native.shaped(shape, encoding, table, set, pause), fail: () => native.fail(), add: (a, b) => native.add(a, b),
    })
    """
  }

  /// A module that gives scripts `isForeign`, before the scripts of modules behind it run.
  static func foreignModule(named name: String) -> ModuleDefinition {
    var script = ModuleScript(sourceURL: "foreign.js") {
      "(module, border) => { border.define(border.intrinsics.globalThis, 'isForeign', \(foreignCheck), true); }"
    }
    script.realm = .own
    return ModuleDefinition(name, script: script)
  }

  /// What it comes to.
  static let exerciseResult = "event 7;3;12p;53p;3two;sample true;1true;p;called 4;circlep12;81;no;ERR_ARGUMENT;"
}

extension Bridge {
  /// Gives scripts `isForeign`, which tells the objects of the runtime's realm.
  func installForeignCheck() throws {
    try withContext { context in
      let isForeign = try context.ownRealm.evaluate("(\(foreignCheck))")
      try context.globalObject.set("isForeign", isForeign)
    }
  }
}
