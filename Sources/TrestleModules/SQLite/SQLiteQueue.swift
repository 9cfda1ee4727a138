import Dispatch
import EventLoop
import Synchronization
import Trestle

/// What is asked of a connection away from the JavaScript thread: one after the other, in the order of the calls, on a thread that nobody
/// else waits for. While a transaction is open, what does not belong to it waits.
final class SQLiteQueue: Sendable {
  private enum Kind {
    case call
    /// The end of a transaction, which may wait for those within it as long as they take.
    case end
    /// The same where it is undone, with those within it.
    case undoing
  }

  /// Something that is asked for.
  private final class Item: @unchecked Sendable {  // on the queue, but for what is atomic
    /// The transaction that it belongs to; 0 for none.
    let scope: Int
    let kind: Kind
    let body: (Item) -> Void
    let refuse: (any Error) -> Void
    let isCancelled = Atomic(false)

    init(
      scope: Int, kind: Kind, body: @escaping (Item) -> Void, refuse: @escaping (any Error) -> Void
    ) {
      (self.scope, self.kind, self.body, self.refuse) = (scope, kind, body, refuse)
    }
  }

  private final class State: @unchecked Sendable {  // on the queue
    var connection: SQLiteConnection?
    var waiting: [Item] = []
  }

  /// For what is done whatever transaction is open.
  static let anyScope = -1

  let path: String
  // Of its own, which is there at once, however many others wait for their disks.
  private let queue = DispatchQueue(label: "trestle.sqlite")
  private let state = State()
  /// Says from any thread that whatever is at work is to end.
  private let stopper = Lock<SQLiteConnection?>(nil)
  private let isClosed = Atomic(false)
  private let atWork = Lock<Item?>(nil)
  /// The outermost of the transactions that are cancelled: what belongs to it, or to those within it, is for nobody.
  private let abandoned = Atomic(Int.max)

  private init(_ path: String) { self.path = path }

