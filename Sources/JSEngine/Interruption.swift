import Synchronization

/// Ends the script that a context runs, from any thread. Takes effect where the context's limits say that it may
/// (`ExecutionLimits.isInterruptible`), within 20 ms of the script's time or at its next call of native code.
public final class Interruption: Sendable {
  private enum Request { static let (none, turn, always) = (0, 1, 2) }
  private let request = Atomic(Request.none)

  public init() {}

  /// Ends the turn that is under way; between two turns, nothing.
  public func endTurn() {
    _ = request.compareExchange(expected: Request.none, desired: Request.turn, ordering: .relaxed)
  }

  /// Ends the turn that is under way and each that comes.
  public func endAllTurns() { request.store(Request.always, ordering: .relaxed) }

  /// No turn is to begin any more.
  var isForAllTurns: Bool { request.load(ordering: .relaxed) == Request.always }

  var isRequested: Bool { request.load(ordering: .relaxed) != Request.none }

  func turnBegins() {
    _ = request.compareExchange(expected: Request.turn, desired: Request.none, ordering: .relaxed)
  }
}
