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
    let script = example("tasks").appendingPathComponent("tasks.ts").path
    let outcome = try await Program(name: Program.trestle, folder: folder).run([script])
    #expect(outcome == Program.Outcome(code: 1, output: try expectedOutput(of: "tasks"), error: ""))
    let unknown = try await Program(name: Program.trestle, folder: folder).run([script, "lint", "lnt"])
    #expect(
      unknown.code == 1 && unknown.output.hasSuffix("✗ there is no task lnt\n") && unknown.error == "", "\(unknown)")
    #expect(
      try await Program(name: Program.trestle, folder: folder).run(["check", script])
        == .init(code: 0, output: "", error: ""))
  }

  @Test func tasksAreDoneAgainWhenSomethingChanges() async throws {
    let script = example("tasks").appendingPathComponent("tasks.ts").path
    let sources = folder.url.appendingPathComponent("sources")
    try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: false)
    let program = Program(name: Program.trestle, folder: folder)
    let child = try program.start([script, "--watch", "sources", "test"])
    let deadline = Date(timeIntervalSinceNow: Program.patience)
    func wait(for words: String) async throws {
      while !folder.read(".output").contains(words), Date() < deadline { try await Task.sleep(for: .milliseconds(5)) }
    }
    try await wait(for: "✓ test: 12 tests\n")
    // Not by another name first.
    #expect(close(open(folder.url.path + "/sources/new.swift", O_WRONLY | O_CREAT | O_EXCL, 0o600)) == 0)
    try await wait(for: "\nnew.swift created\n✓ test: 12 tests\n")
    kill(child, SIGINT)
    let outcome = try await program.finish(child)
    #expect(outcome.code == 130 && outcome.error == "", "\(outcome)")
    #expect(outcome.output.hasPrefix("✓ test: 12 tests\n\nnew.swift created\n✓ test: 12 tests\n"), "\(outcome)")
  }

  /// The input is generated: always the same.
  @Test func logQuery() async throws {
    let log = try await Program(name: Program.trestle, folder: folder).run(
      [example("logq").appendingPathComponent("generate.js").path, "100"])
    folder.write(log.output, to: "a.log")
    let script = example("logq").appendingPathComponent("slow.js").path
    let outcome = try await Program(name: "LogQuery", folder: folder).run([script, "a.log"])
    #expect(outcome == Program.Outcome(code: 0, output: try expectedOutput(of: "logq"), error: ""))
  }

  /// Also where a batch would end within a line, and a line within a character.
  @Test func logQueryKeepsEveryByte() async throws {
    let line = Data("größe \u{1F600} ".utf8) + Data([0xFF]) + Data(repeating: UInt8(ascii: "x"), count: 997)
    let log = (0..<3000).reduce(into: Data()) { log, _ in log += line + Data("\r\n".utf8) } + Data("\n\nlast".utf8)
    try log.write(to: folder.url.appendingPathComponent("a.log"))
    folder.write("const keep = () => true;", to: "all.js")
    let outcome = try await Program(name: "LogQuery", folder: folder).run(["all.js", "a.log"])
    #expect(outcome.code == 0 && outcome.error == "")
    let output = try Data(contentsOf: folder.url.appendingPathComponent(".output"))
    #expect(output == log + Data("\n".utf8))
  }

  @Test func logQueryTellsWhatFails() async throws {
    folder.write("first\nlast", to: "a.log")
    folder.write("const keep = (line) => { if (line === 'last') throw new RangeError(line); };", to: "throws.js")
    let failure = try await Program(name: "LogQuery", folder: folder).run(["throws.js", "a.log"])
    #expect(failure.code == 1 && failure.output == "" && failure.error.contains("RangeError: last"), "\(failure.error)")
    let missing = try await Program(name: "LogQuery", folder: folder).run(["throws.js", "none.log"])
    #expect(missing.code == 1 && missing.error.contains("none.log"), "\(missing)")
    #expect(try await Program(name: "LogQuery", folder: folder).run([]).code == 2)
  }

  @Test func workers() async throws {
    let script = example("workers").appendingPathComponent("primes.js").path
    let outcome = try await Program(name: Program.trestle, folder: folder).run(["run", script])
    #expect(outcome == Program.Outcome(code: 0, output: try expectedOutput(of: "workers"), error: ""))
  }
}
