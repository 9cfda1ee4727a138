import EditorProtocol
import EventLoop
import Glibc
import Rope

/// A journal that was found on disk, as far as it can be read.
package struct RecoveredJournal: Sendable {
  package let path: String
  package let base: JournalBase
  /// When it was last written to, in nanoseconds since 1970.
  package let modificationTime: Int64
  package let edits: [JournalEdit]
  /// Of each view by its number, as the last record that tells of it has it.
  package let selections: [Int: JournalSelection]
  /// Whether something behind the last whole record was dropped: the last edit of a killed process, or damage.
  package let isCutShort: Bool
  /// Whether that was more than the last edit of a killed process.
  let isDamaged: Bool
  let validByteCount: Int
  let checksum: UInt64
  private let saves: [(revision: UInt64, contents: ContentIdentity, image: FileImage, path: String)]
  /// The undo steps at the base and at saves.
  private let histories: [JournalHistory]
  /// Something has ended the step that was open at the base, before the first edit.
  private let closesFirstStep: Bool
  var lastHistoryRevision: UInt64? { histories.last?.revision }
  /// Of what it tells of.
  let lastRevision: UInt64
  /// What the file held, if that came to be known after the base was written down.
  private let loaded: (contents: ContentIdentity, image: FileImage)?
  /// Of the text at the end; nil while only the beginning of the file had been read, which does not tell.
  let origin: JournalOrigin?
  /// How many of the edits were made while only the beginning of the file was there.
  private let partialEditCount: Int

  package init(at path: String, system: any FileSystem) throws(FileError) {
    let reader = try FileReader(path, system: system)
    let rope = try reader.readAll()
    modificationTime = reader.status.modificationTime
    let bytes = rope.bytes(in: rope.fullRange)
    guard let contents = JournalFormat.decode(bytes), case .base(let base) = contents.records.first else {
      throw FileError(.notAJournal, "cannot recover from", path: path, detail: "it is damaged")
    }
    self.path = path
    self.base = base
    var edits: [JournalEdit] = []
    var selections: [Int: JournalSelection] = [:]
    var saves: [(UInt64, ContentIdentity, FileImage, String)] = []
    var (loaded, partialEditCount): ((ContentIdentity, FileImage)?, Int?) = (nil, base.isPart ? nil : 0)
    var origin = base.isPart ? nil : base.origin
    var (histories, closesFirstStep): ([JournalHistory], Bool) = ([], false)
    for record in contents.records {
      switch record {
      case .base: break
      case .edit(var edit):
        edit.originBefore = origin
        edits.append(edit)
        selections[edit.view] = JournalSelection(
          view: edit.view, handledEdits: edit.handledEdits, regions: edit.selections)
      case .selection(let now): selections[now.view] = now
      case .saving(let revision, let contents, let image, let path):
        saves.append((revision, contents, image, path ?? base.path))
        origin?.encoding = image.encoding
      case .loaded(let contents, let image):
        (loaded, partialEditCount) = ((contents, image), edits.count)
        origin = JournalOrigin(encoding: image.encoding)
      case .origin(let now):
        origin = now
        guard let last = edits.last else { break }
        if last.step.map({ $0.changesOrigin && last.origin == nil }) ?? true { edits[edits.count - 1].origin = now }
      case .history(let history): histories.append(history)
      case .stepClosed:
        if edits.isEmpty { closesFirstStep = true } else { edits[edits.count - 1].isStepClosed = true }
      }
    }
    (self.histories, self.closesFirstStep) = (histories, closesFirstStep)
    lastRevision = max(
      edits.last?.revision ?? 0, saves.map(\.0).max() ?? 0, histories.map(\.revision).max() ?? 0)
    self.origin = origin
    (self.edits, self.selections, self.saves, self.loaded) = (edits, selections, saves, loaded)
    self.partialEditCount = partialEditCount ?? edits.count
    isCutShort = contents.validByteCount < bytes.count
    isDamaged = isCutShort && !JournalFormat.isCutRecord(bytes[contents.readByteCount...])
    validByteCount = contents.validByteCount
    checksum = contents.checksum
  }

  /// One that can be gone on with, as it is read to its end. What is behind damage would be cut off.
  package struct Sound: Sendable {
    let journal: RecoveredJournal

    fileprivate init(_ journal: RecoveredJournal) { self.journal = journal }
  }

  package var sound: Sound? { isDamaged ? nil : Sound(self) }

  /// Of the file that is opened to find it.
  var key: String { JournalName(path.pathName)?.key ?? "" }

  /// Its text lies beside the file that it is found by.
  var isBeside: Bool { base.path.isEmpty && saves.isEmpty && key != RecoveryFolder.untitled }

  /// Whether it is the journal of what is at `place` now, if the file's contents are those that it knows. The path is not asked: folders
  /// are renamed, links led elsewhere. A text that is opened beside a file has a journal of its own.
  func canGoOn(at place: FilePlace?) -> Bool { place != nil || base.path.isEmpty }

  /// Whether the last that is told of the file is that it was being loaded.
  var isOfPart: Bool { base.isPart && loaded == nil }

  /// What can be given back.
  package enum Outcome: Sendable {
    /// The file is what the edits were made to, or what a save made of it: the text, and the edits that lead to it from the file's
    /// text by `image`.
    case text(Rope, edits: [JournalEdit], image: FileImage)
    /// The file has changed, but a copy of what it was is there: the copy's text, and the edits that lead on from it.
    case textOfCopy(Rope, base: Rope)
    /// The file has changed: only what was typed, for a new document.
    case typed(Rope)
    /// All edits are in the file, which is in the encoding that was chosen for it.
    case nothing
  }

  /// Nothing would be lost with it, whatever the file is. What was selected is of use to the front end of that time only.
  var isEmpty: Bool { edits.isEmpty && !isDamaged && (origin == nil || origin == base.origin) }

  /// What the journal makes of the file as it is. O(contents + edits).
  package func replay(on file: FileContents, folder: RecoveryFolder) -> Outcome {
    if let (count, image) = editsIn(file) {
      if count == edits.count, origin.map({ $0.encoding == image.encoding }) ?? true { return .nothing }
      guard let (text, edits) = replay(from: count, on: image.text(of: file.bytes)) else { return .typed(typedText) }
      return .text(text, edits: edits, image: image)
    }
    if edits.isEmpty { return .nothing }
    let (contents, image) = loaded ?? (base.contents, base.image)
    if let copy = folder.baseCopy(of: path), ContentIdentity(of: copy) == contents, let text = image.text(of: copy),
      let (edited, _) = replay(from: 0, on: text)
    {
      return holds(edited, file) ? .nothing : .textOfCopy(edited, base: text)
    }
    return .typed(typedText)
  }

  /// Whether a save of all edits has made the file what it is, though no record tells of that: there was no room for one.
  private func holds(_ text: Rope, _ file: FileContents) -> Bool {
    let image = file.version.image
    guard origin.map({ $0.encoding == image.encoding }) ?? true, let found = image.text(of: file.bytes),
      found.starts(with: text)
    else { return false }
    return ["", "\n", "\r\n"].contains { Rope($0) == found.slice(text.endOffset..<found.endOffset) }
  }

  /// How many of a view's `edit` messages, of those that the journal counts, the file has; nil when the journal does not know the file.
  func savedEdits(inView view: Int, of file: FileContents) -> Int? {
    guard let (count, _) = editsIn(file) else { return nil }
    guard count < edits.count else { return selections[view]?.handledEdits ?? 0 }
    // Of one in another view the front end knows nothing by this view's count.
    return edits[count].view == view ? max(edits[count].handledEdits - 1, 0) : 0
  }

  /// Whether the file seems, without being read, to be what the edits were made to, or what a save made of it.
  func seemsToBeOf(_ status: FileStatus?) -> Bool {
    status?.stamp == base.stamp || saves.contains { $0.contents.size == status?.size }
  }

  /// How many of the edits the file has, and how it corresponds to the text with them; nil when the journal does not know it.
  private func editsIn(_ file: FileContents) -> (count: Int, image: FileImage)? {
    // A text that was begun empty is no text of this file, though that be empty.
    if base.path.isEmpty, saves.isEmpty, file.version.status != nil { return nil }
    // The latest save first: its contents may be those of the base.
    if let save = saves.last(where: { $0.contents == file.version.contents }) {
      return (edits.firstIndex { $0.revision > save.revision } ?? edits.count, save.image)
    }
    let (contents, image) = loaded ?? (base.contents, base.image)
    guard isOfPart else { return file.version.contents == contents ? (0, image) : nil }
    guard file.version.status?.stamp == base.stamp, file.bytes.byteCount >= contents.size else { return nil }
    let beginning = file.bytes.slice(0..<ByteOffset(contents.size))
    guard ContentIdentity(of: beginning) == contents else { return nil }
    return (0, FileImage.split(file.bytes, beginningWith: FileImage.certainText(ofBeginning: beginning)).image)
  }

  /// What the file is to the text, if the journal knows it, and the undo steps that this text has before the edits that are to be made.
  func state(of file: FileContents) -> (image: FileImage, history: JournalHistory?)? {
    guard let (count, image) = editsIn(file) else { return nil }
    let save = saves.last { $0.contents == file.version.contents }
    var history = save.map { save in histories.last { $0.revision == save.revision } } ?? firstHistory
    if count == 0 ? closesFirstStep : edits[count - 1].isStepClosed { history?.openKind = nil }
    return (image, history)
  }

  /// Of the base: it stands before all edits and saves.
  private var firstHistory: JournalHistory? {
    histories.first.flatMap { first in
      edits.first.map { first.revision < $0.revision } ?? true ? first : nil
    }
  }

  /// The text with the edits from `first` on, and these as edits of the whole text; nil when one is of another text.
  private func replay(from first: Int, on text: Rope?) -> (Rope, [JournalEdit])? {
    guard var text else { return nil }
    var whole: [JournalEdit] = []
    for index in first..<edits.count {
      var edit = edits[index]
      if index < partialEditCount { edit.delta = edit.delta.extended(by: text.byteCount - edit.delta.baseByteCount) }
      guard edit.delta.baseByteCount == text.byteCount else { return nil }
      text.apply(edit.delta)
      whole.append(edit)
    }
    return (text, whole)
  }

  /// What was typed and not removed again, place by place. Edits that do not lead on from those before them add theirs behind.
  private var typedText: Rope {
    var text = Rope()
    func add(_ delta: Delta) {
      for change in delta.edits where !change.replacement.isEmpty {
        text.append(change.replacement)
        if text[text.endOffset - 1] != UInt8(ascii: "\n") { text.append("\n") }
      }
    }
    guard var whole = edits.first?.delta else { return text }
    for (index, edit) in edits.enumerated().dropFirst() {
      let growth = edit.delta.baseByteCount - whole.newByteCount
      // More was loaded: up to the first edit of the whole file, of which that is the rest.
      if growth > 0, index <= partialEditCount { whole = whole.extended(by: growth) }
      if edit.delta.baseByteCount == whole.newByteCount {
        whole = whole.composed(with: edit.delta)
      } else {
        add(whole)
        whole = edit.delta
      }
    }
    add(whole)
    return text
  }
}

