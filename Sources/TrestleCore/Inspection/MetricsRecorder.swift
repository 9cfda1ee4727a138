import EventLoop
import JSEngine

/// Counts and times what crosses the bridges that were opened with it (`BridgeConfiguration.metrics`). From any thread.
public final class MetricsRecorder: Sendable {
  fileprivate struct State {
    var metrics = BridgeMetrics()
    var indices: [ObjectIdentifier: Int] = [:]
    /// So that no identifier is taken by another.
    var references: [MethodReference] = []
  }

  fileprivate let state = Lock(State())

  public init() {}

  /// What has crossed so far. O(methods).
  public var metrics: BridgeMetrics { state.withLock { $0.metrics } }

  func add(_ heap: MemoryStatistics) { state.withLock { $0.metrics.heap = heap } }
}

/// One bridge's part in a recorder.
final class MetricsObserver: QueueObserver {
  /// Of the JS thread; inside a lock because observers are `Sendable`.
  private struct Progress {
    var turnStart = MonotonicTime.now
    /// The calls that are being made, each by a script that the one before runs.
    var running: [(method: Int, since: MonotonicTime)] = []
    var batchSize = 0
    var waiting: [UInt32: (method: Int, since: MonotonicTime)] = [:]
    var scriptCalls: Set<UInt32> = []
  }

  private let recorder: MetricsRecorder
  private let progress = Lock(Progress())

  init(_ recorder: MetricsRecorder) { self.recorder = recorder }

  func turnWillBegin() { progress.withLock { $0.turnStart = .now } }

  func turnDidEnd() {
    let length = progress.withLock { $0.turnStart.nanosecondsPassed }
    recorder.state.withLock { $0.metrics.turns.add(length) }
  }

  func willMake(_ call: MethodReference, slot: UInt32, arguments: () -> [ScriptValue]) {
    let method = recorder.state.withLock { state in
      let method = state.index(of: call)
      state.metrics.methods[method].calls += 1
      if slot != 0 { state.metrics.addWaitingCall() }
      return method
    }
    progress.withLock { progress in
      progress.batchSize += 1
      progress.running.append((method, .now))
      if slot != 0, slot != Invocation.synchronousSlot { progress.waiting[slot] = progress.running.last }
    }
  }

  func didMake(_ call: MethodReference, slot: UInt32) {
    guard let (method, since) = progress.withLock({ $0.running.popLast() }) else { return }
    let isSynchronous = slot == Invocation.synchronousSlot
    guard slot == 0 || isSynchronous else { return }
    recorder.state.withLock { state in
      if isSynchronous { state.metrics.waitingCalls -= 1 }
      state.metrics.methods[method].latency.add(since.nanosecondsPassed)
    }
  }

  func batchDidEnd() {
    let size = progress.withLock { progress in
      defer { progress.batchSize = 0 }
      return progress.batchSize
    }
    recorder.state.withLock { $0.metrics.batches.add(size) }
  }

  func willDeliver(_ record: ReplyDecoder.Record) {
    switch record {
    case .answer(Invocation.synchronousSlot, let outcome):
      guard case .failure = outcome, let (method, _) = progress.withLock({ $0.running.last }) else { return }
      recorder.state.withLock { $0.metrics.methods[method].failures += 1 }
    case .answer(let slot, let outcome):
      guard let (method, since) = progress.withLock({ $0.waiting.removeValue(forKey: slot) }) else { return }
      recorder.state.withLock { state in
        state.metrics.waitingCalls -= 1
        state.metrics.methods[method].latency.add(since.nanosecondsPassed)
        if case .failure = outcome { state.metrics.methods[method].failures += 1 }
      }
    case .event: recorder.state.withLock { $0.metrics.events += 1 }
    case .call(let number, _, _):
      if number != 0 { progress.withLock { _ = $0.scriptCalls.insert(number) } }
      recorder.state.withLock { state in
        state.metrics.scriptCalls += 1
        state.metrics.waitingScriptCalls += number == 0 ? 0 : 1
      }
    case .abort, .listener: break
    }
  }

  func didReceiveAnswer(of call: UInt32, isFailure: Bool) {
    guard progress.withLock({ $0.scriptCalls.remove(call) }) != nil else { return }
    recorder.state.withLock { $0.metrics.waitingScriptCalls -= 1 }
  }

  func willCallAtOnce() { recorder.state.withLock { $0.metrics.scriptCalls += 1 } }

  func bridgeDidClose() {
    let (calls, scriptCalls) = progress.withLock { ($0.waiting.count, $0.scriptCalls.count) }
    recorder.state.withLock { state in
      state.metrics.waitingCalls -= calls
      state.metrics.waitingScriptCalls -= scriptCalls
    }
  }
}

extension MetricsRecorder.State {
  fileprivate mutating func index(of method: MethodReference) -> Int {
    if let index = indices[ObjectIdentifier(method)] { return index }
    let known = metrics.methods.firstIndex { $0.module == method.module && $0.name == method.name }
    let index = known ?? metrics.methods.count
    if known == nil { metrics.methods.append(BridgeMetrics.Method(module: method.module, name: method.name)) }
    indices[ObjectIdentifier(method)] = index
    references.append(method)
    return index
  }
}

extension BridgeMetrics {
  fileprivate mutating func addWaitingCall() {
    waitingCalls += 1
    mostWaitingCalls = max(mostWaitingCalls, waitingCalls)
  }
}

extension MonotonicTime {
  var nanosecondsPassed: Int { Int(MonotonicTime.now.nanoseconds - nanoseconds) }
}
