import CLinux
import Glibc

/// What Linux does with files beyond POSIX, behind the one importer of its headers. Each sets `errno` as the system call does.
public enum LinuxFile {
  /// O_PATH: opens a file for its place and its file system alone.
  public static let pathOnly: CInt = 0o10000000
  /// AT_EMPTY_PATH: what a descriptor is of, and no name below it.
  public static let emptyPath: CInt = 0x1000

  /// Starts to write what is dirty to the disk, without waiting: a later `fsync` has less to do.
  @discardableResult
  public static func startWriteback(_ descriptor: CInt) -> Bool {
    sync_file_range(descriptor, 0, 0, 2) == 0  // SYNC_FILE_RANGE_WRITE
  }

  /// Has the disk keep room for the first `size` bytes of the file, which stays as it is. False, and no room is kept, if there is too
  /// little; true also where the file system cannot tell.
  public static func reserveRoom(_ descriptor: CInt, _ size: Int) -> Bool {
    var before = stat()
    guard fstat(descriptor, &before) == 0 else { return false }
    // Not `posix_fallocate`: what it makes the file longer by stays when the disk is full.
    while fallocate(descriptor, 1, 0, off_t(size)) != 0 {  // FALLOC_FL_KEEP_SIZE
      if errno == EINTR { continue }
      if errno == EOPNOTSUPP || errno == EINVAL { return true }
      let error = errno
      // A part of the room may have been taken; and the file was not written to.
      _ = ftruncate(descriptor, before.st_size)
      _ = futimens(descriptor, [before.st_atim, before.st_mtim])
      errno = error
      return false
    }
    return true
  }

  /// Writes to the end of a file, wherever that is by then and whatever flags it is open with.
  ///
  /// - Returns: how many bytes; -1 if that fails.
  package static func append(_ bytes: UnsafeRawBufferPointer, to descriptor: CInt) -> Int {
    var part = iovec(iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count)
    return pwritev2(descriptor, &part, 1, 0, 0x10)  // RWF_APPEND
  }

  /// Whether the file lies in memory only, in a tmpfs or ramfs. Nil when it cannot be told.
  public static func isInMemory(_ descriptor: CInt) -> Bool? {
    var status = statfs()
    guard fstatfs(descriptor, &status) == 0 else { return nil }
    return [0x0102_1994, 0x8584_58F6].contains(UInt32(truncatingIfNeeded: status.f_type))
  }

  /// Copies every extended attribute, the access control list among them. False if any could not be.
  public static func copyAttributes(from source: CInt, to destination: CInt) -> Bool {
    guard let names = attributeNames(source) else { return errno == EOPNOTSUPP }
    // A folder may give each new file a list of its own.
    let list = "system.posix_acl_access"
    if !names.contains(list), fremovexattr(destination, list) != 0, errno != ENODATA, errno != EOPNOTSUPP {
      return false
    }
    return names.allSatisfy { name in
      let size = fgetxattr(source, name, nil, 0)
      guard size >= 0 else { return false }
      var value = [UInt8](repeating: 0, count: size)
      return fgetxattr(source, name, &value, size) == size && fsetxattr(destination, name, value, size, 0) == 0
    }
  }

  /// `renameat2` with RENAME_NOREPLACE.
  public static func renameWithoutReplacing(_ source: String, _ destination: String) -> CInt {
    renameat2(AT_FDCWD, source, AT_FDCWD, destination, 1)
  }

  private static let capability = "security.capability"

  public static func capabilities(of descriptor: CInt) -> [UInt8]? {
    // The present form has 20 bytes, or 24 with the user that it is for.
    var value = [UInt8](repeating: 0, count: 64)
    let count = fgetxattr(descriptor, capability, &value, value.count)
    return count > 0 ? Array(value.prefix(count)) : nil
  }

  public static func setCapabilities(_ capabilities: [UInt8], of descriptor: CInt) -> CInt {
    fsetxattr(descriptor, capability, capabilities, capabilities.count, 0)
  }

  private static func attributeNames(_ descriptor: CInt) -> [String]? {
    let size = flistxattr(descriptor, nil, 0)
    guard size > 0 else { return size == 0 ? [] : nil }
    var buffer = [CChar](repeating: 0, count: size)
    let count = flistxattr(descriptor, &buffer, size)
    guard count >= 0 else { return nil }
    return buffer.prefix(count).split(separator: 0).map {
      String(decoding: $0.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
  }
}
