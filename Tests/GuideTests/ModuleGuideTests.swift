import Foundation
import Testing
import Trestle

/// What the article on modules says.
@Suite struct ModuleGuideTests {
  @Test func pluginsInAFolder() async throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("trestle-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: url) }
    let text = "export const title = 'Plugin'; export const greet = (name) => `Hello, ${name}!`"
    try Data(text.utf8).write(to: url.appendingPathComponent("plugin.mjs"))
    let folder = url.path
    var configuration = BridgeConfiguration()
    configuration.moduleLoader = FileModuleLoader(folder: folder)
    let bridge = try await Bridge(configuration: configuration)
    let plugin = try await bridge.importModule("./plugin.mjs")
    let title = try await plugin.get("title", as: String.self)
    let greeting = try await plugin.call("greet", "Emma", as: String.self)
    #expect(title == "Plugin")
    #expect(greeting == "Hello, Emma!")
    await bridge.close()
  }

  struct PluginLoader: ModuleLoader {
    let plugins: [String: String]

    func resolve(_ request: ModuleRequest) throws -> String {
      guard plugins[request.specifier] != nil else { throw BridgeError(.notFound, "no plugin '\(request.specifier)'") }
      return request.specifier
    }

    func load(_ key: String, type: String?) throws -> ModuleSource { ModuleSource(plugins[key] ?? "") }
  }

  @Test func sourcesOfOnesOwn() async throws {
    var configuration = BridgeConfiguration()
    configuration.moduleLoader = PluginLoader(plugins: [
      "a": "import { b } from 'b'; export const a = b + 1", "b": "export const b = 1", "c": "import 'd'",
    ])
    let bridge = try await Bridge(modules: .none, configuration: configuration)
    #expect(try await bridge.importModule("a").get("a", as: Int.self) == 2)
    let error = await #expect(throws: JavaScriptError.self) { try await bridge.importModule("c") }
    #expect(error?.message == "no plugin 'd'")
    await bridge.close()
  }

  @Test func importMaps() async throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("trestle-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: url) }
    try Data("export const n = 7".utf8).write(to: url.appendingPathComponent("n.mjs"))
    try Data(#"{"imports": {"number": "./n.mjs"}}"#.utf8).write(to: url.appendingPathComponent("map.json"))
    let folder = url.path
    var configuration = BridgeConfiguration()
    configuration.moduleLoader = FileModuleLoader(folder: folder, importMap: try ImportMap(file: "\(folder)/map.json"))
    let bridge = try await Bridge(modules: .none, configuration: configuration)
    #expect(try await bridge.importModule("number").get("n", as: Int.self) == 7)
    await bridge.close()
  }

  @Test func typeScript() async throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("trestle-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: url) }
    try Data("export const twice = (n: number) => n * 2".utf8).write(to: url.appendingPathComponent("plugin.ts"))
    var configuration = BridgeConfiguration()
    configuration.moduleLoader = FileModuleLoader(folder: url.path)
    configuration.moduleTransformer = ESBuildTransformer(program: "/usr/bin/esbuild", cachesResults: false)
    let bridge = try await Bridge(modules: .none, configuration: configuration)
    #expect(try await bridge.importModule("./plugin.ts").call("twice", 2, as: Int.self) == 4)
    await bridge.close()
  }
}
