import Foundation
import Testing

extension Trait where Self == OffThePool {
  /// For tests that hold their thread while another process works.
  ///
  /// Swift's pool has as many threads as the machine has cores. Two such tests would stop all others, whose time to wait
  /// would pass meanwhile.
  public static var offThePool: Self { Self() }
}

/// Runs tests on threads of their own.
public struct OffThePool: TestTrait, SuiteTrait, TestScoping {
  public var isRecursive: Bool { true }

  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(BlockingExecutor.shared, operation: function)
  }
}

private final class BlockingExecutor: TaskExecutor {
  static let shared = BlockingExecutor()

  private let threads = OperationQueue()

  /// As many compilers or editors at once as a small machine bears.
  private init() { threads.maxConcurrentOperationCount = 2 }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    threads.addOperation { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