extension RecoveryFolder {
  func baseCopyPath(of journal: String) -> String { journal + "-base" }

  /// Keeps a copy of the contents that a journal's edits are made to. O(bytes), synced: for the worker thread.
  package func keepBaseCopy(_ contents: Rope, of journal: String, writer: FileWriter) throws(FileError) {
    try write(contents, to: baseCopyPath(of: journal), writer: writer)
    // It was removed, or moved, meanwhile.
    if try system.status(at: journal, followingLinks: false) == nil { removeTemporary(baseCopyPath(of: journal)) }
  }

  func baseCopy(of journal: String) -> Rope? { try? FileReader(baseCopyPath(of: journal), system: system).readAll() }

  /// What the names of the journals of a file begin with.
  func journalPrefix(of file: FilePlace?) -> String { key(for: file) + "." }

  /// A path for the journal of this process's document `name`, which is found by that key.
  func newJournalPath(for key: String, name: String) -> String {
    let start = "\(path)/\(key).\(getpid()).\(name)"
    var path = start + ".journal"
    var number = 0
    // Left by a process that had this number before.
    while (try? system.status(at: path, followingLinks: false)) != nil {
      number += 1
      path = "\(start).\(number).journal"
    }
    return path
  }

  /// With all that belongs to it, also what was cut short while it was written.
  func removeJournal(_ path: String) {
    let copy = baseCopyPath(of: path)
    for file in [copy, copy + ".new", path + ".new"] { try? system.remove(file) }
    do throws(FileError) { try system.remove(path) } catch {
      // Under its name it would be taken for edits that nobody has saved.
      if error.code != .notFound { _ = setAside(path, as: ".discarded") }
    }
  }

