import EditorProtocol
import Foundation
import JSON
import Rope
import TestSupport
import Testing

@testable import EditorCore

/// The file and the text have both changed.
@Suite struct DiskComparisonTests {
  private let driver = CoreDriver(handshake: true)

  private func compare() { driver.notify(.compareWithDisk(driver.view)) }

  @Test func oneTheOtherOrBoth() throws {
    let folder = try Repository(isGit: false, now: "1\n2\n3\n4\n5\n6\n7\n")
    driver.openCompared(folder.path("f.txt"))
    driver.caret(1)
    driver.edit("insert", ["chars": "mine "])
    driver.caret(5)
    driver.edit("insert", ["chars": "mine "])
    try folder.write("1\ntheirs 2\n3\n4\n5\ntheirs 6\n7\nlast\n")
    compare()
    driver.awaitMarks("disk ~1 ~5 -6")
    let answer = try driver.request("xiedit_change", ["view_id": .string(driver.view.rawValue)]).get()
    #expect(EarlierLines(answer)?.text == "theirs 6\n")
    driver.edit("xiedit_keep_both")
    #expect(driver.document?.buffer.text == "1\nmine 2\n3\n4\n5\ntheirs 6\nmine 6\n7\n")
    #expect(driver.marks == "disk ~1 +6 -7")
    driver.caret(7)
    driver.edit("xiedit_revert_changes")
    #expect(driver.marks == "disk ~1 +6")
    driver.edit("undo")
    driver.edit("undo")
    #expect(driver.marks == "disk ~1 ~5 -6")
    compare()
    driver.awaitMarks("saved ~1 ~5")
  }

  /// What it was compared with is gone with the save, or a reload.
  @Test(arguments: [true, false])
  func itEnds(byASave: Bool) throws {
    let folder = try Repository(committed: "one\n")
    driver.openCompared(folder.path("f.txt"))
    driver.edit("insert", ["chars": "x"])
    try folder.write("two\n")
    compare()
    driver.awaitMarks("disk ~0")
    if byASave {
      let params: JSONValue = [
        "view_id": .string(driver.view.rawValue), "file_path": .string(folder.path("f.txt")), "overwrite": "always",
      ]
      _ = try driver.request("xiedit_save", params).get()
    } else {
      driver.notify(.reload(driver.view))
    }
    driver.awaitMarks("head ~0")
  }

  @Test func whereThereIsNoFile() throws {
    let folder = try Repository(isGit: false)
    driver.open()
    compare()
    #expect(driver.alerts.last == "This text has no file")
    driver.open(folder.path("new.txt"))
    compare()
    driver.run { driver.alerts.count == 2 }
    #expect(driver.alerts.last?.contains("new.txt") == true)
    #expect(driver.marks == "nothing")
    try folder.write("theirs\n", to: "new.txt")
    driver.edit("insert", ["chars": "mine"])
    compare()
    driver.awaitMarks("disk ~0")
    driver.edit("xiedit_keep_both")
    #expect(driver.document?.buffer.text == "theirs\nmine")
    compare()
    driver.awaitMarks("nothing")
  }

  @Test func aLineWithoutAnEndGetsOneAmongOthers() throws {
    let folder = try Repository(isGit: false, now: "a")
    driver.openCompared(folder.path("f.txt"))
    driver.edit("insert", ["chars": "mine "])
    try folder.write("b")
    compare()
    driver.awaitMarks("disk ~0")
    driver.edit("xiedit_keep_both")
    #expect(driver.document?.buffer.text == "b\nmine a")
  }
}
