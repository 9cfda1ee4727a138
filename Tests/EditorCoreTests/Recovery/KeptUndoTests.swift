import EditorProtocol
import Glibc
import JSON
import JSONRPC
import Rope
import Testing

@testable import EditorCore

/// Undo goes on in the next run, where the file is what was saved.
@Suite(.offThePool) struct KeptUndoTests {
  let disk = SimulatedDisk(folders: ["/", "/disk", "/disk/.git", "/disk/recovery"])

  private func driver(_ change: (inout RecoveryFolder) -> Void = { _ in }) -> CoreDriver {
    var folder = RecoveryFolder(at: "/disk/recovery", system: disk)
    folder = folder.map {
      var folder = $0
      change(&folder)
      return folder
    }
    return CoreDriver(handshake: true, system: disk, recoveryFolder: folder)
  }

  private func opened(_ path: String = "/disk/a") -> CoreDriver {
    let driver = driver()
    driver.open(path)
    return driver
  }

  private func save(_ driver: CoreDriver, to path: String = "/disk/a") {
    driver.notify(.save(driver.view, path: path))
    driver.settle()
  }

  private func end(_ driver: CoreDriver, closing: Bool = true) {
    if closing { driver.notify(.closeView(driver.view)) }
    driver.session.finish()
  }

  private func type(_ text: String, in driver: CoreDriver) { driver.edit("insert", ["chars": .string(text)]) }

  private func text(_ driver: CoreDriver) -> String {
    driver.document.map { $0.buffer.text.string(in: $0.buffer.text.fullRange) } ?? ""
  }

  private func isSaved(_ driver: CoreDriver) -> Bool? { driver.document?.isPristine }

  private var undoFiles: [String] { disk.fileNames.filter { $0.hasPrefix("/disk/undo/") } }

  /// A file that was made of `text` by steps that end in `typed`.
  private func makeFile(_ text: String, _ typed: [String]) {
    disk.write(Array(text.utf8), to: "/disk/a")
    let driver = opened()
    for typed in typed {
      type(typed, in: driver)
      driver.edit("insert_newline")
    }
    save(driver)
    end(driver)
  }

  @Test(arguments: [false, true]) func undoAndRedoGoOnInTheNextRun(isClosed: Bool) {
    disk.write(Array("old\n".utf8), to: "/disk/a")
    let first = opened()
    type("one ", in: first)
    first.edit("insert_newline")
    save(first)
    end(first, closing: isClosed)
    #expect(first.sessionMessages == [] && undoFiles.count == 1)

    let next = opened()
    #expect(text(next) == "one \nold\n" && isSaved(next) == true)
    next.edit("undo")
    #expect(text(next) == "one old\n" && isSaved(next) == false)
    #expect(next.cache.isPristine == false)
    next.edit("undo")
    #expect(text(next) == "old\n" && isSaved(next) == false)
    next.edit("undo")
    #expect(text(next) == "old\n")
    for _ in 0..<2 { next.edit("redo") }
    #expect(text(next) == "one \nold\n" && isSaved(next) == true)
    #expect(next.cache.isPristine)
    next.edit("redo")
    #expect(text(next) == "one \nold\n")
    #expect(next.alerts == [] && next.sessionMessages == [])
  }

  @Test func whatWasTakenBackCanBeMadeAgainInTheNextRun() {
    disk.write([], to: "/disk/a")
    let first = opened()
    for typed in ["a", "b"] {
      type(typed, in: first)
      first.edit("insert_newline")
    }
    first.edit("undo")
    first.edit("undo")
    save(first)
    end(first)
    let next = opened()
    #expect(text(next) == "a\n")
    next.edit("redo")
    next.edit("redo")
    #expect(text(next) == "a\nb\n" && isSaved(next) == false)
    next.edit("undo")
    next.edit("undo")
    #expect(isSaved(next) == true)
    // Not behind something else that was typed.
    let third = opened()
    type("c", in: third)
    third.edit("undo")
    third.edit("redo")
    third.edit("redo")
    #expect(text(third) == "ca\n")
  }

  /// What was undone and made again since the save, without another.
  @Test func whatWasDoneSinceTheSaveIsKeptWhereTheTextIsTheSame() {
    makeFile("", ["a", "b"])
    let driver = opened()
    type("x", in: driver)
    driver.edit("undo")
    end(driver)
    let next = opened()
    next.edit("redo")
    #expect(text(next) == "xa\nb\n")
    for _ in 0..<9 { next.edit("undo") }
    #expect(text(next) == "")
  }

