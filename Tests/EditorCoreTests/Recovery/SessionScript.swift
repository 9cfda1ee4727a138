import EditorProtocol
import JSON
import Rope

@testable import EditorCore

/// A random session on a simulated disk, with a text that may be saved to another file, and what the user was promised in it.
final class SessionScript {
  private static let paths = ["/disk/a", "/disk/b"]
  private static let recovery = "/disk/recovery"

  /// What a text was when it was shown.
  struct Shown: Equatable {
    let text: Rope
    /// It is that of the last save.
    var isPristine: Bool
    /// What the last line, without an end, gets by a save.
    let lineEnding: String

    /// That of the file after a save.
    var ended: Rope {
      guard !text.isEmpty, text[text.endOffset - 1] != 0x0A else { return text }
      var text = text
      text.append(Rope(lineEnding))
      return text
    }
  }

  let disk: SimulatedDisk
  private(set) var shown: [Shown] = []
  /// The last of them that was shown while the process lived and its journal held: after a death of the process it, or a later one, is had again.
  private(set) var promised = 0
  /// The last of them that was told to be saved: after a loss of power too.
  private(set) var saved = 0
  /// The file as it was when it was opened.
  private var initial: [UInt8]
  private var isHeld = false
  /// What the view has is not wanted any more, and may be had still.
  private var isClosing = false
  /// The file that the text is of: the last that was told, and one that a save which may have been done was to.
  private var (path, nextPath): (String, String?) = (paths[0], nil)
  /// All that each file may hold.
  private var contents: [String: Set<[UInt8]>]
  private(set) var hasOtherWriter = false
  private(set) var log: [String] = []
  private var random: SplitMix64
  private let driver: CoreDriver
  /// Gets the session at first, and what comes after its death.
  var onDriver: (CoreDriver) -> Void = { _ in } { didSet { onDriver(driver) } }

  /// - Parameter seed: Of the contents of the file, and of all that is done.
  init(seed: UInt64) {
    random = SplitMix64(state: seed)
    disk = SimulatedDisk(folders: ["/", "/disk", Self.recovery])
    let texts = ["", "text", "text\n", "one\ntwo", "one\r\ntwo", "\u{FEFF}marked", "é\nlines\nof some length\n"]
    let bytes = Array(texts[Int.random(in: 0..<texts.count, using: &random)].utf8)
    (initial, contents) = (bytes, [Self.paths[0]: [bytes], Self.paths[1]: [[]]])
    if !bytes.isEmpty { disk.write(bytes, to: Self.paths[0]) }
    driver = Self.driver(on: disk, keepsCopies: seed % 2 == 0, writesInPieces: seed % 3 == 0)
    if seed % 4 == 1 { disk.shortenWrites() }
  }

  private static func driver(on disk: SimulatedDisk, keepsCopies: Bool = true, writesInPieces: Bool = false)
    -> CoreDriver
  {
    var folder = RecoveryFolder(at: recovery, system: disk)
    if !keepsCopies { folder?.largestBaseCopy = 0 }
    if writesInPieces {
      folder?.largestRecordAtOnce = 1
      folder?.pieceOfLongRecord = 7
    }
    let driver = CoreDriver(handshake: true, system: disk, recoveryFolder: folder)
    driver.session.files.loader.firstByteCount = 4
    driver.session.files.loader.pieceByteCount = 4
    return driver
  }

  // MARK: The script

  /// - Parameter fault: At one of the calls after the file was opened.
  func run(_ fault: SimulatedDisk.Fault) {
    isHeld = Int.random(in: 0..<3, using: &random) == 0
    disk.hold(isHeld)
    disk.expect(fault)
    open()
    driver.onNotification = { [unowned self] in note($0) }
    let count = Int.random(in: 1..<12, using: &random)
    let release = Int.random(in: 0..<count, using: &random)
    for step in 0..<count {
      if isHeld, step == release {
        letLoad()
        log.append("loaded")
      }
      perform()
      show()
    }
    letLoad()
    show()
  }

