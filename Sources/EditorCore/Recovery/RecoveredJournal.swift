import Glibc
import Rope

/// A journal that was found on disk, as far as it can be read.
package struct RecoveredJournal: Sendable {
  package let path: String
  package let base: JournalBase
  package let edits: [JournalEdit]
  /// Whether something behind the last whole record was dropped: the last edit of a killed process, or damage.
  package let isCutShort: Bool
  let saves: [(revision: UInt64, contents: ContentIdentity)]
  let validByteCount: Int
  let checksum: UInt64

  package init(at path: String, system: any FileSystem) throws(FileError) {
    let rope = try FileReader(path, system: system).readAll()
    let bytes = rope.bytes(in: rope.fullRange)
    guard let contents = JournalFormat.decode(bytes), case .base(let base) = contents.records.first else {
      throw FileError(.notAJournal, "cannot recover from", path: path)
    }
    self.path = path
    self.base = base
    edits = contents.records.compactMap { if case .edit(let edit) = $0 { edit } else { nil } }
    saves = contents.records.compactMap {
      if case .saving(let revision, let contents) = $0 { (revision, contents) } else { nil }
    }
    isCutShort = contents.validByteCount < bytes.count
    validByteCount = contents.validByteCount
    checksum = contents.checksum
  }

  /// What can be given back.
  package enum Outcome: Sendable {
    /// The file is what the edits were made to, or what a save made of it: the text, and the edits that lead to it from the file's.
    case text(Rope, edits: [JournalEdit])
    /// The file has changed, but a copy of what it was is there: the text, for a new buffer.
    case textOfCopy(Rope)
    /// The file has changed: only what was typed, for a new buffer.
    case typed(Rope)
    /// All edits are in the file.
    case nothing
  }

  /// What the journal makes of the file's present contents, nil if there is no file. O(contents + edits).
  package func replay(on contents: Rope?, folder: RecoveryFolder) -> Outcome {
    let present = contents ?? Rope()
    let identity = ContentIdentity(of: present)
    if let rest = edits(after: identity) {
      if rest.isEmpty { return .nothing }
      return replay(rest, on: present).map { .text($0, edits: rest) } ?? .typed(typedText)
    }
    if let copy = folder.baseCopy(of: path), ContentIdentity(of: copy) == base.contents,
      let text = replay(edits, on: copy)
    {
      return .textOfCopy(text)
    }
    return .typed(typedText)
  }

  /// The edits that are not in a file of these contents; nil when the journal does not know them.
  private func edits(after contents: ContentIdentity) -> [JournalEdit]? {
    // The latest save first: its contents may be those of the base.
    if let save = saves.last(where: { $0.contents == contents }) { return edits.filter { $0.revision > save.revision } }
    return contents == base.contents ? edits : nil
  }

  /// Nil when an edit is of another text.
  private func replay(_ edits: [JournalEdit], on contents: Rope) -> Rope? {
    var text = TextFormat.split(contents).text
    for edit in edits {
      guard edit.delta.baseByteCount == text.byteCount else { return nil }
      text.apply(edit.delta)
    }
    return text
  }

  /// What was typed and not removed again, place by place.
  private var typedText: Rope {
    guard var whole = edits.first?.delta else { return Rope() }
    for edit in edits.dropFirst() where edit.delta.baseByteCount == whole.newByteCount {
      whole = whole.composed(with: edit.delta)
    }
    var text = Rope()
    for change in whole.edits where !change.replacement.isEmpty {
      text.append(change.replacement)
      if text[text.endOffset - 1] != UInt8(ascii: "\n") { text.append("\n") }
    }
    return text
  }
}

extension RecoveryFolder {
  /// The most that is copied so that the text can be rebuilt when the file has changed.
  package static let largestBaseCopy = 16 << 20

  func baseCopyPath(of journal: String) -> String { journal + "-base" }

  /// Keeps a copy of the contents that a journal's edits are made to. O(bytes), synced: for the worker thread.
  package func keepBaseCopy(_ contents: Rope, of journal: String, writer: FileWriter) throws(FileError) {
    guard contents.byteCount <= RecoveryFolder.largestBaseCopy else { return }
    try write(contents, to: baseCopyPath(of: journal), writer: writer)
  }

  func baseCopy(of journal: String) -> Rope? { try? FileReader(baseCopyPath(of: journal), system: system).readAll() }

  /// The journal that a killed process left of the file at `target`, if any.
  package func journal(of target: String) throws(FileError) -> RecoveredJournal? {
    let path = path(for: target, suffix: "journal")
    guard try system.status(at: path, followingLinks: false) != nil else { return nil }
    return try RecoveredJournal(at: path, system: system)
  }

  /// All journals that are left, of any file; what cannot be read is left out.
  package func journals() throws(FileError) -> [RecoveredJournal] {
    try system.names(inDirectory: path).filter { $0.hasSuffix(".journal") }
      .compactMap { try? RecoveredJournal(at: path + "/" + $0, system: system) }
  }

  package func discard(_ journal: RecoveredJournal) {
    try? system.remove(journal.path)
    try? system.remove(baseCopyPath(of: journal.path))
  }

  /// Whether edits of the file at `target` may be written to this folder: not what lies in memory only, like passwords being edited.
  package func mayHoldEdits(of target: String) -> Bool {
    let existing = (try? system.status(at: target, followingLinks: true)) != nil ? target : system.folder(of: target)
    do throws(FileError) {
      return try system.withOpen(existing, O_RDONLY | O_NONBLOCK) { descriptor throws(FileError) in
        !system.isInMemory(descriptor)
      }
    } catch { return false }
  }
}
