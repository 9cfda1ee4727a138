import CJavaScriptCore
import Glibc

/// What the engine shares between all contexts of the process.
enum EngineProcess {
  /// Whether contexts collect garbage at every call into the engine, because the environment variable
  /// `TRESTLE_COLLECT_AT_EVERY_CALL` is set. For tests: a value that nobody protects is gone at the next call.
  static let collectsAtEveryCall = getenv("TRESTLE_COLLECT_AT_EVERY_CALL") != nil

  /// Leaves SIGUSR1 to the program: the collector stops threads by a real-time signal. Runs once, before the first
  /// context.
  static let configure: Void = { _ = JSConfigureSignalForGC(__libc_current_sigrtmin() + 5) }()
}
