import EventLoop
import Foundation
import TestSupport
import Testing

@testable import TrestleCore

/// Modules in other languages than JavaScript: with a transformer in memory, and with the program `esbuild`.
@Suite struct TypeScriptTests {
  /// Takes `: number` out, and says that each line was one line above.
  private struct Stripper: ModuleTransformer {
    let batches = Lock<[[String]]>([])

    func transform(_ modules: [ModuleToTransform], within bounds: TransformBounds) -> [Result<String, any Error>] {
      batches.withLock { $0.append(modules.map(\.key)) }
      return modules.map { module in
        if module.source.text.contains("broken") {
          return .failure(ModuleSyntaxError("it is broken", line: 2, column: 3))
        }
        let name = module.key.split(separator: "/").last ?? ""
        let lines = String(repeating: ";AACA", count: 20)
        let map = #"{"version":3,"sources":["\#(name)"],"mappings":";AAAA\#(lines)"}"#
        return .success(
          "\n" + module.source.text.replacing(": number", with: "")
            + "\n//# sourceMappingURL=data:application/json,\(map)\n")
      }
    }
  }

  private func withSources<Result: Sendable>(
    _ sources: [String: String], _ transformer: (any ModuleTransformer)?, _ body: (Bridge) async throws -> Result
  ) async throws -> Result {
    let given = Dictionary(
      uniqueKeysWithValues: sources.map { key, text in
        (key, ModuleSource(text, format: .script, language: FileModuleLoader.language(of: key)))
      })
    return try await withBridge([]) {
      $0.moduleLoader = FileModuleLoader(given: given)
      $0.moduleTransformer = transformer
    } _: { bridge, _ in
      try await body(bridge)
    }
  }

  @Test func aModuleBecomesJavaScript() async throws {
    let result = try await withSources(
      ["/a.ts": "import { b } from '/b.ts'; export const a: number = b + 1", "/b.ts": "export let b: number = 1"],
      Stripper()
    ) { try await $0.importModule("/a.ts").get("a", as: Int.self) }
    #expect(result == 2)
  }

  @Test func whatIsImportedTogetherIsMadeTogether() async throws {
    let stripper = Stripper()
    try await withSources(
      [
        "/a.ts": "import '/b.ts'; import '/c.ts'; import '/d.js'", "/b.ts": "import '/e.ts'",
        "/c.ts": "import '/f.ts'; import '/b.ts'",
        "/d.js": "import '/g.ts'", "/e.ts": "", "/f.ts": "", "/g.ts": "",
      ], stripper
    ) { _ = try await $0.importModule("/a.ts") }
    #expect(stripper.batches.withLock { $0 } == [["/a.ts"], ["/b.ts", "/c.ts"], ["/e.ts", "/f.ts"], ["/g.ts"]])
  }

  @Test func errorsTellTheLineOfTheSource() async throws {
    let error = try await withSources(
      [
        "/a.ts": "import { fail } from '/b.ts'\n\nfail(1)",
        "/b.ts": "export function fail(n: number) {\n  throw new Error('no') }",
      ],
      Stripper()
    ) { bridge in await #expect(throws: JavaScriptError.self) { try await bridge.importModule("/a.ts") } }
    let places = StackFrame.all(in: error?.stack ?? "").filter { !$0.source.isEmpty && !$0.isInternal }.map {
      "\($0.function)@\($0.source):\($0.line)"
    }
    #expect(places.prefix(2) == ["fail@/b.ts:2", "@/a.ts:3"], "\(error?.stack ?? "")")
  }

  @Test func whatCannotBeParsedTellsItsPlace() async throws {
    let error = try await withSources(["/a.ts": "import '/b.ts'", "/b.ts": "broken"], Stripper()) { bridge in
      await #expect(throws: JavaScriptError.self) { try await bridge.importModule("/a.ts") }
    }
    #expect(error?.name == "SyntaxError" && error?.message == "it is broken" && error?.place == "/b.ts:2:3")
  }

  /// What is wrong with the JavaScript that it became has the place in the source, too.
  @Test func whatCannotBeLinkedTellsItsPlace() async throws {
    let error = try await withSources(
      ["/a.ts": "\nimport { x } from '/b.ts'", "/b.ts": "export const y = 1"], Stripper()
    ) {
      bridge in await #expect(throws: JavaScriptError.self) { try await bridge.importModule("/a.ts") }
    }
    #expect(error?.name == "SyntaxError" && error?.place == "/a.ts:2:1", "\(String(describing: error))")
  }

  @Test func withoutATransformerItIsAnError() async throws {
    let error = try await withSources(["/a.ts": ""], nil) { bridge in
      await #expect(throws: JavaScriptError.self) { try await bridge.importModule("/a.ts") }
    }
    #expect(error?.message.contains("TypeScript") == true)
  }

  /// One that leaves results out, or gives too many.
  @Test func aTransformerThatMiscounts() async throws {
    struct Miscounting: ModuleTransformer {
      let count: Int
      func transform(_ modules: [ModuleToTransform], within bounds: TransformBounds) -> [Result<String, any Error>] {
        Array(repeating: .success("export default 1"), count: count)
      }
    }
    let sources = ["/a.ts": ""]
    let error = try await withSources(sources, Miscounting(count: 0)) { bridge in
      await #expect(throws: JavaScriptError.self) { try await bridge.importModule("/a.ts") }
    }
    #expect(error?.message.contains("left it out") == true)
    #expect(
      try await withSources(sources, Miscounting(count: 3)) {
        try await $0.importModule("/a.ts").get("default", as: Int.self)
      }
        == 1)
  }

