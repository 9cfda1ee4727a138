import EditorProtocol
import Glibc
import Rope

/// The undo steps of a text as its file was saved, for whoever opens that when it holds just the same.
///
/// A file "notes.txt-1f0c….undo" in a folder beside that of the journals, and in their format: what of which file the text is, and the
/// steps. Nothing is lost with one: it is not synced, and what is not as it should be is left alone.
struct KeptUndo: Sendable {
  let place: FilePlace
  let base: JournalBase
  let history: JournalHistory
  /// The file was just written. Otherwise it may be another program's by now, and so may the steps that are kept for it.
  var isSaved = true

  fileprivate var bytes: Rope {
    let (start, checksum) = JournalFormat.start(base)
    var bytes = Rope(start)
    bytes.append(Rope(JournalFormat.encode(.history(history), after: checksum).bytes))
    return bytes
  }

  /// Nil where that is not all of one.
  static func decode(_ bytes: [UInt8]) -> (base: JournalBase, history: JournalHistory)? {
    guard let contents = JournalFormat.decode(bytes), contents.validByteCount == bytes.count,
      contents.records.count == 2, case .base(let base) = contents.records[0],
      case .history(let history) = contents.records[1]
    else { return nil }
    return (base, history)
  }
}

/// Where the steps of earlier runs may be had: they are read when they are needed, as few who open a file undo what they did the day before.
struct EarlierUndo {
  let folder: RecoveryFolder
  let place: FilePlace
  /// As it was opened.
  let version: FileVersion
  let log: (String) -> Void

  /// Those of this very text; nil where there are none.
  func read() -> JournalHistory? {
    do throws(FileError) {
      guard let (base, history) = try folder.keptUndo(of: place) else { return nil }
      guard base.path.isSamePath(as: place.path), base.contents == version.contents,
        base.image.encoding == version.image.encoding
      else { return nil }
      let (end, shown) = (base.image.addedEnd, version.image.addedEnd)
      if end == shown { return history }
      return shown.isEmpty ? history.showing(end) : nil
    } catch {
      log("undo steps of \(place.path) are left alone: \(error)")
      return nil
    }
  }
}

extension JournalHistory {
  /// Of the text with the line end that a save has put behind it: the last step takes it back, too.
  fileprivate func showing(_ end: String) -> JournalHistory {
    var history = self
    history.undone = []
    guard let last = history.done.popLast() else { return history }
    let (byteCount, shown) = (last.delta.baseByteCount, last.delta.baseByteCount + end.utf8.count)
    let hiding = Delta(baseByteCount: shown, replacing: ByteOffset(byteCount)..<ByteOffset(shown), with: Rope())
    history.done.append(
      Step(
        stateBefore: last.stateBefore, stateAfter: last.stateAfter, delta: hiding.composed(with: last.delta),
        origin: last.origin))
    return history
  }
}

extension Document {
  /// Puts steps of earlier runs beneath those of this one, if there are any.
  func recallUndo() {
    guard let earlier = recovery.earlierUndo else { return }
    recovery.earlierUndo = nil
    guard settings.config.keepsUndo else { return }
    guard let known = earlier.read() else { return }
    let (state, byteCount) = buffer.history.beginning(of: buffer.text)
    // As the file was opened, whatever other programs have written since.
    let edition = 0
    buffer.history.putBeneath(
      done: steps(known.done, of: byteCount, edition), undone: steps(known.undone, of: byteCount, edition),
      from: known.state, at: state)
  }
}

extension FilePlace {
  /// A file of git's own has a new text each time.
  var isOfGit: Bool { path.utf8.split(separator: UInt8(ascii: "/")).contains { $0.elementsEqual(".git".utf8) } }
}

extension RecoveryFolder {
  /// What is longer is no file of ours.
  private static let longestKeptUndo = 16 << 20
  private var undoPath: String { system.folder(of: path) + "/undo" }