  private func open() {
    driver.open(path)
    // Edits that waited are made at once, and each is journaled for itself: a death leaves some of them.
    driver.document?.buffer.willChange = { [unowned self] in show() }
    awaitLoad(unless: isHeld)
    show()
  }

  private func letLoad() {
    isHeld = false
    disk.hold(false)
    awaitLoad()
  }

  /// Closes the text, saved or not, and opens the file again.
  private func close() {
    guard !disk.isDead, driver.document != nil else { return }
    log.append("close, open")
    // All of it is read before it is closed, or nothing.
    letLoad()
    show()
    initial = disk.contents(path) ?? []
    shown.append(
      Shown(text: FileImage.split(Rope(initial)).text, isPristine: true, lineEnding: shown.last?.lineEnding ?? "\n"))
    isClosing = true
    driver.notify(.closeView(driver.view))
    isClosing = disk.isDead
    open()
  }

  /// The front end ends: what is not saved is on the disk then.
  func finish() { driver.session.finish() }

  private func awaitLoad(unless isHeld: Bool = false) {
    if !isHeld { driver.run { driver.document?.file.loadJob == nil } }
  }

  private func note(_ notification: CoreNotification) {
    guard case .update = notification else { return }
    show()
    guard !disk.isDead, !isClosing, let recovery = driver.document?.recovery, let journal = recovery.journal else {
      return
    }
    // An update that is on its way may be of an earlier text than one that the journal lacks.
    if !recovery.journalHasFailed, !journal.isBehind { promised = shown.count - 1 }
  }

  /// What is not loaded yet belongs to what the user sees, but where what is there was saved elsewhere.
  private func show() {
    guard let document = driver.document else { return }
    var text = document.buffer.text
    if document.file.loadJob != nil || document.file.partlyRead != nil && document.file.path == nil {
      let whole = FileImage.split(Rope(initial)).text
      let first = FileImage.certainText(ofBeginning: Rope(initial.prefix(4))).byteCount
      let loaded = min(first + document.buffer.history.loadedByteCount, whole.byteCount)
      text.append(whole.slice(ByteOffset(loaded)..<whole.endOffset))
    }
    let now = Shown(text: text, isPristine: document.buffer.history.isAtSavedState, lineEnding: document.lineEnding)
    if shown.last != now { shown.append(now) }
  }

  private func perform() {
    switch Int.random(in: 0..<24, using: &random) {
    case 23:
      log.append("the clock goes back")
      disk.turnClockBack()
    case 22: otherProgramCutsJournal()
    case 21: choose()
    case 20: close()
    case 0..<6: edit("insert", ["chars": .string(["a", "b ", "é", "xyz"].randomElement(using: &random) ?? "")])
    case 6: edit("insert_newline")
    case 7, 8: edit(Bool.random(using: &random) ? "delete_backward" : "delete_word_backward")
    case 9, 10: edit("undo")
    case 11: edit("redo")
    case 12: edit("move_to_end_of_document")
    case 13: edit("move_right")
    case 14..<17: save()
    case 17: otherProgramWrites()
    case 18: reload()
    default: edit("select_all")
    }
  }

  private func edit(_ method: String, _ params: JSONValue = []) {
    log.append("\(method) \(params)")
    driver.edit(method, params)
  }

