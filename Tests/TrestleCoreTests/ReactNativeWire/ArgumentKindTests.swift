import Foundation
import JSON
import Testing

@testable import TrestleCore

/// Hand-made batches with arguments of every kind: what a module gets, and what it answers.
@Suite struct ArgumentKindTests {
  private let kinds = ModuleDefinition("Kinds", make: { _ in Nothing() }) {
    Member<Nothing>.promise("bool", "it") { (_, it: Bool) in it }
    Member<Nothing>.promise("number", "it") { (_, it: Double) in it }
    Member<Nothing>.promise("integer", "it") { (_, it: Int) in it }
    Member<Nothing>.promise("byte", "it") { (_, it: UInt8) in it }
    Member<Nothing>.promise("text", "it") { (_, it: String) in it }
    Member<Nothing>.promise("list", "it") { (_, it: [Int]) in it }
    Member<Nothing>.promise("table", "it") { (_, it: [String: [Double?]]) in it }
    Member<Nothing>.promise("record", "it") { (_, it: Point) in it }
    Member<Nothing>.promise("anything", "it") { (_, it: JSONValue) in it }
    Member<Nothing>.promise("perhaps", "it") { (_, it: Int?) in it }
    Member<Nothing>.promise("bytes", "it") { (_, it: [UInt8]) in it.map(Int.init) }
    Member<Nothing>.promise("duration", "it") { (_, it: Duration) in it }
  }

  /// - Returns: what native code passes to `invokeCallbackAndReturnFlushedQueue`: callback ID and arguments, as JSON.
  private func reply(to method: String, _ argument: String) async throws -> String {
    try await withBridge([kinds], wire: .reactNative) { bridge, log in
      try await bridge.evaluate(
        """
        const methodID = nativeRequireModuleConfig('Kinds')[2].indexOf('\(method)');
        globalThis.__fbBatchedBridge = {
          callFunctionReturnFlushedQueue: () => null, flushedQueue: () => null,
          invokeCallbackAndReturnFlushedQueue(id, args) {
            globalThis.reply = id === 41 ? args[0].message : JSON.stringify(args);
            return null;
          },
        };
        nativeFlushQueueImmediate([[0], [methodID], [[\(argument)40, 41]], 0]);
        """)
      #expect(log.texts == [])
      return try await awaitGlobal("reply", of: bridge, as: String.self)
    }
  }

  @Test(arguments: [
    ("bool", "true, ", "[true]"), ("number", "-0.5, ", "[-0.5]"), ("number", "1e300, ", "[1e+300]"),
    ("integer", "9007199254740991, ", "[9007199254740991]"), ("text", "'ä€😀', ", #"["ä€😀"]"#),
    ("text", "'', ", #"[""]"#),
    ("list", "[1, 2, 3], ", "[[1,2,3]]"), ("list", "[], ", "[[]]"),
    ("table", "{a: [1, null]}, ", #"[{"a":[1,null]}]"#),
    ("record", "{x: 1, y: 2, name: 'p'}, ", #"[{"x":1,"y":2,"name":"p"}]"#),
    ("anything", "{deep: [{er: [null, 'x', {}]}]}, ", #"[{"deep":[{"er":[null,"x",{}]}]}]"#),
    ("anything", "null, ", "[null]"), ("perhaps", "null, ", "[null]"), ("perhaps", "undefined, ", "[null]"),
    ("perhaps", "", "[null]"),
    ("bytes", "new Uint8Array([1, 255]), ", "[[1,255]]"), ("bytes", "[1, 255], ", "[[1,255]]"),
    ("duration", "1500, ", "[1500]"),
    // As React Native leaves arguments in development: frozen, with getters and setters that throw.
    (
      "record",
      "Object.freeze(Object.defineProperty({y: 2, name: 'p'}, 'x', {enumerable: true, get: () => 1, set() { throw 1 }})), ",
      #"[{"x":1,"y":2,"name":"p"}]"#
    ),
    ("list", "Object.freeze([1, 2]), ", "[[1,2]]"),
  ])
  func whatConverts(method: String, argument: String, expected: String) async throws {
    #expect(try await reply(to: method, argument) == expected)
  }

  @Test(arguments: [
    ("bool", "1, ", "Kinds.bool, argument 1 'it': expected boolean, got number 1"),
    ("number", "'1', ", "Kinds.number, argument 1 'it': expected number, got string \"1\""),
    ("integer", "1.5, ", "expected a 64-bit integer"), ("integer", "NaN, ", "got number NaN"),
    ("byte", "256, ", "got number 256"),
    ("text", "null, ", "expected string, got null"), ("list", "[1, 'x'], ", "'it[1]': expected a 64-bit integer"),
    ("list", "{length: 1}, ", "expected array, got object"), ("table", "{a: [1, {}]}, ", "'it.a[1]'"),
    ("record", "{x: 1}, ", "'it.y'"), ("anything", "() => 1, ", "got function"), ("bytes", "'x', ", "got string \"x\""),
    ("text", "", "expected 1 argument, got 0"), ("text", "'a', 'b', ", "expected 1 argument, got 2"),
  ])
  func whatDoesNot(method: String, argument: String, message: String) async throws {
    let text = try await reply(to: method, argument)
    #expect(text.contains(message), "\(text)")
  }
}
