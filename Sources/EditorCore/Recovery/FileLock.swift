import Glibc

/// Says to a second xiedit that this one edits a file. Ends with the object, or the process.
package final class FileLock {
  private let path: String
  private let descriptor: CInt
  private let system: any FileSystem

  /// Throws `inUse`, with the other's process number, if another process holds it.
  package init(of target: String, folder: RecoveryFolder) throws(FileError) {
    system = folder.system
    path = folder.path(for: target, suffix: "lock")
    descriptor = try FileLock.acquire(path, target: target, system: system)
  }

  deinit {
    // Removed while it is held: whoever opened it meanwhile finds that it is not the one with the name any more.
    try? system.remove(path)
    system.close(descriptor)
  }

  private static func acquire(_ path: String, target: String, system: any FileSystem) throws(FileError) -> CInt {
    while true {
      let descriptor = try system.open(path, O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600)
      do throws(FileError) {
        guard try system.lock(descriptor) else {
          let owner = try owner(descriptor, system: system)
          throw FileError(.inUse, "cannot edit", path: target, detail: "process \(owner) edits it")
        }
        let held = try system.status(of: descriptor)
        if let named = try system.status(at: path, followingLinks: false), named.inode == held.inode {
          try system.truncate(descriptor, to: 0)
          try Array("\(getpid())\n".utf8).withUnsafeBufferPointer { bytes throws(FileError) in
            try system.writeAll(descriptor, UnsafeRawBufferPointer(bytes))
          }
          return descriptor
        }
        system.close(descriptor)
      } catch {
        system.close(descriptor)
        throw error
      }
    }
  }

  private static func owner(_ descriptor: CInt, system: any FileSystem) throws(FileError) -> String {
    var buffer = [UInt8](repeating: 0, count: 20)
    let count = try buffer.withUnsafeMutableBufferPointer { bytes throws(FileError) in
      try system.read(descriptor, into: UnsafeMutableRawBufferPointer(bytes), at: 0)
    }
    return String(decoding: buffer.prefix(count).prefix { $0 != 10 }, as: UTF8.self)
  }
}
