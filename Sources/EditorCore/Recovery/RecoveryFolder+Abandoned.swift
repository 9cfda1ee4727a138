import Glibc

/// What killed processes have left.
extension RecoveryFolder {
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
    guard let base = base(ofFileAt: path) else { return false }
    return file == nil ? base.path.isEmpty : base.stamp == stamp
  }

  /// What a file in the format of journals begins with; nil where it is none.
  func base(ofFileAt path: String) -> JournalBase? {
    // More than the longest path.
    var beginning = [UInt8](repeating: 0, count: 8192)
    let count = try? beginning.withUnsafeMutableBytes { buffer throws(FileError) in
      try system.withOpen(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK) { descriptor throws(FileError) in
        try system.read(descriptor, into: buffer, at: 0)
      }
    }
    guard case .base(let base)? = JournalFormat.decode(Array(beginning[..<(count ?? 0)]))?.records.first else {
      return nil
    }
    return base
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

  func isFree(_ path: String, waitsForAny: Bool) -> Bool {
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

  func setAside(_ path: String, as suffix: String) -> String {
    try? system.rename(baseCopyPath(of: path), to: baseCopyPath(of: path + suffix))
    do throws(FileError) { try system.rename(path, to: path + suffix) } catch { return path }
    return path + suffix
  }
}
