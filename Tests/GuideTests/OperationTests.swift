import EventLoop
import Foundation
import TestSupport
import Testing
import Trestle
import TrestleModules
import TrestleReactNative

/// What the articles say of a bridge in operation.
@Suite struct OperationTests {
  @Test func limitsAndPermissions() async throws {
    var configuration = BridgeConfiguration()
    configuration.capabilities = [.files]
    configuration.limits = ExecutionLimits(time: .seconds(10), residentMemory: 4 << 30, isInterruptible: true)
    configuration.callLimit = 10_000
    configuration.stringLimit = 1 << 20
    let bridge = try await Bridge(modules: .standard + .files, configuration: configuration)
    let names = try await bridge.evaluate("trestle.moduleNames()", as: [String].self)
    #expect(names == ["Files"])
    await bridge.close()
  }

  @Test func permissions() async throws {
    var configuration = BridgeConfiguration()
    configuration.capabilities = [.files]
    let folder = FileManager.default.temporaryDirectory.path + "/trestle-\(UInt64.random(in: 0 ... .max))"
    configuration.permissions = Permissions(read: .only([folder, "/usr/share/dict"]), write: .only([folder]))
    let bridge = try await Bridge(modules: .standard + .files, configuration: configuration)
    let told = try await bridge.evaluate(
      """
      (async () => {
        const { Files } = NativeModules, told = [];
        for (const call of [() => Files.makeDirectory('\(folder)/a'), () => Files.writeText('/usr/share/dict/a', ''), () => Files.removeAll('\(folder)/a')])
          await call().then(() => told.push('done'), ({ code, permission, subject }) => told.push(code, permission, subject));
        return told;
      })()
      """, as: [String].self)
    #expect(told == ["done", "ERR_PERMISSION", "write", "/usr/share/dict/a", "done"])
    rmdir(folder)
    await bridge.close()
  }

  @Test func aLimitIsNotTheEnd() async throws {
    var configuration = BridgeConfiguration()
    configuration.limits = .ofProcessor(.seconds(1))
    let bridge = try await Bridge(modules: .none, configuration: configuration)
    do {
      try await bridge.evaluate("for (;;);")
    } catch let error as BridgeError where error.exceeded == .time {
      #expect(try await bridge.evaluate("1 + 1", as: Int.self) == 2)
    }
    await bridge.close()
  }

  @Test func metricsAndProfiles() async throws {
    let recorder = MetricsRecorder()
    var configuration = BridgeConfiguration()
    configuration.metrics = recorder
    let bridge = try await Bridge(modules: .definitions([Press.moduleDefinition]), configuration: configuration)
    try await bridge.startProfiling()
    _ = try await bridge.evaluate("NativeModules.Press.open('Emma')", as: Book.self)
    let profile = try await bridge.takeProfile()
    #expect(profile.json["nodes"]?.array?.isEmpty == false)
    for method in recorder.metrics.methods {
      print(method.module, method.name, method.calls, "p99", method.latency.percentile(99), "ns")
    }
    await bridge.close()
    #expect(recorder.metrics.methods.map(\.calls) == [1])
  }

  @Test func leakReports() async throws {
    let lines = Lock<[String]>([])
    var configuration = BridgeConfiguration()
    configuration.tracksOutstanding = true
    configuration.onLeaks = { items in
      for item in items { lines.withLock { $0.append("\(item)") } }
    }
    let bridge = try await Bridge(modules: .definitions([Press.moduleDefinition]), configuration: configuration)
    try await bridge.evaluate("NativeModules.Press.dry(1_000_000).catch(() => {})", sourceURL: "app.js")
    #expect(try await bridge.outstanding().map(\.kind) == [.promise])
    await bridge.close(within: patience)
    #expect(lines.withLock { $0.first?.hasPrefix("promise of Press.dry, ") } == true)
  }

  @Test func reload() async throws {
    released.withLock { $0 = false }
    let scripts = try await ReloadableBridge { generation in
      let bridge = try await Bridge(modules: .definitions([Port.moduleDefinition]))
      try await bridge.evaluate("globalThis.port = NativeModules.Port.number() + \(generation)")
      return bridge
    }
    let bridge = try await scripts.reload(within: patience)
    #expect(try await bridge.evaluate("port", as: Int.self) == 82)
    #expect(released.withLock { $0 })
    await scripts.close(within: patience)
  }

  @Test func typesAndMocks() async throws {
    let bridge = try await Bridge(modules: .definitions([Press.moduleDefinition]))
    let declarations = try await bridge.typeDeclarations(interfaces: [PluginProxy.self])
    let mocks = try await bridge.mockScript(of: ["Press"])
    #expect(declarations.contains("interface Press {") && declarations.contains("interface Plugin {"))
    let test = """
      NativeMocks.modules.Press.print.mockResolvedValue('printed');
      NativeModules.Press.print({ title: 'Emma', words: 3 }).then(text => { globalThis.outcome = text });
      globalThis.calls = NativeMocks.modules.Press.print.mock.calls.length;
      """
    let plain = try await Bridge(modules: .none)
    try await plain.evaluate(mocks + test)
    #expect(try await plain.evaluate("calls + outcome", as: String.self) == "1printed")
    await plain.close()
    await bridge.close()
  }

  @Test func reactNativesWire() async throws {
    var configuration = BridgeConfiguration()
    configuration.wire = .reactNative
    let bridge = try await Bridge(
      modules: .reactNative + .definitions([Press.moduleDefinition]), configuration: configuration)
    try await bridge.evaluate(
      "nativeModuleProxy.Press.open('Emma').then(book => { globalThis.title = book.title })")
    await bridge.waitUntilIdle()
    #expect(try await bridge.evaluate("title", as: String.self) == "Emma")
    await bridge.close()
  }
}
