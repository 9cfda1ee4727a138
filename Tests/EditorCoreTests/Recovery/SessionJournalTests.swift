import EditorProtocol
import Rope
import TestSupport
import Testing

@testable import EditorCore

/// When a session writes its journals.
@Suite struct SessionJournalTests: JournalSuite {
  let files = TemporaryFolder()

  private func driver(_ system: FaultyFileSystem) throws -> CoreDriver {
    CoreDriver(handshake: true, recoveryFolder: try recoveryFolder(system))
  }

  @Test func noEditIsAcknowledgedBeforeItIsWrittenDown() throws {
    files.write("text", to: "a")
    let driver = try driver(FaultyFileSystem())
    driver.open(path)
    var acknowledged: [Int] = []
    driver.onNotification = { notification in
      guard case .update(_, let update) = notification, let count = update.handledEdits, count > 0 else { return }
      acknowledged.append(count)
      let folder = driver.session.recoveryFolder
      let journal = folder.flatMap { folder in try? recovered(folder) }
      #expect(journal?.edits.last?.handledEdits == count)
    }
    for _ in 0..<3 { driver.edit("insert", ["chars": "x"]) }
    #expect(acknowledged == [1, 2, 3])
  }

  /// One sync for many edits, and none while nothing happens.
  @Test func whatIsWrittenDownIsSyncedSoonAndOnce() throws {
    files.write("text", to: "a")
    let system = FaultyFileSystem()
    let driver = try driver(system)
    driver.open(path)
    func syncCount() -> Int { system.calls.count { $0 == "synchronizeData" } }
    for round in 1...2 {
      for _ in 0..<3 { driver.edit("insert", ["chars": "x"]) }
      driver.run { syncCount() == round }
      driver.edit("move_left")
      #expect(syncCount() == round)
    }
    driver.edit("insert", ["chars": "the last one"])
    driver.session.finish()
    #expect(syncCount() == 3)
  }

  @Test func whatLiesInMemoryIsNotWrittenDown() throws {
    files.write("text", to: "a")
    let driver = try driver(FaultyFileSystem(.filesAreInMemory))
    driver.open(path)
    driver.edit("insert", ["chars": "secret"])
    #expect(files.names.sorted() == ["a", "recovery"])
    #expect(try LinuxFileSystem().names(inDirectory: files("recovery")).isEmpty)
  }
}
