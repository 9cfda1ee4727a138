import CSQLite
import EventLoop
import Glibc
import Trestle

/// Where the files of a connection are, for one whose scripts may not use all files: names below folders that are open, whatever becomes
/// of their paths meanwhile. Where the connection is at work.
final class SQLitePlaces {
  private struct Database {
    /// The folder stays open, as the name leads through it.
    let place: FilePlace
    let name: String
    let isWritten: Bool
  }

  private let gate: PermissionGate
  private let isReadOnly: Bool
  private var databases: [Database] = []
  /// Why one was not found.
  var failure: (any Error)?
  private let table: UnsafeMutablePointer<sqlite_places>

  /// - Returns: nil where nothing is refused.
  init?(_ gate: PermissionGate, isReadOnly: Bool) {
    guard !gate.isOpen else { return nil }
    (self.gate, self.isReadOnly) = (gate, isReadOnly)
    table = .allocate(capacity: 1)
    table.initialize(
      to: sqlite_places(
        context: nil,
        find: { context, path, name, size in
          guard let path, let name, let found = places(of: context).name(of: String(cString: path)) else {
            return false
          }
          guard found.utf8.count < Int(size) else { return false }
          strcpy(name, found)
          return true
        },
        allow: { context, name, writes in
          name.map { places(of: context).allows(String(cString: $0), writes: writes) } ?? false
        }))
    table.pointee.context = Unmanaged.passUnretained(self).toOpaque()
  }

  deinit { table.deallocate() }

  /// What the calling thread has SQLite do in `body` it does with these.
  func use<Result>(_ body: () throws -> Result) rethrows -> Result {
    let before = sqlite_use_places(table)
    defer { _ = sqlite_use_places(before) }
    return try body()
  }

  private func name(of path: String) -> String? {
    do {
      // What is read alone is never written.
      let place = try gate.place(
        of: SystemPath(of: path), isReadOnly ? [.read] : [.read, .write], followsLink: true)
      // Its folder is open already, however often it is attached.
      if let known = databases.first(where: { $0.place.isSame(as: place) }) { return known.name }
      let name = "/proc/self/fd/\(place.folder)/\(place.name.text)"
      databases.append(Database(place: place, name: name, isWritten: !isReadOnly))
      return name
    } catch {
      failure = error
      return nil
    }
  }

  /// A database, or what belongs to it: its journal and the like have its name with more behind it.
  private func allows(_ name: String, writes: Bool) -> Bool {
    databases.contains { database in
      guard database.isWritten || !writes, name.utf8.starts(with: database.name.utf8) else { return false }
      let ending = String(Substring(name.utf8.dropFirst(database.name.utf8.count)))
      if ending.isEmpty { return true }
      guard let companion = DatabaseCompanion(ending: ending) else { return false }
      // Another file that only has such a name is the user's.
      return !writes || database.place.real.map { gate.covers(.write, $0 + ending) } == true
        || companion.mayBe(fileAt: name)
    }
  }
}

/// What SQLite keeps beside a database while it is at work, and makes, changes and removes with it.
private enum DatabaseCompanion {
  case journal, log, index, superJournal

  init?(ending: String) {
    switch ending {
    case "-journal": self = .journal
    case "-wal": self = .log
    case "-shm": self = .index
    default:
      let digits = ending.utf8.dropFirst(3)
      guard ending.utf8.starts(with: "-mj".utf8), digits.count == 9,
        digits.allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x46).contains($0) })
      else { return nil }
      self = .superJournal
    }
  }

  /// Whether a file is one, as far as its beginning tells, or may become one.
  func mayBe(fileAt path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { return errno == ENOENT }
    defer { close(descriptor) }
    var beginning = [UInt8](repeating: 0, count: 8)
    let count = read(descriptor, &beginning, beginning.count)
    // One that is not needed for now may be empty, or have its head taken off.
    if count == 0 || count == beginning.count && beginning.allSatisfy({ $0 == 0 }) { return true }
    switch self {
    case .journal: return beginning == [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
    case .log: return beginning.starts(with: [0x37, 0x7F, 0x06]) && (beginning[3] | 1) == 0x83
    // The version of its format.
    case .index: return beginning.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) } == 3_007_000
    case .superJournal: return true
    }
  }
}

/// What SQLite gives back of what it was given.
private func places(of context: UnsafeMutableRawPointer?) -> SQLitePlaces {
  Unmanaged<SQLitePlaces>.fromOpaque(context.unsafelyUnwrapped).takeUnretainedValue()
}