  private func save() {
    guard let document = driver.document else { return }
    let policy = Int.random(in: 0..<4, using: &random) == 0 ? "always" : "if_unchanged"
    log.append("save \(policy)")
    letLoad()
    show()
    let state = shown.count - 1
    let bytes = (try? document.imageToSave.bytes(of: document.buffer.text)) ?? Rope()
    let target = Int.random(in: 0..<3, using: &random) == 0 ? Self.paths.randomElement(using: &random) ?? path : path
    contents[target]?.insert(bytes.bytes(in: bytes.fullRange))
    guard target != path || Int.random(in: 0..<4, using: &random) > 0 else {
      return saveAndReload(document, policy == "always" ? .always : .ifUnchanged, state)
    }
    log.append("to \(target)")
    // Of those that follow a death nothing was begun.
    if !disk.isDead { nextPath = target }
    let isTypedInto = Int.random(in: 0..<3, using: &random) == 0
    let isWrittenTo = Int.random(in: 0..<8, using: &random) == 0
    let answer = driver.request(
      "xiedit_save",
      ["view_id": .string(driver.view.rawValue), "file_path": .string(target), "overwrite": .string(policy)]
    ) {
      if isTypedInto { edit("insert", ["chars": "m"]) }
      if isWrittenTo { otherProgramWrites(to: target) }
    }
    guard !disk.isDead else { return }
    nextPath = nil
    switch answer {
    case .success:
      (saved, path) = (state, target)
      // It may never be shown so, as it was typed into, and is another's to overwrite all the same.
      shown[state].isPristine = true
    case .failure(let error): log.append("not saved: \(error.message)")
    }
  }

  /// The file is asked for while it is written.
  private func saveAndReload(_ document: Document, _ policy: OverwritePolicy, _ state: Int) {
    log.append("reload meanwhile")
    var isDone = false
    driver.session.files.save(document, to: path, policy) { [unowned self] error in
      isDone = true
      if error == nil, !disk.isDead { saved = state }
      if let error { log.append("not saved: \(error.message)") }
    }
    driver.session.reloads.reload(document)
    driver.run { isDone && !driver.session.reloads.isReading }
    driver.settle()
  }

  private func otherProgramWrites() {
    otherProgramWrites(to: path)
    // It may come to be known at once, or when the file is saved.
    guard Bool.random(using: &random), let document = driver.document, document.file.loadJob == nil else { return }
    log.append("it is seen")
    driver.session.reloads.checkFile(of: document)
    settleReload()
  }

  private func otherProgramWrites(to path: String) {
    hasOtherWriter = true
    let bytes = Array("another's \(Int.random(in: 0..<100, using: &random))\n".utf8)
    let isInPlace = Bool.random(using: &random)
    log.append("another writes, in place: \(isInPlace)")
    // First: the core's threads may meet the death directly behind the write.
    contents[path]?.insert(bytes)
    disk.write(bytes, to: path, inPlace: isInPlace)
  }

  /// In what is told by any file.
  private func choose() {
    let encoding = [TextEncoding.utf8, .utf16LittleEndianWithMark].randomElement(using: &random) ?? .utf8
    log.append("choose \(encoding)")
    driver.notify(.setEncoding(driver.view, encoding, readsAgain: false))
  }

  /// It is noticed with the next edit, and all is there again.
  private func otherProgramCutsJournal() {
    guard !disk.isDead, let journal = disk.fileNames.first(where: { $0.hasSuffix(".journal") }) else { return }
    let bytes = disk.contents(journal) ?? []
    let count = Bool.random(using: &random) ? 0 : bytes.count / 2
    log.append("another cuts the journal to \(count)")
    (hasOtherWriter, promised) = (true, saved)
    disk.write(Array(bytes.prefix(count)), to: journal, inPlace: true)
    edit("insert", ["chars": "c"])
  }

  private func reload() {
    guard let document = driver.document, document.file.loadJob == nil, document.buffer.history.isAtSavedState else {
      return
    }
    log.append("reload")
    driver.notify(.reload(driver.view))
    settleReload()
  }

  private func settleReload() { driver.run { driver.session.reloads.isReading == false } }

  // MARK: What is left

  /// What is wrong with what the next session finds; nil if nothing is.
  /// - Parameter isEnded: The session has ended, and all is on the disk.
  func problem(losingPower: Bool, isEnded: Bool = false) -> String? {
    // It may have died before it could tell that it was saved there.
    if let nextPath, nextPath != path, problem(nextPath, losingPower, isEnded) == nil { return nil }
    return problem(path, losingPower, isEnded)
  }

