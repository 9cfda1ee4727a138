import Foundation
import Testing

/// TypeScript and source maps, through the real binary.
@Suite struct TypeScriptTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(_ files: [String: String], _ arguments: [String] = ["main.ts"]) async throws -> Program.Outcome {
    for (path, text) in files {
      try FileManager.default.createDirectory(
        at: folder.url.appendingPathComponent(path).deletingLastPathComponent(), withIntermediateDirectories: true)
      folder.write(text, to: path)
    }
    var outcome = try await Program(name: Program.trestle, folder: folder).run(arguments)
    outcome.error = outcome.error.replacing(folder.url.path + "/", with: "")
    return outcome
  }

  @Test(arguments: ["main.ts", "main.mts", "main.tsx"]) func isRunByItsName(name: String) async throws {
    let text = """
      #!/usr/bin/env trestle
      import { greet } from './lib.js';
      import type { Name } from './lib.js';
      const { Process } = NativeModules;
      const name: Name = 'Emma';
      console.log(greet(name), import.meta.main, Process.script, await Promise.resolve<number>(1));
      """
    let outcome = try await run(
      [name: text, "lib.ts": "export type Name = string; export const greet = (name: Name) => 'hi ' + name"], [name])
    #expect(outcome == Program.Outcome(code: 0, output: "hi Emma true \(name) 1\n", error: ""))
  }

  @Test func reportsShowTheLineOfTheSource() async throws {
    let files = [
      "main.ts": "interface A {\n  a: string\n}\n\nimport { f } from './lib'\n\nf({ a: 'x' } as A)",
      "lib.ts": "type B = { a: string }\n\nexport function f(b: B): never {\n\n\tthrow new TypeError(b.a)\n}",
    ]
    let expected = """
      Uncaught TypeError: x
        5 | \tthrow new TypeError(b.a)
          | \t          ^
          at f (lib.ts:5:12)
          at main.ts:7:1

      """
    // What was made before is the same.
    for _ in 0..<2 { #expect(try await run(files) == Program.Outcome(code: 1, output: "", error: expected)) }
    let cache = folder.url.appendingPathComponent(".cache/trestle/transforms").path
    #expect(try FileManager.default.contentsOfDirectory(atPath: cache).count == 2)
  }

  /// The place is that of the text that was read.
  @Test(arguments: [
    "data:application/json;base64,AAAA", "data:application/json,[]", "data:application/json,{",
    "data:application/json;base64,!",
    "none.map", "https://example.com/a.map",
  ])
  func aBrokenMapIsIgnored(_ map: String) async throws {
    for text in ["\n//# sourceMappingURL=\(map)", " //# sourceMappingURL=\(map)\nlet b: A = {}\n"] {
      let outcome = try await run(["main.ts": "interface A {}\nthrow new Error('x' as string)\(text)"])
      #expect(outcome.code == 1 && outcome.error.contains("at main.ts:2:11"), "\(outcome)")
    }
    let broken = try await run(["main.ts": "let a: = 1\n//# sourceMappingURL=\(map)"])
    #expect(broken.error.contains("SyntaxError: Unexpected \"=\"") && broken.error.contains("main.ts:1:8"), "\(broken)")
  }

  @Test func whatTheConsoleShowsHasPlacesOfTheSource() async throws {
    let outcome = try await run([
      "main.ts": "type A = {\n  b: 1\n}\n\nfunction g() { console.log(new Error('e')); console.trace('t') }\n\ng()"
    ])
    #expect(outcome.output.contains("at g (") && outcome.output.contains("main.ts:5:"), "\(outcome)")
    #expect(outcome.error.contains("at g (main.ts:5:") && outcome.error.contains("at main.ts:7:1"), "\(outcome)")
  }

  @Test func mistakesShowTheLineOfTheSource() async throws {
    let outcome = try await run(["main.ts": "const a: number = 1\nconst b: = 2"])
    let expected = """
      Uncaught SyntaxError: Unexpected "="
        2 | const b: = 2
          |          ^
          at main.ts:2:10

      """
    #expect(outcome == Program.Outcome(code: 1, output: "", error: expected))
  }

  @Test func aConfigurationThatCannotBeReadIsNamed() async throws {
    let outcome = try await run(["main.ts": "", "tsconfig.json": "{"])
    #expect(outcome.code == 3 && outcome.error == "trestle: tsconfig.json: that is no JSON object\n", "\(outcome)")
  }

  @Test func reactNativesWireHasPlainScripts() async throws {
    let outcome = try await run(["main.ts": ""], ["run", "--wire", "react-native", "main.ts"])
    #expect(outcome.code == 1 && outcome.error.contains("scripts are plain ones"), "\(outcome)")
  }

  // MARK: Maps of others

  /// As a compiler writes it: line 2 of the script is line 5 of the source, without the text.
  private static let map = #"{"version":3,"sources":["../src/a.ts"],"mappings":";AAIA"}"#
  private static let source = "\n\n\n\nthrow new Error('original')\n"

  @Test(arguments: ["dist/a.js", "dist/a.mjs", "dist/a.cjs"]) func aMapBesideAScript(script: String) async throws {
    let outcome = try await run(
      [
        script: "'use strict';\nthrow new Error('no');\n//# sourceMappingURL=a.map\n", "dist/a.map": Self.map,
        "src/a.ts": Self.source,
      ], [script])
    let expected =
      "Uncaught Error: no\n  5 | throw new Error('original')\n    | ^\n    at src/a.ts:5:1\n"
    #expect(outcome == Program.Outcome(code: 1, output: "", error: expected))
  }

  @Test func aMapWithinAScript() async throws {
    let map = Data(
      #"{"version":3,"sources":["b.ts"],"sourcesContent":["\n\n\n\nlet of = 'the map'"],"mappings":";AAIA"}"#.utf8
    ).base64EncodedString()
    let outcome = try await run(
      ["a.js": "\nthrow new Error('no');\n//# sourceMappingURL=data:application/json;base64,\(map)"], ["a.js"])
    #expect(
      outcome.error == "Uncaught Error: no\n  5 | let of = 'the map'\n    | ^\n    at b.ts:5:1\n", "\(outcome)")
  }

  /// A map that leads nowhere changes nothing.
  @Test(arguments: [
    "nowhere.map", "a.js", "/dev/zero", ".", "https://example.org/a.map", "data:application/json,%7B%7D",
    "data:application/json;base64,AAAA",
  ])
  func aMapThatIsNone(url: String) async throws {
    let outcome = try await run(["a.js": "\nthrow new Error('no');\n//# sourceMappingURL=\(url)\n"], ["a.js"])
    #expect(outcome.error.contains("2 | throw new Error('no');") && outcome.error.contains("at a.js:2:"), "\(outcome)")
  }

  @Test func profilesAndLeaksNameTheSource() async throws {
    let files = [
      "main.ts": """
      type A = {
        a: number
      }

      const { Files } = NativeModules;
      function work(n: number): number {
        let sum = 0;
        for (let i = 0; i < n; i++) sum += Math.sqrt(i);
        return sum;
      }

      const end = Date.now() + 300;
      while (Date.now() < end) work(100000);
      Process.exit(0);
      declare const Process: any;
      """
    ]
    let outcome = try await run(
      files.mapValues { $0.replacing("Process.exit(0);", with: "") }, ["--cpu-prof", "a.cpuprofile", "main.ts"])
    #expect(outcome == Program.Outcome(code: 0, output: "", error: ""))
    let profile = try JSONSerialization.jsonObject(with: Data(folder.read("a.cpuprofile").utf8)) as? [String: Any]
    let nodes = (profile?["nodes"] as? [[String: Any]])?.compactMap { $0["callFrame"] as? [String: Any] } ?? []
    let node = nodes.first { $0["functionName"] as? String == "work" }
    #expect((node?["url"] as? String)?.hasSuffix("/main.ts") == true)
    // Between the function's first line and its last, from 0.
    #expect((5...9).contains(node?["lineNumber"] as? Int ?? -1))
    let leaks = try await run(
      [
        "main.ts":
          "type A = {\n  a: 1\n}\n\nconst { Process } = NativeModules\nvoid Process.readLine()\nsetTimeout(() => Process.exit(0), 1)\nvoid Process.readInput()"
      ],
      ["--leaks", "main.ts"])
    #expect(!leaks.error.contains("#js"), "\(leaks)")
  }
}