  @Test func whatIsNotSavedIsNotKept() {
    makeFile("", ["a"])
    let driver = opened()
    type("lost", in: driver)
    end(driver)
    let next = opened()
    #expect(text(next) == "a\n")
    next.edit("undo")
    #expect(text(next) == "a")
  }

  /// A step of its own, however soon it follows.
  @Test func whatIsTypedFirstIsNoPartOfTheLastStep() {
    disk.write([], to: "/disk/a")
    let first = opened()
    type("ab\n", in: first)
    save(first)
    end(first)
    let next = opened()
    type("c", in: next)
    #expect(text(next) == "cab\n")
    next.edit("undo")
    #expect(text(next) == "ab\n" && isSaved(next) == true)
    next.edit("undo")
    #expect(text(next) == "")
  }

  @Test func stepsOfManyRunsAreKept() {
    disk.write([], to: "/disk/a")
    for run in 0..<20 {
      let driver = opened()
      type("\(run)\n", in: driver)
      save(driver)
      end(driver)
    }
    let driver = opened()
    for run in (0..<20).reversed() {
      #expect(text(driver).hasPrefix("\(run)\n"))
      driver.edit("undo")
    }
    #expect(text(driver) == "")
    for _ in 0..<20 { driver.edit("redo") }
    #expect(isSaved(driver) == true && text(driver).hasPrefix("19\n"))
  }

  // MARK: Another text

  @Test(arguments: ["", "b\n", "a\nb", "a\na\n"]) func ofAFileThatWasChangedNothingIsUndone(contents: String) {
    makeFile("", ["a"])
    disk.write(Array(contents.utf8), to: "/disk/a")
    let driver = opened()
    for method in ["undo", "redo"] { driver.edit(method) }
    #expect(text(driver) == contents && isSaved(driver) == true)
    #expect(driver.alerts == [] && driver.sessionMessages == [])
  }

  /// As where a branch was left, and comes back.
  @Test func aFileThatIsWhatItWasAgainHasItsSteps() {
    makeFile("", ["a"])
    for contents in ["b\n", "a\n"] {
      disk.write(Array(contents.utf8), to: "/disk/a")
      let driver = opened()
      driver.edit("undo")
      #expect(text(driver) == (contents == "a\n" ? "a" : contents))
      end(driver)
    }
  }

  @Test func aFileThatIsGoneHasNone() {
    makeFile("", ["a"])
    try? disk.remove("/disk/a")
    let driver = opened()
    driver.edit("undo")
    #expect(text(driver) == "" && isSaved(driver) == true)
  }

  /// What another program writes while it is open is a step on top; the text before that is not saved over it.
  @Test func anotherProgramsTextIsAStepOnTop() {
    makeFile("", ["a"])
    let driver = opened()
    disk.write(Array("other\n".utf8), to: "/disk/a")
    driver.notify(.reload(driver.view))
    driver.run { !driver.session.reloads.isReading }
    #expect(text(driver) == "other\n")
    driver.edit("undo")
    driver.edit("undo")
    #expect(text(driver) == "a")
    let answer = driver.request(
      "xiedit_save", ["view_id": .string(driver.view.rawValue), "file_path": "/disk/a"])
    #expect(throws: ResponseError.self) { try answer.get() }
    #expect(disk.contents("/disk/a") == Array("other\n".utf8))
    for _ in 0..<3 { driver.edit("redo") }
    #expect(text(driver) == "other\n" && isSaved(driver) == true)
    end(driver)
    let next = opened()
    for expected in ["a\n", "a", "", ""] {
      next.edit("undo")
      #expect(text(next) == expected)
    }
  }

  @Test func twoEditorsOfOneFileKeepWhatIsOfTheFile() {
    disk.write(Array("0\n".utf8), to: "/disk/a")
    let (first, second) = (opened(), opened())
    type("1\n", in: first)
    save(first)
    second.notify(.reload(second.view))
    second.run { !second.session.reloads.isReading }
    type("2\n", in: second)
    save(second)
    // Its file is another by now.
    end(first)
    end(second)
    let next = opened()
    #expect(text(next) == "1\n2\n0\n" || text(next) == "2\n1\n0\n")
    for expected in ["1\n0\n", "0\n", "0\n"] {
      next.edit("undo")
      #expect(text(next) == expected)
    }
  }

