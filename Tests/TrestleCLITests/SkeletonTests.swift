import Foundation
import TestSupport
import Testing

/// What `trestle init` makes, put to use.
@Suite(.offThePool) struct SkeletonTests {
  private let folder: TemporaryFolder

  init() async throws {
    folder = try TemporaryFolder()
    let outcome = try await Program(name: Program.trestle, folder: folder).run(["init", "log-tool"])
    #expect(outcome.code == 0, "\(outcome)")
  }

  private var tool: URL { folder.url.appendingPathComponent("log-tool") }

  /// A program, in the tool's folder.
  private func run(_ program: String, _ arguments: String...) async throws -> Program.Outcome {
    let path = URL(fileURLWithPath: program, relativeTo: Program.products).path
    return try await Program(name: "/usr/bin/env", folder: folder).run(["-C", tool.path, path] + arguments)
  }

  @Test func itsTestsPass() async throws {
    let outcome = try await run(Program.trestle, "test", "--reporter", "tap")
    #expect(outcome.code == 0 && outcome.error == "" && outcome.output.contains("counts the words"), "\(outcome)")
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/tsc")))
  func itsTypesAreChecked() async throws {
    #expect(
      try await run(Program.trestle, "check", "script.ts", "script.test.ts") == .init(code: 0, output: "", error: ""))
    // As an editor does, by what the README says.
    let types = try await run(Program.trestle, "types", "Test")
    folder.write(types.output, to: "log-tool/trestle.d.ts")
    #expect(try await run("/usr/bin/tsc", "--project", ".") == .init(code: 0, output: "", error: ""))
  }

  @Test func aMistakeInTheScriptIsFound() async throws {
    folder.write(
      folder.read("log-tool/script.ts").replacing("wordCount(text)", with: "wordCount(3)"), to: "log-tool/script.ts")
    let outcome = try await run(Program.trestle, "check", "script.ts")
    #expect(outcome.code == 1 && outcome.output.contains("error TS2345"), "\(outcome)")
  }

  @Test func thePackageReadsItsManifest() throws {
    let output = try Toolchain.run("swift", ["package", "--package-path", tool.path, "dump-package"])
    #expect(output.contains("\"name\" : \"LogTool\"") && output.contains(Program.package.path), "\(output)")
  }

  /// The tool compiled, linked with the modules that these tests were built with, and run.
  @Test func theToolRunsTheScript() async throws {
    let products = try LinkedProducts()
    let object = try products.compile(tool.appendingPathComponent("Sources/LogTool/Main.swift"), module: "LogTool")
    let trestle = try LinkedProducts.objectsOfTrestleModules()
    let program = try products.linkProgram("LogTool", of: [object] + trestle.objects, libraries: trestle.libraries)
    let outcome = try await run(program, "to be or not to be", "that is")
    #expect(outcome == .init(code: 0, output: "6 words: to be or not to be\n2 words: that is\n", error: ""))
    // What it says of itself is what was written.
    #expect(try await run(program, "--types") == .init(code: 0, output: folder.read("log-tool/texts.d.ts"), error: ""))
    folder.write("export function main() { throw new Error('mine'); }", to: "log-tool/script.ts")
    let failure = try await run(program)
    #expect(failure.code == 1 && failure.output == "" && failure.error.contains("mine"), "\(failure)")
  }
}