  static func open(
    _ path: String, _ options: DatabaseOptions, through gate: PermissionGate
  ) async throws -> SQLiteQueue {
    let made = SQLiteQueue(path)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        made.queue.async {
          continuation.resume(
            with: Result {
              made.state.connection = try SQLiteConnection(path, options, through: gate) {
                made.isClosed.load(ordering: .relaxed)
              }
              made.stopper.withLock { $0 = made.state.connection }
              return made
            })
        }
      }
    } onCancel: {
      made.stop()
    }
  }

  /// Runs `body` in its turn.
  nonisolated(nonsending) func perform<Result: Sendable>(
    in scope: Int, _ body: @escaping @Sendable (SQLiteConnection) throws -> Result
  ) async throws -> Result {
    try await perform(.call, in: scope, body)
  }

  private nonisolated(nonsending) func perform<Result: Sendable>(
    _ kind: Kind, in scope: Int, _ body: @escaping @Sendable (SQLiteConnection) throws -> Result
  ) async throws -> Result {
    let made = Lock<Item?>(nil)
    return try await withTaskCancellationHandler {
      try await withUnsafeThrowingContinuation { (continuation: UnsafeContinuation<Result, any Error>) in
        let waiting = Lock<UnsafeContinuation<Result, any Error>?>(continuation)
        let item = Item(scope: scope, kind: kind) { item in
          let result = Swift.Result { try self.run(item, body) }
          waiting.withLock { $0.take() }?.resume(with: result)
        } refuse: { error in
          waiting.withLock { $0.take() }?.resume(throwing: error)
        }
        made.withLock { $0 = item }
        queue.async { self.admit(item) }
        if Task.isCancelled { cancel(item) }
      }
    } onCancel: {
      if let item = made.withLock({ $0 }) { cancel(item) }
    }
  }

  /// From any thread; again: does no harm.
  private func cancel(_ item: Item) {
    // The end of a transaction is what a cancellation leads to.
    guard item.kind != .end else { return }
    DispatchQueue.global().asyncAfter(deadline: .now() + Self.longestStep) { item.refuse(CancellationError()) }
    guard item.kind == .call else { return }
    item.isCancelled.store(true, ordering: .relaxed)
    queue.async { self.giveUp(item, CancellationError()) }
  }

  /// How long somebody who gives up waits for SQLite to end a single step, such as a search in a text of megabytes: nothing ends that
  /// but itself.
  private static let longestStep = DispatchTimeInterval.seconds(1)

  private func run<Result>(_ item: Item, _ body: (SQLiteConnection) throws -> Result) throws -> Result {
    guard let connection = state.connection else { throw closed }
    let isUnwanted = { [self] in
      item.kind == .call
        && (item.isCancelled.load(ordering: .relaxed) || item.scope >= abandoned.load(ordering: .relaxed))
    }
    guard !isUnwanted() else { throw CancellationError() }
    connection.mustStop = isUnwanted
    atWork.withLock { $0 = item }
    defer {
      connection.mustStop = { false }
      atWork.withLock { $0 = nil }
    }
    do { return try connection.work { try body(connection) } } catch let error as SQLiteError
      where error.code == .cancelled
    {
      throw isClosed.load(ordering: .relaxed) ? closed : CancellationError()
    }
  }

  private var closed: SQLiteError { SQLiteError(.closed, "the database is closed", path: path) }

  /// What nobody waits for.
  func performSoon(_ body: @escaping @Sendable (SQLiteConnection) -> Void) {
    queue.async { [self] in if let connection = state.connection { connection.work { body(connection) } } }
  }

  // MARK: On the queue

  private func admit(_ item: Item) {
    guard isTurn(of: item) else {
      state.waiting.append(item)
      guard item.kind == .call, let timeout = state.connection?.timeout else { return }
      queue.asyncAfter(deadline: .now() + .nanoseconds(Int(timeout / .nanoseconds(1)))) { [weak self, weak item] in
        if let self, let item { giveUp(item, tooLate(timeout)) }
      }
      return
    }
    item.body(item)
    admitWaiting()
  }

  /// Whether it may be done, or is to be refused.
  private func isTurn(of item: Item) -> Bool {
    guard item.scope != Self.anyScope, item.kind != .undoing, let scopes = state.connection?.scopes else { return true }
    return item.scope == scopes.last ?? 0 || item.scope != 0 && !scopes.contains(item.scope)
  }

  /// Those whose turn has come, the first one first.
  private func admitWaiting() {
    var left = state.waiting[...]
    state.waiting = []
    while let item = left.popFirst() {
      guard isTurn(of: item) else {
        state.waiting.append(item)
        continue
      }
      let scopes = state.connection?.scopes
      item.body(item)
      // It may be the turn of one before it now.
      if scopes != state.connection?.scopes {
        left = (state.waiting + left)[...]
        state.waiting = []
      }
    }
  }

  private func tooLate(_ timeout: Duration) -> SQLiteError {
    SQLiteError(
      .busy,
      "a transaction has been open for longer than \(timeout): what belongs to it is asked of the object that its function is given",
      path: path)
  }

  private func giveUp(_ item: Item, _ error: any Error) {
    guard let index = state.waiting.firstIndex(where: { $0 === item }) else { return }
    state.waiting.remove(at: index)
    item.refuse(error)
  }

  // MARK: Transactions

  /// Runs `body` in a transaction, or in a savepoint of the one that it is called in; what it throws undoes it.
  nonisolated(nonsending) func transaction(
    in scope: Int, _ body: nonisolated(nonsending) (_ scope: Int) async throws -> Void
  ) async throws {
    let inner = try await perform(in: scope) { connection in
      try connection.checkScope(scope)
      return try connection.begin()
    }
    do {
      try await body(inner)
      try Task.checkCancellation()
    } catch {
      // Otherwise what was asked of it before comes to its own end first.
      if Task.isCancelled { abandon(inner) }
      try? await perform(.undoing, in: inner) { [self] connection in
        defer { if abandoned.load(ordering: .relaxed) == inner { abandoned.store(.max, ordering: .relaxed) } }
        try connection.end(inner, keeps: false)
      }
      throw error
    }
    try await perform(.end, in: inner) { try $0.end(inner, keeps: true) }
  }

  /// What belongs to the transaction, or to those within it, is for nobody.
  private func abandon(_ scope: Int) {
    abandoned.min(scope, ordering: .relaxed)
    DispatchQueue.global().asyncAfter(deadline: .now() + Self.longestStep) { [self] in
      if let item = atWork.withLock({ $0 }), item.kind == .call, item.scope >= scope {
        item.refuse(CancellationError())
      }
    }
  }

  // MARK: Its end

  /// Whatever is at work ends, what waits fails. From any thread; again: does nothing.
  func stop() {
    guard !isClosed.exchange(true, ordering: .relaxed) else { return }
    stopper.withLock { $0.take() }?.stop()
  }

  /// Ends whatever is at work, and closes behind it.
  func close(_ then: @escaping @Sendable () -> Void = {}) {
    stop()
    queue.async { [self] in
      if let connection = state.connection { connection.work { connection.close() } }
      state.connection = nil
      admitWaiting()
      then()
    }
  }

  /// The same. Comes back without its end where SQLite is in the middle of a single step that takes longer.
  func closed() async {
    await withCheckedContinuation { continuation in
      let waiting = Lock<CheckedContinuation<Void, Never>?>(continuation)
      let goOn: @Sendable () -> Void = { waiting.withLock { $0.take() }?.resume() }
      close(goOn)
      DispatchQueue.global().asyncAfter(deadline: .now() + Self.longestStep, execute: goOn)
    }
  }
}

extension SQLiteConnection {
  /// - Throws: where the transaction is over that something belongs to.
  func checkScope(_ scope: Int) throws(SQLiteError) {
    guard scope == scopes.last ?? 0 else { throw SQLiteError(.closed, "the transaction is over", path: path) }
  }
}
