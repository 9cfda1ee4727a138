import EditorProtocol
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
  /// Makes the folder of a new file, and those above it.
  var makesFolders = false
  /// Told how many bytes of a file have been written, piece by piece.
  var onProgress: (@Sendable (Int) -> Void)?

  package init(system: any FileSystem, recoveryFolder: RecoveryFolder?) {
    self.system = system
    self.recoveryFolder = recoveryFolder
  }

  /// What may be there to be replaced.
  package enum Overwriting: Sendable {
    /// Nothing.
    case nothing
    /// That file, if it holds what it held: by its status, and by its contents when that is another.
    case version(FileStatus, ContentIdentity?)
    /// Anything, and a file may lose its capabilities by it.
    case anything
  }

  package struct Saved: Sendable {
    package var status: FileStatus
    /// What could not be done beside it, each the rest of a sentence.
    package var remarks: [String] = []
    /// The file system cannot be asked to keep the file's new name.
    package var hasUnsyncedName = false
  }

  /// Saves `contents` to the file that `path` leads to, and returns that file's new status.
  package func save(
    _ contents: Rope, to path: String, _ overwriting: Overwriting = .anything
  ) throws(FileError) -> Saved {
    let target = try system.resolvingLinks(path)
    let existing = try system.status(at: target, followingLinks: true)
    do throws(FileError) {
      var overwriting = overwriting
      // A file of the very text has nothing to lose: it may be of a core that ended behind the save that is made once more.
      if case .nothing = overwriting, let existing, existing.size == contents.byteCount, existing.kind == .regular,
        try holds(ContentIdentity(of: contents), target)
      {
        overwriting = .version(existing, nil)
      }
      try check(existing, at: target, overwriting)
      let save = Save(contents: contents, target: target, existing: existing, overwriting: overwriting)
      if let existing, existing.linkCount > 1 { return try saveInPlace(save) }
      return try saveByRename(save)
    } catch {
      throw error.of(target)
    }
  }

  private struct Save {
    let contents: Rope
    let target: String
    /// What was there when it began.
    let existing: FileStatus?
    let overwriting: Overwriting

    var isOfNewFile: Bool { if case .nothing = overwriting { true } else { false } }
    var mayLoseCapabilities: Bool { if case .anything = overwriting { true } else { false } }
  }

  private func check(_ existing: FileStatus?, at path: String, _ overwriting: Overwriting) throws(FileError) {
    if let existing {
      guard existing.kind == .regular else {
        throw FileError(.notARegularFile, "cannot save", path: path, detail: "it is not a regular file")
      }
      guard system.isWritable(path) else {
        throw FileError(.notPermitted, "cannot save", path: path, detail: "it is read-only")
      }
    }
    switch overwriting {
    case .anything: break
    case .nothing:
      if existing != nil { throw FileError(.exists, "cannot save", path: path, detail: "it exists already") }
    case .version(let expected, let contents):
      guard let existing else {
        throw FileError(.vanished, "cannot save", path: path, detail: "it is no longer there")
      }
      var isSame = existing.hasSameContents(as: expected)
      // Its time can be set back after a write, that of its status cannot; and it may have been touched, or written as it was.
      if let contents, existing.size == expected.size, !isSame || existing.changeTime != expected.changeTime {
        isSame = try holds(contents, path)
      }
      if !isSame { throw FileError(.changedOnDisk, "cannot save", path: path, detail: "another program wrote to it") }
    }
  }

  /// Other programs have time to write while a long text goes to the disk: looked at once more just before the file is touched.
  private func checkAgain(_ save: Save) throws(FileError) {
    let now = try system.status(at: save.target, followingLinks: true)
    if now != save.existing { try check(now, at: save.target, save.overwriting) }
  }

  private func holds(_ contents: ContentIdentity, _ path: String) throws(FileError) -> Bool {
    let reader = try FileReader(path, system: system)
    while try reader.skipPiece() {}
    return ContentIdentity(size: reader.offset, hash: reader.contentHash) == contents
  }

  /// Each is to be there after a loss of power as the file in it.
  private func makeFolder(_ path: String) throws(FileError) {
    guard try system.status(at: path, followingLinks: true) == nil else { return }
    let above = system.folder(of: path)
    if !above.isSamePath(as: path) { try makeFolder(above) }
    do throws(FileError) { try system.makeDirectory(path, mode: 0o777) } catch {
      if error.code == .exists { return }
      throw error.of(path)
    }
    try system.synchronizeFolder(above)
  }

  private func saveByRename(_ save: Save) throws(FileError) -> Saved {
    let existing = save.existing
    if makesFolders, existing == nil { try makeFolder(system.folder(of: save.target)) }
    let temporary = TemporaryFile(besides: save.target, system: system)
    let descriptor: CInt
    do throws(FileError) { descriptor = try temporary.create(isPrivate: existing != nil) } catch {
      // A folder where nothing can be made still may hold a file that can be written.
      guard existing != nil, error.code == .notPermitted else {
        // Nobody asked for the file that was to become it. Where no file can be made (as in /proc), the system says the same.
        let lacksFolder =
          existing == nil && error.systemError == ENOENT && !makesFolders && save.target.pathFolder != nil
          && (try? system.status(at: system.folder(of: save.target), followingLinks: true)) == .some(nil)
        throw FileError(
          lacksFolder ? .noFolder : error.code, "cannot save", path: save.target, systemError: error.systemError,
          detail: error.detail)
      }
      return try saveInPlace(save)
    }
    defer { system.close(descriptor) }
    let status: FileStatus
    do throws(FileError) {
      if let existing, try !adopt(existing, at: save.target, descriptor) {
        temporary.discard()
        return try saveInPlace(save)
      }
      let capabilities = system.capabilities(of: descriptor)
      try write(save.contents, to: descriptor)
      if let capabilities { try system.setCapabilities(capabilities, of: descriptor) }
      try system.synchronize(descriptor)
      status = try system.status(of: descriptor)
      try checkAgain(save)
      if save.isOfNewFile {
        try system.renameNew(temporary.path, to: save.target)
      } else {
        try system.rename(temporary.path, to: save.target)
      }
    } catch {
      temporary.discard()
      // Another file system's name in this folder, as containers have it.
      if error.systemError == EBUSY, existing != nil { return try saveInPlace(save) }
      throw error
    }
    // From here on it is saved, whatever fails.
    var saved = Saved(status: status.ofSame(as: try? system.status(of: descriptor)))
    do throws(FileError) {
      saved.hasUnsyncedName = try !system.synchronizeFolder(system.folder(of: save.target))
    } catch {
      saved.remarks.append("a loss of power may undo it: \(error)")
    }
    return saved
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

  private func saveInPlace(_ save: Save) throws(FileError) -> Saved {
    let (contents, target) = (save.contents, save.target)
    let (folder, copy, remarks) = try keepCopy(of: contents, for: target)
    var isTorn = false
    defer { if let copy, !isTorn { folder?.discardCopy(copy) } }
    try checkAgain(save)
    return try system.withOpen(target, O_WRONLY | O_NOFOLLOW) { descriptor throws(FileError) in
      var capabilities = system.capabilities(of: descriptor)
      if let value = capabilities {
        do throws(FileError) { try system.setCapabilities(value, of: descriptor) } catch {
          guard save.mayLoseCapabilities else {
            throw FileError(.losesCapabilities, "cannot save", path: target, detail: "it would lose its capabilities")
          }
          capabilities = nil
        }
      }
      // Room first, so that a full disk is found while the old contents are whole.
      try system.allocate(descriptor, contents.byteCount)
      isTorn = true
      try write(contents, to: descriptor)
      try system.truncate(descriptor, to: contents.byteCount)
      if let capabilities { try system.setCapabilities(capabilities, of: descriptor) }
      var status = try system.status(of: descriptor)
      // Another program may have written more behind it already.
      status.size = contents.byteCount
      try system.synchronize(descriptor)
      isTorn = false
      // Another program that has the file open may write within the clock's tick: its contents are looked at before the next save.
      status.changeTime = 0
      return Saved(status: status.ofSame(as: try? system.status(of: descriptor)), remarks: remarks)
    }
  }

  /// A copy for the case that the save is cut short. The recovery folder is made anew if it has gone; where none can be had, the text is
  /// saved all the same.
  private func keepCopy(
    of contents: Rope, for target: String
  ) throws(FileError) -> (RecoveryFolder?, copy: String?, remarks: [String]) {
    // What is private and in memory, such as a password, is not to come to a disk.
    var wanted = recoveryFolder
    do throws(FileError) { wanted = try recoveryFolder?.holdingEdits(of: target) } catch {}
    guard let folder = wanted else { return (nil, nil, []) }
    do throws(FileError) {
      return (folder, try folder.keepCopy(of: contents, for: system.place(of: target), writer: self), [])
    } catch {
      guard error.code != .diskFull else { throw error }
      let copy = RecoveryFolder(at: folder.path, system: folder.system).flatMap {
        try? $0.keepCopy(of: contents, for: system.place(of: target), writer: self)
      }
      return (folder, copy, copy == nil ? ["without a copy for the case of a crash: \(error)"] : [])
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
