import Foundation
import Testing
import Trestle

@testable import TrestleCLI

/// `trestle modules`, and what the documents say of the runner.
struct ModulesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func modules(_ options: String...) async throws -> Program.Outcome {
    try await Program(name: Program.trestle, folder: folder).run(["modules"] + options)
  }

  @Test func listing() async throws {
    let outcome = try await modules()
    #expect(outcome.code == 0 && outcome.error == "")
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.contains("Files (needs files)"), "\(outcome.output)")
    #expect(lines.contains { $0.hasPrefix("Processes ") }, "\(outcome.output)")
    #expect(lines.contains("  readText(path: string): Promise<string>"), "\(outcome.output)")
  }

  @Test func json() async throws {
    let outcome = try await modules("--json")
    #expect(outcome.code == 0 && outcome.error == "")
    let all = try JSONValue(parsing: outcome.output)
    #expect(all.object?.map(\.key) == ["modules", "types", "remoteModuleConfig"])
    let modules = try #require(all["modules"]?.array)
    let files = try #require(modules.first { $0["name"] == "Files" })
    #expect(files["capabilities"] == ["files"])
    let readText = try #require(files["methods"]?.array?.first { $0["name"] == "readText" })
    #expect(readText["kind"] == "promise" && readText["result"] == "string")
    #expect(readText["parameters"] == [["name": "path", "type": "string", "optional": false]])
    // The numbers are those of React Native's table.
    let id = try #require(files["id"]?.int)
    #expect(all["remoteModuleConfig"]?[id]?[0] == "Files")
    #expect(all["remoteModuleConfig"]?[id]?[2] == .array(files["methods"]?.array?.compactMap { $0["name"] } ?? []))
    #expect(modules.compactMap { $0["id"]?.int } == Array(modules.indices))
  }

  @Test func documentsHaveTheExitCodes() async throws {
    func text(_ path: String) throws -> String {
      try String(contentsOf: Program.package.appendingPathComponent(path), encoding: .utf8)
    }
    let manual = try text("Sources/TrestleRunner/trestle.1").replacing("\\-", with: "-")
    let help = try await Program(name: Program.trestle, folder: folder).run(["--help"])
      .output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    for (code, meaning) in TrestleCLI.ExitStatus.meanings {
      #expect(manual.contains(".TP\n.B \(code)\n\(meaning)\n"))
      #expect(help.contains("\(code) \(meaning)"))
    }
    let codes: [TrestleCLI.ExitStatus] = [
      .success, .uncaughtError, .usage, .unreadableScript, .unsettledAwait, .timeout, .memoryLimit,
    ]
    #expect(TrestleCLI.ExitStatus.meanings.prefix(7).map(\.0) == codes.map { "\($0.code)" })
    #expect(manual.contains("trestle \(TrestleCommand.configuration.version)\""))
  }
}
