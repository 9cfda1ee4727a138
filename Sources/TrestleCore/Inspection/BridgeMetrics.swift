import JSEngine

/// What has crossed so far.
public struct BridgeMetrics: Sendable, Equatable {
  /// The calls of one method.
  public struct Method: Sendable, Equatable {
    public var module: String
    public var name: String
    public var calls = 0
    /// The answers that were errors.
    public var failures = 0
    /// Nanoseconds from a call's arrival until its answer is handed to JavaScript. Without an answer, until the method
    /// has returned.
    public var latency = Histogram()
  }

  /// Nanoseconds that the JS thread was at work without a break.
  public var turns = Histogram()
  /// The calls that arrived in one batch.
  public var batches = Histogram()
  /// The methods that were called, in the order of their first call.
  public var methods: [Method] = []
  /// JavaScript's calls that wait for an answer.
  public var waitingCalls = 0
  public var mostWaitingCalls = 0
  public var events = 0
  /// The calls of JavaScript's functions, and those of them that wait for an answer.
  public var scriptCalls = 0
  public var waitingScriptCalls = 0
  /// What the engine's heap held when it was last looked at: at the end of a turn, once a second at most, and when a bridge
  /// closed. The library counts objects and bytes, as of its last collection; it tells them apart by neither class nor owner.
  public var heap: MemoryStatistics?

  package init() {}
}
