import TestSupport
import Testing

/// JavaScript values cannot leave the isolation of their bridge: the compiler proves it.
///
/// A comment `// error: …` has words of the error that its line gets. What the type checker refuses and what only the
/// analysis of regions refuses stand in sources of their own: after an error of the first kind the second is not run.
@Suite(.offThePool) struct IsolationTests {
  @Test func nothingThatHoldsAValueIsSendable() throws {
    try expectErrors(
      """
      import JSEngine
      import Trestle
      func run(_ body: @escaping @Sendable () -> Void) {}
      func captured(_ value: JSValue) {
        run { print(value) }  // error: capture of 'value' with non-Sendable type 'JSValue' in a '@Sendable' closure
      }
      func capturedFunction(_ function: JSFunction) {
        run { _ = try? function.call() }  // error: capture of 'function' with non-Sendable type 'JSFunction'
      }
      struct Held: Sendable {
        let context: JSContext  // error: has non-Sendable type 'JSContext'
        let object: JSObject  // error: has non-Sendable type 'JSObject'
      }
      final class Box: Sendable {
        let array: JSArray  // error: has non-Sendable type 'JSArray'
        init(_ array: JSArray) { self.array = array }
      }
      func returned(_ bridge: Bridge) async throws -> Bool {
        try await bridge.withContext { try $0.evaluate("1") }.isObject  // error: conformance of 'JSValue' to 'Sendable' is unavailable
      }
      """)
  }

  @Test func noValueIsSentElsewhere() throws {
    try expectErrors(
      """
      import JSEngine
      import Trestle
      actor Store {
        private var value: JSValue?
        func keep(_ value: JSValue) { self.value = value }
      }
      @globalActor actor Stage { static let shared = Stage() }
      func detached(_ object: JSObject) {
        Task.detached { _ = try object.get("name") }  // error: passing closure as a 'sending' parameter risks causing data races
      }
      func awaited(_ promise: JSPromise) {
        Task { print(promise) }  // error: passing closure as a 'sending' parameter risks causing data races
      }
      func kept(_ value: JSValue, in store: Store) async {
        await store.keep(value)  // error: sending 'value' risks causing data races
      }
      func onAnotherActor(_ value: JSValue) async {
        await Task { @Stage in print(value) }.value  // error: sending 'value' risks causing data races
      }
      func concurrently(_ function: JSFunction) async throws {
        async let result = function.call().number  // error: sending 'function' risks causing data races
        _ = try await result
      }
      """)
  }

  @Test func aBridgesValuesStayWithIt() throws {
    try expectErrors(
      """
      import JSEngine
      import Trestle
      func taken(from bridge: Bridge) async throws {
        var taken: JSValue?
        try await bridge.withContext { taken = try $0.evaluate("1") }  // error: risks causing data races
        print(taken as Any)
      }
      func given(_ value: JSValue, to bridge: Bridge) async throws {
        try await bridge.withContext { _ in print(value) }  // error: risks causing data races
      }
      func afterTheTurn(_ bridge: Bridge) async throws {
        try await bridge.withContext { context in
          let value = try context.evaluate("1")
          Task { print(value) }  // error: passing closure as a 'sending' parameter risks causing data races
        }
      }
      """)
  }

  @Test func modulesTakeNoValuesAndCallbacksNoOtherTypes() throws {
    try expectErrors(
      """
      import JSEngine
      import Trestle
      @NativeModule final class Keeper {
        @Exported func keep(_ value: JSValue) {}  // error: 'JSValue' cannot come from JavaScript
      }
      func answer(_ callback: Callback<Int>, _ value: JSValue) {
        callback("text")  // error: cannot convert value of type 'String' to expected argument type 'Int'
      }
      func answer(_ callback: Callback<JSValue>, _ value: JSValue) {
        callback(value)  // error: this type cannot go to JavaScript
      }
      """)
  }

  /// The same shapes with what may leave: results, callbacks, the bridge itself.
  @Test func whatIsSendableLeaves() throws {
    try expectErrors(
      """
      import JSEngine
      import Trestle
      func converted(_ bridge: Bridge) async throws -> Double? {
        let text = try await bridge.withContext { try $0.evaluate("'a'").string }
        Task.detached { print(text ?? "") }
        return try await bridge.withContext { try JSObject($0.evaluate("({n: 1})"))?.get("n").number }
      }
      func called(_ callback: Callback<Int>, _ bridge: Bridge) {
        Task.detached {
          callback(try await bridge.evaluate("1", as: Int.self))
        }
      }
      extension Bridge {
        func name() throws -> String? {
          try withContext { context in
            let value = try context.evaluate("'name'")
            return value.string
          }
        }
      }
      """)
  }
}
