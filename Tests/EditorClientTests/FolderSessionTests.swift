import Foundation
import Testing

@testable import EditorClient

/// What was open in a folder, as it is remembered.
@Suite struct FolderSessionTests {
  private static let session = FolderSession(
    files: ["/w/a", "/w/b\n", "/é"],
    panes: .split(
      .across,
      [
        .init(panes: .pane(2), share: 3),
        .init(panes: .split(.down, [.init(panes: .pane(0), share: 1), .init(panes: .pane(0), share: 1)]), share: 2),
      ]), focused: 1)

  @Test func itIsReadAsItWasWritten() { #expect(FolderSession(Self.session.text) == Self.session) }

  @Test(arguments: ["", "7", "[]", "{}", #"{"files":[]}"#, #"{"files":[7]}"#, #"{"files":7}"#])
  func whatIsNoSessionIsNone(_ text: String) { #expect(FolderSession(text) == nil) }

  @Test(arguments: [
    "1", "-1", "{}", #"{"across":[]}"#, #"{"across":[[1,0]]}"#, #"{"across":[[1,0],[0,0]]}"#,
    #"{"across":[[1,0],[9999999,0]]}"#,
    #"{"down":[[1,0],[1]]}"#, #"{"up":[[1,0],[1,0]]}"#,
    String(repeating: #"{"down":[[1,0],[1,"#, count: 30) + "0" + String(repeating: "]]}", count: 30),
  ])
  func panesThatAreNoneAreOne(_ panes: String) {
    let session = FolderSession(#"{"files":["/a"],"panes":\#(panes),"focused":5}"#)
    #expect(session == FolderSession(files: ["/a"], panes: .pane(0), focused: 5))
  }

  @Test func eachFolderHasItsOwn() throws {
    let folder = NSTemporaryDirectory() + "session-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let memory = Memory(file: MemoryFile(path: folder + "/memory.json"))
    let other = FolderSession(files: ["/x"], panes: .pane(0))
    memory.keep(other, of: "/w")
    memory.keep(Self.session, of: "/w/")
    memory.keep(Self.session, of: "/w")
    memory.keep(other, of: "/w/\r")
    let next = Memory(file: MemoryFile(path: folder + "/memory.json"))
    #expect(next.session(of: "/w") == Self.session && next.session(of: "/w/") == Self.session)
    #expect(next.session(of: "/w/\r") == other && next.session(of: "/") == nil)
    #expect(next[.session].count == 3)
  }
}
