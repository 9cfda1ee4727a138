import CGLib
import CLinux
import Glibc

/// Descriptors that are kept for GLib, which ends the process if it gets none, for a new context of ours or for those of a JavaScript
/// engine: a program that has used up all others has an error of ours instead.
package enum DescriptorReserve {
  private static let kept = Lock<[CInt]>([])
  /// A context takes one, two on kernels without event descriptors; the others are for threads that open something meanwhile.
  private static let count = 6
  /// An engine makes some contexts later, on threads of its own: where so few are left it is not made at all.
  private static let least = 20

  /// For the start of a program: Dispatch ends the process where it gets none for its own threads.
  ///
  /// - Throws: if there are too few for an engine.
  package static func probe() throws(EventLoopError) { try lend {} }

  /// For the start of a program that has few: Dispatch opens one at the first sleep of a task, and ends the process where a script has taken
  /// all by then.
  package static func openTimers() async {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_cur <= fewInAll else {
      return
    }
    try? await Task.sleep(for: .milliseconds(1))
  }

  private static let fewInAll = 256

  static func makeContext() throws(EventLoopError) -> OpaquePointer {
    guard let context = try lend(g_main_context_new) else { throw exhausted }
    return context
  }

  /// Runs `body` while those that are kept are free.
  ///
  /// - Throws: if there are too few in all: `body` has not run then.
  package static func lend<Result>(_ body: () -> Result) throws(EventLoopError) -> Result {
    let isThere = kept.withLock { kept in
      let missing = least - kept.count
      // Not even for a moment all are taken, and none for longer: a thread of Dispatch may open one at any time, and ends the process if it
      // gets none.
      guard hasRoom(leaving: { _ in missing }) else { return false }
      guard fill(&kept, upTo: least) else {
        while kept.count > count, let descriptor = kept.popLast() { close(descriptor) }
        return false
      }
      while let descriptor = kept.popLast() { close(descriptor) }
      return true
    }
    guard isThere else { throw exhausted }
    // Without the lock: an engine makes a thread with a loop of its own.
    defer { kept.withLock { _ = fill(&$0, upTo: count) } }
    return body()
  }

  /// The same for what cannot be left out, with as many as there are.
  package static func lendAll(_ body: () -> Void) {
    kept.withLock { kept in while let descriptor = kept.popLast() { close(descriptor) } }
    defer { kept.withLock { _ = fill(&$0, upTo: count) } }
    body()
  }

  /// Whether one more may be opened that a script keeps. Scripts leave some free: threads of the engine and of Dispatch open theirs at
  /// any time, and end the process if they get none.
  package static var hasRoom: Bool { hasRoom { min(leftByScripts, $0 / 4) } }

  /// - Parameter least: How many have to stay free then, of so many in all.
  package static func hasRoom(leaving least: (_ limit: Int) -> Int) -> Bool {
    let lowest = eventfd(0, CInt(EFD_CLOEXEC))
    guard lowest >= 0 else { return false }
    close(lowest)
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return true }
    let count = Int(clamping: limit.rlim_cur)
    return count - Int(lowest) > least(count)
  }

  /// The system begins each program with few, for those that use `select`, and lets it have more.
  package static func raiseLimit() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    startLimit.withLock { $0 = limit }
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }

  /// As it was before it was raised: programs that we start may be of those.
  private static let startLimit = Lock<rlimit?>(nil)

  static func restoreLimit(of process: pid_t) {
    guard var limit = startLimit.withLock({ $0 }) else { return }
    _ = prlimit(process, CInt(RLIMIT_NOFILE.rawValue), &limit, nil)
  }

  private static let leftByScripts = 32

  private static var exhausted: EventLoopError { EventLoopError("open", systemError: EMFILE) }

  private static func fill(_ kept: inout [CInt], upTo count: Int) -> Bool {
    while kept.count < count {
      let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
      if descriptor < 0 { return false }
      kept.append(descriptor)
    }
    return true
  }
}