  func removeTemporary(_ path: String) { try? system.remove(path) }

  /// Removes what killed processes have left of journals of a file that is of no use: what was cut short while it was
  /// written, and copies without a journal.
  func removeLeftovers(of file: FilePlace?) {
    let prefix = journalPrefix(of: file)
    let names = (try? system.names(inDirectory: path)) ?? []
    for name in names where name.hasPrefix(prefix) {
      let (isCut, own) = (name.hasSuffix(".new"), name.dropFirst(prefix.count))
      guard isCut || name.hasSuffix(".journal-base"), let end = own.firstRange(of: ".journal")?.upperBound else {
        continue
      }
      let journal = String(name[..<end])
      let isLeft =
        if names.contains(journal) {
          isCut && isFree(path + "/" + journal, waitsForAny: false)
        } else {
          // Its process may be about to remove the copy.
          Int(own.prefix { $0 != "." }).map { !system.isRunning($0) } ?? false
        }
      if isLeft { try? system.remove(path + "/" + name) }
    }
  }

  /// What killed processes have left of one file.
  struct Abandoned {
    /// The latest first.
    var journals: [RecoveredJournal] = []
    /// The paths of those that cannot be read, under new names: they are told of once.
    var damaged: [String] = []
  }

  /// What killed processes left of a file, or of documents without one.
  ///
  /// - Parameter stamp: Of the file as it is: it may have had another name, or its folder.
  func abandoned(of file: FilePlace?, _ stamp: FileStatus.Stamp? = nil) throws(FileError) -> Abandoned {
    var abandoned = Abandoned()
    let prefix = journalPrefix(of: file)
    for name in try system.names(inDirectory: path) where name.hasSuffix(".journal") {
      let path = path + "/" + name
      guard name.hasPrefix(prefix) || isElsewhere(path, of: file, stamp) else { continue }
      guard isFree(path, waitsForAny: false) else { continue }
      do throws(FileError) {
        let journal = try RecoveredJournal(at: path, system: system)
        if journal.isEmpty { removeJournal(path) } else { abandoned.journals.append(journal) }
      } catch {
        guard error.code == .notAJournal else { continue }
        // Also when it is empty: one that was emptied looks as one whose process died in its first write.
        abandoned.damaged.append(setAside(path, as: ".damaged"))
      }
    }
    abandoned.journals.sort { $0.modificationTime > $1.modificationTime }
    return abandoned
  }

