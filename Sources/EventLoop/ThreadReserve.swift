import Glibc
import Synchronization

/// Threads that the engine, Dispatch and Swift's tasks start when they need them, and end the process or wait for ever if they may not:
/// whoever is about to need some asks first whether they would be had.
package enum ThreadReserve {
  /// For compilers, heaps and tasks, by the number of processors.
  private static let countOfProcess = 16 + 2 * max(1, min(sysconf(CInt(_SC_NPROCESSORS_ONLN)), 12))
  /// Each may yet start a collector.
  private static let engines = Atomic(0)

  package static func engineBegins() { engines.add(1, ordering: .relaxed) }
  package static func engineEnds() { engines.subtract(1, ordering: .relaxed) }

  /// Whether another engine leaves enough, as far as the limits of the user and of a container tell. Of the user's processes this one
  /// alone is counted. (To start some for a try would take them from the engines that there are.)
  package static var hasRoomForEngine: Bool {
    let needed = countOfProcess + engines.load(ordering: .relaxed)
    var limit = rlimit()
    // Root's are not counted.
    if geteuid() != 0, getrlimit(__rlimit_resource_t(__RLIMIT_NPROC.rawValue), &limit) == 0,
      let count = number(17, of: "/proc/self/stat"), count + needed > Int(clamping: limit.rlim_cur)
    {
      return false
    }
    guard let most = number(0, of: "/sys/fs/cgroup/pids.max") else { return true }
    // There the collectors that have started are counted already.
    return (number(0, of: "/sys/fs/cgroup/pids.current") ?? 0) + countOfProcess <= most
  }

  /// A word of a file, behind a program's name if there is one.
  private static func number(_ index: Int, of path: String) -> Int? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    guard let bytes = Reading.chunk(from: file, waits: false) else { return nil }
    let start = bytes.lastIndex(of: UInt8(ascii: ")")).map { $0 + 1 } ?? 0
    let words = bytes[start...].split { $0 == 0x20 || $0 == 0x0A }
    return index < words.count ? Int(String(decoding: words[index], as: UTF8.self)) : nil
  }

  /// Starts as many as a first engine may need, at once, and ends them: for the start of a program, where no one else needs any.
  ///
  /// - Throws: if the system refuses one.
  package static func probe() throws(EventLoopError) {
    let isOver = try Completion()
    var threads: [pthread_t] = []
    defer {
      isOver.signal()
      for thread in threads { pthread_join(thread, nil) }
    }
    while threads.count < countOfProcess {
      threads.append(try startThread(stackSize: 64 << 10) { _ = isOver.wait(until: nil) })
    }
  }
}
