import EventLoop
import Glibc

/// What sources became, in a folder that is the user's alone. An entry has all that it was made of in it, which is compared: no two sources
/// share one. Entries are written beside and renamed, and the oldest go when there are too many.
///
/// A folder or an entry that belongs to another user, or that others may write, is not used.
struct TransformCache: Sendable {
  /// What a result depends on.
  struct Key {
    fileprivate let bytes: [UInt8]

    init(transformer: String, options: [String], source: String) {
      let parts = [transformer] + options + [source]
      bytes = Array(parts.map { "\($0.utf8.count)\n\($0)" }.joined(separator: "\n").utf8)
    }

    /// Which file: that two keys share one costs time and nothing else (FNV-1a).
    fileprivate var name: String {
      var hash: UInt64 = 0xCBF2_9CE4_8422_2325
      for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
      return String(hash, radix: 16)
    }
  }

  let folder: String
  /// Of all entries together, in bytes.
  var sizeLimit = 64 << 20
  var countLimit = 4000

  /// Nil where there is no home, or the process runs with another user's rights.
  static let ofUser: TransformCache? = {
    guard getuid() == geteuid(), getgid() == getegid() else { return nil }
    func folder(_ variable: String) -> String? {
      getenv(variable).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    guard let parent = folder("XDG_CACHE_HOME") ?? folder("HOME").map({ "\($0)/.cache" }) else { return nil }
    return TransformCache(folder: "\(parent)/trestle/transforms")
  }()

  private static let magic = Array("trestle 1\n".utf8)

  func read(_ key: Key) -> String? {
    guard let folder = open(create: false) else { return nil }
    defer { close(folder) }
    let file = openat(folder, key.name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, isOurs(status), status.st_size <= sizeLimit,
      let bytes = Reading.toEnd(of: file, atMost: sizeLimit, waits: false)
    else { return nil }
    // The length of the result, the key, the result: an entry that is cut off is none.
    var rest = bytes[...]
    guard rest.starts(with: Self.magic) else { return nil }
    rest = rest.dropFirst(Self.magic.count)
    guard let end = rest.firstIndex(of: 10), let length = Int(String(decoding: rest[..<end], as: UTF8.self)) else {
      return nil
    }
    rest = rest[(end + 1)...]
    guard rest.starts(with: key.bytes) else { return nil }
    rest = rest.dropFirst(key.bytes.count)
    guard rest.count == length else { return nil }
    // Used is not old.
    if time(nil) - status.st_mtim.tv_sec > 3600 { futimens(file, nil) }
    return String(validating: rest, as: UTF8.self)
  }

  /// What cannot be kept is made again.
  func write(_ text: String, for key: Key) {
    let bytes = Self.magic + Array("\(text.utf8.count)\n".utf8) + key.bytes + Array(text.utf8)
    guard bytes.count <= sizeLimit / 8, let folder = open(create: true) else { return }
    defer { close(folder) }
    let temporary = "new-\(getpid())-\(UInt64.random(in: 0 ... .max))"
    let file = openat(folder, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { return }
    let isWritten = Self.write(bytes, to: file)
    close(file)
    guard isWritten, renameat(folder, temporary, folder, key.name) == 0 else {
      unlinkat(folder, temporary, 0)
      return
    }
    // Looking through it costs more than writing: now and then.
    if Int.random(in: 0..<64) == 0 { removeOldest(in: folder) }
  }

  private static func write(_ bytes: [UInt8], to file: CInt) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { return false }
    }
    return true
  }

  /// The folder, if it is the user's alone.
  private func open(create: Bool) -> CInt? {
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW
    var descriptor = Glibc.open(folder, flags)
    if descriptor < 0, create, errno == ENOENT {
      // The folder that holds it, and the one above: a home that is not there is not made.
      let parents = [2, 1, 0].map { FileModuleLoader.ancestor(of: folder, $0) }
      for path in parents { mkdir(path, 0o700) }
      descriptor = Glibc.open(folder, flags)
    }
    guard descriptor >= 0 else { return nil }
    var status = stat()
    guard fstat(descriptor, &status) == 0, isOurs(status) else {
      close(descriptor)
      return nil
    }
    return descriptor
  }

  private func isOurs(_ status: stat) -> Bool { status.st_uid == geteuid() && status.st_mode & 0o022 == 0 }

  /// Until there is room for as much again as there may be at most halved.
  func removeOldest(in folder: CInt) {
    let copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard copy >= 0 else { return }
    guard let list = fdopendir(copy) else {
      close(copy)
      return
    }
    defer { closedir(list) }
    var entries: [(name: String, time: Int, size: Int)] = []
    while let entry = readdir(list) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      var status = stat()
      guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0, status.st_mode & S_IFMT == S_IFREG else {
        continue
      }
      entries.append((name, status.st_mtim.tv_sec, Int(status.st_size)))
    }
    entries.sort { $0.time < $1.time }
    var (size, count) = (entries.reduce(0) { $0 + $1.size }, entries.count)
    guard size > sizeLimit || count > countLimit else { return }
    for entry in entries where size > sizeLimit / 2 || count > countLimit / 2 {
      unlinkat(folder, entry.name, 0)
      (size, count) = (size - entry.size, count - 1)
    }
  }
}
