import Glibc
import Rope

/// Journals by their names, and the copies of what their edits are made to.
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
}
