import CGLib
import Glibc

/// Descriptors that are kept for GLib, which ends the process if it gets none for a new context: a program that has used up all others
/// has an error of ours instead.
enum DescriptorReserve {
  private static let kept = Lock<[CInt]>([])
  /// A context needs one, two on kernels without event descriptors; the others are for threads that open something meanwhile.
  private static let count = 6

  static func makeContext() throws(EventLoopError) -> OpaquePointer {
    let context = kept.withLock { kept -> OpaquePointer? in
      guard fill(&kept) else { return nil }
      while let descriptor = kept.popLast() { close(descriptor) }
      defer { _ = fill(&kept) }
      return g_main_context_new()
    }
    guard let context else { throw EventLoopError("open", systemError: EMFILE) }
    return context
  }

  private static func fill(_ kept: inout [CInt]) -> Bool {
    while kept.count < count {
      let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
      if descriptor < 0 { return false }
      kept.append(descriptor)
    }
    return true
  }
}