  /// Whoever has done nothing to the file takes nothing from whoever has.
  @Test(arguments: [false, true]) func anEditorThatLooksOnTakesNoSteps(isTold: Bool) {
    makeFile("", ["a", "b"])
    let (first, second) = (opened(), opened())
    type("x", in: first)
    save(first)
    if isTold {
      second.notify(.reload(second.view))
      second.run { !second.session.reloads.isReading }
    }
    type("y", in: second)
    second.edit("undo")
    end(second)
    end(first)
    let next = opened()
    #expect(text(next) == "xa\nb\n")
    for expected in ["a\nb\n", "a\nb", "a\n", "a", ""] {
      next.edit("undo")
      #expect(text(next) == expected)
    }
  }

  /// The core was killed behind the save, before the steps were kept.
  @Test func theNextCoreKeepsWhatTheLastCouldNot() throws {
    disk.write([], to: "/disk/a")
    let first = opened()
    type("a\n", in: first)
    save(first)
    // With nothing behind the save the journal is as it was then.
    for path in undoFiles { try disk.remove(path) }
    let id = try #require(first.fileInformation?.recoveryID)
    var noPower: SplitMix64?
    let left = disk.afterDeath(losingPower: &noPower)
    let next = CoreDriver(
      handshake: true, system: left, recoveryFolder: RecoveryFolder(at: "/disk/recovery", system: left))
    let answer = next.request("new_view", ["file_path": "/disk/a", "xiedit": ["recover": .string(id)]])
    next.view = ViewID(try #require(answer.get().string))
    end(next)
    #expect(left.fileNames.contains { $0.hasPrefix("/disk/undo/") })
  }

  @Test func aSaveUnderAnotherNameTakesTheStepsAlong() {
    makeFile("", ["a"])
    let driver = opened()
    type("b", in: driver)
    save(driver, to: "/disk/b")
    end(driver)
    let (old, new) = (opened(), opened("/disk/b"))
    for driver in [old, new] { for _ in 0..<5 { driver.edit("undo") } }
    #expect(text(old) == "" && text(new) == "")
    for driver in [old, new] { for _ in 0..<5 { driver.edit("redo") } }
    #expect(text(old) == "a\n" && text(new) == "ba\n")
  }

  // MARK: Bytes of the file

  /// The line end that a save has put at the end is shown then, and is taken back with the last step.
  @Test(arguments: ["\n", "\r\n"]) func theAddedLineEndIsTakenBackWithTheStepBeforeIt(lineEnding: String) {
    disk.write(Array("x\(lineEnding)y".utf8), to: "/disk/a")
    let first = opened()
    first.edit("move_to_end_of_document")
    type("z", in: first)
    save(first)
    end(first)
    #expect(disk.contents("/disk/a") == Array("x\(lineEnding)yz\(lineEnding)".utf8))
    let next = opened()
    next.edit("undo")
    #expect(text(next) == "x\(lineEnding)y" && isSaved(next) == false)
    next.edit("redo")
    #expect(text(next) == "x\(lineEnding)yz\(lineEnding)" && isSaved(next) == true)
  }

  private static let encodings: [TextEncoding] = [
    .utf8WithMark, .utf16LittleEndianWithMark, .utf16BigEndianWithMark, .latin1,
  ]

  @Test(arguments: encodings) func stepsAreOfTheTextWhateverItsEncoding(encoding: TextEncoding) throws {
    let contents = try FileImage(encoding).bytes(of: "é\r\nein schöner Tag für Bäume\r\n")
    disk.write(contents.bytes(in: contents.fullRange), to: "/disk/a")
    let first = opened()
    let known = first.document?.file.image.encoding
    type("ü ", in: first)
    save(first)
    end(first)
    let next = opened()
    #expect(next.document?.file.image.encoding == known)
    next.edit("undo")
    #expect(text(next) == "é\r\nein schöner Tag für Bäume\r\n")
    save(next)
    #expect(disk.contents("/disk/a") == contents.bytes(in: contents.fullRange))
  }

  /// In another encoding the text before would be saved otherwise than it was.
  @Test func aFileThatIsReadInAnotherEncodingHasNone() throws {
    let contents = try FileImage(.latin1).bytes(of: "é ein schöner Tag für Bäume\n")
    disk.write(contents.bytes(in: contents.fullRange), to: "/disk/a")
    let first = opened()
    first.edit("select_all")
    type("plain\n", in: first)
    save(first)
    end(first)
    let next = opened()
    next.edit("undo")
    #expect(text(next) == "plain\n" && next.document?.file.image.encoding == .utf8)
  }

  private static let longText = String(repeating: "a line of some length\n", count: 4000)

  /// One that is loaded until the disk goes on.
  private func openedLong() -> CoreDriver {
    let driver = driver()
    driver.session.files.loader.firstByteCount = 1000
    driver.session.files.loader.pieceByteCount = 1000
    disk.hold(true)
    driver.open("/disk/a")
    #expect(driver.document?.file.loadJob != nil)
    return driver
  }

  private func load(_ driver: CoreDriver) {
    disk.hold(false)
    driver.run { driver.document?.file.loadJob == nil }
  }

  private func makeLongFile(typing typed: String?) {
    disk.write(Array(Self.longText.utf8), to: "/disk/a")
    guard let typed else { return }
    let driver = opened()
    type(typed, in: driver)
    save(driver)
    end(driver)
  }

  @Test func stepsOfALongFileComeBeneathThoseMadeWhileItIsLoaded() {
    makeLongFile(typing: "1\n")
    let next = openedLong()
    type("2\n", in: next)
    load(next)
    for expected in ["1\n" + Self.longText, Self.longText, Self.longText] {
      next.edit("undo")
      #expect(text(next) == expected)
    }
    for _ in 0..<3 { next.edit("redo") }
    #expect(text(next) == "2\n1\n" + Self.longText)
  }

  /// It waits for the steps, which are known once all of the file is; and what is typed behind it waits for it.
  @Test func whatIsUndoneWhileALongFileIsLoadedIsUndoneThen() {
    makeLongFile(typing: "1\n")
    let next = openedLong()
    type("2\n", in: next)
    next.edit("undo")
    #expect(text(next).hasPrefix("1\n"))
    next.edit("undo")
    type("3\n", in: next)
    #expect(text(next).hasPrefix("1\n"))
    load(next)
    #expect(text(next) == "3\n" + Self.longText)
    next.edit("undo")
    #expect(text(next) == Self.longText)
  }

  @Test func withoutStepsNothingWaitsForALongFile() {
    makeLongFile(typing: nil)
    let next = openedLong()
    next.edit("undo")
    next.edit("redo")
    type("2\n", in: next)
    #expect(text(next).hasPrefix("2\n"))
    load(next)
  }

  // MARK: The end of a process

  /// The core that takes over has the steps of earlier runs, and those that were taken back of them.
  @Test(arguments: 0...4, [false, true]) func aCoreThatTakesOverHasThem(undone: Int, saves: Bool) {
    makeFile("", ["a", "b"])
    let first = opened()
    type("c", in: first)
    if saves { save(first) }
    for _ in 0..<undone { first.edit("undo") }
    type("d", in: first)
    first.awaitJournal()
    var noPower: SplitMix64?
    let left = disk.afterDeath(losingPower: &noPower)
    let folder = RecoveryFolder(at: "/disk/recovery", system: left)
    let next = CoreDriver(handshake: true, system: left, recoveryFolder: folder)
    let id = first.fileInformation?.recoveryID ?? ""
    let answer = next.request("new_view", ["file_path": "/disk/a", "xiedit": ["recover": .string(id)]])
    next.view = ViewID((try? answer.get())?.string ?? "")
    for method in ["undo", "redo"] {
      for _ in 0..<8 {
        #expect(text(next) == text(first))
        for driver in [first, next] { driver.edit(method) }
      }
    }
    #expect(text(next) == text(first) && isSaved(next) == isSaved(first))
  }

  /// Where both processes have died, and what was not saved is taken.
  @Test(arguments: 0...4) func whatIsRestoredComesBehindThem(undone: Int) throws {
    makeFile("", ["a", "b"])
    let first = opened()
    for _ in 0..<undone { first.edit("undo") }
    type("d", in: first)
    first.edit("insert_newline")
    var noPower: SplitMix64?
    let left = disk.afterDeath(losingPower: &noPower)
    let next = CoreDriver(
      handshake: true, system: left, recoveryFolder: RecoveryFolder(at: "/disk/recovery", system: left))
    next.open("/disk/a")
    let offers = next.notifications.compactMap { if case .recoveryFound(let offer) = $0 { offer } else { nil } }
    let offer = try #require(offers.first)
    next.notify(.recover(next.view, recoveryID: offer.recoveryID, .restore))
    for method in ["undo", "redo"] {
      for _ in 0..<8 {
        #expect(text(next) == text(first))
        for driver in [first, next] { driver.edit(method) }
      }
    }
    #expect(text(next) == text(first) && isSaved(next) == isSaved(first))
  }

  /// Whatever call is the last: the file has its steps, or none.
  @Test func aProcessThatDiesAtAnyCallLeavesNoWrongSteps() {
    for losesPower in [false, true] {
      var call = 1
      while true {
        let disk = SimulatedDisk(folders: ["/", "/disk", "/disk/recovery"])
        disk.write(Array("0\n".utf8), to: "/disk/a")
        func opened(_ disk: SimulatedDisk) -> CoreDriver {
          let driver = CoreDriver(
            handshake: true, system: disk, recoveryFolder: RecoveryFolder(at: "/disk/recovery", system: disk))
          driver.open("/disk/a")
          return driver
        }
        let first = opened(disk)
        type("1\n", in: first)
        save(first)
        first.awaitJournal()
        first.document?.buffer.history.closeStep()
        type("2\n", in: first)
        disk.expect(.death(atCall: call))
        save(first)
        end(first)
        var random = losesPower ? SplitMix64(state: UInt64(call)) : nil
        let next = opened(disk.afterDeath(losingPower: &random))
        let texts = ["1\n2\n0\n", "1\n0\n", "0\n"]
        let found = text(next)
        guard let index = texts.firstIndex(of: found) else {
          Issue.record("the file holds \(found), died at \(call)")
          return
        }
        var position = index
        for _ in 0..<3 {
          next.edit("undo")
          if text(next) == texts[position] { continue }
          position += 1
          #expect(position < 3 && text(next) == texts[position], "died at \(call)")
          guard position < 3 else { return }
        }
        guard disk.isDead else { break }
        call += 1
      }
      #expect(call > 10)
    }
  }

  // MARK: Limits

  @Test func itIsBounded() {
    let limits: [(JournalHistoryLimit, String)] = [
      (JournalHistoryLimit(steps: 2), "dddd\neeee\n"), (JournalHistoryLimit(places: 1), "dddd\n"),
      (JournalHistoryLimit(byteCount: 1 << 20), "aaaa\nbbbb\ncccc\ndddd\neeee\n"),
    ]
    for (limit, _) in limits {
      disk.write(Array("aaaa bbbb cccc dddd".utf8), to: "/disk/a")
      let first = driver { $0.keptUndoLimit = limit }
      first.open("/disk/a")
      for _ in 0..<4 {
        first.edit("move_to_end_of_document")
        first.edit("delete_word_backward")
        first.edit("insert_newline")
      }
      save(first)
      end(first)
      let next = opened()
      var count = 0
      var known = text(next)
      while count < 20 {
        next.edit("undo")
        if text(next) == known { break }
        known = text(next)
        count += 1
      }
      #expect(count == min(8, limit.steps, limit.places), "\(limit)")
    }
  }

  /// What lies before it cannot be had without it.
  @Test func aLongDeletionIsNotKept() {
    makeFile("", ["a"])
    let first = driver { $0.keptUndoLimit.byteCount = 1000 }
    first.open("/disk/a")
    type(String(repeating: "long ", count: 1000), in: first)
    save(first)
    first.edit("select_all")
    first.edit("delete_backward")
    type("b\n", in: first)
    save(first)
    end(first)
    let next = opened()
    for _ in 0..<5 { next.edit("undo") }
    #expect(text(next) == "")
    next.edit("redo")
    #expect(text(next) == "b\n" && isSaved(next) == true)
    // Nothing is left of a text whose last step is one.
    let last = driver { $0.keptUndoLimit.byteCount = 1 }
    last.open("/disk/a")
    last.edit("select_all")
    last.edit("delete_backward")
    save(last)
    end(last)
    #expect(undoFiles == [])
  }

  @Test func theOldestGoWhereTheyAreTooMany() throws {
    let place = { (name: String) in try self.disk.place(of: "/disk/" + name) }
    for name in ["a", "b", "c", "d"] {
      disk.write([], to: "/disk/" + name)
      let driver = driver {
        $0.mostKeptUndos = 2
      }
      driver.open("/disk/" + name)
      type("x\n", in: driver)
      save(driver, to: "/disk/" + name)
      end(driver)
    }
    var folder = try #require(RecoveryFolder(at: "/disk/recovery", system: disk))
    #expect(undoFiles.count == 2)
    #expect(try folder.keptUndo(of: place("a")) == nil)
    #expect(try folder.keptUndo(of: place("d")) != nil)
    folder.largestKeptUndos = 100
    folder.removeExpiredUndo(now: 0)
    #expect(undoFiles.count == 1)
    #expect(try folder.keptUndo(of: place("d")) != nil)
    let now = Int(time(nil))
    folder.removeExpiredUndo(now: now + 80 * 24 * 60 * 60)
    #expect(undoFiles.count == 1)
    folder.removeExpiredUndo(now: now + 100 * 24 * 60 * 60)
    #expect(undoFiles == [])
  }

  /// A disk that is taken out keeps them.
  @Test func theyGoWithTheirFile() throws {
    try disk.makeDirectory("/disk/folder", mode: 0o700)
    for name in ["/disk/a", "/disk/b", "/disk/folder/c"] {
      disk.write([], to: name)
      let driver = opened(name)
      type("x\n", in: driver)
      save(driver, to: name)
      end(driver)
    }
    #expect(undoFiles.count == 3)
    try disk.remove("/disk/a")
    try disk.remove("/disk/folder/c")
    try disk.remove("/disk/folder")
    end(opened("/disk/b"))
    #expect(undoFiles.count == 2 && !undoFiles.contains { $0.contains("/a-") })
  }

  // MARK: Where none are kept

  @Test func aFileThatNeverCameToBeHasNone() {
    let driver = opened("/disk/new")
    type("secret", in: driver)
    driver.edit("undo")
    #expect(isSaved(driver) == true)
    end(driver)
    #expect(undoFiles == [])
  }

  @Test func whatIsTurnedOffWhileAFileIsOpenIsNotAsked() {
    makeFile("", ["a"])
    let driver = opened()
    driver.notify(.modifyUserConfig(.general, changes: ["keep_undo": false]))
    driver.edit("undo")
    #expect(text(driver) == "a\n")
  }

  @Test func theSettingTurnsItOff() {
    makeFile("", ["a"])
    let driver = opened()
    driver.notify(.modifyUserConfig(.general, changes: ["keep_undo": false]))
    type("b", in: driver)
    save(driver)
    end(driver)
    #expect(undoFiles == [] && driver.alerts == [])
    let next = opened()
    next.edit("undo")
    #expect(text(next) == "ba\n")
  }

  @Test func filesOfGitAndOthersFrontEndsKeepNone() {
    disk.write([], to: "/disk/.git/COMMIT_EDITMSG")
    let driver = opened("/disk/.git/COMMIT_EDITMSG")
    type("b\n", in: driver)
    save(driver, to: "/disk/.git/COMMIT_EDITMSG")
    end(driver)
    let other = CoreDriver(system: disk, recoveryFolder: RecoveryFolder(at: "/disk/recovery", system: disk))
    other.open("/disk/a")
    type("b\n", in: other)
    save(other)
    end(other)
    #expect(undoFiles == [])
    makeFile("", ["a"])
    let xi = CoreDriver(system: disk, recoveryFolder: RecoveryFolder(at: "/disk/recovery", system: disk))
    xi.open("/disk/a")
    xi.edit("undo")
    #expect(text(xi) == "a\n")
  }

  /// A password that is being edited is to be gone with its file; and a text of the disk that is saved there leaves nothing behind.
  @Test func ofWhatIsPrivateAndInMemoryNothingStays() throws {
    let files = TemporaryFolder()
    mkdir(files("run"), 0o755)
    let system = FaultyFileSystem(.filesAreInMemory)
    var folder = try #require(RecoveryFolder(at: files("recovery"), system: system))
    folder.memoryPaths = [files("run/xiedit/journals")]
    func open(_ name: String) -> CoreDriver {
      let driver = CoreDriver(handshake: true, recoveryFolder: folder)
      driver.open(files(name))
      return driver
    }
    files.write("text\n", to: "a")
    let first = open("a")
    type("secret ", in: first)
    save(first, to: files("a"))
    end(first)
    #expect(!files.names.contains("undo"))
    #expect(try !LinuxFileSystem().names(inDirectory: files("run/xiedit")).contains("undo"))
    let next = open("a")
    next.edit("undo")
    #expect(text(next) == "secret text\n")
    end(next)

    chmod(files.path, 0o755)
    mkdir(files("open"), 0o755)
    files.write("text\n", to: "open/b")
    chmod(files("open/b"), 0o644)
    let other = open("open/b")
    type("x", in: other)
    files.write("", to: "c")
    chmod(files("c"), 0o600)
    save(other, to: files("c"))
    end(other)
    #expect(files.contents("c") == "xtext\n" && !files.names.contains("undo"))
  }

  /// The save is what counts.
  @Test func whereTheStepsCannotBeWrittenTheSaveIsTold() throws {
    disk.write([], to: "/disk/undo")
    let driver = opened()
    type("b\n", in: driver)
    save(driver)
    #expect(driver.alerts == [] && isSaved(driver) == true)
    try disk.remove("/disk/undo")
    disk.fill(true)
    let document = try #require(driver.document)
    driver.session.recovery.keepUndo(
      document.journaledHistory(revision: 0, [:], JournalHistoryLimit()), of: document,
      revision: document.buffer.revision)
    driver.run { !driver.sessionMessages.isEmpty }
    disk.fill(false)
    #expect(driver.sessionMessages.first?.hasPrefix("undo steps are not kept: cannot write") == true)
    #expect(driver.alerts == [] && undoFiles == [])
  }

  // MARK: Damage

  @Test func whatIsDamagedIsLeftAlone() throws {
    makeFile("old\n", ["a", "b"])
    let path = try #require(undoFiles.first)
    let kept = try #require(disk.contents(path))
    var random = SplitMix64(state: 7)
    var logged = 0
    for round in 0..<400 {
      var bytes = kept
      let (place, byte) = (
        Int.random(in: 0..<kept.count, using: &random), UInt8.random(in: 1...255, using: &random)
      )
      switch round % 5 {
      case 0: bytes.removeSubrange(place...)
      case 1: bytes[place] ^= byte
      case 2: bytes += kept
      case 3: bytes.insert(byte, at: place)
      default: bytes = kept.shuffled(using: &random)
      }
      disk.write(bytes, to: path)
      let driver = opened()
      for method in ["undo", "redo"] { driver.edit(method) }
      #expect(text(driver) == "a\nb\nold\n" && driver.alerts == [], "round \(round)")
      logged += driver.sessionMessages.count
      end(driver)
    }
    #expect(logged == 400)
  }

  /// With a checksum that holds.
  @Test func stepsThatAreNoneOfTheTextAreLeftOut() throws {
    makeFile("old\n", ["a", "b"])
    let path = try #require(undoFiles.first)
    let bytes = try #require(disk.contents(path))
    let (base, history) = try #require(KeptUndo.decode(bytes))
    var random = SplitMix64(state: 11)
    func number() -> Int {
      [0, 1, 8, 9, 10, 1 << 40, Int.max - 1].randomElement(using: &random) ?? 0
    }
    for round in 0..<300 {
      var forged = history
      let steps = (0..<Int.random(in: 0...4, using: &random)).map { _ in
        var builder = Delta.Builder(baseByteCount: [8, 8, 7, 9, number()].randomElement(using: &random) ?? 0)
        let start = Int.random(in: 0...6, using: &random)
        builder.replace(ByteOffset(start)..<ByteOffset(start + 1), with: "é")
        return JournalHistory.Step(
          stateBefore: number() & 0xFF_FFFF, stateAfter: number() & 0xFF_FFFF, delta: builder.build())
      }
      if Bool.random(using: &random) { forged.done = steps + (Bool.random(using: &random) ? history.done : []) }
      if Bool.random(using: &random) { forged.undone = steps }
      let (start, checksum) = JournalFormat.start(base)
      disk.write(start + JournalFormat.encode(.history(forged), after: checksum).bytes, to: path)
      let driver = opened()
      for method in ["undo", "undo", "undo", "undo", "redo", "redo", "redo", "redo", "redo"] { driver.edit(method) }
      type("x", in: driver)
      #expect(!text(driver).isEmpty && driver.cache.problems == [], "round \(round)")
      driver.notify(.closeView(driver.view))
    }
  }

  @Test func theStepsOfAnotherFileAreLeftAlone() throws {
    makeFile("", ["a"])
    let path = try #require(undoFiles.first)
    let bytes = try #require(disk.contents(path))
    disk.write(Array("a\n".utf8), to: "/disk/b")
    let folder = try #require(RecoveryFolder(at: "/disk/recovery", system: disk))
    disk.write(bytes, to: "/disk/undo/\(folder.key(for: try disk.place(of: "/disk/b"))).undo")
    let driver = opened("/disk/b")
    driver.edit("undo")
    #expect(text(driver) == "a\n")
  }

  // MARK: As without an end

  /// A session of random edits that is closed and opened again at random, and one that is not.
  @Test(arguments: 0..<24) func itIsAsIfTheFileHadNotBeenClosed(seed: UInt64) {
    var random = SplitMix64(state: seed)
    let start = ["one\ntwo\n", "one\r\ntwo\r\n", "", "\u{FEFF}eins\n"][Int(seed) % 4]
    let other = SimulatedDisk(folders: ["/", "/disk", "/disk/recovery"])
    for disk in [disk, other] { disk.write(Array(start.utf8), to: "/disk/a") }
    let clock = ContinuousClock.now
    func opened(_ disk: SimulatedDisk) -> CoreDriver {
      let driver = CoreDriver(
        handshake: true, system: disk, recoveryFolder: RecoveryFolder(at: "/disk/recovery", system: disk))
      driver.notify(.modifyUserConfig(.general, changes: ["save_with_newline": false, "auto_indent": false]))
      driver.open("/disk/a")
      driver.document?.buffer.now = { clock }
      driver.document?.buffer.history.continueStep(at: clock)
      return driver
    }
    let lasting = opened(other)
    var closing = opened(disk)
    var log: [String] = []
    func edit(_ method: String, _ params: JSONValue = []) {
      log.append("\(method) \(params)")
      for driver in [lasting, closing] { driver.edit(method, params) }
    }
    for _ in 0..<60 {
      switch Int.random(in: 0..<22, using: &random) {
      case 0..<6: edit("insert", ["chars": .string(["a", "b ", "é", "xyz"].randomElement(using: &random) ?? "")])
      case 6: edit("insert_newline")
      case 7: edit("delete_backward")
      case 8: edit("duplicate_line")
      case 9..<12: edit("undo")
      case 12, 13: edit("redo")
      case 14: edit(Bool.random(using: &random) ? "move_right" : "move_to_end_of_document")
      case 15: edit("add_selection_below")
      case 16, 17:
        log.append("save")
        for driver in [lasting, closing] { save(driver) }
      // Of what has no line end any more a new run does not know which it had.
      case 18: edit(start.contains("\r\n") ? "move_left" : "select_all")
      default:
        guard lasting.document?.isPristine == true else { continue }
        log.append("close")
        end(closing, closing: Bool.random(using: &random))
        closing = opened(disk)
        lasting.document?.buffer.history.closeStep()
        edit("move_to_beginning_of_document")
      }
      let what = log.joined(separator: "\n")
      #expect(text(closing) == text(lasting), "seed \(seed):\n\(what)")
      #expect(isSaved(closing) == isSaved(lasting), "seed \(seed):\n\(what)")
      guard text(closing) == text(lasting) else { return }
    }
    for method in ["undo", "redo"] {
      for _ in 0..<40 {
        edit(method)
        #expect(text(closing) == text(lasting), "seed \(seed), at the end:\n\(log.joined(separator: "\n"))")
        #expect(isSaved(closing) == isSaved(lasting), "seed \(seed), at the end:\n\(log.joined(separator: "\n"))")
      }
      if method == "undo" { #expect(text(closing) == (start.hasPrefix("\u{FEFF}") ? "eins\n" : start)) }
    }
    #expect(closing.sessionMessages == [] && closing.alerts == [])
  }
}
