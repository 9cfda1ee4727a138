import EditorProtocol
import Foundation
import JSON
import JSONRPC
import Rope
import TestSupport
import Testing

@testable import EditorCore

extension CoreDriver {
  /// What the front end was told last of the view.
  var changes: ChangedLines? {
    for notification in notifications.reversed() {
      if case .update(view, let update) = notification { return update.changes }
    }
    return nil
  }

  /// Such as `head +1 0+2`: what with, and what kind of lines, where and how many.
  var marks: String {
    guard let changes else { return "nothing" }
    let signs: [ChangedLines.Kind: String] = [.added: "+", .modified: "~", .removed: "-"]
    let runs = changes.runs.map { "\(signs[$0.kind] ?? "")\($0.line)" + ($0.count == 1 ? "" : "x\($0.count)") }
    return ([changes.base.rawValue] + runs).joined(separator: " ")
  }

  func awaitMarks(_ wanted: String, _ location: SourceLocation = #_sourceLocation) {
    run { marks == wanted }
    #expect(marks == wanted, sourceLocation: location)
  }

  /// Opens it, and waits for what git says.
  func openCompared(_ path: String) {
    open(path)
    awaitComparison()
  }

  func awaitComparison() { run { document?.changes?.isComparing != true && document?.changes?.job == nil } }

  func save(_ path: String) throws {
    let params: JSONValue = ["view_id": .string(view.rawValue), "file_path": .string(path)]
    _ = try request("xiedit_save", params).get()
  }

  func caret(_ line: Int) { edit("goto_line", ["line": JSONValue(line)]) }
}

@Suite struct ChangesTests {
  private let driver = CoreDriver(handshake: true)

  // MARK: Since the save

  @Test func linesSinceTheSave() throws {
    let folder = try Repository(isGit: false, now: "one\ntwo\nthree\n")
    driver.openCompared(folder.path("f.txt"))
    #expect(driver.marks == "saved")
    driver.edit("insert", ["chars": "x"])
    #expect(driver.marks == "saved ~0")
    driver.edit("delete_backward")
    #expect(driver.marks == "saved")
    driver.caret(1)
    driver.edit("insert", ["chars": "new\nlines\n"])
    #expect(driver.marks == "saved +1x2")
    driver.caret(4)
    driver.edit("delete_backward")
    #expect(driver.marks == "saved ~1x3")
    #expect(driver.changes.map { [$0.added, $0.modified, $0.removed] } == [1, 2, 0])
    try driver.save(folder.path("f.txt"))
    driver.awaitMarks("saved")
    driver.edit("undo")
    #expect(driver.marks == "saved ~3x2", "the file has it otherwise now")
    driver.edit("redo")
    #expect(driver.marks == "saved")
  }

  @Test func aNewFileHasNoMarksBeforeItIsSaved() throws {
    let folder = try Repository(isGit: false)
    driver.openCompared(folder.path("new.txt"))
    driver.edit("insert", ["chars": "a\nb"])
    #expect(driver.marks == "nothing")
    driver.edit("xiedit_next_change")
    #expect(driver.alerts.last == "There is nothing to compare the text with")
    try driver.save(folder.path("new.txt"))
    driver.awaitMarks("saved")
    driver.edit("insert", ["chars": "c"])
    #expect(driver.marks == "saved ~1")
  }

  @Test func whatIsTypedWhileASaveRuns() throws {
    let folder = try Repository(isGit: false, now: "one\ntwo\n")
    driver.openCompared(folder.path("f.txt"))
    driver.edit("insert", ["chars": "x"])
    let isTyped = DispatchSemaphore(value: 0)
    driver.session.files.service.afterOthers { isTyped.wait() }
    driver.start("xiedit_save", ["view_id": .string(driver.view.rawValue), "file_path": .string(folder.path("f.txt"))])
    driver.perform(driver.view, .plain(.moveDown))
    driver.perform(driver.view, .insert("y"))
    isTyped.signal()
    driver.settle()
    driver.awaitMarks("saved ~1")
  }

