import EventLoop
import Testing

@testable import TrestleCore

/// The JavaScript half, and calls towards it.
@Suite struct MessageQueueTests {
  @Test func callbacksAreOneShotAsAPair() async throws {
    let calls = try await withBridge([wireSample()], wire: .reactNative) { bridge, log in
      let calls = try await bridge.evaluate(
        """
        const calls = [];
        const queue = __fbBatchedBridge;
        queue.enqueueNativeCall(0, 1, ['a'], () => calls.push('failure'), () => calls.push('success'));
        const id = 0;
        queue.invokeCallbackAndReturnFlushedQueue(id << 1 | 1, []);
        queue.invokeCallbackAndReturnFlushedQueue(id << 1, []);
        queue.invokeCallbackAndReturnFlushedQueue(id << 1 | 1, []);
        calls
        """, as: [String].self)
      #expect(log.texts == [])
      return calls
    }
    #expect(calls == ["success"])
  }

  /// A script may answer a call in the place of native code, and have an error be its own cause.
  @Test func describedCausesEnd() async throws {
    try await withBridge([wireSample()], wire: .reactNative) { bridge, _ in
      let text = try await bridge.evaluate(
        """
        const described = { code: 'E', message: 'round' };
        described.cause = described;
        const failure = NativeModules.Sample.never();
        __fbBatchedBridge.invokeCallbackAndReturnFlushedQueue(1, [described]);
        failure.catch(error => {
          let count = 0;
          for (let at = error; at !== undefined; at = at.cause) count++;
          return `${error.code} ${error.message} ${count}`;
        })
        """, as: String.self)
      #expect(text == "E round 17")
    }
  }

  @Test func callsThatCallbacksMakeGoWithTheReturnValue() async throws {
    let lines = Lock<[String]>([])
    try await withBridge([wireSample(lines)], wire: .reactNative) { bridge, log in
      let sum = try await bridge.evaluate(
        """
        new Promise(resolve => {
          const {Sample} = NativeModules;
          let sum = 0;
          const next = value => {
            sum += value;
            Sample.log(`${value}`);
            if (value < 20) Sample.later(value + 1, next); else resolve(sum);
          };
          Sample.later(1, next);
        })
        """, as: Int.self)
      #expect(sum == 210)
      #expect(lines.withLock { $0 } == (1...20).map(String.init))
      #expect(log.texts == [])
    }
  }

  @Test func callableModulesAndTheirMistakes() async throws {
    try await withBridge([wireSample()], wire: .reactNative) { bridge, log in
      try await bridge.evaluate(
        """
        let made = 0;
        __fbBatchedBridge.registerLazyCallableModule('Lazy', () => { made++; return {twice: n => n * 2, count: () => made} });
        __fbBatchedBridge.registerCallableModule('Plain', {fail() { throw new Error('mine') }});
        """)
      #expect(try await bridge.call("Lazy.twice", 4, as: Int.self) == 8)
      #expect(try await bridge.call("Lazy.count", as: Int.self) == 1)
      let error = try await #require(throws: JavaScriptError.self) { try await bridge.call("Plain.fail", as: Int.self) }
      #expect(error.message == "mine")
      let missing = try await #require(throws: JavaScriptError.self) { try await bridge.call("No.one", as: Int.self) }
      #expect(missing.code == "ERR_NOT_FOUND")
      #expect(log.texts == [])
      try await bridge.evaluate("__fbBatchedBridge.callFunctionReturnFlushedQueue('Plain', 'fail', [])")
      try await bridge.evaluate("__fbBatchedBridge.callFunctionReturnFlushedQueue('Plain', 'other', [])")
      #expect(log.texts.count == 2 && log.texts[0].contains("mine") && log.texts[1].contains("'Plain.other'"))
    }
  }

  @Test func eventsReachTheirModulesListeners() async throws {
    let other = ModuleDefinition("Other", make: { _ in Nothing() }) { Member<Nothing>.event("changed", Int.self) }
    try await withBridge([wireSample(), other], wire: .reactNative) { bridge, log in
      try await bridge.evaluate(
        """
        globalThis.seen = [];
        const subscription = NativeModules.Sample.addListener('changed', value => seen.push(`sample ${value}`));
        NativeModules.Other.addListener('changed', value => seen.push(`other ${value}`));
        """)
      bridge.emit("changed", of: "Sample", 1)
      bridge.emit("changed", of: "Other", 2)
      // A turn of JavaScript ends with the events that there are.
      try await bridge.evaluate("")
      try await bridge.evaluate("subscription.remove()")
      bridge.emit("changed", of: "Sample", 3)
      try await bridge.evaluate("")
      #expect(try await bridge.evaluate("seen", as: [String].self) == ["sample 1", "other 2"])
      #expect(log.texts == [])
    }
  }

  @Test(arguments: Wire.allCases) func valuesOfAllKindsCross(wire: Wire) async throws {
    let values = ModuleDefinition("Values", make: { _ in Nothing() }) {
      Member<Nothing>.promise("point", "it") { (_, it: Point) in it }
      Member<Nothing>.promise("bytes", "it") { (_, it: [UInt8]) in it }
      Member<Nothing>.promise("text", "it") { (_, it: String) in it }
      Member<Nothing>.promise("integer", "it") { (_, it: Int64) in it }
      Member<Nothing>.promise("table", "it") { (_, it: [String: [Double?]]) in it }
    }
    try await withBridge([values], wire: wire) { bridge, log in
      let shown = try await bridge.evaluate(
        """
        (async () => {
          const {Values} = NativeModules;
          const long = '€'.repeat(1e6);
          return [
            JSON.stringify(await Values.point({x: 1, y: -0.5, name: 'p'})),
            Array.from(await Values.bytes(new Uint8Array([1, 2, 255]))).join(), await Values.text(long) === long,
            await Values.integer(2n ** 62n), JSON.stringify(await Values.table({a: [1, null]})),
          ].map(String);
        })()
        """, as: [String].self)
      #expect(
        shown == [#"{"x":1,"y":-0.5,"name":"p"}"#, "1,2,255", "true", "4611686018427387904", #"{"a":[1,null]}"#])
      #expect(log.texts == [])
    }
  }

  @Test func anErrorIsTheSameAsOnTheSharedWire() async throws {
    var texts: Set<String> = []
    for wire in Wire.allCases {
      texts.insert(
        try await withBridge([wireSample()], wire: wire) { bridge, _ in
          try await bridge.evaluate(
            """
            NativeModules.Sample.fail().catch(error =>
              [error instanceof Error, error.name, error.message, error.code, error.path, Object.keys(error)].join())
            """, as: String.self)
        })
    }
    #expect(texts == ["true,WireTrouble,no such file,ERR_WIRE_TROUBLE,/x,path,code"])
  }

  @Test func modulesMayComeLater() async throws {
    try await withBridge([], wire: .reactNative) { bridge, _ in
      try await bridge.register(wireSample())
      #expect(try await bridge.evaluate("NativeModules.Sample.query(7)", as: Int.self) == 7)
    }
  }
}
