import Foundation
import Testing

@testable import EditorClient

@Suite struct MemoryTests {
  private let folder = NSTemporaryDirectory() + "memory-\(UUID().uuidString)"
  private var file: MemoryFile { MemoryFile(path: folder + "/xiedit/memory.json") }

  @Test func listsAreKeptBetweenRuns() throws {
    let first = Memory(file: file)
    for text in ["one", "two", "one"] { first.note(text, in: .search) }
    first.note("secret", in: .argument("Password"))
    first.set(.searchOption, to: ["case"])
    let second = Memory(file: file)
    #expect(second[.search] == ["one", "two"] && second[.searchOption] == ["case"])
    #expect(second[.argument("Password")] == [])
    let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/xiedit") == ["memory.json"])
    try FileManager.default.removeItem(atPath: folder)
  }

  @Test func twoEditorsKeepWhatBothHave() throws {
    let (first, second) = (Memory(file: file), Memory(file: file))
    #expect(first[.path] == [] && second[.path] == [])
    first.note("a", in: .path)
    second.note("b", in: .path)
    #expect(Memory(file: file)[.path] == ["b", "a"])
    try FileManager.default.removeItem(atPath: folder)
  }

  @Test func thereIsAnEndToIt() throws {
    let memory = Memory(file: file)
    for number in 0..<150 { memory.note("\(number)", in: .goto) }
    memory.note(String(repeating: "x", count: 5000), in: .goto)
    #expect(memory[.goto].count == 100 && memory[.goto][1] == "149")
    let kept = Memory(file: file)[.goto]
    #expect(kept.count == 99 && kept.first == "149", "a long one is not kept")
    try FileManager.default.removeItem(atPath: folder)
  }

  @Test(arguments: ["", "{", "[1]", #"{"search":3,"goto":[1,"7",null]}"#, "\u{0}"])
  func aBrokenFileIsNone(_ text: String) throws {
    try FileManager.default.createDirectory(atPath: folder + "/xiedit", withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(filePath: file.path))
    let memory = Memory(file: file)
    #expect(memory[.search] == [])
    memory.note("a", in: .search)
    #expect(Memory(file: file)[.search] == ["a"])
    try FileManager.default.removeItem(atPath: folder)
  }

  @Test func withoutAFolderItIsKeptForThisRun() {
    let memory = Memory(file: MemoryFile(path: "/dev/null/xiedit/memory.json"))
    memory.note("a", in: .search)
    #expect(memory[.search] == ["a"])
  }
}