  @Test func aReload() throws {
    let folder = try Repository(isGit: false, now: "one\ntwo\n")
    driver.openCompared(folder.path("f.txt"))
    driver.edit("insert", ["chars": "x"])
    try folder.write("ONE\ntwo\n")
    driver.notify(.reload(driver.view))
    driver.run { driver.document?.buffer.text == "ONE\ntwo\n" }
    driver.awaitMarks("saved")
    driver.edit("undo")
    #expect(driver.marks == "saved ~0")
  }

  /// Marks are of all views, and of each in its own visual lines.
  @Test func wrappedLinesAndSeveralViews() throws {
    let folder = try Repository(isGit: false)
    try folder.write("short\n" + String(repeating: "long ", count: 20) + "\nend\n")
    driver.openCompared(folder.path("f.txt"))
    let first = driver.view
    driver.open(folder.path("f.txt"))
    driver.notify(.modifyUserConfig(.userOverride(driver.view), changes: ["word_wrap": true]))
    driver.edit("resize", ["width": 20, "height": 10])
    driver.edit("xiedit_goto", ["line": 1, "character": 0])
    driver.edit("insert", ["chars": "x"])
    #expect(driver.changes?.runs == [.init(.modified, line: 1, count: 6)])
    driver.view = first
    #expect(driver.changes?.runs == [.init(.modified, line: 1, count: 1)])
    driver.edit("scroll", [2, 4])
    #expect(driver.changes?.runs == [])
    driver.edit("xiedit_also_shown", ["lines": [[0, 2]]])
    #expect(driver.changes?.runs == [.init(.modified, line: 1, count: 1)])
  }

  @Test func aFileThatIsLoadedInPieces() throws {
    let folder = try Repository(isGit: false)
    try folder.write(String(repeating: "0123456789abcde\n", count: 1 << 18))
    driver.session.files.loader.firstByteCount = 1 << 16
    driver.open(folder.path("f.txt"))
    driver.edit("insert", ["chars": "x"])
    driver.run { driver.document?.file.loadJob == nil }
    driver.awaitMarks("saved ~0")
    #expect(driver.document?.buffer.text.byteCount == (4 << 20) + 1)
    #expect(driver.changes?.modified == 1)
  }

  @Test func settings() throws {
    let folder = try Repository(committed: "one\n", now: "two\n")
    driver.openCompared(folder.path("f.txt"))
    driver.awaitMarks("head ~0")
    driver.notify(.modifyUserConfig(.general, changes: ["change_marks": "saved"]))
    driver.awaitMarks("saved")
    driver.edit("insert", ["chars": "x"])
    #expect(driver.marks == "saved ~0")
    driver.notify(.modifyUserConfig(.general, changes: ["change_marks": "none"]))
    driver.awaitMarks("nothing")
    driver.edit("insert", ["chars": "x"])
    #expect(driver.marks == "nothing")
    driver.edit("xiedit_revert_changes")
    #expect(driver.document?.buffer.text == "xxtwo\n")
    driver.notify(.modifyUserConfig(.general, changes: ["change_marks": "head"]))
    driver.awaitMarks("head ~0")
    driver.notify(.modifyUserConfig(.general, changes: ["change_marks": "index"]))
    #expect(driver.alerts.last?.contains("change_marks") == true)
  }

  @Test func aPlainFrontEndHearsNothing() throws {
    let folder = try Repository(committed: "one\n")
    let plain = CoreDriver()
    plain.open(folder.path("f.txt"))
    plain.edit("insert", ["chars": "x"])
    #expect(plain.document?.changes == nil)
    #expect(plain.marks == "nothing")
    plain.edit("xiedit_revert_changes")
    #expect(plain.document?.buffer.text == "xone\n")
  }

  // MARK: Commands