  private func problem(_ path: String, _ losingPower: Bool, _ isEnded: Bool) -> String? {
    var power: SplitMix64? = losingPower ? SplitMix64(state: UInt64(shown.count)) : nil
    let after = disk.afterDeath(losingPower: &power)
    let file = after.contents(path) ?? []
    guard contents[path]?.contains(file) == true else {
      return "the file is torn: \(String(decoding: file, as: UTF8.self))"
    }
    guard !shown.isEmpty else { return nil }
    let next = Self.driver(on: after)
    onDriver(next)
    next.open(path)
    next.run { next.document?.file.loadJob == nil }
    let floor = losingPower && !isEnded ? saved : promised
    let found: Rope
    var offer = next.recoveryOffer
    if let id = offer?.recoveryID, offer?.baseChanged == false {
      next.notify(.recover(next.view, recoveryID: id, .restore))
      offer = next.recoveryOffer
    }
    if let offer, !offer.baseChanged {
      found = next.document?.buffer.text ?? "(none)"
    } else if let offer {
      if !hasOtherWriter { return "the file is said to have changed" }
      _ = next.request("new_view", ["xiedit": ["recover": .string(offer.recoveryID)]])
      return nil
    } else {
      // What was shown to be saved is the file's, whatever another has made of that.
      found = next.document?.buffer.text ?? "(none)"
      if hasOtherWriter, shown[floor...].contains(where: \.isPristine) { return nil }
    }
    let fileText = FileImage.split(Rope(file)).text
    let isThere = shown[floor...].contains { state in
      // After a save the file has a last line that ends. Asked at once, it may turn out that nothing was lost.
      state.text == found || fileText == found && state.ended == found
    }
    guard isThere else {
      return
        "\(offer == nil ? "not offered" : "restored"): '\(string(found))', promised: '\(string(shown[floor].text))' \(next.alerts) \(next.sessionMessages)"
    }
    return goingOn(next, path, after, losingPower)
  }

  /// The session after that ends in a file and no journal.
  private func goingOn(_ next: CoreDriver, _ path: String, _ disk: SimulatedDisk, _ losesPower: Bool) -> String? {
    next.edit("move_to_end_of_document")
    next.edit("insert", ["chars": "!"])
    guard let document = next.document else { return "no view" }
    let bytes = (try? document.imageToSave.bytes(of: document.buffer.text)) ?? Rope()
    next.notify(.save(next.view, path: path))
    // It is asked about what the other wrote.
    if hasOtherWriter, next.alerts.last?.hasSuffix("is not in the text") == true {
      _ = next.request(
        "xiedit_save",
        ["view_id": .string(next.view.rawValue), "file_path": .string(path), "overwrite": "always"])
    }
    guard Rope(disk.contents(path) ?? []) == bytes else { return "not saved: \(next.alerts)" }
    next.notify(.closeView(next.view))
    next.session.finish()
    // With the power a journal may be lost that had been written; it is told then.
    let isTold = next.alerts.contains { $0.contains("is damaged") }
    // So may the name of a journal, and that of its copy not, which goes after a day.
    let isCopy = { (name: String) in losesPower && name.hasSuffix(".journal-base.new") }
    // A journal that cannot be removed is set aside, for a week.
    let isAside = { [refused = self.disk.refused] (name: String) in refused == "remove" && name.contains("discarded") }
    // What is left of the other file is found when that is opened.
    let others = Self.paths.filter { $0 != path }.map { $0.dropFirst("/disk/".count) }
      .flatMap { [Self.recovery + "/\($0)-", "/disk/.\($0).xiedit-save"] }
    let left = disk.fileNames.filter { name in
      !name.hasSuffix(".lock") && !Self.paths.contains(name) && !others.contains(where: name.hasPrefix)
        && !(isTold && name.contains(".journal.damaged")) && !isCopy(name)
        && !isAside(name) && !name.hasPrefix("/disk/undo/")
    }
    return left.isEmpty ? nil : "left: \(left)"
  }

  private func string(_ text: Rope) -> String { text.string(in: text.fullRange) }
}

extension CoreDriver {
  fileprivate var recoveryOffer: RecoveryOffer? {
    notifications.reversed().lazy.compactMap { if case .recoveryFound(let offer) = $0 { offer } else { nil } }.first
  }
}
