import Testing

@testable import TrestleCore

/// What React Native's `NativeEventEmitter` does to events that are members of their modules.
@Suite struct EventEmitterTests {
  private let sensor = Sensor()

  /// The emitter knows how many listeners an event has; React Native removes them behind `removeListeners`.
  @Test func reactNativesEmitterNamesTheEventsThatEnd() async throws {
    try await sensor.withBridge(wire: .reactNative) { bridge, log in
      try await bridge.evaluate(
        """
        const names = nativeRequireModuleConfig('Sensor')[2], counts = {};
        __fbBatchedBridge.registerLazyCallableModule('RCTDeviceEventEmitter', () => ({ listenerCount: name => counts[name] ?? 0, emit() {} }));
        const call = (name, argument) => __fbBatchedBridge.enqueueNativeCall(0, names.indexOf(name), [argument]);
        const add = name => { counts[name] = (counts[name] ?? 0) + 1; call('addListener', name) };
        const remove = name => { call('removeListeners', 1); counts[name]--; };
        for (const name of ['changed', 'state', 'changed']) add(name);
        """)
      #expect(sensor.journal.all == ["start"] && sensor.state.isObserved)
      try await bridge.evaluate("remove('state')")
      #expect(sensor.journal.all == ["start"] && !sensor.state.isObserved)
      try await bridge.evaluate("remove('changed')")
      #expect(sensor.journal.all == ["start"])
      try await bridge.evaluate("remove('changed')")
      #expect(sensor.journal.all == ["start", "stop"])
      #expect(log.texts == [])
    }
  }

  /// A turn may be ended before its script has noted that native code was told: then it tells it again.
  @Test func toListenTwiceIsToListenOnce() async throws {
    try await sensor.withBridge(wire: .reactNative) { bridge, log in
      func record(_ method: Int32) -> [Int32] { [12, -1, method | 2 << 16, 0, 3, 0, 0, 0, 3, 0, 0, 0] }
      let (listen, unlisten) = (record(8), record(9))
      try await bridge.drain(listen + listen)
      #expect(sensor.journal.all == ["start"])
      try await bridge.drain(unlisten + unlisten)
      #expect(sensor.journal.all == ["start", "stop"])
      try await bridge.drain(listen)
      #expect(sensor.changed.isObserved)
      #expect(log.texts == [])
    }
  }

  @Test func reactNativesEmitterListens() async throws {
    try await sensor.withBridge(wire: .reactNative) { bridge, log in
      try await bridge.evaluate(
        """
        const names = nativeRequireModuleConfig('Sensor')[2];
        const call = (name, argument) => __fbBatchedBridge.enqueueNativeCall(0, names.indexOf(name), [argument]);
        call('removeListeners', 1);
        for (const name of ['changed', 'state', 'changed']) call('addListener', name);
        """)
      #expect(sensor.journal.all == ["start"] && sensor.state.isObserved)
      try await bridge.evaluate("call('removeListeners', 2)")
      #expect(sensor.journal.all == ["start"])
      try await bridge.evaluate("call('removeListeners', 1e15)")
      #expect(sensor.journal.all == ["start", "stop"] && !sensor.state.isObserved)
      try await bridge.evaluate("call('addListener', 'state')")
      #expect(sensor.state.isObserved)
      #expect(log.texts == [])
    }
  }
}
