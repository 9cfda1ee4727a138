import CGLib
import Glibc

/// Descriptors that are kept for GLib, which ends the process if it gets none, for a new context of ours or for those of a JavaScript
/// engine: a program that has used up all others has an error of ours instead.
package enum DescriptorReserve {
  private static let kept = Lock<[CInt]>([])
  /// A context takes one, two on kernels without event descriptors; the others are for threads that open something meanwhile.
  private static let count = 6
  /// An engine makes some contexts later, on threads of its own: where so few are left it is not made at all.
  private static let least = 20

  static func makeContext() throws(EventLoopError) -> OpaquePointer {
    guard let context = try lend(g_main_context_new) else { throw exhausted }
    return context
  }

  /// Runs `body` while those that are kept are free.
  ///
  /// - Throws: if there are too few in all: `body` has not run then.
  package static func lend<Result>(_ body: () -> Result) throws(EventLoopError) -> Result {
    let isThere = kept.withLock { kept in
      guard fill(&kept, upTo: least) else { return false }
      while let descriptor = kept.popLast() { close(descriptor) }
      return true
    }
    guard isThere else { throw exhausted }
    // Without the lock: an engine makes a thread with a loop of its own.
    defer { kept.withLock { _ = fill(&$0, upTo: count) } }
    return body()
  }

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
