import EventLoop
import TestSupport

@testable import TrestleCore

/// What has happened in a module, line by line. From any thread.
final class Journal: Sendable {
  private let lines = Lock<[String]>([])

  func append(_ line: String) { lines.withLock { $0.append(line) } }
  var all: [String] { lines.withLock { $0 } }

  /// Returns once `line` is there, so many times.
  func waitFor(_ line: String, count: Int = 1) async throws {
    let deadline = ContinuousClock.now + patience
    while all.count(where: { $0 == line }) < count {
      if ContinuousClock.now > deadline { throw BridgeError(.notFound, "'\(line)' did not come: \(all)") }
      try await Task.sleep(for: .milliseconds(1))
    }
  }
}
