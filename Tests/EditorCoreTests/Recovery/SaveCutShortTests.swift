import EditorProtocol
import JSON
import Testing

@testable import EditorCore

/// A core that ends in a save: the next one says whether the file has the text.
@Suite(.offThePool) struct SaveCutShortTests {
  private struct Found {
    let handledEdits: Int
    let savedEdits: Int?
    let file: String
  }

  private func driver(on disk: SimulatedDisk) -> CoreDriver {
    CoreDriver(handshake: true, system: disk, recoveryFolder: RecoveryFolder(at: "/disk/recovery", system: disk))
  }

  /// What the next core tells, if the first dies at one of the calls of its save.
  private func session(_ fault: SimulatedDisk.Fault, typingOn: Bool = false) -> (disk: SimulatedDisk, Found?) {
    let disk = SimulatedDisk(folders: ["/", "/disk", "/disk/recovery"])
    disk.write(Array("old\n".utf8), to: "/disk/a")
    let first = driver(on: disk)
    first.open("/disk/a")
    first.edit("insert", ["chars": "new "])
    disk.expect(fault)
    _ = first.request("xiedit_save", ["view_id": .string(first.view.rawValue), "file_path": "/disk/a"]) {
      if typingOn { first.edit("insert", ["chars": "more "]) }
    }
    var noPower: SplitMix64?
    let after = disk.afterDeath(losingPower: &noPower)
    let next = driver(on: after)
    let id = first.fileInformation?.recoveryID ?? ""
    _ = next.request("new_view", ["file_path": "/disk/a", "xiedit": ["recover": .string(id)]])
    for case .recovered(_, let handled, _, _, let saved) in next.notifications {
      let file = String(decoding: after.contents("/disk/a") ?? [], as: UTF8.self)
      return (disk, Found(handledEdits: handled, savedEdits: saved, file: file))
    }
    return (disk, nil)
  }

  /// Between the rename and the answer it has been saved.
  @Test(arguments: [false, true]) func everyDeathIsToldAsItWas(isTypedOn: Bool) {
    let count = session(.none).disk.calls.count
    var answers: Set<Bool> = []
    for call in 0..<count {
      guard let found = session(.death(atCall: call), typingOn: isTypedOn).1 else {
        Issue.record("\(call): nothing was told")
        continue
      }
      let isSaved = found.file == "new old\n"
      answers.insert(isSaved)
      #expect(found.savedEdits.map { $0 >= 1 } == isSaved, "\(call): \(found)")
    }
    #expect(answers == [true, false])
  }
}
