/// What is of no use any more.
extension RecoveryFolder {
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
}
