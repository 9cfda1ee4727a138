import CLinux
import Glibc

/// The room that threads have for their calls, whatever `ulimit -s` says.
package enum Stack {
  /// Less is too little for the libraries that a program uses.
  private static let least = 1 << 20
  private static let usual = 8 << 20

  /// How many bytes this thread's stack still has.
  package static var room: Int { Int(clamping: clinux_stack_room()) }

  /// What a thread is to have; nil where the system's own is enough.
  static var sizeToAskFor: Int? {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    var size = 0
    guard pthread_attr_getstacksize(&attributes, &size) == 0, size < least else { return nil }
    return usual
  }

  /// Runs the whole of a program: on this thread, or on another where this one has too little room.
  /// - Parameter name: What `ps` and `top` call it; its file when nil.
  package static func run(as name: String? = nil, _ program: @escaping @Sendable () -> CInt) -> CInt {
    if let name { clinux_name_thread(name) }
    guard let size = sizeToAskFor else { return program() }
    let code = Lock<CInt>(1)
    do throws(EventLoopError) {
      let thread = try startThread(stackSize: size) {
        let result = program()
        code.withLock { $0 = result }
      }
      pthread_join(thread, nil)
    } catch {
      return program()
    }
    return code.withLock { $0 }
  }
}
