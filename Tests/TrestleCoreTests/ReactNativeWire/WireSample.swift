import EventLoop
import JSON

@testable import TrestleCore

/// One method of each kind, for examples of the wire. By number: log, find, later, query, fail, quote.
func wireSample(_ lines: Lock<[String]> = Lock([])) -> ModuleDefinition {
  let replies = Lock<[Reply]>([])
  return ModuleDefinition("Sample", make: { _ in Nothing() }) {
    Member<Nothing>.constant("version") { _ in "3.45" }
    Member<Nothing>.void("log", "line") { (_, line: String) in lines.withLock { $0.append(line) } }
    Member<Nothing>._method(
      "find", .callbacks,
      [Parameter("name", String.self), .callback("failure", WireTrouble.self), .callback("success", String.self)]
    ) { _ in
      { (call) throws(ConversionError) in
        let name = try call.next(String.self)
        let (failure, success) = (try call.callback(WireTrouble.self), try call.callback(String.self))
        if name.isEmpty { failure(WireTrouble(path: "/x")) } else { success("found " + name) }
      }
    }
    Member<Nothing>._method("later", .callbacks, [Parameter("value", Int.self), .callback("success", Int.self)]) { _ in
      { (call) throws(ConversionError) in
        let value = try call.next(Int.self)
        try call.callback(Int.self)(value)
      }
    }
    Member<Nothing>.promise("query", "value") { (_, value: JSONValue?) in value }
    Member<Nothing>.promise("fail") { (_) throws -> Int in throw WireTrouble(path: "/x") }
    Member<Nothing>.sync("quote", "text") { (_, text: String) in "“\(text)”" }
    Member<Nothing>._method("never", .promise) { _ in
      { (call) throws(ConversionError) in
        let reply = call.reply()
        replies.withLock { $0.append(reply) }
      }
    }
    Member<Nothing>.event("changed", Int.self)
  }
}

struct WireTrouble: Error, CustomStringConvertible {
  var path: String
  var description: String { "no such file" }
}

/// The batch of what `calls` calls in one turn of JavaScript, as JSON: the first on a new bridge.
///
/// Calls are handed over early where 5 ms pass meanwhile; then another bridge is tried.
func recordedBatch(_ calls: String, count: Int) async throws -> String {
  for _ in 0..<100 {
    let batch = try await withBridge([wireSample()], wire: .reactNative) { bridge, _ in
      try await bridge.evaluate(
        """
        const {Sample} = NativeModules;
        __fbBatchedBridge.registerCallableModule('Recorder', {record() { \(calls) }});
        const batch = __fbBatchedBridge.callFunctionReturnFlushedQueue('Recorder', 'record', []);
        batch !== null && batch[0].length === \(count) ? JSON.stringify(batch) : null
        """, as: String?.self)
    }
    if let batch { return batch }
  }
  throw BridgeError(.limit, "no batch of \(count) calls in 100 tries")
}
