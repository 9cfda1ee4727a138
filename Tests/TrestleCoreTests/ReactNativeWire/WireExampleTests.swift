import EventLoop
import JSON
import Testing

@testable import TrestleCore

/// Recorded examples of the wire: what stands in the arrays, byte for byte.
@Suite struct WireExampleTests {
  @Test(arguments: [
    ("Sample.log('a')", 1, #"[[0],[0],[["a"]],0]"#),
    // Failure is even, success is odd; a lone success callback is odd too.
    ("Sample.find('a', () => {}, () => {})", 1, #"[[0],[1],[["a",0,1]],0]"#),
    ("Sample.later(5, () => {})", 1, "[[0],[2],[[5,1]],0]"),
    // A promise resolves at the even ID.
    ("Sample.query({a: [1, null]})", 1, #"[[0],[3],[[{"a":[1,null]},0,1]],0]"#),
    // Each call has a number, also one without callbacks, and one that is synchronous and in no batch.
    (
      "Sample.log('a'); Sample.query(); Sample.log('b'); Sample.query()", 4,
      #"[[0,0,0,0],[0,3,0,3],[["a"],[2,3],["b"],[6,7]],0]"#
    ),
    ("Sample.quote('a'); Sample.query()", 1, "[[0],[3],[[2,3]],0]"),
  ])
  func aBatch(calls: String, count: Int, batch: String) async throws {
    #expect(try await recordedBatch(calls, count: count) == batch)
  }

  @Test func anEmptyBatchIsNull() async throws {
    let batches = try await withBridge([wireSample()], wire: .reactNative) { bridge, _ in
      try await bridge.evaluate(
        """
        [__fbBatchedBridge.flushedQueue(), __fbBatchedBridge.callFunctionReturnFlushedQueue('Nothing', 'there', []),
          __fbBatchedBridge.invokeCallbackAndReturnFlushedQueue(77, [])]
        """, as: [String?].self)
    }
    #expect(batches == [nil, nil, nil])
  }

  @Test func theConfigIsReactNatives() async throws {
    let modules = [
      wireSample(), ModuleDefinition("Empty", make: { _ in Nothing() }) {},
      ModuleDefinition("OnlyConstants", make: { _ in Nothing() }) {
        Member<Nothing>.constant("length") { _ in 0 }
      },
      ModuleDefinition("OnlyVoid", make: { _ in Nothing() }) {
        Member<Nothing>.void("log", "line") { (_, _: String) in }
      },
    ]
    let configs = try await withBridge(modules, wire: .reactNative) { bridge, _ in
      try await bridge.evaluate(
        "['Empty', 'OnlyConstants', 'OnlyVoid', 'Sample', 'Other'].map(nativeRequireModuleConfig)", as: JSONValue.self)
    }
    let names: JSONValue = [
      "log", "find", "later", "query", "fail", "quote", "never", "addListener", "removeListeners",
    ]
    let expected: JSONValue = [
      .null, ["OnlyConstants", ["length": 0]], ["OnlyVoid", .null, ["log"]],
      ["Sample", ["version": "3.45"], names, [3, 4, 6], [5]], .null,
    ]
    #expect(configs == expected)
  }

  /// What native code passes to `invokeCallbackAndReturnFlushedQueue`, as JSON.
  @Test(
    arguments: [
      ("[[0], [3], [[{a: 1}, 40, 41]], 0]", #"[40,[{"a":1}]]"#),
      ("[[0], [3], [[null, 40, 41]]]", "[40,[null]]"),
      ("[[0], [6], [[40, 41]], 0]", nil),
      (
        "[[0], [4], [[40, 41]], 0]",
        #"[41,[{"code":"ERR_WIRE_TROUBLE","message":"no such file","domain":"WireTrouble","userInfo":{"path":"/x"},"nativeStackIOS":[]}]]"#
      ),
      (
        "[[0], [3], [[() => 1, 40, 41]], 0]",
        #"[41,[{"code":"ERR_ARGUMENT","message":"Sample.query, argument 1 'value': expected JSON value, got function","domain":"TypeError","userInfo":null,"nativeStackIOS":[]}]]"#
      ),
      (
        "[[0], [3], [[1, 2, 40, 41]], 0]",
        #"[41,[{"code":"ERR_ARGUMENT","message":"Sample.query: expected 0 to 1 argument, got 2","domain":"TypeError","userInfo":null,"nativeStackIOS":[]}]]"#
      ),
      // By position: the parity of an ID says nothing.
      ("[[0], [1], [['a', 41, 40]], 0]", #"[40,["found a"]]"#),
      (
        "[[0], [1], [['', 40, 41]], 0]",
        #"[40,[{"code":"ERR_WIRE_TROUBLE","message":"no such file","domain":"WireTrouble","userInfo":{"path":"/x"},"nativeStackIOS":[]}]]"#
      ),
      ("[[0], [2], [[5, 41]], 0]", "[41,[5]]"),
    ] as [(String, String?)])
  func aReply(batch: String, reply: String?) async throws {
    let replies = try await withBridge([wireSample()], wire: .reactNative) { bridge, _ in
      try await bridge.evaluate(
        """
        globalThis.replies = [];
        globalThis.__fbBatchedBridge = {
          callFunctionReturnFlushedQueue: () => null, flushedQueue: () => null,
          invokeCallbackAndReturnFlushedQueue(...args) { replies.push(JSON.stringify(args)); return null },
        };
        nativeFlushQueueImmediate(\(batch));
        """)
      return try await bridge.evaluate("replies", as: [String].self)
    }
    #expect(replies == (reply.map { [$0] } ?? []))
  }

  @Test func aVoidAnswerIsAnEmptyArray() async throws {
    let nothing = ModuleDefinition("Nothing", make: { _ in Nothing() }) {
      Member<Nothing>._method("done", .promise) { _ in { (call) throws(ConversionError) in call.complete {} } }
    }
    let reply = try await withBridge([nothing], wire: .reactNative) { bridge, _ in
      try await bridge.evaluate(
        """
        globalThis.__fbBatchedBridge = {
          callFunctionReturnFlushedQueue: () => null, flushedQueue: () => null,
          invokeCallbackAndReturnFlushedQueue(...args) { globalThis.reply = JSON.stringify(args); return null },
        };
        nativeFlushQueueImmediate([[0], [0], [[40, 41]], 0]);
        """)
      return try await bridge.evaluate("reply", as: String.self)
    }
    #expect(reply == "[40,[]]")
  }

  @Test func aCallIsHandedOverAfterFiveMilliseconds() async throws {
    let lines = Lock<[String]>([])
    let seen = try await withBridge([wireSample(lines)], wire: .reactNative) { bridge, _ in
      try await bridge.withContext { context in
        let seen = try context.makeFunction { call in
          call.context.number(Double(lines.withLock { $0.count }))
        }
        try context.globalObject.set("seen", seen)
      }
      return try await bridge.evaluate(
        """
        NativeModules.Sample.log('');
        const start = Date.now();
        while (Date.now() - start < 10);
        NativeModules.Sample.log('late');
        seen()
        """, as: Int.self)
    }
    #expect(seen == 2)
  }
}
