import CLinux

/// Files of `/proc`, `/sys` and the like, wherever these are mounted: readers of some wait for ever, whatever they ask for, and what others
/// tell is of the process and the machine.
package enum KernelFiles {
  /// Of proc, sysfs, debugfs, tracefs, securityfs, cgroup, cgroup2 and bpf.
  private static let kinds: Set<Int> = [
    0x9FA0, 0x6265_6572, 0x6462_6720, 0x7472_6163, 0x7363_6673, 0x27_E0EB, 0x6367_7270, 0xCAFE_4A11,
  ]

  /// Whether an open file is the memory of a process: who has it reads and changes all that is in there.
  package static func areMemory(_ descriptor: CInt) -> Bool {
    guard contain(descriptor) else { return false }
    var name = [CChar](repeating: 0, count: 256)
    let count = readlink("/proc/self/fd/\(descriptor)", &name, name.count)
    return count >= 0 && name[..<count].suffix(4).elementsEqual("/mem".utf8.map(CChar.init(bitPattern:)))
  }

  /// Whether an open file is one of them.
  package static func contain(_ descriptor: CInt) -> Bool {
    var system = statfs()
    return fstatfs(descriptor, &system) == 0 && kinds.contains(Int(truncatingIfNeeded: system.f_type))
  }

  /// Whether what a path leads to is.
  package static func contain(at path: UnsafePointer<CChar>) -> Bool {
    var system = statfs()
    return statfs(path, &system) == 0 && kinds.contains(Int(truncatingIfNeeded: system.f_type))
  }
}
