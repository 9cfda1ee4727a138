import Glibc

extension Journal {
  /// A journal that is to take the place of one, as it is written beside that.
  package struct Generation: Sendable {
    let number: Int
    let source: JournalFile
    /// What is appended from here on is not its.
    let sourceByteCount: Int
    let sourceChecksum: UInt64
    /// What came up to it is in the file; nil to keep all.
    let revision: UInt64?
    let base: JournalBase
    let target: String
    let system: any FileSystem
    var temporary: String { "\(target).\(number).new" }

    package struct Written: Sendable {
      let generation: Generation
      let file: JournalFile
      let byteCount: Int
      let checksum: UInt64
    }

    /// O(bytes of the journal), and waits for the disk.
    package func write() throws(FileError) -> Written {
      let (bytes, checksum) = try contents()
      do throws(FileError) {
        let file = try JournalFile(temporary, O_CREAT | O_TRUNC, system: system)
        try file.append(bytes)
        try file.synchronizeContents()
        return Written(generation: self, file: file, byteCount: bytes.count, checksum: checksum)
      } catch {
        try? system.remove(temporary)
        throw error
      }
    }

    private func contents() throws(FileError) -> (bytes: [UInt8], checksum: UInt64) {
      let old = try source.read(sourceByteCount)
      // What a bad disk made of it is not to be taken for all of it.
      guard let whole = JournalFormat.decode(old), whole.validByteCount == sourceByteCount,
        whole.checksum == sourceChecksum
      else { throw FileError(.system, "cannot read all of", path: target) }
      guard let revision else { return (old, sourceChecksum) }
      var (bytes, checksum) = JournalFormat.start(base)
      for record in Self.records(whole.records, after: revision) {
        let encoded = JournalFormat.encode(record, after: checksum)
        bytes += encoded.bytes
        checksum = encoded.checksum
      }
      return (bytes, checksum)
    }

    /// The undo steps at that revision, whether they go on, what was chosen since, and what came after it.
    private static func records(_ all: [JournalRecord], after revision: UInt64) -> [JournalRecord] {
      var (history, chosen, later): ([JournalRecord], [JournalRecord], [JournalRecord]) = ([], [], [])
      var (isLater, closesStep) = (false, false)
      for record in all {
        switch record {
        case .edit(let edit):
          isLater = edit.revision > revision
          if !isLater { closesStep = false }
        case .stepClosed: if !isLater { closesStep = true }
        case .history(let steps):
          if steps.revision == revision { history = [record] }
          continue
        case .origin: if !isLater { chosen = [record] }
        case .saving(let saved, _, _, _):
          if saved == revision { chosen = [] }
          continue
        case .base, .loaded, .selection: continue
        }
        if isLater { later.append(record) }
      }
      return history + chosen + (closesStep ? [.stepClosed] : []) + later
    }
  }
}