  /// Whether another process's journal is that of a file under another name, or of a text without a file that lay beside one.
  private func isElsewhere(_ path: String, of file: FilePlace?, _ stamp: FileStatus.Stamp?) -> Bool {
    guard file == nil || stamp != nil, JournalName(path.pathName)?.process != Int(getpid()) else {
      return false
    }
    // More than the longest path.
    var beginning = [UInt8](repeating: 0, count: 8192)
    let count = try? beginning.withUnsafeMutableBytes { buffer throws(FileError) in
      try system.withOpen(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK) { descriptor throws(FileError) in
        try system.read(descriptor, into: buffer, at: 0)
      }
    }
    guard case .base(let base)? = JournalFormat.decode(Array(beginning[..<(count ?? 0)]))?.records.first else {
      return false
    }
    return file == nil ? base.path.isEmpty : base.stamp == stamp
  }

  package func abandonedJournals(of file: FilePlace?) throws(FileError) -> [RecoveredJournal] {
    try abandoned(of: file).journals
  }

  func hasJournal(_ id: String) -> Bool {
    !id.contains("/") && (try? system.status(at: path + "/" + id, followingLinks: false)) != nil
  }

  /// The journal of that name; nil if there is none, it cannot be read, or a process is writing to it.
  /// - Parameter waitsForAny: Waits, a second at most, for whoever has it; else only for one that is about to end.
  package func abandonedJournal(_ id: String, waitsForAny: Bool = true) -> RecoveredJournal? {
    guard !id.contains("/"), id.hasSuffix(".journal") else { return nil }
    let path = path + "/" + id
    return isFree(path, waitsForAny: waitsForAny) ? try? RecoveredJournal(at: path, system: system) : nil
  }

