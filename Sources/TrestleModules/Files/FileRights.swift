import EventLoop
import Glibc

/// Whom a file belongs to, and what that one, the group and all others may do with it.
struct FileRights: Equatable {
  let owner: uid_t
  let group: gid_t
  let permissions: mode_t

  init(owner: uid_t, group: gid_t, permissions: mode_t) {
    (self.owner, self.group, self.permissions) = (owner, group, permissions)
  }

  init(_ status: stat) {
    self.init(owner: status.st_uid, group: status.st_gid, permissions: status.st_mode & 0o7777)
  }

  /// What is left of the permissions where owner and group are these: nobody gets more than he had, and nothing runs as somebody else.
  func permissions(withOwner owner: uid_t, group: gid_t) -> mode_t {
    var left = permissions
    if (owner, group) != (self.owner, self.group) { left &= 0o1777 }
    // Another group may do what all others might.
    if group != self.group { left &= ~0o070 | (left & 0o007) << 3 }
    return left
  }

  /// Gives them to a file that nobody else may use yet: owner and group first, where the process may, and the permissions that are left
  /// then.
  ///
  /// - Returns: false if that fails; `errno` says why.
  func give(to descriptor: CInt) -> Bool {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return false }
    if (status.st_uid, status.st_gid) != (owner, group) {
      guard change({ fchown(descriptor, $0, group) }), fstat(descriptor, &status) == 0 else { return false }
    }
    // What it is now, not what was asked for: there are file systems that say nothing where they do not.
    return fchmod(descriptor, permissions(withOwner: status.st_uid, group: status.st_gid)) == 0
  }

  /// The same for a link just made, which has no permissions.
  func give(toLink name: [CChar], in folder: CInt) -> Bool {
    let link = openat(folder, name, LinuxFile.pathOnly | O_NOFOLLOW | O_CLOEXEC)
    guard link >= 0 else { return errno == ENOENT }
    defer { close(link) }
    var status = stat()
    guard fstat(link, &status) == 0 else { return false }
    // Somebody else's may stand in its place by now.
    guard status.st_mode & S_IFMT == S_IFLNK, status.st_nlink == 1, status.st_uid == geteuid(),
      (status.st_uid, status.st_gid) != (owner, group)
    else { return true }
    return change { fchownat(link, "", $0, group, LinuxFile.emptyPath) }
  }

  /// - Returns: true also where the process may change the group alone, or nothing.
  private func change(_ setOwner: (uid_t) -> CInt) -> Bool {
    for owner in [owner, .max] {
      if setOwner(owner) == 0 { return true }
      guard [EPERM, EINVAL, EACCES, ENOSYS, EOPNOTSUPP].contains(errno) else { return false }
    }
    return true
  }
}
