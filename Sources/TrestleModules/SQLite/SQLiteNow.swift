import EventLoop
import Trestle

/// What is asked of a connection on the JavaScript thread, which waits for it.
final class SQLiteNow: @unchecked Sendable {  // on the JS thread, but for its end
  let path: String
  private let connection: SQLiteConnection
  /// Whoever uses it: the JS thread, or the end of the bridge.
  private let turn = Lock(())
  private var isAtWork = false

  /// - Parameter context: whose limits hold meanwhile.
  init(_ path: String, _ options: DatabaseOptions, _ context: BridgeContext) throws {
    self.path = path
    connection = try SQLiteConnection(path, options, through: context.permissions) { context.isTurnOver }
  }

  /// - Parameter context: whose limits hold meanwhile.
  func perform<Result: Sendable>(
    _ context: BridgeContext, _ body: (SQLiteConnection) throws -> Result
  ) throws -> Result {
    guard !isAtWork else {
      throw SQLiteError(.busy, "at work: a function that SQL calls cannot use the database that calls it", path: path)
    }
    isAtWork = true
    defer { isAtWork = false }
    let memory = MemoryLook(context)
    return try turn.withLock { _ in
      connection.mustStop = { context.isTurnOver || memory.isUsedUp() }
      defer { connection.mustStop = { false } }
      return try connection.work { try body(connection) }
    }
  }

  /// As that of ``SQLiteQueue``; the limits of the turn are the function's too.
  func transaction(_ context: BridgeContext, _ body: (_ scope: Int) throws -> Void) throws {
    let scope = try perform(context) { try $0.begin() }
    do { try body(scope) } catch {
      try? perform(context) { try $0.end(scope, keeps: false) }
      throw error
    }
    try perform(context) { try $0.end(scope, keeps: true) }
  }

  /// From any thread; again: does nothing.
  func close() {
    connection.stop()
    turn.withLock { _ in connection.work { connection.close() } }
  }
}

/// Looks at the memory of the process now and then: to look costs as much as thousands of SQLite's steps.
private final class MemoryLook {
  private let context: BridgeContext
  private var next = ContinuousClock.now + pause
  private static let pause = Duration.milliseconds(20)

  init(_ context: BridgeContext) { self.context = context }

  func isUsedUp() -> Bool {
    guard .now >= next else { return false }
    next = .now + Self.pause
    return context.isMemoryUsedUp
  }
}
