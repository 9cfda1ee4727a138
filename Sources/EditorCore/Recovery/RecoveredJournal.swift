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
  let saves: [(revision: UInt64, contents: ContentIdentity, image: FileImage, path: String)]
  /// The undo steps at the base and at saves.
  let histories: [JournalHistory]
  /// Something has ended the step that was open at the base, before the first edit.
  let closesFirstStep: Bool
  var lastHistoryRevision: UInt64? { histories.last?.revision }
  /// Of what it tells of.
  let lastRevision: UInt64
  /// What the file held, if that came to be known after the base was written down.
  let loaded: (contents: ContentIdentity, image: FileImage)?
  /// Of the text at the end; nil while only the beginning of the file had been read, which does not tell.
  let origin: JournalOrigin?
  /// How many of the edits were made while only the beginning of the file was there.
  let partialEditCount: Int

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

  /// Nothing would be lost with it, whatever the file is. What was selected is of use to the front end of that time only.
  var isEmpty: Bool { edits.isEmpty && !isDamaged && (origin == nil || origin == base.origin) }
}
