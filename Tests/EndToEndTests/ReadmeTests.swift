import Foundation
import TestSupport
import Testing

/// The pictures in the README are what the programs show.
@Suite(.offThePool) struct ReadmeTests: EditorSuite {
  let home: TemporaryFolder
  private let readme: String

  init() throws {
    home = try TemporaryFolder()
    readme = try Self.text(of: "README.md")
  }

  private static func text(of path: String) throws -> String {
    try String(contentsOfFile: Products.package + "/" + path, encoding: .utf8)
  }

  @Test func theEditor() throws {
    try home.write(Self.text(of: "examples/greeter/Main.swift"), to: "Main.swift")
    try home.write(Self.text(of: "examples/typescript/csv.ts"), to: "csv.ts")
    let session = try edit("Main.swift", "csv.ts", columns: 78, rows: 12)
    try session.wait(toSee: "1 import Trestle")
    try session.type("\u{1B}OQ")
    try session.wait(toSee: "Command:")
    try session.type("brack")
    try session.wait(toSee: "bracket")
    let isShown = readme.contains("```\n\(session.screen.text)\n```\n")
    #expect(isShown, "the screen is\n\(session.screen.text)")
    try session.type("\u{1B}")
    try session.wait(toSee: "^S Save")
    try quit(session)
  }

  /// Another test compares the output with that of the runner.
  @Test func theRunner() throws {
    let command = "examples/typescript/table.ts"
    let output = try Self.text(of: "examples/typescript/expected-output.txt")
    #expect(readme.contains("```\n$ trestle \(command)\n\(output)```\n"))
  }
}
