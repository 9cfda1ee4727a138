import EventLoop
import Testing
import Trestle
import TrestleTesting

/// Scripts called through protocols.
struct InterfaceBehaviorTests {
  private let script = """
    globalThis.log = [];
    trestle.registerCallableModule('plugin', {
      count: 0,
      transform(page, times) { this.count++; return { title: page.title.repeat(times), words: page.words }; },
      async later(draft) { await null; return { text: draft.text + '!' }; },
      close() { log.push(`closed after ${this.count}`); },
      log(text) { if (text === '') throw new Error('nothing to log'); log.push(text); },
      wrong: () => ({ title: 3 }),
      fail() { throw Object.assign(new Error("'plugin.other' is not a function"), { code: 'ERR_NOT_FOUND' }); },
    });
    trestle.registerCallableModule('small', { transform: (page) => page });
    """

  @Test func functionsOfEveryKind() async throws {
    try await withTestBridge(.none) { test in
      try await test.run(script)
      let plugin: any Plugin = PluginProxy(test.bridge)
      let page = Page(title: "ab", words: ["x"])
      #expect(try await plugin.transform(page, times: 2) == Page(title: "abab", words: ["x"]))
      #expect(try await plugin.later(Draft(text: "a")).text == "a!")
      try await plugin.close()
      plugin.log("said")
      await test.bridge.waitUntilIdle()
      #expect(try await test.bridge.evaluate("log", as: [String].self) == ["closed after 1", "said"])
      #expect(test.errorTexts == [])
    }
  }

  @Test func mistakesOfScripts() async throws {
    try await withTestBridge(.none) { test in
      try await test.run(script)
      let plugin = PluginProxy(test.bridge)
      func message(_ body: () async throws -> Void) async -> String {
        do { try await body() } catch { return "\(error)" }
        return "none"
      }
      let small = await message { _ = try await PluginProxy(test.bridge, name: "small").later(Draft(text: "")) }
      #expect(small.hasPrefix("ERR_NOT_FOUND: small.later: the script has no function 'later' of interface 'Plugin'"))
      let none = await message { try await PluginProxy(test.bridge, name: "none").close() }
      #expect(none.hasPrefix("ERR_NOT_FOUND: none.close: the script has no function 'close' of interface 'Plugin'"))
      let wrong = await message { _ = try await plugin.wrong() }
      #expect(wrong.contains("'result.title': expected string, got number 3"), "\(wrong)")
      // What a function of the script throws is not taken for that.
      await #expect(throws: JavaScriptError.self) { try await plugin.fail() }
      plugin.log("")
      plugin.silent()
      await test.bridge.waitUntilIdle()
      #expect(test.errorTexts.count == 2 && test.errorTexts[0].contains("nothing to log"), "\(test.errorTexts)")
      #expect(test.errorTexts[1].contains("'plugin.silent' is not a function"))
      await test.bridge.close()
      #expect(await message { try await plugin.close() }.contains("ERR_CLOSED"))
      plugin.log("late")
    }
  }

  @Test func modulesCallThem() async throws {
    let editor = StandaloneModule(Editor.self) { path, arguments in
      #expect(path == "plugin.transform")
      return arguments[0]
    }
    #expect(try await editor.call("better", "a") == "a")
    try await withTestBridge(.definitions([Editor.moduleDefinition])) { test in
      try await test.run(script)
      #expect(try await test.bridge.evaluate("NativeModules.Editor.better('a')", as: String.self) == "aaa")
    }
  }

  @Test func scriptsAreToldOfTheTypes() async throws {
    try await withTestBridge(.none) { test in
      let text = try await test.bridge.typeDeclarations(interfaces: [PluginProxy.self])
      #expect(
        text.hasPrefix(
          """
          /** What a plugin does. */
          interface Plugin {
            /** Makes it better. */
            transform(page: Page, times: number): Page | Promise<Page>;
            later(draft: unknown): unknown | Promise<unknown>;
            close(): void | Promise<void>;
            log(text: string): void;
          """), "\(text)")
      #expect(text.contains("interface Page {"))
    }
  }
}

@Record private struct Page: Equatable {
  var title: String
  var words: [String]
}

private struct Draft: Codable {
  var text: String
}

/// What a plugin does.
@JSInterface private protocol Plugin: Sendable {
  /// Makes it better.
  func transform(_ page: Page, times: Int) async throws -> Page
  func later(_ draft: Draft) async throws -> Draft
  func close() async throws
  func log(_ text: String)
  func wrong() async throws -> Page
  func fail() async throws
  func silent()
}

@NativeModule(isLinked: false)
private actor Editor {
  private let plugin: PluginProxy
  init(_ context: BridgeContext) { plugin = PluginProxy(context) }
  @Exported func better(_ title: String) async throws -> String {
    try await plugin.transform(Page(title: title, words: []), times: 3).title
  }
}
