import EditorProtocol
import Glibc
import Rope

/// The user's private folder of journals and copies: `$XDG_STATE_HOME/xiedit/recovery`, mode 0700, files 0600.
package struct RecoveryFolder: Sendable {
  package let path: String
  let system: any FileSystem
  /// The most that is copied so that the text can be rebuilt when the file has changed. Tests shrink it.
  package var largestBaseCopy = 16 << 20
  /// An edit with more text is journaled in pieces. Tests shrink both.
  package var largestRecordAtOnce = 2 << 20
  package var pieceOfLongRecord = 128 << 10
  /// How much of the undo steps survives a core.
  var historyLimit = JournalHistoryLimit()
  /// One that is longer, as no save comes to its end, gets no more of them.
  var largestJournalWithHistory = 64 << 20
  /// How much of the undo steps of a file is kept between runs, of how many files, and in how many bytes.
  var keptUndoLimit = JournalHistoryLimit(byteCount: 4 << 20)
  var mostKeptUndos = 200
  var largestKeptUndos = 64 << 20
  /// Where folders for what is private and in memory, and is not to come to a disk, may be made, the best first. Each is the only one in
  /// a folder of its own.
  var memoryPaths: [String] = []
  /// It is one of those.
  private(set) var isForSecrets = false

  /// Finds the folder, and makes it if it is missing.
  ///
  /// Nil where it would lie in another user's home, as under `sudo` that keeps `HOME`: the files would be in the wrong hands.
  package init?(environment: [String: String], system: any FileSystem) {
    // With an empty one it would lie at the root.
    func path(_ name: String) -> String? { environment[name].flatMap { $0.isAbsolutePath ? $0 : nil } }
    guard let state = path("XDG_STATE_HOME") ?? path("HOME").map({ $0 + "/.local/state" }) else { return nil }
    self.init(at: state + "/xiedit/recovery", system: system)
    memoryPaths = [path("XDG_RUNTIME_DIR").map { $0 + "/xiedit" }, "/dev/shm/xiedit-\(system.effectiveUser)"]
      .compactMap { $0.map { $0 + "/recovery" } }
  }

  package init?(at path: String, system: any FileSystem) {
    self.path = path
    self.system = system
    do throws(FileError) {
      guard try makeFolders(path) else { return nil }
    } catch { return nil }
  }

  /// For the user whose environment this process has.
  package init?(system: any FileSystem) {
    var environment: [String: String] = [:]
    for name in ["XDG_STATE_HOME", "XDG_RUNTIME_DIR", "HOME"] {
      environment[name] = getenv(name).map { String(cString: $0) }
    }
    self.init(environment: environment, system: system)
  }

  /// The path in this folder of what belongs to a file: "notes.txt-1f0c….lock".
  func path(for file: FilePlace, suffix: String) -> String { "\(path)/\(key(for: file)).\(suffix)" }

  static let untitled = "untitled"

  /// The name of the file, and the hash of its path; without a file, one name for all.
  func key(for file: FilePlace?) -> String {
    guard var target = file?.path else { return Self.untitled }
    let hash = target.withUTF8 { ContentHash.of(UnsafeRawBufferPointer($0)) }
    let digits = String(hash, radix: 16)
    let name = String(decoding: system.name(of: target).utf8.prefix(100), as: UTF8.self)
    return "\(name)-\(String(repeating: "0", count: 16 - digits.count) + digits)"
  }

  /// False if the first folder that exists is not the user's own.
  private func makeFolders(_ path: String) throws(FileError) -> Bool {
    if let status = try system.status(at: path, followingLinks: true) {
      return status.kind == .directory && status.owner == system.effectiveUser
    }
    guard path != "/", path != ".", try makeFolders(system.folder(of: path)) else { return false }
    try system.makeDirectory(path, mode: 0o700)
    return true
  }
}

extension RecoveryFolder {
  /// The one for the edits of the file at `target`: for what is private and in memory one that is, too; nil if none can be had.
  package func holdingEdits(of target: String) throws(FileError) -> RecoveryFolder? {
    if try mayHoldEdits(of: target) { return self }
    for path in memoryPaths {
      try? system.makeDirectory(system.folder(of: path), mode: 0o700)
      if let folder = inMemory(path) { return folder }
    }
    return nil
  }

  /// This and those in memory that there are.
  var all: [RecoveryFolder] { [self] + memoryPaths.compactMap(inMemory) }

