import EventLoop
import Foundation
import JSON
import TestSupport
import Testing

@testable import TrestleCore

@Suite struct TraceFileTests {
  private let module = ModuleDefinition("Traced", make: { _ in Nothing() }) {
    Member<Nothing>.sync("double", "number") { (_, number: Int) in number * 2 }
    Member<Nothing>.promise("fail") { (_) throws -> Int in throw BridgeError(.notFound, "none") }
  }

  @Test(arguments: Wire.allCases) func showsEachCrossing(wire: Wire) async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "trace-\(UUID().uuidString).json").path
    defer { unlink(path) }
    let trace = try TraceFile(path: path)
    try await withBridge([module], wire: wire) {
      $0.trace = trace
      $0.name = "a \"bridge\""
    } _: { bridge, _ in
      try await bridge.evaluate(
        "NativeModules.Traced.double(2); NativeModules.Traced.fail().catch(() => {}); globalThis.one = () => 1")
      let one = try await bridge.call("one", as: Int.self)
      #expect(one == 1)
    }
    try trace.close()
    try trace.close()
    let events = try JSONValue(parsing: try Data(contentsOf: URL(filePath: path))).array ?? []
    func phases(_ name: String) -> String {
      events.filter { $0["name"]?.string == name }.compactMap { $0["ph"]?.string }.joined()
    }
    #expect(phases("Traced.double") == "X")
    #expect(phases("Traced.fail").sorted() == "Xbefs".sorted())
    #expect(phases("one").sorted() == "befs".sorted())
    #expect(phases("turn").contains("X"))
    let names = events.compactMap { $0["args"]?["name"]?.string }
    #expect(names == ["JS thread of a \"bridge\""])
    let ends = events.filter { $0["ph"]?.string == "e" }
    #expect(ends.compactMap { $0["args"]?["failed"]?.bool } == [true])
    // An end names its beginning.
    let numbers = { (phase: String) in Set(events.filter { $0["ph"]?.string == phase }.compactMap { $0["id"]?.int }) }
    #expect(numbers("b") == numbers("e") && numbers("s") == numbers("f") && numbers("b").count == 2)
  }

  /// It has no position to go by.
  @Test func goesIntoAPipe() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "trace-\(UUID().uuidString)").path
    try #require(mkfifo(path, 0o600) == 0)
    defer { unlink(path) }
    let end = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    try #require(end >= 0)
    let reader = FileHandle(fileDescriptor: end, closeOnDealloc: true)
    let trace = try TraceFile(path: path)
    for name in ["one", "two", "three"] { trace.write(["name": .string(name)]) }
    try trace.close()
    let events = try JSONValue(parsing: try reader.readToEnd() ?? Data()).array ?? []
    #expect(events.compactMap { $0["name"]?.string } == ["one", "two", "three"])
  }

  @Test func saysWhatCannotBeWritten() throws {
    let missing = #expect(throws: BridgeError.self) { try TraceFile(path: "/nowhere/trace.json") }
    #expect(missing?.code == .unwritable && missing?.place == "/nowhere/trace.json")
    let full = try TraceFile(path: "/dev/full")
    full.write(["name": "event"])
    #expect(throws: BridgeError.self) { try full.close() }
    full.write(["name": "too late"])
    try full.close()
  }
}
