import EventLoop
import Testing
import Trestle
import TrestleModules
import TrestleReactNative

/// Modules of ours under JavaScript as React Native's own, which finds them in each of the three ways.
@Suite struct ReactNativeModuleTests {
  typealias Table = ModuleTable

  struct Trouble: Error, CustomStringConvertible {
    var path: String
    var description: String { "no such shelf" }
  }

  private static let shelf = ModuleDefinition("RCTShelf", make: { $0 }) {
    Member<BridgeContext>.constant("name") { _ in "the shelf" }
    Member<BridgeContext>.promise("twice", "value") { (_, value: Double) in value * 2 }
    Member<BridgeContext>.promise("fail") { (_) throws -> Int in throw Trouble(path: "/x") }
    Member<BridgeContext>.sync("quote", "text") { (_, text: String) in "“\(text)”" }
    Member<BridgeContext>.sync("refuse") { (_) throws -> Int in throw Trouble(path: "/y") }
    Member<BridgeContext>._method(
      "find", .callbacks,
      [Parameter("name", String.self), .callback("failure", Trouble.self), .callback("success", String.self)]
    ) { _ in
      { (call) throws(ConversionError) in
        let name = try call.next(String.self)
        let (failure, success) = (try call.callback(Trouble.self), try call.callback(String.self))
        if name.isEmpty { failure(Trouble(path: "/z")) } else { success("found " + name) }
      }
    }
    Member<BridgeContext>.void("announce", "text") { (context, text: String) in
      context.emit("announced", of: "Shelf", text)
    }
    Member<BridgeContext>.event("announced", String.self)
  }

  private func output(_ table: Table, _ script: String) async throws -> [String] {
    try await ReactNativeCore.output(table, modules: [Self.shelf], of: script)
  }