  /// Nil if others can reach it.
  private func inMemory(_ path: String) -> RecoveryFolder? {
    guard let outer = try? system.status(at: system.folder(of: path), followingLinks: false),
      outer.kind == .directory, outer.owner == system.effectiveUser, outer.mode & 0o077 == 0,
      var folder = RecoveryFolder(at: path, system: system), (try? isInMemory(path)) == true
    else { return nil }
    folder.isForSecrets = true
    (folder.largestBaseCopy, folder.largestRecordAtOnce) = (largestBaseCopy, largestRecordAtOnce)
    (folder.pieceOfLongRecord, folder.historyLimit) = (pieceOfLongRecord, historyLimit)
    (folder.keptUndoLimit, folder.mostKeptUndos, folder.largestKeptUndos) = (
      keptUndoLimit, mostKeptUndos, largestKeptUndos
    )
    return folder
  }

  /// Writes `contents` to a file that appears in the folder whole or not at all.
  ///
  /// - Parameter isSynced: It is on the disk then.
  func write(_ contents: Rope, to path: String, writer: FileWriter, isSynced: Bool = true) throws(FileError) {
    while try !writeNext(contents, to: path, writer, isSynced: isSynced) {}
    if isSynced { try system.synchronizeFolder(self.path) }
  }

  /// False if what was opened to be written was removed, by one who took it for another's that was killed.
  private func writeNext(
    _ contents: Rope, to path: String, _ writer: FileWriter, isSynced: Bool
  ) throws(FileError) -> Bool {
    let temporary = path + ".new"
    return try system.withOpen(temporary, O_WRONLY | O_CREAT | O_NOFOLLOW, mode: 0o600) {
      descriptor throws(FileError) in
      guard try system.lock(descriptor, waitingWhile: { $0 < .milliseconds(100) }) != .busy else {
        throw FileError(.inUse, "cannot write", path: temporary)
      }
      guard try system.isNamed(descriptor, temporary) else { return false }
      do throws(FileError) {
        try system.truncate(descriptor, to: 0)
        try writer.write(contents, to: descriptor)
        if isSynced { try system.synchronize(descriptor) }
        try system.rename(temporary, to: path)
      } catch {
        // Room is what a full disk lacks.
        try? system.remove(temporary)
        throw error
      }
      return true
    }
  }

  /// A synced copy of what is about to be written over `file` in place.
  func keepCopy(of contents: Rope, for file: FilePlace, writer: FileWriter) throws(FileError) -> String {
    let copy = newCopyPath(for: file)
    try write(contents, to: copy, writer: writer)
    return copy
  }

  /// Its own, as long as it is there: what a save that was cut short has left is nobody's to write over.
  private func newCopyPath(for file: FilePlace) -> String {
    var number = 1
    func copy() -> String { path(for: file, suffix: "\(getpid()).\(number).saving") }
    while (try? system.status(at: copy(), followingLinks: false)) != nil { number += 1 }
    return copy()
  }

  /// Those that were not whole yet. While one is written it is locked.
  func removeCutCopies(for file: FilePlace) {
    for name in copies(of: file, suffix: ".saving.new") { removeUnlocked(path + "/" + name) }
  }

  private func copies(of file: FilePlace, suffix: String) -> [String] {
    let prefix = journalPrefix(of: file)
    return ((try? system.names(inDirectory: path)) ?? []).filter { $0.hasPrefix(prefix) && $0.hasSuffix(suffix) }
  }

  /// While it is locked: who takes the lock before sees that it has gone, and nobody takes it between.
  func removeUnlocked(_ path: String) {
    try? system.withOpen(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK) { descriptor throws(FileError) in
      guard try system.lockIfPossible(descriptor) == .taken, try system.isNamed(descriptor, path) else { return }
      try system.remove(path)
    }
  }

  func discardCopy(_ copy: String) { try? system.remove(copy) }

  /// What a save in place that was cut short would have written.
  package struct InterruptedSave: Sendable {
    package let path: String
    package let contents: Rope
    /// When it was begun, in nanoseconds since 1970.
    let time: Int64
  }

  /// The latest that is not what the file holds; those that are go.
  package func interruptedSave(of file: FilePlace, holding current: Rope? = nil) -> InterruptedSave? {
    let saves = copies(of: file, suffix: ".saving").compactMap { interruptedSave($0, of: file) }
    for save in saves where save.contents == current { discardCopy(save.path) }
    return saves.filter { $0.contents != current }.max { $0.time < $1.time }
  }

  /// That of a name in this folder; nil if it is no copy of that file, or is not there any more.
  func interruptedSave(_ name: String, of file: FilePlace) -> InterruptedSave? {
    guard name.hasPrefix(journalPrefix(of: file)), name.hasSuffix(".saving"), !name.contains("/"),
      let reader = try? FileReader(path + "/" + name, system: system), let contents = try? reader.readAll()
    else { return nil }
    return InterruptedSave(path: reader.path, contents: contents, time: reader.status.modificationTime)
  }
}
