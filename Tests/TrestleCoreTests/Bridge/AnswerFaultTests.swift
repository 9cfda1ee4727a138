import EventLoop
import Glibc
import JSEngine
import JSON
import TestSupport
import Testing

@testable import TrestleCore

/// Answers that come too late, and scripts that throw at what they are answered.
@Suite struct AnswerFaultTests {
  private let replies = Lock<[Reply]>([])

  private var module: ModuleDefinition {
    ModuleDefinition("Faulty", make: { _ in Nothing() }) { [replies] in
      Member<Nothing>.promise("echo", "value") { (_, value: JSONValue) in value }
      Member<Nothing>._method("keep", .promise) { _ in
        { (call) throws(ConversionError) in
          let reply = call.reply()
          replies.withLock { $0.append(reply) }
        }
      }
      Member<Nothing>._method("later", .callbacks, [Parameter("value", Int.self), .callback("success", Int.self)]) {
        _ in
        { (call) throws(ConversionError) in
          let value = try call.next(Int.self)
          try call.callback(Int.self)(value)
        }
      }
    }
  }

  @Test(arguments: Wire.allCases) func answersAfterTheEndGoNowhere(wire: Wire) async throws {
    let log = try await withBridge([module], wire: wire) { bridge, log in
      try await bridge.evaluate("for (let i = 0; i < 3; i++) NativeModules.Faulty.keep().catch(() => {})")
      return log
    }
    let kept = replies.withLock { replies in
      defer { replies = [] }
      return replies
    }
    #expect(kept.count == 3)
    kept[0].resolve(1)
    Thread.detach { kept[1].resolve(2) }
    kept[0].resolve(3)
    #expect(log.texts.allSatisfy { $0.contains("ERR_ANSWERED_TWICE") }, "\(log.texts)")
  }

  @Test(arguments: Wire.allCases) func aCallbackThatThrowsStopsNoOther(wire: Wire) async throws {
    try await withBridge([module], wire: wire) { bridge, log in
      try await bridge.evaluate(
        """
        globalThis.calls = [];
        const {later} = NativeModules.Faulty;
        for (let i = 0; i < 5; i++) later(i, value => { calls.push(value); if (value === 2) throw new Error('mine') });
        """)
      #expect(try await bridge.evaluate("calls", as: [Int].self) == [0, 1, 2, 3, 4])
      #expect(log.texts.count { $0.contains("mine") } == 1)
    }
  }

  /// A microtask would run between two crossings.
  @Test(arguments: Wire.allCases) func theAnswersOfATurnCrossTogether(wire: Wire) async throws {
    try await withBridge([module], wire: wire) { bridge, _ in
      try await bridge.evaluate(
        """
        globalThis.order = '';
        for (let i = 0; i < 100; i++) {
          NativeModules.Faulty.later(i, () => { order += 'a'; Promise.resolve().then(() => { order += 'm' }) });
        }
        """)
      let order = try await bridge.evaluate("order", as: String.self)
      #expect(order == String(repeating: "a", count: 100) + String(repeating: "m", count: 100))
    }
  }

  @Test(arguments: Wire.allCases) func gettersOfAnErrorRunOnce(wire: Wire) async throws {
    try await withBridge([module], wire: wire) { bridge, _ throws in
      try await bridge.evaluate(
        """
        globalThis.reads = [];
        globalThis.fail = async () => {
          const error = new Error('mine');
          for (const key of ['name', 'message', 'code', 'stack', 'cause', 'more']) {
            Object.defineProperty(error, key, { enumerable: true, get() { reads.push(key); return key === 'cause' ? undefined : key; } });
          }
          throw error;
        };
        """)
      let error = await #expect(throws: JavaScriptError.self) { try await bridge.call("fail", as: Int.self) }
      #expect(error?.message == "message" && error?.code == "code")
      #expect(try await bridge.evaluate("reads", as: [String].self) == ["name", "message", "code", "stack", "cause"])
    }
  }

  @Test(arguments: Wire.allCases) func scriptsInFiles(wire: Wire) async throws {
    let path = "/tmp/trestle-script-\(getpid())-\(wire).js"
    defer { unlink(path) }
    try "#!/usr/bin/env trestle\nglobalThis.n = 20;\nPromise.resolve(n + 1)".write(path)
    try await withBridge([module], wire: wire) { bridge, _ in
      #expect(try await bridge.evaluate(file: path, as: Int.self) == 21)
      try "n = 5;\nthrow new Error('third line')\n".write(path)
      let error = try await #require(throws: JavaScriptError.self) { try await bridge.evaluate(file: path) }
      #expect(error.place?.hasPrefix("\(path):2:") == true)
      let missing = await #expect(throws: BridgeError.self) { try await bridge.evaluate(file: "/no/such.js") }
      #expect(missing?.code == .unreadable && missing?.message == "cannot read /no/such.js: No such file or directory")
      let binary = await #expect(throws: BridgeError.self) { try await bridge.evaluate(file: "/proc/self/exe") }
      #expect(binary?.message == "cannot read /proc/self/exe: not UTF-8 text")
    }
  }

  @Test(arguments: Wire.allCases) func dataWithoutEndAndFunctionsAreRefused(wire: Wire) async throws {
    try await withBridge([module], wire: wire) { bridge, _ in
      let script = """
        const circle = { list: [] };
        circle.list.push(circle);
        let deep = [];
        for (let i = 0; i < 10000; i++) deep = [deep];
        Promise.all([circle, deep, { inner: [1, () => 2] }].map(value =>
          NativeModules.Faulty.echo(value).then(() => 'taken', error => error.message)))
        """
      let texts = try await bridge.evaluate(script, as: [String].self)
      let start = "Faulty.echo, argument 1 'value"
      try #require(texts.count == 3 && texts.allSatisfy { $0.hasPrefix(start) }, "\(texts)")
      #expect(texts[0].hasSuffix(".list[0]': expected a value without cycles, got a cycle"), "\(texts[0])")
      let zeros = String(repeating: "[0]", count: 8)
      #expect(
        texts[1].hasPrefix("\(start)\(zeros)…\(zeros)': expected at most 512 levels of nesting, got more"),
        "\(texts[1])")
      #expect(texts[2].hasSuffix("inner[1]': expected JSON value, got function"), "\(texts[2])")
    }
  }
}

extension String {
  fileprivate func write(_ path: String) throws {
    let file = try #require(fopen(path, "we"))
    fputs(self, file)
    fclose(file)
  }
}
