import EditorProtocol
import JSON
import Testing

@testable import EditorCore

@Suite struct SaveProgressTests {
  /// Each has the text as it was when it was asked for, and none takes for another program's what the one before it wrote.
  @Test func savesInARowAreMadeInTurn() throws {
    let folder = TemporaryFolder()
    folder.write("", to: "a")
    let driver = CoreDriver(handshake: true)
    let view = driver.open(folder("a"))
    func insert(_ text: String) -> FrontEndNotification { .edit(view, .insert(text)) }
    func save(_ name: String) -> FrontEndNotification { .save(view, path: folder(name)) }
    let messages = [insert("1"), save("a"), insert("2"), save("a"), insert("3"), save("b"), insert("4")]
    let lines = messages.map { ["method": .string($0.encoded.method), "params": $0.encoded.params] as JSONValue }
    driver.send(line: lines.map(\.description).joined(separator: "\n"))
    #expect(driver.alerts == [])
    #expect(folder.contents("a") == "12\n")
    #expect(folder.contents("b") == "123\n")
    #expect(driver.markedText == "1234‸")
    #expect(driver.document?.buffer.history.isAtSavedState == false)
  }

  /// What is typed behind it is sent again, if the core ends and there is no journal; it is to be known where it belongs.
  @Test func withoutAJournalTheCaretOfASaveIsTold() throws {
    let folder = TemporaryFolder()
    folder.write("", to: "a")
    let driver = CoreDriver(handshake: true)
    let view = driver.open(folder("a"))
    let messages: [FrontEndNotification] = [
      .edit(view, .insert("ab")), .save(view, path: folder("a")), .edit(view, .insert("c")),
    ]
    let lines = messages.map { ["method": .string($0.encoded.method), "params": $0.encoded.params] as JSONValue }
    var told: [(count: Int?, column: Int)] = []
    var count: Int?
    driver.onNotification = { notification in
      switch notification {
      case .update(_, let update): count = update.handledEdits
      case .scrollTo(_, let place): told.append((count, place.column))
      default: break
      }
    }
    driver.send(line: lines.map(\.description).joined(separator: "\n"))
    #expect(told.map(\.count) == [1, 2] && told.map(\.column) == [2, 3])
  }

  @Test func aLongSaveShowsHowFarItIs() throws {
    let folder = TemporaryFolder()
    let driver = CoreDriver(handshake: true)
    driver.open()
    driver.session.files.service.reportInterval = .zero
    driver.edit("paste", ["chars": .string(String(repeating: "the quick brown fox\n", count: 60_000))])
    _ = driver.request(
      "xiedit_save",
      ["view_id": .string(driver.view.rawValue), "file_path": .string(folder("a")), "overwrite": "always"])
    let progress = driver.notifications.compactMap { if case .progress(_, let progress) = $0 { progress } else { nil } }
    #expect(progress.count >= 4 && progress.allSatisfy { $0.task == .save && $0.total == 1_200_000 })
    #expect(progress.map(\.done) == progress.map(\.done).sorted() && progress.last?.done == 1_200_000)
    driver.edit("select_all")
    driver.edit("delete_backward")
    _ = driver.request(
      "xiedit_save",
      ["view_id": .string(driver.view.rawValue), "file_path": .string(folder("a")), "overwrite": "always"])
    #expect(driver.log == [], "of nothing, nothing is half written")
    #expect(progress.dropLast().allSatisfy { $0.done < 1_200_000 }, "the end is told when the disk has it")
  }

  /// The user is told once that the file's new name may be lost.
  @Test func aFileSystemThatCannotSyncFoldersIsToldOfOnce() throws {
    let folder = TemporaryFolder()
    folder.write("", to: "a")
    let driver = CoreDriver(handshake: true, system: FaultyFileSystem(.noFolderSync))
    driver.open(folder("a"))
    for text in ["1", "2"] {
      driver.edit("insert", ["chars": .string(text)])
      driver.notify(.save(driver.view, path: folder("a")))
    }
    #expect(folder.contents("a") == "12\n")
    #expect(driver.alerts.count == 1 && driver.alerts[0].contains("cannot synchronize folders"))
  }
}
