import Foundation
import Testing

/// Modules, through the real binary.
@Suite struct ImportTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(_ files: [String: String], _ arguments: [String] = ["main.mjs"], input: String = "") async throws
    -> Program.Outcome
  {
    for (path, text) in files { folder.write(text, to: path) }
    return try await Program(name: Program.trestle, input: input, folder: folder).run(arguments)
  }

  @Test func aModuleIsRunWithWhatItImports() async throws {
    let outcome = try await run([
      "main.mjs": """
      #!/usr/bin/env trestle
      import { add } from './lib.mjs';
      import { readText } from 'trestle:files';
      import old from './old.cjs';
      console.log(add(1, 2), old.name, import.meta.main, await readText('text.txt'));
      """,
      "lib.mjs": "export const add = (a, b) => a + b; export const isMain = import.meta.main;",
      "old.cjs": "exports.name = 'old';",
      "text.txt": "text",
    ])
    #expect(outcome == Program.Outcome(code: 0, output: "3 old true text\n", error: ""))
  }

  /// By its name, its package, or what it contains.
  @Test(arguments: [
    ["a.mjs": "import './m.mjs'"], ["a.js": "import './m.mjs'"], ["a.js": "await import('./m.mjs')"],
    ["a.js": "import('./m.mjs')"],
    ["a.js": "globalThis.x = 1; import('./m.mjs')", "package.json": #"{"type": "module"}"#],
    ["a.cjs": "require('./m.mjs')"], ["a.js": "const x = require('./m.mjs')"],
    ["a.js": "function main() { require('./m.mjs') }\nif (require.main === module) main()"],
  ]) func whatIsAModule(files: [String: String]) async throws {
    var files = files
    files["m.mjs"] = "console.log('ran')"
    let outcome = try await run(files, [files.keys.first { $0.hasPrefix("a.") } ?? ""])
    #expect(outcome == Program.Outcome(code: 0, output: "ran\n", error: ""))
  }

  @Test func anImportMapSaysWhatNamesStandFor() async throws {
    let files = [
      "main.mjs": "import n from 'lib'; console.log(n)", "n.mjs": "export default 7",
      "map.json": #"{"imports": {"lib": "./n.mjs"}}"#, "broken.json": "{",
    ]
    #expect(try await run(files, ["--import-map", "map.json", "main.mjs"]).output == "7\n")
    let outcome = try await run(files, ["--import-map", "broken.json", "main.mjs"])
    #expect(outcome.code == 3 && outcome.error.contains("broken.json: the import map is not JSON"), "\(outcome)")
    #expect(try await run(files, ["--import-map", "nowhere.json", "main.mjs"]).code == 3)
  }

  @Test func codeAndInputMayImport() async throws {
    let files = ["m.mjs": "export default 'm'"]
    #expect(try await run(files, ["-e", "import m from './m.mjs'; console.log(m, await 1)"]).output == "m 1\n")
    #expect(try await run(files, ["-"], input: "import m from './m.mjs'; console.log(m)").output == "m\n")
  }

  @Test func aScriptThatIsNoModuleKeepsItsError() async throws {
    let outcome = try await run(["a.js": "let important = 1;\nlet x = ;"], ["a.js"])
    #expect(outcome.code == 1)
    #expect(outcome.error.contains("2 | let x = ;") && outcome.error.contains("a.js:2:9"), "\(outcome.error)")
  }

  @Test func errorsShowTheLineOfTheModule() async throws {
    let outcome = try await run([
      "main.mjs": "import './m.mjs';", "m.mjs": "// one\n\nfunction fail() { throw new TypeError('no') }\nfail();",
    ])
    #expect(outcome.code == 1)
    #expect(
      outcome.error.contains("Uncaught TypeError: no\n  3 | function fail() { throw new TypeError('no') }"),
      "\(outcome.error)")
    let missing = try await run(["main.mjs": "import { b } from './m.mjs';", "m.mjs": "export const a = 1"])
    #expect(
      missing.error.hasPrefix(
        "Uncaught SyntaxError: './m.mjs' does not export 'b'; did you mean 'a'?\n  1 | import { b }"),
      "\(missing.error)")
  }

  @Test func aBrokenPackageOfTheScriptIsTold() async throws {
    let outcome = try await run(["a.js": "1", "package.json": "{"], ["a.js"])
    #expect(outcome.code != 0 && outcome.error.contains("package.json: "), "\(outcome.error)")
  }

  @Test func anAwaitThatNothingEndsIsTold() async throws {
    let outcome = try await run(["main.mjs": "await new Promise(() => {});"])
    #expect(
      outcome
        == Program.Outcome(
          code: 13, output: "",
          error: "trestle: main.mjs: an await at the top level waits for what nothing is left to do\n"))
    let late = try await run([
      "main.mjs": "await new Promise((resolve) => setTimeout(resolve, 30)); console.log('end');"
    ])
    #expect(late == Program.Outcome(code: 0, output: "end\n", error: ""))
  }

  @Test func limitsHoldForModules() async throws {
    let outcome = try await run(
      ["main.mjs": "import './m.mjs';", "m.mjs": "for (;;);"], ["--timeout", "1", "main.mjs"])
    #expect(outcome.code == 124)
  }
}
