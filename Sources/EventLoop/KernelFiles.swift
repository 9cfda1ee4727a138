import CLinux

/// Files of `/proc`, `/sys` and the like, wherever these are mounted: readers of some wait for ever, whatever they ask for, and what others
/// tell is of the process and the machine.
package enum KernelFiles {
  /// Of proc, sysfs, debugfs, tracefs, securityfs, cgroup, cgroup2 and bpf.
  private static let kinds: Set<Int> = [
    0x9FA0, 0x6265_6572, 0x6462_6720, 0x7472_6163, 0x7363_6673, 0x27_E0EB, 0x6367_7270, 0xCAFE_4A11,
  ]

  /// Whether an open file is one of them.
  package static func contain(_ descriptor: CInt) -> Bool {
    var system = statfs()
    return fstatfs(descriptor, &system) == 0 && kinds.contains(Int(truncatingIfNeeded: system.f_type))
  }
}
