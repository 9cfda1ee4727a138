import EventLoop
import TestSupport
import Testing

@testable import TrestleCore

/// A message queue that a script puts in the place of ours, as React Native's own does.
private let otherQueue = """
  (() => {
    let queue = [[], [], [], 0], callID = 0, lastFlush = 0;
    const callbacks = new Map(), modules = {};
    const take = () => {
      const taken = queue;
      queue = [[], [], [], callID];
      return taken[0].length ? taken : null;
    };
    const enqueue = (moduleID, methodID, params, onFail, onSuccess) => {
      if (onFail) { params.push(callID << 1); callbacks.set(callID << 1, onFail); }
      if (onSuccess) { params.push(callID << 1 | 1); callbacks.set(callID << 1 | 1, onSuccess); }
      callID++;
      [moduleID, methodID, Object.freeze(params)].forEach((it, index) => queue[index].push(it));
      if (Date.now() - lastFlush < 5) return;
      lastFlush = Date.now();
      nativeFlushQueueImmediate(take());
    };
    const bridge = {
      callFunctionReturnFlushedQueue(module, method, args) { modules[module]?.[method](...args); return take(); },
      invokeCallbackAndReturnFlushedQueue(id, args) {
        const callback = callbacks.get(id);
        callbacks.delete(id & ~1);
        callbacks.delete(id | 1);
        callback?.(...args);
        return take();
      },
      flushedQueue: take,
      getCallableModule: name => modules[name],
    };
    Object.defineProperty(globalThis, '__fbBatchedBridge', {configurable: true, value: bridge});
    globalThis.__fbGenNativeModule = ([name, constants, methods = [], promises = [], syncs = []], moduleID) => {
      const module = {...constants};
      methods.forEach((method, methodID) => {
        module[method] = syncs.includes(methodID) ? (...args) => nativeCallSyncHook(moduleID, methodID, args)
          : promises.includes(methodID) ? (...args) => new Promise((resolve, reject) =>
            enqueue(moduleID, methodID, args, resolve, data => reject(Object.assign(new Error(), data))))
          : (...args) => {
            const functions = args.filter(it => typeof it === 'function');
            enqueue(moduleID, methodID, args.slice(0, args.length - functions.length),
              functions.length > 1 ? functions[0] : null, functions.at(-1));
          };
      });
      return {name, module};
    };
    globalThis.modules = modules;
  })();
  """

@Suite struct OtherQueueTests {
  @Test func itTakesThePlaceOfOurs() async throws {
    let lines = Lock<[String]>([])
    try await withBridge([wireSample(lines)], wire: .reactNative) { bridge, log in
      try await bridge.evaluate(otherQueue)
      let shown = try await bridge.evaluate(
        """
        (async () => {
          const {Sample} = nativeModuleProxy;
          const shown = [Sample.version, Sample.quote('a'), await Sample.query(3)];
          for (let i = 0; i < 100; i++) { Sample.log(`${i}`); if (i % 10 === 0) await Sample.query(i); }
          shown.push(await new Promise((resolve, reject) => Sample.find('b', reject, resolve)));
          shown.push(await new Promise((resolve, reject) => Sample.find('', resolve, reject)).then(error => error.userInfo.path));
          shown.push(await Sample.fail().catch(error => `${error.code} ${error.message} ${error.domain}`));
          shown.push(await Sample.query(() => 1).catch(error => error.message));
          return shown.map(String);
        })()
        """, as: [String].self)
      #expect(
        shown == [
          "3.45", "“a”", "3", "found b", "/x", "ERR_WIRE_TROUBLE no such file WireTrouble",
          "Sample.query, argument 1 'value': expected JSON value, got function",
        ])
      #expect(lines.withLock { $0 } == (0..<100).map(String.init))
      #expect(log.texts == [])
    }
  }

  @Test func whatOurHalfHasBegunIsStillAnswered() async throws {
    try await withBridge([wireSample()], wire: .reactNative) { bridge, log in
      let sum = try await bridge.evaluate(
        """
        const {Sample} = NativeModules;
        const before = Sample.query(1);
        \(otherQueue)
        Promise.all([before, nativeModuleProxy.Sample.query(2), Sample.query(3)]).then(all => all.join())
        """, as: String.self)
      #expect(sum == "1,2,3")
      #expect(log.texts == [])
    }
  }

  @Test func eventsAndCallsReachIt() async throws {
    try await withBridge([wireSample()], wire: .reactNative) { bridge, log in
      try await bridge.evaluate(
        otherQueue + """
          globalThis.seen = [];
          modules.RCTDeviceEventEmitter = {emit(...args) { seen.push(JSON.stringify(args)); }};
          modules.App = {twice: n => n * 2};
          """)
      bridge.emit("changed", of: "Sample", 1)
      #expect(try await bridge.call("App.twice", 4, as: Int.self) == 8)
      #expect(try await bridge.evaluate("seen", as: [String].self) == [#"["changed",1]"#])
      #expect(log.texts == [])
    }
  }

  @Test func closingRejectsWhatWaitsThere() async throws {
    let log = ErrorLog()
    var configuration = BridgeConfiguration()
    configuration.wire = .reactNative
    configuration.onError = { log.append($0) }
    let bridge = try await Bridge(modules: .definitions([wireSample()]), configuration: configuration)
    try await bridge.evaluate(
      otherQueue + "nativeModuleProxy.Sample.never().catch(error => { throw new Error('seen ' + error.code) })")
    #expect(await bridge.close(within: patience))
    #expect(log.texts.contains { $0.contains("seen ERR_CLOSED") })
  }
}
