import EventLoop
import JSON
import TestSupport
import Testing
import TrestleReactNative

@testable import TrestleCore

/// The native half of a module with a script is that script's alone, whatever name or number another script tries.
@Suite struct PrivateModuleTests {
  private let calls = Lock<[String]>([])

  private func note(_ call: String) { calls.withLock { $0.append(call) } }

  /// One method of each kind, each of which tells that it was called; the module's script tells of the events.
  private func secret(_ name: String, hasFace: Bool) -> ModuleDefinition {
    let source = """
      (module) => {
        module.addListener('secretEvent', (value) => module.secretNote(`heard ${value}`));
        module.secretSource.addListener((value) => module.secretNote(`source ${value}`));
        return \(hasFace ? "{ poke() { module.secretNote('poked'); return module.secretNow(); } }" : "undefined");
      }
      """
    return ModuleDefinition(name, make: { _ in Nothing() }) {
      Member<Nothing>.constant("unspokenConstant") { _ in 5 }
      Member<Nothing>.sync("unspokenMethod") { _ in 1 }
      Member<Nothing>.void("secretNote", "text") { (_, text: String) in note("\(name) \(text)") }
      Member<Nothing>.sync("secretNow") { _ in
        note("\(name) now")
        return 1
      }
      Member<Nothing>.promise("secretLater") { _ in
        note("\(name) later")
        return 1
      }
      Member<Nothing>.event("secretEvent", Int.self)
      Member<Nothing>.event("secretSource") { _ in EventSource<Int>() }
    }
    .with(script: ModuleScript(sourceURL: "secret.js") { source })
  }

  /// On either side of those that scripts may have.
  private var modules: [ModuleDefinition] {
    [secret("Before", hasFace: true), wireSample(), secret("Within", hasFace: false), secret("Zuletzt", hasFace: true)]
  }

  /// By every name, on everything that a script has, and by all that it can call with a name or a number.
  @Test(arguments: Wire.allCases, [false, true]) func noNameLeadsThere(wire: Wire, isTracking: Bool) async throws {
    try await withBridge(modules, wire: wire) {
      $0.tracksOutstanding = isTracking
    } _: { bridge, _ in
      let found = try await bridge.evaluate(
        """
        \(realmWalk)
        const surface = globalThis.trestle ?? __fbBatchedBridge;
        const calls = [...Object.values(surface), ...Object.values(Object.getOwnPropertyDescriptors(Object.getPrototypeOf(surface))).map(({ value }) => value)]
          .filter((call) => typeof call === 'function' && !/^register/.test(call.name) && !['hasOwnProperty', 'constructor'].includes(call.name));
        const heard = [], found = [], listener = (value) => heard.push(value);
        const attempt = (body) => { try { return body(); } catch {} };
        const modules = ['Before', 'Within', 'Zuletzt', 'Sample', 0, 1, 2, -1];
        const members = ['unspokenConstant', 'unspokenMethod', 'secretNote', 'secretNow', 'secretLater', 'secretEvent', 'secretSource'];
        for (const module of modules) {
          for (const owner of [NativeModules[module], attempt(() => Object.getPrototypeOf(NativeModules)[module]), NativeModules.Sample]) {
            for (const member of members) {
              if (owner?.[member] !== undefined) found.push(`${module}.${member}`);
              attempt(() => owner[member]('forged'));
              attempt(() => owner[member].addListener(listener));
              attempt(() => owner.addListener(member, listener));
              attempt(() => owner.poke.call({ secretNote: 1 }, member));
            }
          }
          for (const call of calls) {
            attempt(() => call.call(surface, module, 'secretNote', 'forged'));
            attempt(() => call.call(surface, module, 'secretNote', ['forged']));
          }
        }
        const { names } = walkFrom({ globalThis, surface, found }, () => false);
        for (const member of members) if (names.has(member)) found.push(member);
        if (!names.has('poke')) found.push('the walk sees nothing');
        found.join();
        """, as: String.self)
      #expect(found == "")
      await bridge.waitUntilIdle()
      // `poke` is what the script gives: it has been called as anybody may.
      #expect(calls.withLock { $0 }.allSatisfy { $0.hasSuffix(" poked") || $0.hasSuffix(" now") })
      calls.withLock { $0 = [] }
      for name in ["Before", "Within"] { bridge.emit("secretEvent", of: name, 3) }
      await bridge.waitUntilIdle()
      #expect(calls.withLock { $0 } == ["Before heard 3", "Within heard 3"])
      #expect(try await bridge.evaluate("heard.length", as: Int.self) == 0)
    }
  }