  private func isFree(_ path: String, waitsForAny: Bool) -> Bool {
    let locking = try? system.withOpen(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK) { descriptor throws(FileError) in
      try system.lock(descriptor) { _ in waitsForAny || system.isEnding(system.lockHolder(descriptor) ?? 0) }
    }
    return switch locking {
    case .taken: true
    case .unknown: !system.isRunning(JournalName(path.pathName)?.process ?? 0)
    case .busy, nil: false
    }
  }

  /// What is in it is in the file, or in another journal. One that is damaged may have held more, and stays for a week.
  ///
  /// - Returns: where it is then.
  @discardableResult
  package func discard(_ journal: RecoveredJournal) -> String? {
    if journal.isDamaged { return setAside(journal.path, as: ".damaged") }
    removeJournal(journal.path)
    return nil
  }

  /// It is not wanted: it stays for a week under another name.
  func setAside(_ journal: RecoveredJournal) { _ = setAside(journal.path, as: ".discarded") }

  private func setAside(_ path: String, as suffix: String) -> String {
    try? system.rename(baseCopyPath(of: path), to: baseCopyPath(of: path + suffix))
    do throws(FileError) { try system.rename(path, to: path + suffix) } catch { return path }
    return path + suffix
  }

  /// Removes what is too old to be missed: what was set aside a week ago, journals and copies of saves cut short that nobody
  /// asked for in three months, copies and locks whose journals and processes are gone.
  /// - Parameters:
  ///   - now: In seconds since 1970.
  ///   - open: The keys of files that are open.
  func removeExpired(now: Int, except open: Set<String>) {
    guard let names = try? system.names(inDirectory: path) else { return }
    let day = 24 * 60 * 60
    for name in names where !open.contains(where: { name.hasPrefix($0 + ".") }) {
      let path = path + "/" + name
      guard let status = try? system.status(at: path, followingLinks: false) else { continue }
      let age = now - Int(max(status.changeTime, status.modificationTime) / 1_000_000_000)
      switch name.split(separator: ".").last ?? "" {
      case "discarded", "damaged", "discarded-base", "damaged-base": if age > 7 * day { try? system.remove(path) }
      case "journal": if age > 90 * day, isFree(path, waitsForAny: false) { removeJournal(path) }
      case "saving": if age > 90 * day { discardCopy(path) }
      case "lock": if age > 7 * day { removeUnlocked(path) }
      case "journal-base": if age > day, !names.contains(String(name.dropLast(5))) { try? system.remove(path) }
      case "new": if age > day { try? system.remove(path) }
      default: break
      }
    }
  }

  /// Whether edits of the file at `target` may be written to this folder: what lies in memory only, and not everybody may read, can be a
  /// password that is being edited, and does not come to a disk.
  package func mayHoldEdits(of target: String) throws(FileError) -> Bool {
    var existing = try system.resolvingLinks(target)
    while try system.status(at: existing, followingLinks: true) == nil, existing != system.folder(of: existing) {
      existing = system.folder(of: existing)
    }
    // From one memory to another.
    guard try isInMemory(existing), try !isInMemory(path) else { return true }
    return try !isPrivate(existing)
  }

  func isInMemory(_ path: String) throws(FileError) -> Bool {
    // The right to read it is not needed.
    try system.withOpen(path, LinuxFile.pathOnly) { descriptor throws(FileError) in system.isInMemory(descriptor) }
  }

  /// By its own permissions, or by those of a folder on the way to it that lies in memory too.
  private func isPrivate(_ path: String) throws(FileError) -> Bool {
    var path = path
    while let status = try system.status(at: path, followingLinks: true), try isInMemory(path) {
      let isFolder = status.kind == .directory
      if status.mode & (isFolder ? 0o001 : 0o004) == 0 { return true }
      let outer = isFolder ? path + "/.." : system.folder(of: path)
      guard try system.status(at: outer, followingLinks: true)?.isSameFile(as: status) == false else { break }
      path = outer
    }
    return false
  }
}