  private func undoPath(of file: FilePlace) -> String { "\(undoPath)/\(key(for: file)).undo" }

  /// Whether there may be steps for a file.
  func hasKeptUndo(of file: FilePlace) -> Bool {
    (try? system.status(at: undoPath(of: file), followingLinks: false)) != nil
  }

  /// What is kept for a file, whatever that holds; nil where there is nothing.
  func keptUndo(of file: FilePlace) throws(FileError) -> (base: JournalBase, history: JournalHistory)? {
    let path = undoPath(of: file)
    guard let status = try system.status(at: path, followingLinks: false) else { return nil }
    guard status.kind == .regular, status.owner == system.effectiveUser, status.size <= Self.longestKeptUndo else {
      throw FileError(.notAJournal, "cannot read", path: path, detail: "it is none of this program's")
    }
    let bytes = try FileReader(path, system: system).readAll()
    guard let kept = KeptUndo.decode(bytes.bytes(in: bytes.fullRange)) else {
      throw FileError(.notAJournal, "cannot read", path: path, detail: "it is damaged, or of another version")
    }
    return kept
  }

  /// O(bytes): for the worker thread.
  func keep(_ undo: KeptUndo, writer: FileWriter) throws(FileError) {
    if !undo.isSaved, try !isLatest(undo) { return }
    let limited = KeptUndo(place: undo.place, base: undo.base, history: undo.history.limited(to: keptUndoLimit))
    // Others' steps are of other contents now.
    guard !limited.history.isEmpty else { return forgetUndo(of: undo.place) }
    guard let folder = RecoveryFolder(at: undoPath, system: system) else { return }
    try folder.write(limited.bytes, to: undoPath(of: undo.place), writer: writer, isSynced: false)
  }

  /// Whether the file is what the text was read from, and nobody else has kept more steps of that.
  private func isLatest(_ undo: KeptUndo) throws(FileError) -> Bool {
    guard try system.status(at: undo.place.path, followingLinks: true)?.stamp == undo.base.stamp else { return false }
    // What cannot be read is of no use to anybody.
    guard let other = try? keptUndo(of: undo.place), other.base.contents == undo.base.contents else { return true }
    return other.history.done.count <= undo.history.done.count
  }

  func forgetUndo(of file: FilePlace) { try? system.remove(undoPath(of: file)) }

  /// Removes what nobody has added to in three months, that of files that are gone, and the oldest of what is too many or too much.
  ///
  /// - Parameter now: In seconds since 1970.
  func removeExpiredUndo(now: Int) {
    guard let names = try? system.names(inDirectory: undoPath) else { return }
    let day = 24 * 60 * 60
    var kept: [(path: String, time: Int64, size: Int)] = []
    for name in names where name.hasSuffix(".undo") || name.hasSuffix(".undo.new") {
      let path = undoPath + "/" + name
      guard let status = try? system.status(at: path, followingLinks: false) else { continue }
      let age = now - Int(status.changeTime / 1_000_000_000)
      if age > (name.hasSuffix(".new") ? day : 90 * day) || isOfMissingFile(path) {
        try? system.remove(path)
      } else if name.hasSuffix(".undo") {
        kept.append((path, status.changeTime, status.size))
      }
    }
    var byteCount = 0
    for (index, file) in kept.sorted(by: { $0.time > $1.time }).enumerated() {
      byteCount += file.size
      if index >= mostKeptUndos || byteCount > largestKeptUndos { try? system.remove(file.path) }
    }
  }

  /// Whether the file whose steps are kept at `path` is no more, and its folder is: a disk that is taken out keeps them.
  private func isOfMissingFile(_ path: String) -> Bool {
    guard let file = base(ofFileAt: path)?.path, file.isAbsolutePath else { return false }
    do throws(FileError) {
      if try system.status(at: file, followingLinks: false) != nil { return false }
      return try system.status(at: system.folder(of: file), followingLinks: true)?.kind == .directory
    } catch { return false }
  }
}
