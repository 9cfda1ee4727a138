import Glibc

/// What a process may have of memory at most.
package enum SystemMemory {
  /// That of the machine, or less where `ulimit -v` or a container says so; in bytes.
  package static let limit: Int = {
    var addresses = rlimit(rlim_cur: .max, rlim_max: .max)
    _ = getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &addresses)
    let machine = sysconf(CInt(_SC_PHYS_PAGES)) * sysconf(CInt(_SC_PAGESIZE))
    return min(machine > 0 ? machine : .max, Int(clamping: addresses.rlim_cur), ofContainer ?? .max)
  }()

  private static var ofContainer: Int? {
    let file = open("/sys/fs/cgroup/memory.max", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    guard let bytes = Reading.chunk(from: file, waits: false) else { return nil }
    return Int(String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self))
  }
}