  /// The script's time is over while it waits for a transformer that looks at that.
  @Test func limitsHoldWhileSomethingIsTransformed() async throws {
    struct Sleeper: ModuleTransformer {
      func transform(_ modules: [ModuleToTransform], within bounds: TransformBounds) -> [Result<String, any Error>] {
        let deadline = MonotonicTime.now + .seconds(60)
        while !bounds.isOver(), .now < deadline { usleep(1000) }
        return modules.map { _ in .success(MonotonicTime.now < deadline ? "" : "globalThis.wasLate = true") }
      }
    }
    let given = ["/a.ts": ModuleSource("", language: .typeScript)]
    try await withBridge([]) {
      $0.moduleLoader = FileModuleLoader(given: given)
      $0.moduleTransformer = Sleeper()
      $0.limits = ExecutionLimits(time: .milliseconds(50))
    } _: { bridge, _ in
      let error = await #expect(throws: BridgeError.self) { try await bridge.importModule("/a.ts") }
      #expect(error?.exceeded == .time)
      try await bridge.setLimits(nil)
      let wasLate = try await bridge.evaluate("'wasLate' in globalThis", as: Bool.self)
      #expect(!wasLate)
    }
  }

  // MARK: esbuild

  private func withFiles<Result: Sendable>(
    _ files: [String: String], _ transformer: ESBuildTransformer = ESBuildTransformer(cachesResults: false),
    _ body: (Bridge, _ root: String) async throws -> Result
  ) async throws -> Result {
    let root = FileManager.default.temporaryDirectory.appending(path: "typed-\(UUID().uuidString)")
      .resolvingSymlinksInPath()
    defer { try? FileManager.default.removeItem(at: root) }
    for (path, text) in files {
      let url = root.appending(path: path)
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url)
    }
    return try await withBridge([]) {
      $0.moduleLoader = FileModuleLoader(folder: root.path)
      $0.moduleTransformer = transformer
    } _: { bridge, _ in
      try await body(bridge, root.path)
    }
  }

  @Test func syntaxOfTypeScript() async throws {
    let text = """
      import type { Shape } from './nowhere';
      enum Color { Red = 1, Green }
      namespace N { export const n = 3 }
      class Point<T extends number> { constructor(public readonly x: T, private y?: T) {} }
      abstract class Base { abstract f(): void; declare z: string }
      const value = { a: 1 } satisfies Record<string, number>;
      export const result = [Color.Green, Color[1], N.n, new Point(4).x, value!.a as number, 'z' in (class extends Base { f() {} }).prototype].join();
      """
    for name in ["a.ts", "a.mts"] {
      let result = try await withFiles([name: text]) { bridge, _ in
        try await bridge.importModule("./\(name)").get("result", as: String.self)
      }
      #expect(result == "2,Red,3,4,1,false")
    }
  }

  @Test func commonJSInTypeScript() async throws {
    let result = try await withFiles([
      "a.cts": "import b = require('./b.cjs'); import { c } from './c.cjs'; const n: number = b.n + c; export = { n }",
      "b.cjs": "exports.n = 1", "c.cts": "export const c: number = 2",
    ]) { bridge, _ in try await bridge.importModule("./a.cts").object("default").get("n", as: Int.self) }
    #expect(result == 3)
  }

  static let elements: [(files: [String: String], main: String)] = [
    (
      ["a.jsx": "export const result = JSON.stringify(<a b='1'>c</a>)", "node_modules/react/jsx-runtime.js": ""],
      "a.jsx"
    ),
    (
      [
        "a.tsx": "export const result: string = JSON.stringify(<a b='1'>c</a>)", "node_modules/own/jsx-runtime.js": "",
        "tsconfig.json": #"{"compilerOptions": {"jsx": "react-jsx", "jsxImportSource": "own"}}"#,
      ], "a.tsx"
    ),
    (
      [
        "a.tsx":
          "const h = (type: string, more: object, children: string) => ({ type, props: { ...more, children } }); export const result = JSON.stringify(<a b='1'>c</a>)",
        "tsconfig.json": #"{"compilerOptions": {"jsx": "react", "jsxFactory": "h"}}"#,
      ], "a.tsx"
    ),
  ]

  @Test(arguments: elements) func elementsOfJSX(files: [String: String], main: String) async throws {
    let files = files.mapValues { $0.isEmpty ? "export const jsx = (type, props) => ({ type, props })" : $0 }
    let result = try await withFiles(files) { bridge, _ in
      try await bridge.importModule("./\(main)").get("result", as: String.self)
    }
    #expect(result == #"{"type":"a","props":{"b":"1","children":"c"}}"#)
  }

  @Test func placesAreThoseOfTheSource() async throws {
    let error = try await withFiles([
      "a.ts": "interface A {\n  b: string\n}\n\nimport { c } from './b'\n\nexport const ü = c({ b: 'ü' } as A)",
      "b.ts": "type A = { b: string }\n\nexport function c(a: A) {\n\n  if (a.b) throw new RangeError(a.b)\n}",
    ]) { bridge, root in
      let error = await #expect(throws: JavaScriptError.self) { try await bridge.importModule("./a.ts") }
      return error?.stack?.replacing(root + "/", with: "").split(separator: "\n").prefix(2).joined(separator: "\n")
    }
    #expect(error == "c@b.ts:5:22\n@a.ts:7:18")
  }

  @Test func mistakesAreThoseOfTheSource() async throws {
    let error = try await withFiles(["a.ts": "let ü: string\nlet é = 'ä', = 1"]) { bridge, root in
      let error = await #expect(throws: JavaScriptError.self) { try await bridge.importModule("./a.ts") }
      return error.map { "\($0)".replacing(root + "/", with: "") }
    }
    #expect(error == #"SyntaxError: Expected identifier but found "=" (a.ts:2:14)"#)
  }

  @Test func withoutTheProgramItIsAnErrorThatSaysWhatToDo() async throws {
    let error = try await withFiles(["a.ts": ""], ESBuildTransformer(program: "/nowhere/esbuild")) { bridge, _ in
      await #expect(throws: JavaScriptError.self) { try await bridge.importModule("./a.ts") }
    }
    #expect(error?.message.contains("'/nowhere/esbuild' is no program") == true)
  }

  /// Programs that are not what they should be.
  @Test(
    arguments: [
      ("exit 0", "export default 1", nil), ("echo no >&2; exit 1", "", "esbuild: no"), ("exit 7", "", "exit code 7"),
      ("kill -9 $$", "", "exit code 137"), ("sleep 1000", "", "has not ended after"),
      ("printf '\\377'", "", "no UTF-8"),
    ] as [(String, String, String?)]) func programsThatFail(script: String, text: String, words: String?) async throws
  {
    let folder = FileManager.default.temporaryDirectory.appending(path: "program-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let program = folder.appending(path: "esbuild").path
    try writeProgram("#!/bin/sh\necho '\(text)'\n\(script)\n", to: program)
    var transformer = ESBuildTransformer(program: program, cachesResults: false)
    transformer.timeLimit = script.hasPrefix("sleep") ? .milliseconds(100) : .seconds(60)
    try await withFiles(["a.ts": ""], transformer) { bridge, _ in
      guard let words else { return _ = try await bridge.importModule("./a.ts") }
      let error = await #expect(throws: JavaScriptError.self) { try await bridge.importModule("./a.ts") }
      #expect(error?.message.contains(words) == true, "\(String(describing: error))")
    }
  }

  @Test func theMemoryOfTheProgramIsLimited() throws {
    let text = (0..<60_000).map { "export const v\($0): number = f(a\($0), [1,2,3], {b: \($0)});" }.joined(
      separator: "\n")
    let module = ModuleToTransform(key: "/a.ts", source: ModuleSource(text, language: .typeScript))
    let transformer = ESBuildTransformer(cachesResults: false)
    let result = transformer.transform([module], within: TransformBounds(memory: 1 << 20))[0]
    let error = #expect(throws: BridgeError.self) { try result.get() }
    #expect(error?.message.contains("memory") == true, "\(String(describing: error))")
    #expect(throws: Never.self) { try transformer.transform([module], within: TransformBounds())[0].get() }
  }

  @Test func whatItBecameIsKept() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "kept-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    // Says each time something else.
    let program = folder.appending(path: "esbuild").path
    let script = "#!/bin/sh\necho run >> \(folder.path)/runs\nwc -l < \(folder.path)/runs\n"
    try writeProgram(script, to: program)
    var transformer = ESBuildTransformer(program: program)
    transformer.cache = TransformCache(folder: folder.path + "/cache/trestle/transforms")
    func result(_ text: String, _ options: CompilerOptions = CompilerOptions()) throws -> String {
      var source = ModuleSource(text, language: .tsx)
      source.compilerOptions = options
      let module = ModuleToTransform(key: "/a.tsx", source: source)
      return try transformer.transform([module], within: TransformBounds())[0].get()
    }
    #expect(try result("a") == "1\n" && result("a") == "1\n")
    #expect(try result("b") == "2\n")
    var options = CompilerOptions()
    options.jsxImportSource = "other"
    #expect(try result("a", options) == "3\n")
    // Another program of that name.
    try writeProgram(script + "\n", to: program)
    #expect(try result("a") == "4\n" && result("a") == "4\n")
  }
}
