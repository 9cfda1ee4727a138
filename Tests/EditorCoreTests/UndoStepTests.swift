import EditorProtocol
import Foundation
import JSON
import Rope
import Testing

@testable import EditorCore

/// What is an undo step, and what is none.
@Suite struct UndoStepTests {
  private let driver = CoreDriver(handshake: true)

  init() { driver.open() }

  private func type(_ text: String) {
    for character in text { driver.edit("insert", ["chars": .string("\(character)")]) }
  }

  @Test(arguments: ["yank", "duplicate_line", "delete_forward", "transpose", "increase_number", "outdent", "uppercase"])
  func whatChangesNothingIsNoStep(command: String) {
    type("HELLO")
    driver.edit("select_all")
    driver.edit("undo")
    #expect(driver.cache.isPristine)
    driver.edit(command)
    #expect(driver.cache.isPristine)
    driver.edit("redo")
    #expect(driver.document?.buffer.text == "HELLO")
  }

  @Test func theSameTextAgainIsNoChange() {
    type("HELLO")
    driver.edit("undo")
    driver.edit("redo")
    driver.edit("select_all")
    driver.edit("uppercase")
    driver.edit("undo")
    #expect(driver.document?.buffer.text == "")
  }

  @Test func aRecordingWhoseEditsCancelOutIsNoStep() {
    type("HELLO")
    driver.edit("undo")
    for (method, params) in [("insert", ["chars": "x"] as JSONValue), ("delete_backward", [])] {
      if method == "insert" { driver.edit("toggle_recording", ["recording_name": "r"]) }
      driver.edit(method, params)
    }
    driver.edit("toggle_recording", ["recording_name": "r"])
    driver.edit("undo")
    driver.edit("undo")
    type("one")
    driver.edit("move_left")
    type("two")
    driver.edit("undo")
    driver.edit("play_recording", ["recording_name": "r"])
    #expect(driver.document?.buffer.text == "one")
    driver.edit("redo")
    #expect(driver.document?.buffer.text == "ontwoe", "what was undone can be made again")
    driver.edit("play_recording", ["recording_name": "r"])
    driver.edit("undo")
    #expect(driver.document?.buffer.text == "one", "it is no step")
    driver.edit("undo")
    #expect(driver.cache.isPristine)
    driver.edit("play_recording", ["recording_name": "r"])
    #expect(driver.cache.isPristine)
  }

  /// What is undone for something else is not what was saved.
  @Test func theSavedTextIsKnownAfterAnotherWayToIt() {
    for _ in 0..<3 {
      type("x")
      #expect(!driver.cache.isPristine)
      driver.edit("undo")
      #expect(driver.cache.isPristine)
    }
  }

  /// Or after what led away from it, and back, was undone.
  @Test func theSavedTextIsKnownAfterADetour() {
    type("x")
    driver.edit("delete_backward")
    driver.edit("undo")
    driver.edit("undo")
    #expect(driver.cache.isPristine)
    type("y")
    driver.edit("undo")
    #expect(driver.cache.isPristine)
  }

  @Test func aSavedStateThatCannotBeReachedIsGone() {
    let path = NSTemporaryDirectory() + "steps-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    type("x")
    driver.notify(.save(driver.view, path: path))
    #expect(driver.cache.isPristine)
    driver.edit("undo")
    driver.edit("insert", ["chars": "another way"])
    #expect(!driver.cache.isPristine)
    driver.edit("undo")
    #expect(!driver.cache.isPristine)
  }

  @Test func aPauseEndsAStep() throws {
    var time = ContinuousClock.now
    let document = try #require(driver.document)
    document.buffer.now = { time }
    type("one")
    time += .milliseconds(900)
    type("two")
    time += .milliseconds(1100)
    type("three")
    driver.edit("undo")
    #expect(driver.document?.buffer.text == "onetwo")
    driver.edit("undo")
    #expect(driver.document?.buffer.text == "")
  }

  @Test func aLongStepEndsWithItsWord() throws {
    let time = ContinuousClock.now
    try #require(driver.document).buffer.now = { time }
    type("a sentence that is longer than what one wants to lose at once")
    driver.edit("undo")
    #expect(driver.document?.buffer.text == "a sentence that is longer than what one ")
    driver.edit("undo")
    #expect(driver.document?.buffer.text == "")
  }

  /// As in xi.
  @Test func withoutTheHandshakeAStepGoesOn() throws {
    let driver = CoreDriver()
    driver.open()
    var time = ContinuousClock.now
    try #require(driver.document).buffer.now = {
      time += .seconds(10)
      return time
    }
    for _ in 0..<60 { driver.edit("insert", ["chars": "x "]) }
    driver.edit("undo")
    #expect(driver.document?.buffer.text == "")
  }

  @Test(arguments: ["indent", "insert_tab"])
  func indentationIsAStepOfItsOwn(command: String) {
    driver.edit("paste", ["chars": "a\nb\n"])
    driver.edit("select_all")
    driver.edit(command)
    driver.edit("insert", ["chars": "x"])
    driver.edit("undo")
    #expect(driver.document?.buffer.text == "    a\n    b\n")
  }
}

/// Commands and edits at places where they once ended the core, or did what nobody wants.
@Suite struct OddPlaceTests {
  private let driver = CoreDriver()

  init() { driver.open() }

  /// A match may be a part of a cluster; what is selected is all of it.
  @Test func aSelectionNeverStandsInsideACluster() {
    driver.edit("insert", ["chars": "ae\u{301}x"])
    driver.edit("gesture", ["line": 0, "col": 1, "ty": "point_select"])
    driver.edit("find", ["chars": "\u{301}", "case_sensitive": true])
    driver.edit("find_next", ["modify_selection": "add"])
    #expect(driver.markedText == "a⟦e\u{301}⟧x")
    driver.edit("find_all")
    #expect(driver.markedText == "a⟦e\u{301}⟧x")
    driver.edit("transpose")
    #expect(driver.document?.buffer.text == "ae\u{301}x")
  }

  @Test func transposeAtTheEndOfATextLeavesItsLineEnd() {
    driver.edit("insert", ["chars": "ab\n"])
    driver.edit("transpose")
    #expect(driver.markedText == "ab\n‸")
    driver.edit("move_left")
    driver.edit("transpose")
    #expect(driver.document?.buffer.text == "ba\n")
  }

  /// What a tab inserts does not depend on the width of a window.
  @Test func aTabGoesToTheStopOfItsLine() {
    driver.notify(.modifyUserConfig(.userOverride(driver.view), changes: ["wrap_width": 7]))
    driver.edit("insert", ["chars": "one two three"])
    driver.edit("insert_tab")
    #expect(driver.document?.buffer.text == "one two three   ")
  }

  /// Its own lock is no other process's, where a front end has two texts of one file.
  @Test func aFileThatIsOpenHereIsNotWaitedFor() throws {
    let files = TemporaryFolder()
    files.write("text", to: "a")
    let system = FaultyFileSystem()
    let driver = CoreDriver(recoveryFolder: RecoveryFolder(at: files("recovery"), system: system))
    driver.open(files("a"))
    let count = system.calls.count { $0 == "lock" }
    driver.open(files("a"))
    #expect(system.calls.count { $0 == "lock" } == count + 1)
  }
}
