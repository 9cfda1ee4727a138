import EventLoop
import TestSupport
import Testing

@testable import TrestleCore

/// Modules and imports that a limit cuts off.
@Suite struct ImportLimitTests {
  @Test func aLimitEndsAModule() async throws {
    let sources = [
      "/main.mjs": "import './a.mjs'", "/a.mjs": "import './c.cjs'", "/b.mjs": "export const result = 'still here'",
      "/c.cjs": "for (;;);",
    ]
    try await withBridge([]) {
      $0.moduleLoader = loader(of: sources)
      $0.limits = ofCPU(.seconds(3))
    } _: { bridge, _ in
      let error = await #expect(throws: BridgeError.self) { try await bridge.importModule("/main.mjs") }
      #expect(error?.exceeded == .time)
      let answer = try await bridge.importModule("/b.mjs").get("result", as: String.self)
      #expect(answer == "still here")
      // These have failed, and tell so.
      for key in ["/main.mjs", "/a.mjs", "/c.cjs"] {
        let error = await #expect(throws: JavaScriptError.self) { try await bridge.importModule(key) }
        #expect(error?.code == "ERR_LIMIT")
      }
    }
  }

  /// What a limit may cut off, in `/main.mjs`; all that had begun has failed then, and nobody waits for ever.
  @Test(arguments: [
    ["/main.mjs": "import './a.mjs'; for (;;);", "/a.mjs": "await 0"],
    ["/main.mjs": "import './a.mjs'", "/a.mjs": "await 0; for (;;);"],
    ["/main.mjs": "import './a.mjs'; import './loop.mjs'", "/a.mjs": "await 0", "/loop.mjs": "for (;;);"],
    ["/main.mjs": "import './a.mjs'", "/a.mjs": "for await (const x of [1]) for (;;);"],
    [
      "/main.mjs": "import('./a.mjs').catch(() => {}); await 0; await 0; for (;;);",
      "/a.mjs": "await new Promise(() => {})",
    ],
  ]) func whatALimitCutsOffHasFailed(sources: [String: String]) async throws {
    let sources = sources.merging(["/b.mjs": "import './c.mjs'; export const result = 'on'", "/c.mjs": "await 0"]) {
      a, _ in a
    }
    try await withModules(sources, time: .seconds(2)) { bridge in
      let error = await #expect(throws: BridgeError.self) { try await bridge.importModule("/main.mjs") }
      #expect(error?.exceeded == .time)
      // One that has come to its end is there.
      if sources["/a.mjs"] == "await 0" { _ = try? await bridge.importModule("/a.mjs") }
      for key in ["/main.mjs", "/a.mjs"] where key == "/main.mjs" || sources["/main.mjs"]?.contains("for (") != true {
        let error = await #expect(throws: JavaScriptError.self) { try await bridge.importModule(key) }
        #expect(error?.code == "ERR_LIMIT", "\(key)")
      }
      let answer = try await bridge.importModule("/b.mjs").get("result", as: String.self)
      #expect(answer == "on")
    }
  }

  @Test func importsThatALimitCutsOffAreRejected() async throws {
    try await withModules(
      ["/a.mjs": "await 0", "/b.cjs": "globalThis.load = () => import('./a.mjs')"], time: .seconds(2)
    ) { bridge in
      try await bridge.importModule("/b.cjs")
      await #expect(throws: BridgeError.self) {
        try await bridge.evaluate(
          "globalThis.kept = load(); kept.catch((error) => { globalThis.code = error.code }); for (;;);")
      }
      _ = try? await bridge.importModule("/a.mjs")
      // Either it was carried on with what the turn had left, or it tells so.
      let code = try await bridge.evaluate("globalThis.code ?? 'ran'", as: String.self)
      #expect(["ERR_LIMIT", "ran"].contains(code))
      let kept = try await bridge.evaluate("kept.then(() => 'ran', (error) => error.code)", as: String.self)
      #expect(kept == code)
    }
  }

  /// Nobody was given the promise of such an import: that it fails is not for whoever comes next.
  @Test(arguments: ["import({ toString() { for (;;); } })", "import('./a.mjs', { get with() { for (;;); } })"])
  func importsThatALimitCutsOffAtTheirBeginningAreForgotten(_ call: String) async throws {
    let unheard = Lock<[String]>([])
    try await withModules(
      ["/a.mjs": "await 0", "/b.cjs": "globalThis.load = () => import('./a.mjs'); globalThis.cut = () => \(call)"],
      time: .seconds(2),
      onError: { error in unheard.withLock { $0.append("\(error)") } }
    ) { bridge in
      try await bridge.importModule("/b.cjs")
      await #expect(throws: BridgeError.self) { try await bridge.evaluate("cut()") }
      #expect(try await bridge.evaluate("load().then(() => 'ran', (error) => error.code)", as: String.self) == "ran")
    }
    #expect(unheard.withLock { $0 } == [])
  }

  @Test func whatALimitCutsOffIsRequiredAnew() async throws {
    let sources = [
      "/main.mjs": "import './m.cjs'", "/m.cjs": "globalThis.req = require",
      "/c.cjs": "exports.a = 1; if (!globalThis.once) { globalThis.once = true; for (;;); } exports.b = 2",
      "/e.mjs": "export const e = 1; for (;;);",
    ]
    try await withModules(sources, time: .seconds(2)) { bridge in
      try await bridge.importModule("/main.mjs")
      for key in ["./c.cjs", "./e.mjs"] {
        let error = await #expect(throws: BridgeError.self) { try await bridge.evaluate("req('\(key)')") }
        #expect(error?.exceeded == .time)
      }
      let names = try await bridge.evaluate("Object.keys(req('./c.cjs')).join()", as: String.self)
      #expect(names == "a,b")
      let error = await #expect(throws: JavaScriptError.self) { try await bridge.evaluate("req('./e.mjs')") }
      #expect(error?.code == "ERR_LIMIT")
    }
  }
}
