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

  /// Nobody may ever write into it.
  @Test func aPipeInItsPlaceIsNone() throws {
    try FileManager.default.createDirectory(atPath: folder + "/xiedit", withIntermediateDirectories: true)
    #expect(mkfifo(file.path, 0o600) == 0)
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

  @Test func placesAreKeptByFile() {
    let memory = Memory(file: file)
    memory.note([("/a b", FilePosition(line: 3, column: 7)), ("/b", FilePosition(line: 2))])
    memory.note([("/a b", FilePosition(line: 4)), ("/c", FilePosition(line: 1)), ("/b", nil)])
    let kept = Memory(file: file)
    #expect(kept.place(inFile: "/a b") == FilePosition(line: 4))
    #expect(kept.place(inFile: "/b") == nil, "it is to be forgotten")
    #expect(kept.place(inFile: "/c") == nil, "the beginning need not be known")
    #expect(kept.place(inFile: "b") == nil)
    // The name of one ends as the other's, and two look alike.
    memory.note([("/a /b", FilePosition(line: 5)), ("/\u{E9}", FilePosition(line: 6))])
    memory.note([("/b", FilePosition(line: 7)), ("/e\u{301}", FilePosition(line: 8))])
    memory.note([("/b", FilePosition(line: 9))])
    let lines = ["/a /b", "/b", "/\u{E9}", "/e\u{301}"].map { Memory(file: file).place(inFile: $0)?.line }
    #expect(lines == [5, 9, 6, 8])
    kept.set(.place, to: ["x /d", "/d", "9:0 /d", " /d", "9 /d"])
    #expect(Memory(file: file).place(inFile: "/d") == nil, "the first one is no place")
  }
}
