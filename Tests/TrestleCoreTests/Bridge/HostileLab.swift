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
      try { module.fail(); } catch (error) { text += `${error.message};`; }
      try { module.add('x'); } catch (error) { text += `${error.code};`; }
      return text;
    };
    """

  /// What it comes to.
  static let exerciseResult = "event 7;3;12p;53p;3two;sample true;1true;p;no;ERR_ARGUMENT;"
}

extension Bridge {
  /// Gives scripts `isForeign`, which tells the objects of the runtime's realm.
  func installForeignCheck() throws {
    try withContext { context in
      let isForeign = try context.ownRealm.evaluate(
        """
        (value) => {
          try { return value === globalThis || value === Object.prototype || Object.prototype.isPrototypeOf.call(Object.prototype, value); }
          catch { return false; }
        }
        """)
      try context.globalObject.set("isForeign", isForeign)
    }
  }
}
