import Foundation
import JSON
import Testing

/// Drives the real `xiedit-core` over pipes.
@Suite struct CoreProcessTests {
  private static var executable: URL {
    get throws {
      let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      return URL(filePath: tests).deletingLastPathComponent().appending(path: "xiedit-core")
    }
  }

  /// Writes all lines at once, closes the input, and reads what comes until the process has ended.
  private func run(
    _ lines: [String], arguments: [String] = []
  ) throws -> (messages: [JSONValue], status: Int32, log: String) {
    let process = Process()
    let home = TemporaryFolder()
    process.environment = ["HOME": home.path]
    let (input, output, log) = (Pipe(), Pipe(), Pipe())
    process.executableURL = try Self.executable
    process.arguments = arguments
    process.standardInput = input
    process.standardOutput = output
    process.standardError = log
    try process.run()
    // Nothing to one that may have ended by now.
    if !lines.isEmpty {
      try input.fileHandleForWriting.write(contentsOf: Data((lines.joined(separator: "\n") + "\n").utf8))
    }
    try input.fileHandleForWriting.close()
    let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    let messages = try bytes.split(separator: 0x0A).map { try JSONValue(parsing: $0) }
    let told = try log.fileHandleForReading.readToEnd() ?? Data()
    return (messages, process.terminationStatus, String(decoding: told, as: UTF8.self))
  }

  @Test func editsSavesAndEndsWithItsInput() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "core-\(UUID().uuidString).txt").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let (messages, status, _) = try run([
      #"{"method":"client_started","params":{}}"#, #"{"id":0,"method":"new_view","params":{}}"#,
      "this is no JSON",
      #"{"method":"edit","params":{"view_id":"view-id-1","method":"insert","params":{"chars":"hello"}}}"#,
      #"{"method":"save","params":{"view_id":"view-id-1","file_path":"\#(path)"}}"#,
      #"{"id":1,"method":"debug_get_contents","params":{"view_id":"view-id-1"}}"#,
    ])
    #expect(status == 0)
    #expect(messages.contains { $0["id"] == 0 && $0["result"] == "view-id-1" })
    #expect(messages.contains { $0["error"]?["code"] == -32700 })
    #expect(messages.contains { $0["method"] == "update" })
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "hello\n")
  }

  @Test func recordsWhatPasses() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "record-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    _ = try run([#"{"method":"client_started","params":{}}"#], arguments: ["--record", path])
    let record = try String(contentsOfFile: path, encoding: .utf8)
    #expect(record.hasPrefix(#"< {"method":"client_started","params":{}}"#))
    #expect(record.contains(#"> {"method":"available_themes""#))
  }

  @Test func aRecordThatCannotBeWrittenIsTold() throws {
    let (messages, status, log) = try run(
      [#"{"method":"client_started","params":{}}"#], arguments: ["--record", "/dev/full"])
    #expect(status == 0 && !messages.isEmpty)
    #expect(log.contains("xiedit-core: the record /dev/full ends here: No space left on device\n"))
  }

  @Test func refusesArgumentsThatItDoesNotKnow() throws {
    #expect(try run([], arguments: ["--fly"]).status == 2)
  }
}
