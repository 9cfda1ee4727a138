import Glibc
import Rope

/// Saves texts so that at any moment, whatever is killed, the file holds the old contents or the new, or a synced copy of the new is at hand.
///
/// The usual way: a temporary file beside the target, written, synced, given the target's owner, permissions and attributes, renamed over it,
/// and the folder synced. Where that would lose a hard link, the owner, an attribute or the access control list, or where the folder is not
/// writable: a synced copy in the recovery folder, then the file itself, synced, then the copy is removed. For the worker thread.
package struct FileWriter: Sendable {
  let system: any FileSystem
  /// Where the copy of a save in place goes; nil, and there is none, if no folder is private to the user.
  let recoveryFolder: RecoveryFolder?
  /// How much goes to the system in one call. Tests shrink it.
  var pieceSize = 1 << 18
  /// Told how many bytes of a file have been written, piece by piece.
  var onProgress: (@Sendable (Int) -> Void)?

  package init(system: any FileSystem, recoveryFolder: RecoveryFolder?) {
    self.system = system
    self.recoveryFolder = recoveryFolder
  }

  /// Saves `contents` to the file that `path` leads to, and returns that file's new status.
  ///
  /// With `expected`, the file must still be what it was; pass nil to overwrite whatever is there.
  package func save(_ contents: Rope, to path: String, expecting expected: FileStatus? = nil) throws(FileError)
    -> FileStatus
  {
    let target = try system.resolvingLinks(path)
    let existing = try system.status(at: target, followingLinks: true)
    do throws(FileError) {
      try check(existing, at: target, expecting: expected)
      if existing.map({ $0.linkCount > 1 }) ?? false {
        return try saveInPlace(contents, to: target)
      }
      return try saveByRename(contents, to: target, existing)
    } catch {
      let path = error.path.isEmpty ? target : error.path
      throw FileError(error.code, error.operation, path: path, systemError: error.systemError, detail: error.detail)
    }
  }

  private func check(_ existing: FileStatus?, at path: String, expecting expected: FileStatus?) throws(FileError) {
    if let existing {
      guard existing.kind == .regular else {
        throw FileError(.notARegularFile, "cannot save", path: path, detail: "it is not a regular file")
      }
      guard system.isWritable(path) else {
        throw FileError(.notPermitted, "cannot save", path: path, detail: "it is read-only")
      }
    }
    if let expected, existing?.hasSameContents(as: expected) != true {
      if existing == nil { throw FileError(.vanished, "cannot save", path: path, detail: "it is no longer there") }
      throw FileError(.changedOnDisk, "cannot save", path: path, detail: "another program wrote to it")
    }
  }

  private func saveByRename(_ contents: Rope, to target: String, _ existing: FileStatus?) throws(FileError)
    -> FileStatus
  {
    let temporary = TemporaryFile(besides: target, system: system)
    let descriptor: CInt
    do throws(FileError) { descriptor = try temporary.create(isPrivate: existing != nil) } catch {
      // A folder where nothing can be made still may hold a file that can be written.
      guard existing != nil, error.code == .notPermitted else {
        // Nobody asked for the file that was to become it.
        throw FileError(error.code, "cannot save", path: target, systemError: error.systemError, detail: error.detail)
      }
      return try saveInPlace(contents, to: target)
    }
    defer { system.close(descriptor) }
    do throws(FileError) {
      if let existing, try !adopt(existing, at: target, descriptor) {
        temporary.discard()
        return try saveInPlace(contents, to: target)
      }
      try write(contents, to: descriptor)
      try system.synchronize(descriptor)
      try system.rename(temporary.path, to: target)
      try system.synchronizeFolder(system.folder(of: target))
      return try system.status(of: descriptor)
    } catch {
      temporary.discard()
      throw error
    }
  }

  /// Gives the temporary file what the target has; false if something would be lost.
  private func adopt(_ existing: FileStatus, at target: String, _ descriptor: CInt) throws(FileError) -> Bool {
    let own = try system.status(of: descriptor)
    do throws(FileError) {
      // The owner first: a change of it takes the set-user bit away.
      if (own.owner, own.group) != (existing.owner, existing.group) {
        try system.setOwner(descriptor, existing.owner, existing.group)
      }
      try system.setMode(descriptor, existing.mode)
      return try system.withOpen(target, O_RDONLY | O_NONBLOCK) { original throws(FileError) in
        system.copyAttributes(from: original, to: descriptor)
      }
    } catch {
      if error.code == .notPermitted { return false }
      throw error
    }
  }

  private func saveInPlace(_ contents: Rope, to target: String) throws(FileError) -> FileStatus {
    // What lies in memory only, such as a password, is not to come to a disk.
    let folder = recoveryFolder.flatMap { $0.mayHoldEdits(of: target) ? $0 : nil }
    let copy = try folder?.keepCopy(of: contents, for: target, writer: self)
    var isTorn = false
    defer { if let copy, !isTorn { folder?.discardCopy(copy) } }
    return try system.withOpen(target, O_WRONLY | O_NOFOLLOW) { descriptor throws(FileError) in
      // Room first, so that a full disk is found while the old contents are whole.
      try system.allocate(descriptor, contents.byteCount)
      isTorn = true
      try write(contents, to: descriptor)
      try system.truncate(descriptor, to: contents.byteCount)
      try system.synchronize(descriptor)
      isTorn = false
      return try system.status(of: descriptor)
    }
  }

  /// Writes in large pieces, and lets the disk start before the end.
  func write(_ contents: Rope, to descriptor: CInt) throws(FileError) {
    var buffer: [UInt8] = []
    buffer.reserveCapacity(pieceSize)
    var sinceWriteback = 0
    var written = 0
    var failure: FileError?
    func flush() throws(FileError) {
      try buffer.withUnsafeBufferPointer { bytes throws(FileError) in
        try system.writeAll(descriptor, UnsafeRawBufferPointer(bytes))
      }
      sinceWriteback += buffer.count
      written += buffer.count
      onProgress?(written)
      buffer.removeAll(keepingCapacity: true)
      if sinceWriteback >= 8 << 20 {
        system.startWriteback(descriptor)
        sinceWriteback = 0
      }
    }
    contents.forEachChunk(in: contents.fullRange) { chunk in
      if buffer.count + chunk.count > pieceSize {
        do throws(FileError) { try flush() } catch {
          failure = error
          return false
        }
      }
      buffer.append(contentsOf: chunk)
      return true
    }
    if let failure { throw failure }
    try flush()
  }
}