  /// What the module's script calls lies in no queue that scripts can take, and its events go to no other half.
  @Test func whatTheScriptDoesIsNotSeen() async throws {
    try await withBridge(modules, wire: .reactNative) { bridge, log in
      try await bridge.evaluate(
        """
        globalThis.seen = [];
        const own = __fbBatchedBridge, watch = (name) => (...values) => {
          seen.push(JSON.stringify(values));
          const queue = own[name](...values);
          seen.push(JSON.stringify(queue));
          return queue;
        };
        globalThis.__fbBatchedBridge = {
          callFunctionReturnFlushedQueue: watch('callFunctionReturnFlushedQueue'), flushedQueue: watch('flushedQueue'),
          invokeCallbackAndReturnFlushedQueue: watch('invokeCallbackAndReturnFlushedQueue'), getCallableModule: () => ({}),
        };
        NativeModules.Before.poke();
        seen.push(JSON.stringify(own.flushedQueue()));
        """)
      bridge.emit("secretEvent", of: "Before", 3)
      bridge.emit("changed", of: "Sample", 4)
      await bridge.waitUntilIdle()
      let seen = try await bridge.evaluate("seen.join()", as: String.self)
      #expect(!seen.contains("secret") && !seen.contains("poked") && seen.contains("changed"), "\(seen)")
      #expect(calls.withLock { $0 } == ["Before poked", "Before now", "Before heard 3"])
    }
  }

  /// Calls keep their order across the queue.
  @Test func whatWasCalledBeforeComesBefore() async throws {
    let lines = Lock<[String]>([])
    try await withBridge([wireSample(lines), secret("Before", hasFace: true)], wire: .reactNative) { bridge, _ in
      try await bridge.evaluate(
        "for (let i = 0; i < 3; i++) { NativeModules.Sample.log(String(i)); NativeModules.Before.poke(); }")
      #expect(lines.withLock { $0 } == ["0", "1", "2"])
    }
  }

  /// Also where the other's script has not run yet.
  @Test(arguments: Wire.allCases) func modulesWithScriptsDoNotSeeEachOther(wire: Wire) async throws {
    let curious = ModuleDefinition("Curious", make: { _ in Nothing() }) {}
      .with(
        script: ModuleScript(sourceURL: "curious.js") {
          "() => ({ found: ['Before', 'Within', 'Zuletzt'].map((name) => String(Object.keys(NativeModules[name] ?? {}))).join() })"
        })
    try await withBridge(modules + [curious], wire: wire) { bridge, _ in
      let found = try await bridge.evaluate("NativeModules.Curious.found", as: String.self)
      #expect(found == "poke,,")
      #expect(try await bridge.evaluate("String(Object.keys(NativeModules.Zuletzt))", as: String.self) == "poke")
    }
  }

  /// Its script could not run first any more.
  @Test func oneWithAScriptIsNotRegisteredLate() async throws {
    try await withBridge([]) { bridge, _ in
      let error = await #expect(throws: BridgeError.self) { try await bridge.register(secret("Late", hasFace: true)) }
      #expect(error?.code == .module)
      let shown = try await bridge.evaluate("String(NativeModules.Late)", as: String.self)
      #expect(shown == "undefined")
    }
  }
}
