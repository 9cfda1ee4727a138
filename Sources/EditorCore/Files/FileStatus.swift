import Glibc

/// What the system knows of a file.
package struct FileStatus: Sendable, Hashable {
  package enum Kind: Sendable {
    case regular, directory, symbolicLink, other
  }

  package var kind: Kind
  package var size: Int
  /// When its contents last changed, in nanoseconds since 1970.
  package var modificationTime: Int64
  /// When it was last written to, or its status was changed: nobody can set this back.
  package var changeTime: Int64
  package var device: UInt64
  package var inode: UInt64
  /// Its permissions, with set-user and set-group bits.
  package var mode: UInt32
  package var owner: UInt32
  package var group: UInt32
  package var linkCount: Int

  init(_ status: stat) {
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .regular
      case S_IFDIR: .directory
      case S_IFLNK: .symbolicLink
      default: .other
      }
    size = Int(status.st_size)
    modificationTime = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
    changeTime = Int64(status.st_ctim.tv_sec) * 1_000_000_000 + Int64(status.st_ctim.tv_nsec)
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    mode = status.st_mode & 0o7777
    owner = status.st_uid
    group = status.st_gid
    linkCount = Int(status.st_nlink)
  }

  /// Whether the contents are, as far as the system can tell, what they were.
  package func hasSameContents(as other: FileStatus) -> Bool { stamp == other.stamp }

  /// What is known of a file after its own writing, of which this is the end: `later` was asked for when others could have written to
  /// it, too. Where those cannot be told apart this stays, whose time of change is not that of the file any more: who compares it looks at the
  /// contents then.
  func ofSame(as later: FileStatus?) -> FileStatus {
    guard let later, hasSameContents(as: later), later.changeTime - modificationTime > Self.clockTick
    else { return self }
    return later
  }

  /// Two writes of so many nanoseconds may have one time.
  private static let clockTick: Int64 = 20_000_000

  func isSameFile(as other: FileStatus) -> Bool { (device, inode) == (other.device, other.inode) }

  /// Whether it is the file that it was, or one with more behind what there was, as far as the system can tell.
  func hasGrown(from other: FileStatus) -> Bool {
    hasSameContents(as: other) || isSameFile(as: other) && size > other.size
  }

  /// By which a file is known again without reading it.
  package struct Stamp: Sendable, Hashable {
    package var size: Int
    package var modificationTime: Int64
    package var device: UInt64
    package var inode: UInt64
  }

  package var stamp: Stamp {
    Stamp(size: size, modificationTime: modificationTime, device: device, inode: inode)
  }
}
