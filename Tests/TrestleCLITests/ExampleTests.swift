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

  @Test func textTable() throws {
    let texts = example("text-table")
    let outcome = try Program(name: "TextTable", folder: folder).run(
      ["table.js", "input/motto.txt", "input/pangrams.txt"].map { texts.appendingPathComponent($0).path })
    #expect(outcome == Program.Outcome(code: 0, output: try expectedOutput(of: "text-table"), error: ""))
  }
}