  @Test(arguments: Table.allCases) func callsOfEveryKind(table: Table) async throws {
    let lines = try await output(
      table,
      """
      const {Shelf} = NativeModules;
      console.log(Shelf.name, Shelf.getConstants(), Shelf === NativeModules.Shelf, NativeModules.None ?? 'none');
      console.log(Shelf.quote('a'));
      try { Shelf.refuse(); } catch (error) { console.log(error.code, error.message); }
      Shelf.twice(2).then(console.log);
      Shelf.find('b', console.error, console.log);
      Shelf.find('', error => console.log(error.code, error.message, error.domain, error.userInfo, error.nativeStackIOS), console.error);
      """)
    #expect(
      lines == [
        #"the shelf {"name":"the shelf"} true none"#, "“a”", "ERR_TROUBLE no such shelf", "found b",
        #"ERR_TROUBLE no such shelf Trouble {"path":"/z"} []"#, "4",
      ])
  }

  /// The members that native code sends are assigned to an error that was made where the call is.
  @Test(arguments: Table.allCases) func rejectionsKeepTheCallSite(table: Table) async throws {
    let lines = try await output(
      table,
      """
      function here() { return NativeModules.Shelf.fail(); }
      here().catch(error => console.log(error instanceof Error, error.stack.includes('here@test.js'), error.code, error.message,
        error.domain, error.userInfo, error.nativeStackIOS));
      NativeModules.Shelf.twice('x').catch(error => console.log(error.code, error.message));
      NativeModules.Shelf.twice(1, 2).catch(error => console.log(error.message));
      """)
    #expect(
      lines.sorted() == [
        #"ERR_ARGUMENT Shelf.twice, argument 1 'value': expected number, got string "x""#,
        "Shelf.twice: expected 1 argument, got 2",
        #"true true ERR_TROUBLE no such shelf Trouble {"path":"/x"} []"#,
      ])
  }

  @Test(arguments: Table.allCases) func eventsReachBothEmitters(table: Table) async throws {
    let lines = try await output(
      table,
      """
      const {Shelf} = NativeModules;
      const one = new NativeEventEmitter(Shelf).addListener('announced', (...values) => console.log('native', values));
      DeviceEventEmitter.addListener('announced', value => console.log('device', value));
      Shelf.announce('a');
      Shelf.twice(1).then(() => { one.remove(); Shelf.announce('b'); });
      """)
    #expect(lines == [#"native ["a"]"#, "device a", "device b"])
  }

  @Test func listenersOfWhatIsNoEventAreReported() async throws {
    let core = try await ReactNativeCore(modules: [Self.shelf])
    try await core.run("new NativeEventEmitter(NativeModules.Shelf).addListener('other', () => {});")
    await core.bridge.close()
    #expect(core.reported.count == 1)
    #expect("\(core.reported)".contains("Shelf.addListener, argument 1 'event': expected an event of the module"))
  }

  /// The queue of the script sees every crossing, and the calls of one turn go together.
  @Test func everythingGoesThroughTheScriptsQueue() async throws {
    let lines = try await output(
      .none,
      """
      // No time passes: nothing goes over early.
      Date.now = () => 0;
      BatchedBridge.registerCallableModule('App', {start(name) {
        BatchedBridge.spy = ({type, module, method, args}) => { if (type === 0) console.log(`${module}.${method}`); };
        for (let i = 0; i < 3; i++) NativeModules.Shelf.announce(name);
      }});
      const batch = BatchedBridge.callFunctionReturnFlushedQueue('App', 'start', ['x']);
      console.log(batch[0].length, batch[2], batch[3]);
      nativeFlushQueueImmediate(batch);
      DeviceEventEmitter.addListener('announced', value => console.log(value));
      """)
    #expect(lines.first == #"3 [["x"],["x"],["x"]] 0"#)
    #expect(
      lines.dropFirst() == [
        "RCTDeviceEventEmitter.emit", "x", "RCTDeviceEventEmitter.emit", "x", "RCTDeviceEventEmitter.emit", "x",
      ])
  }

  @Test func theHostCallsCallableModules() async throws {
    let core = try await ReactNativeCore(modules: [Self.shelf])
    try await core.run(
      """
      BatchedBridge.registerLazyCallableModule('App', () => ({
        start: (...values) => console.log('start', values), twice: value => value * 2,
        later: async value => (await NativeModules.Shelf.twice(value)) + 1,
      }));
      """)
    core.bridge.invoke("App.start", "a", ["rootTag": 1])
    #expect(try await core.bridge.call("App.twice", 4, as: Int.self) == 8)
    #expect(try await core.bridge.call("App.later", 4, as: Int.self) == 9)
    core.bridge.invoke("App.other")
    await core.bridge.waitUntilIdle()
    await core.bridge.close()
    #expect(core.output == [#"start ["a",{"rootTag":1}]"#])
    // The queue's guard has told `ErrorUtils`, and those `ExceptionsManager`.
    #expect(
      core.exceptions.map(\.error.message) == ["no callable App.other; there are RCTDeviceEventEmitter,JSTimers,App"])
    #expect(core.reported.count == 1)
  }

  /// What ours has begun, and what the standard modules have put in place, goes on.
  @Test func theStandardModulesLiveBesideIt() async throws {
    let lines = Lock<[String]>([])
    let console = ModuleDefinition.console(to: ConsoleOutput { _, text in lines.withLock { $0.append(text) } })
    let core = try await ReactNativeCore(
      modules: [Self.shelf, console, .timers, .web],
      startingWith: """
        NativeModules.Shelf.twice(1).then(value => console.log('before', value));
        const kept = console, wait = setTimeout;
        setTimeout(() => kept.log('ours'), 5);
        NativeModules.Shelf.addListener('announced', value => kept.log('heard', value));
        """)
    try await core.run(
      """
      wait(() => kept.log('ours again'), 30);
      setTimeout(() => { console.log('theirs'); NativeModules.Shelf.announce('a'); }, 15);
      kept.log(new TextDecoder().decode(new TextEncoder().encode('ä')));
      """)
    await core.bridge.close()
    #expect(core.output == ["theirs"])
    #expect(Set(lines.withLock { $0 }) == ["before 2\n", "ä\n", "ours\n", "heard a\n", "ours again\n"])
    #expect(core.reported.map { "\($0)" } == [])
  }
}
