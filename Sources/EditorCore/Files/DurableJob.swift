import Rope

/// What is to come to the disk. These alone are done on the thread that saves and syncs: what reads files of others, which may take as long
/// as it likes, is for a ``ReadingThread``.
enum DurableJob: Sendable {
  /// Makes the bytes of a text that is to be saved.
  case encode(Rope, FileImage, path: String)
  /// The journal is synced before the file is touched.
  case save(Rope, ContentIdentity, FileImage, to: String, FileWriter.Overwriting, FileWriter, JournalFile?)
  case synchronize(JournalFile)
  case write(Journal.Generation)
  /// Keeps the contents that a journal's edits are made to, so that they can be had when the file has changed.
  case keepBaseCopy(Rope, of: String, RecoveryFolder, FileWriter)
  /// Keeps undo steps for later runs.
  case keepUndo(KeptUndo, RecoveryFolder, FileWriter)
  case forgetUndo(FilePlace, RecoveryFolder)
  case removeTemporary(String, RecoveryFolder)
  case removeJournal(String, RecoveryFolder)
  case removeExpired(RecoveryFolder, now: Int, except: Set<String>)

  enum Outcome: Sendable {
    /// More of the same job follows.
    case encoded(Rope, ContentIdentity)
    case progress(byteCount: Int)
    /// It is over.
    case saved(FileService.Saved)
    case written(Journal.Generation.Written)
    case done
    case failed(FileError)

    var isLast: Bool {
      switch self {
      case .encoded, .progress: false
      case .saved, .written, .done, .failed: true
      }
    }
  }

  func run() -> Outcome {
    do throws(FileError) { return try outcome() } catch { return .failed(error) }
  }

  private func outcome() throws(FileError) -> Outcome {
    switch self {
    case .encode(let text, let image, let path):
      do throws(Unencodable) {
        let contents = try image.bytes(of: text)
        return .encoded(contents, ContentIdentity(of: contents))
      } catch { throw FileError(error, in: text, path: path) }
    case .save(let contents, let identity, let image, let path, let overwriting, let writer, let journal):
      // A text is better saved than journaled.
      let isSynced = (try? journal?.synchronize()) != nil || journal == nil
      let saved = try writer.save(contents, to: path, overwriting)
      return .saved(
        FileService.Saved(
          file: FileContents(
            bytes: contents, version: FileVersion(status: saved.status, contents: identity, image: image)),
          remarks: saved.remarks + (isSynced ? [] : ["the journal could not be synced"]),
          hasUnsyncedName: saved.hasUnsyncedName))
    case .synchronize(let file): try file.synchronize()
    case .write(let generation): return .written(try generation.write())
    case .keepBaseCopy(let contents, let journal, let folder, let writer):
      try folder.keepBaseCopy(contents, of: journal, writer: writer)
    case .keepUndo(let undo, let folder, let writer): try folder.keep(undo, writer: writer)
    case .forgetUndo(let place, let folder): folder.forgetUndo(of: place)
    case .removeTemporary(let path, let folder): folder.removeTemporary(path)
    case .removeJournal(let path, let folder):
      folder.removeJournal(path)
      // With the power, what was undone would come back.
      try folder.system.synchronizeFolder(folder.path)
    case .removeExpired(let folder, let now, let open):
      folder.removeExpired(now: now, except: open)
      folder.removeExpiredUndo(now: now)
    }
    return .done
  }
}