  @Test func goingToChanges() throws {
    let folder = try Repository(isGit: false, now: "1\n2\n3\n4\n5\n6\n")
    driver.openCompared(folder.path("f.txt"))
    driver.edit("xiedit_next_change")
    #expect(driver.alerts.last == "No line has changed")
    driver.caret(1)
    driver.edit("insert", ["chars": "x"])
    driver.caret(4)
    driver.edit("insert", ["chars": "x\n"])
    driver.caret(0)
    driver.edit("xiedit_next_change")
    #expect(driver.markedText.contains("‸x2"))
    driver.edit("xiedit_next_change")
    #expect(driver.markedText.contains("‸x\n5"))
    driver.edit("xiedit_next_change")
    #expect(driver.alerts.last == "No line has changed below")
    driver.edit("xiedit_previous_change")
    #expect(driver.markedText.contains("‸x2"))
    driver.edit("xiedit_previous_change")
    #expect(driver.alerts.last == "No line has changed above")
  }

  @Test func puttingBack() throws {
    let folder = try Repository(isGit: false, now: "1\n2\n3\n4\n5\n6\n")
    driver.openCompared(folder.path("f.txt"))
    driver.edit("xiedit_revert_changes")
    #expect(driver.alerts.last == "No line has changed here")
    driver.edit("insert", ["chars": "0\n"])
    driver.caret(3)
    driver.edit("insert", ["chars": "x"])
    driver.caret(7)
    driver.edit("delete_backward")
    driver.edit("delete_backward")
    #expect(driver.document?.buffer.text == "0\n1\n2\nx3\n4\n5\n")
    #expect(driver.marks == "saved +0 ~3 -5")
    driver.caret(3)
    driver.edit("xiedit_revert_changes")
    #expect(driver.markedText == "0\n1\n2\n‸3\n4\n5\n")
    driver.edit("undo")
    #expect(driver.marks == "saved +0 ~3 -5")
    driver.edit("select_all")
    driver.edit("xiedit_revert_changes")
    #expect(driver.document?.buffer.text == "1\n2\n3\n4\n5\n6\n")
    #expect(driver.marks == "saved")
    #expect(driver.document?.buffer.history.isAtSavedState == false || driver.document?.isPristine == true)
    driver.edit("undo")
    #expect(driver.document?.buffer.text == "0\n1\n2\nx3\n4\n5\n", "one step")
    driver.caret(5)
    driver.edit("xiedit_revert_changes")
    #expect(driver.document?.buffer.text == "0\n1\n2\nx3\n4\n5\n6\n")
  }

  @Test func aReadOnlyViewIsLeftAsItIs() throws {
    let folder = try Repository(committed: "one\n", now: "two\n")
    let id = try driver.request(
      "new_view", ["file_path": .string(folder.path("f.txt")), "xiedit": ["read_only": true]]
    ).get()
    driver.view = ViewID(id.string ?? "")
    driver.awaitMarks("head ~0")
    driver.edit("xiedit_revert_changes")
    #expect(driver.document?.buffer.text == "two\n")
    #expect(driver.alerts.last == "This view is read-only.")
  }

  @Test func whatLinesWere() throws {
    let folder = try Repository(isGit: false, now: "1\n2\n3\n")
    driver.openCompared(folder.path("f.txt"))
    let ask: () throws -> EarlierLines? = { [driver] in
      EarlierLines(try driver.request("xiedit_change", ["view_id": .string(driver.view.rawValue)]).get())
    }
    #expect(try ask() == nil)
    driver.caret(1)
    driver.edit("insert", ["chars": "x\ny"])
    #expect(try ask() == EarlierLines(base: .saved, line: 1, count: 2, earlierCount: 1, text: "2\n"))
    driver.edit("select_all")
    driver.edit("delete_backward")
    #expect(try ask() == EarlierLines(base: .saved, line: 0, count: 0, earlierCount: 3, text: "1\n2\n3\n"))
  }
}
