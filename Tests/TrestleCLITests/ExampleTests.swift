import Foundation
import Testing

/// The examples, and the output that stands beside each.
@Suite struct ExampleTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func example(_ name: String) -> URL { Program.package.appendingPathComponent("examples/\(name)") }

  private func expectedOutput(of name: String) throws -> String {
    try String(contentsOf: example(name).appendingPathComponent("expected-output.txt"), encoding: .utf8)
  }

  /// The README prints the first example as it is.
  @Test func greeter() async throws {
    let readme = try String(contentsOf: Program.package.appendingPathComponent("README.md"), encoding: .utf8)
    let source = try String(contentsOf: example("greeter").appendingPathComponent("Main.swift"), encoding: .utf8)
    #expect(readme.contains("```swift\n\(source)```\n"))
    let outcome = try await Program(name: "Greeter", folder: folder).run([])
    #expect(outcome == Program.Outcome(code: 0, output: try expectedOutput(of: "greeter"), error: ""))
  }

  @Test func hostedLoop() async throws {
    let script = example("hosted-loop").appendingPathComponent("echo.js").path
    let outcome = try await Program(name: "HostedLoopExample", input: "one\ntwo\n", folder: folder).run([script])
    #expect(outcome == Program.Outcome(code: 0, output: try expectedOutput(of: "hosted-loop"), error: ""))
  }

  /// A host that says nothing about errors still shows them.
  @Test func whatNobodyHandlesIsWrittenToStandardError() async throws {
    folder.write("\nPromise.reject(new RangeError('unheard'));\n", to: "script.js")
    let outcome = try await Program(name: "HostedLoopExample", folder: folder).run(["script.js"])
    #expect(outcome.code == 0 && outcome.output == "")
    #expect(outcome.error.hasPrefix("Uncaught RangeError: unheard\n") && outcome.error.contains("script.js:2:"))
  }

  @Test func notebook() async throws {
    let script = example("notebook").appendingPathComponent("notebook.js").path
    let outcome = try await Program(name: "NotebookExample", folder: folder).run([script])
    #expect(outcome == Program.Outcome(code: 0, output: try expectedOutput(of: "notebook"), error: ""))
    let types = try await Program(name: "NotebookExample", folder: folder).run(["--types"])
    let written = example("notebook").appendingPathComponent("notebook.d.ts")
    #expect(types.output == (try String(contentsOf: written, encoding: .utf8)))
  }

  @Test func modules() async throws {
    let script = example("modules").appendingPathComponent("main.mjs").path
    let outcome = try await Program(name: Program.trestle, folder: folder).run(["run", script])
    #expect(outcome == Program.Outcome(code: 0, output: try expectedOutput(of: "modules"), error: ""))
  }

  @Test func typeScript() async throws {
    let script = example("typescript").appendingPathComponent("table.ts").path
    let outcome = try await Program(name: Program.trestle, folder: folder).run(["run", script])
    #expect(outcome == Program.Outcome(code: 0, output: try expectedOutput(of: "typescript"), error: ""))
  }

  @Test func testing() async throws {
    let trestle = Program.products.appendingPathComponent(Program.trestle).path
    let outcome = try await Program(name: "/usr/bin/env", folder: folder).run(
      ["-C", example("testing").path, trestle, "test", "--reporter", "tap"])
    #expect(outcome == Program.Outcome(code: 0, output: try expectedOutput(of: "testing"), error: ""))
  }

  @Test func reactNative() async throws {
    let scripts = ["core.js", "app.js"].map { example("react-native").appendingPathComponent($0).path }
    let outcome = try await Program(name: "ReactNativeExample", folder: folder).run(scripts)
    #expect(outcome == Program.Outcome(code: 0, output: try expectedOutput(of: "react-native"), error: ""))
  }

  @Test func textTable() async throws {
    let texts = example("text-table")
    let outcome = try await Program(name: "TextTable", folder: folder).run(
      ["table.js", "input/motto.txt", "input/pangrams.txt"].map { texts.appendingPathComponent($0).path })
    #expect(outcome == Program.Outcome(code: 0, output: try expectedOutput(of: "text-table"), error: ""))
  }

  @Test func tasks() async throws {
    let script = example("tasks").appendingPathComponent("tasks.mjs").path
    let outcome = try await Program(name: Program.trestle, folder: folder).run([script])
    #expect(outcome == Program.Outcome(code: 1, output: try expectedOutput(of: "tasks"), error: ""))
  }

  @Test func workers() async throws {
    let script = example("workers").appendingPathComponent("primes.js").path
    let outcome = try await Program(name: Program.trestle, folder: folder).run(["run", script])
    #expect(outcome == Program.Outcome(code: 0, output: try expectedOutput(of: "workers"), error: ""))
  }
}
