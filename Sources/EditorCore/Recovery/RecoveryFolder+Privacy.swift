import EventLoop

/// What is private, and lies in memory only, comes to no disk.
extension RecoveryFolder {
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
