import JSON
import TestSupport
import Testing

@Suite(.serialized, .offThePool) struct MemoryTests {
  /// A text that was closed takes no memory any more, although what came after it does.
  @Test func closedTextsAreGivenBack() throws {
    let folder = try TemporaryFolder()
    let line = "a line of a text of many megabytes\n"
    let byteCount = 500_000 * line.utf8.count
    let path = try folder.write(String(repeating: line, count: 500_000), to: "large.txt")
    let core = try CoreProcess(state: folder.path + "/state")
    let small = try core.request("new_view", [:])
    let before = core.residentByteCount
    func wait(until isSo: () -> Bool) throws {
      let deadline = ContinuousClock.now + patience
      while !isSo(), ContinuousClock.now < deadline {
        _ = try core.request("debug_get_contents", ["view_id": small])
      }
    }
    let large = try core.request("new_view", ["file_path": .string(path)])
    try wait { core.residentByteCount > before + byteCount }
    core.insert("text", in: small.string ?? "")
    core.send("close_view", ["view_id": large])
    try wait { core.residentByteCount < before + byteCount / 4 }
    #expect(core.residentByteCount < before + byteCount / 4)
  }
}
