import Glibc

/// Says to a second xiedit that this one edits a file. Ends with the object, or the process.
package final class FileLock {
  private let path: String
  private let descriptor: CInt
  private let system: any FileSystem

  package enum Outcome {
    case held(FileLock)
    /// Another process has it, or another view of this one; its number, if it could be read.
    case heldByProcess(Int)
    /// The file system knows no locks.
    case unknown
  }

  /// Waits for a holder that is about to go: a second for one that was killed, whose locks stay until what it writes is on the disk, and
  /// 100 ms for any, as an editor that was just quit lets go of the file after its screen.
  package static func take(of file: FilePlace, folder: RecoveryFolder) throws(FileError) -> Outcome {
    let (system, path) = (folder.system, folder.path(for: file, suffix: "lock"))
    while true {
      let descriptor = try system.open(path, O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600)
      do throws(FileError) {
        let outcome = try system.lock(descriptor) { waited in
          let owner = (try? owner(descriptor, system: system)) ?? 0
          return owner != Int(getpid()) && (waited < .milliseconds(100) || system.isEnding(owner))
        }
        switch outcome {
        case .taken: break
        case .busy:
          defer { system.close(descriptor) }
          return .heldByProcess(try owner(descriptor, system: system))
        case .unknown:
          system.close(descriptor)
          return .unknown
        }
        let held = try system.status(of: descriptor)
        if let named = try system.status(at: path, followingLinks: false), named.inode == held.inode {
          try system.truncate(descriptor, to: 0)
          try Array("\(getpid())\n".utf8).withUnsafeBufferPointer { bytes throws(FileError) in
            try system.writeAll(descriptor, UnsafeRawBufferPointer(bytes))
          }
          return .held(FileLock(path, descriptor, system))
        }
      } catch {
        system.close(descriptor)
        throw error
      }
      // Its holder removed it meanwhile.
      system.close(descriptor)
    }
  }

  private init(_ path: String, _ descriptor: CInt, _ system: any FileSystem) {
    (self.path, self.descriptor, self.system) = (path, descriptor, system)
  }

  deinit {
    // Removed while it is held: whoever opened it meanwhile finds that it is not the one with the name any more. If it was removed
    // already, the name may be another's.
    if let held = try? system.status(of: descriptor), let named = try? system.status(at: path, followingLinks: false),
      named.isSameFile(as: held)
    {
      try? system.remove(path)
    }
    system.close(descriptor)
  }

  private static func owner(_ descriptor: CInt, system: any FileSystem) throws(FileError) -> Int {
    var buffer = [UInt8](repeating: 0, count: 20)
    let count = try buffer.withUnsafeMutableBufferPointer { bytes throws(FileError) in
      try system.read(descriptor, into: UnsafeMutableRawBufferPointer(bytes), at: 0)
    }
    return Int(String(decoding: buffer.prefix(count).prefix { $0 != 10 }, as: UTF8.self)) ?? 0
  }
}
