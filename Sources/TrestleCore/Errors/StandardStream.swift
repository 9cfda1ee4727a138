import EventLoop
import Glibc
import Synchronization

/// Standard output or standard error. Whatever is written there is written here, each text as a whole. From any thread.
package final class StandardStream: Sendable {
  package static let output = StandardStream(STDOUT_FILENO)
  package static let error = StandardStream(STDERR_FILENO)

  private let descriptor: Atomic<CInt>
  private let writing = Lock(())
  // Read without the lock: its owner may be waiting for a reader.
  private let firstFailure = Atomic<CInt>(0)

  init(_ descriptor: CInt) { self.descriptor = Atomic(descriptor) }

  /// From here on nothing but ``output`` writes to the standard output: what programs inherit as theirs, and what is written to it by its
  /// number, goes to the standard error.
  package static func reserveOutput() {
    let own = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
    guard own >= 0 else { return }
    output.descriptor.store(own, ordering: .releasing)
    dup2(STDERR_FILENO, STDOUT_FILENO)
  }

  /// Why something could not be written, as `errno` has it: the first time. Nil if all was.
  package var failure: CInt? {
    let failure = firstFailure.load(ordering: .acquiring)
    return failure == 0 ? nil : failure
  }

  /// Nobody else writes while `body` runs, which does not either.
  package func whileSilent<Result>(_ body: () throws -> Result) rethrows -> Result {
    try writing.withLock { _ in try body() }
  }

  /// Writes all of it, waiting for whoever reads it; what fails is left out, and remembered.
  package func write(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      writing.withLock { _ in
        guard !Writing.all(UnsafeRawBufferPointer(bytes), to: descriptor.load(ordering: .acquiring)) else { return }
        _ = firstFailure.compareExchange(expected: 0, desired: errno, ordering: .acquiringAndReleasing)
      }
    }
  }
}
