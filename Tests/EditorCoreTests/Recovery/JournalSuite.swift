import Glibc
import Rope
import Testing

@testable import EditorCore

/// A text being edited, with its journal.
struct JournaledText {
  var text: Rope
  var revision: UInt64 = 0
  let journal: Journal

  mutating func type(_ typed: String, at offset: Int) throws {
    revision += 1
    let delta = Delta(
      baseByteCount: text.byteCount, replacing: ByteOffset(offset)..<ByteOffset(offset), with: Rope(typed))
    text.apply(delta)
    let cursor = ByteOffset(offset + typed.utf8.count)
    let selection = JournalEdit.Selection(anchor: cursor, active: cursor)
    try journal.append([
      JournalEdit(
        revision: revision, undoGroup: revision / 3, handledEdits: Int(revision) * 2, delta: delta,
        selections: [selection])
    ])
  }
}

/// Tests of journals of the file `a`.
protocol JournalSuite {
  var files: TemporaryFolder { get }
}

extension JournalSuite {
  var path: String { files("a") }
  var place: FilePlace { get throws { try files.place("a") } }

  func recoveryFolder(_ system: any FileSystem = LinuxFileSystem()) throws -> RecoveryFolder {
    try #require(RecoveryFolder(at: files("recovery"), system: system))
  }

  func contents() throws -> Rope { try FileReader(path, system: LinuxFileSystem()).readAll() }

  func file() throws -> FileContents {
    let reader = try FileReader(path, system: LinuxFileSystem())
    return FileContents(try reader.readAll(), from: reader)
  }

  func base() throws -> JournalBase {
    JournalBase(of: try place, version: try file().version)
  }

  func session(_ folder: RecoveryFolder) throws -> JournaledText {
    JournaledText(
      text: try contents(), journal: Journal(of: try place, try file().version, name: "view", folder: folder))
  }

  func recovered(_ folder: RecoveryFolder) throws -> RecoveredJournal {
    try RecoveredJournal(at: try #require(files.journal(in: folder)), system: LinuxFileSystem())
  }
}

extension FileContents {
  /// A file of these bytes, which nothing else is known of.
  init(_ bytes: Rope, image: FileImage = FileImage()) {
    self.init(bytes: bytes, version: FileVersion(status: nil, contents: ContentIdentity(of: bytes), image: image))
  }
}

extension TemporaryFolder {
  /// The path of the one journal, whoever writes to it.
  func journal(in folder: RecoveryFolder) -> String? {
    (try? LinuxFileSystem().names(inDirectory: folder.path))?.first { $0.hasSuffix(".journal") }.map {
      folder.path + "/" + $0
    }
  }
}

extension Journal {
  /// All that becomes of a save, at once.
  func didSave(revision: UInt64, as base: JournalBase) throws(FileError) {
    if wantsGeneration(after: revision) { try flush() }
    guard let generation = beginGeneration(revision: revision, as: base) else { return }
    try finish(generation.write())
    try writer.beginSync()?.synchronizeName()
  }
}

/// Sessions that write them.
extension JournalSuite {
  static var long: String { String(repeating: "a long text\n", count: 1000) }

  func driver(_ system: FaultyFileSystem) throws -> CoreDriver {
    CoreDriver(handshake: true, recoveryFolder: try recoveryFolder(system))
  }

  /// That writes a long edit in pieces.
  func driverOfPieces(_ system: FaultyFileSystem) throws -> CoreDriver {
    var folder = try recoveryFolder(system)
    (folder.largestRecordAtOnce, folder.pieceOfLongRecord) = (1000, 256)
    return CoreDriver(handshake: true, recoveryFolder: folder)
  }
}

extension RecoveryFolder {
  var hasBaseCopies: Bool {
    (try? system.names(inDirectory: path))?.contains { $0.hasSuffix("-base") } == true
  }

  func removeBaseCopies() throws {
    for name in try system.names(inDirectory: path) where name.hasSuffix("-base") { unlink("\(path)/\(name)") }
  }
}
