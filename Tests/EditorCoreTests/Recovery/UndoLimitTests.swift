import EditorProtocol
import Testing

@testable import EditorCore

/// How much of the undo steps a journal keeps. Of the text it keeps all.
@Suite(.offThePool) struct UndoLimitTests {
  struct Limit: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// How many steps behind a save are there again.
    let stepCount: Int
    var steps = JournalHistoryLimit()
    var largestJournal = 64 << 20
  }

  /// Each step brings back a word of five bytes, the first one of four.
  private static let limits = [
    Limit(testDescription: "none", stepCount: 5),
    Limit(testDescription: "steps", stepCount: 3, steps: JournalHistoryLimit(steps: 3)),
    Limit(testDescription: "no steps", stepCount: 0, steps: JournalHistoryLimit(steps: 0)),
    Limit(testDescription: "places", stepCount: 2, steps: JournalHistoryLimit(places: 2)),
    Limit(testDescription: "bytes", stepCount: 2, steps: JournalHistoryLimit(byteCount: 14)),
    Limit(testDescription: "less than a step", stepCount: 0, steps: JournalHistoryLimit(byteCount: 4)),
    Limit(testDescription: "a long journal", stepCount: 0, largestJournal: 1),
  ]

  private func driver(on disk: SimulatedDisk, _ limit: Limit) -> CoreDriver {
    var folder = RecoveryFolder(at: "/disk/recovery", system: disk)
    folder?.historyLimit = limit.steps
    folder?.largestJournalWithHistory = limit.largestJournal
    // The journal alone has them.
    folder?.keptUndoLimit.steps = 0
    return CoreDriver(handshake: true, system: disk, recoveryFolder: folder)
  }

  private func text(_ driver: CoreDriver) -> String {
    let text = driver.document?.buffer.text ?? "none"
    return text.string(in: text.fullRange)
  }

  /// What undo and redo lead to, up to where they lead no further.
  private func texts(_ driver: CoreDriver, _ method: String) -> [String] {
    var texts = [text(driver)]
    while texts.count < 20 {
      driver.edit(method)
      guard text(driver) != texts.last else { return texts }
      texts.append(text(driver))
    }
    return texts
  }

  @Test(arguments: limits, [false, true])
  func theStepsNearestToTheTextAreKeptAndAllOfTheText(limit: Limit, isTypedOn: Bool) {
    let disk = SimulatedDisk(folders: ["/", "/disk", "/disk/recovery"])
    disk.write(Array("aaaa bbbb cccc dddd eeee".utf8), to: "/disk/a")
    let first = driver(on: disk, limit)
    first.open("/disk/a")
    for _ in 0..<5 {
      first.edit("move_to_end_of_document")
      first.edit("delete_word_backward")
    }
    first.notify(.save(first.view, path: "/disk/a"))
    first.awaitJournal()
    if isTypedOn { first.edit("insert", ["chars": "new"]) }
    let before = text(first)
    var noPower: SplitMix64?
    let next = driver(on: disk.afterDeath(losingPower: &noPower), limit)
    let id = first.fileInformation?.recoveryID ?? ""
    let answer = next.request("new_view", ["file_path": "/disk/a", "xiedit": ["recover": .string(id)]])
    next.view = ViewID((try? answer.get())?.string ?? "")
    #expect(text(next) == before)
    let undone = texts(next, "undo")
    let expected = texts(first, "undo").prefix(limit.stepCount + (isTypedOn ? 2 : 1))
    #expect(undone == Array(expected))
    let redone = texts(next, "redo")
    #expect(redone.starts(with: undone.reversed()))
  }
}
