import Glibc
import Rope
import Testing

@testable import EditorCore

/// What a journal makes of the file that it finds.
@Suite struct ReplayTests: JournalSuite {
  let files = TemporaryFolder()

  @Test func changedFileGivesWhatWasTyped() throws {
    files.write("base text", to: "a")
    let folder = try recoveryFolder()
    var session = try session(folder)
    try session.type("first", at: 0)
    try session.type("second", at: 10)
    try session.type("X", at: 2)
    files.write("other text", to: "a")
    guard case .typed(let typed) = try recovered(folder).replay(on: try file(), folder: folder) else {
      Issue.record("it was guessed")
      return
    }
    #expect(typed == "fiXrst\nsecond\n")
  }

  @Test func changedFileWithACopyGivesTheText() throws {
    files.write("base text", to: "a")
    let folder = try recoveryFolder()
    var session = try session(folder)
    let writer = FileWriter(system: LinuxFileSystem(), recoveryFolder: folder)
    let base = session.text
    try session.type("the ", at: 0)
    try folder.keepBaseCopy(base, of: session.journal.path, writer: writer)
    unlink(path)
    guard case .textOfCopy(let text, "base text") = try recovered(folder).replay(on: .none, folder: folder) else {
      Issue.record("no text")
      return
    }
    #expect(text == "the base text")
    folder.discard(try recovered(folder))
    #expect(try LinuxFileSystem().names(inDirectory: folder.path).isEmpty)
  }

  /// Its process died in a save that the journal had no room to tell of.
  @Test(arguments: ["", "\n"]) func aFileThatHoldsTheTextLacksNothing(addedEnd: String) throws {
    files.write("base text", to: "a")
    let folder = try recoveryFolder()
    var session = try session(folder)
    let base = session.text
    try session.type("the ", at: 0)
    let writer = FileWriter(system: LinuxFileSystem(), recoveryFolder: folder)
    try folder.keepBaseCopy(base, of: session.journal.path, writer: writer)
    files.write("the base text" + addedEnd, to: "a")
    guard case .nothing = try recovered(folder).replay(on: try file(), folder: folder) else {
      Issue.record("it is offered")
      return
    }
    // The same text, and not what the file is to be.
    try session.journal.append(JournalOrigin(encoding: .utf16LittleEndian))
    guard case .textOfCopy = try recovered(folder).replay(on: try file(), folder: folder) else {
      Issue.record("it is forgotten")
      return
    }
  }

  @Test func editsOfAnotherTextAreNotMade() throws {
    files.write("text", to: "a")
    let folder = try recoveryFolder()
    let journal = Journal(of: try place, try file().version, name: "view", folder: folder)
    let delta = Delta(baseByteCount: 3, replacing: 1..<1, with: "typed")
    try journal.append([JournalEdit(revision: 1, undoGroup: 1, delta: delta, selections: [])])
    guard case .typed("typed\n") = try recovered(folder).replay(on: try file(), folder: folder) else {
      Issue.record("they were made")
      return
    }
  }

  /// Nothing of what was typed is left out, wherever the edits do not lead on.
  @Test func editsOfOtherTextsGiveAllThatWasTyped() throws {
    files.write("text", to: "a")
    let folder = try recoveryFolder()
    var session = try session(folder)
    try session.type("one", at: 0)
    session.text.remove(0..<5)
    try session.type("two", at: 0)
    session.text.append("more and more")
    try session.type("three", at: 1)
    guard case .typed("one\ntwo\nthree\n") = try recovered(folder).replay(on: try file(), folder: folder) else {
      Issue.record("some of it is missing")
      return
    }
  }

  @Test func changedFileGivesWhatWasTypedWhileItWasLoaded() throws {
    files.write("beginning and the rest", to: "a")
    let folder = try recoveryFolder()
    let whole = try file()
    let beginning = whole.bytes.slice(0..<9)
    let part = FileVersion(
      status: whole.version.status, contents: ContentIdentity(of: beginning), image: FileImage())
    let journal = Journal(of: try place, part, name: "view", folder: folder)
    var session = JournaledText(text: beginning, journal: journal)
    try session.type("one", at: 0)
    session.text.append(" and")
    try session.type("two", at: 5)
    session.text.append(" the rest")
    try journal.didLoad(whole.version)
    try session.type("three", at: 8)
    try session.type("four", at: session.text.byteCount)
    guard case .text(session.text, _, _) = try recovered(folder).replay(on: whole, folder: folder) else {
      Issue.record("not the text")
      return
    }
    files.write("another", to: "a")
    guard case .typed("one\ntwothree\nfour\n") = try recovered(folder).replay(on: try file(), folder: folder) else {
      Issue.record("some of it is missing")
      return
    }
  }

  @Test func aGenerationIsOnTheDiskBeforeItTakesThePlaceOfTheLast() throws {
    files.write("text", to: "a")
    let system = FaultyFileSystem()
    var session = try session(try recoveryFolder(system))
    try session.type("one ", at: 0)
    try session.type("two ", at: 0)
    let start = system.calls.count
    try session.journal.didSave(revision: 1, as: try base())
    let steps = system.calls[start...].filter { ["write", "synchronizeData", "rename", "synchronize"].contains($0) }
    #expect(steps == ["write", "synchronizeData", "rename", "synchronize"])
  }

  @Test func saveStartsAGeneration() throws {
    files.write("text", to: "a")
    let folder = try recoveryFolder()
    let writer = FileWriter(system: LinuxFileSystem(), recoveryFolder: folder)
    var session = try session(folder)
    try session.type("one ", at: 0)
    let saved = session.text
    try session.journal.willSave(revision: 1, contents: ContentIdentity(of: saved), image: FileImage(), to: place)
    // Killed before the save, and after it.
    guard case .text("one text", _, _) = try recovered(folder).replay(on: FileContents("text"), folder: folder),
      case .nothing = try recovered(folder).replay(on: FileContents(saved), folder: folder)
    else {
      Issue.record("neither")
      return
    }
    _ = try writer.save(saved, to: path)
    // Typed while it was saved.
    try session.type("two ", at: 0)
    guard
      case .text("two one text", let edits, _) = try recovered(folder).replay(on: FileContents(saved), folder: folder)
    else {
      Issue.record("no text")
      return
    }
    #expect(edits.map(\.revision) == [2])
    try session.journal.didSave(revision: 1, as: try base())
    #expect(try recovered(folder).edits.map(\.revision) == [2])
    guard case .text("two one text", _, _) = try recovered(folder).replay(on: try file(), folder: folder) else {
      Issue.record("no text")
      return
    }
    try session.journal.didSave(revision: 2, as: try base())
    #expect(try LinuxFileSystem().names(inDirectory: folder.path).isEmpty)
  }
}
