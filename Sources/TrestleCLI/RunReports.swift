import EventLoop
import Trestle

/// What `--trace` and `--metrics` leave behind, however the run ends.
final class RunReports: Sendable {
  let trace: TraceFile?
  let metrics: MetricsRecorder?
  private let isFinished = Lock(false)

  init(trace: TraceFile?, hasMetrics: Bool) {
    self.trace = trace
    metrics = hasMetrics ? MetricsRecorder() : nil
  }

  /// Writes them, once: a script may end the process while its timeout does.
  func finish() {
    let isFirst = isFinished.withLock { isFinished in
      defer { isFinished = true }
      return !isFinished
    }
    guard isFirst else { return }
    do { try trace?.close() } catch { Terminal.write("trestle: \(error.place ?? "--trace"): \(error.message)\n") }
    if let metrics { Terminal.write(metrics.metrics.table) }
  }
}

extension BridgeMetrics {
  /// For people.
  var table: String {
    var lines = [
      "turns \(turns.count), half of them below \(Self.time(turns.percentile(50))), the longest \(Self.time(turns.maximum))",
      "batches \(batches.count) of \(batches.percentile(50)) calls or fewer in half of them, \(batches.maximum) at most",
      "calls that waited at the same time: \(mostWaitingCalls) at most, \(waitingCalls) still do",
      "events \(events), calls of JavaScript \(scriptCalls)",
    ]
    let width = methods.map { $0.module.count + $0.name.count + 1 }.max() ?? 0
    if !methods.isEmpty {
      lines.append("".padded(to: width) + "     calls  failures       50 %       99 %    longest")
    }
    for method in methods.sorted(by: { $0.latency.sum > $1.latency.sum }) {
      let counts = [method.calls, method.failures].map { "\($0)".leftPadded(to: 10) }.joined()
      let times = [method.latency.percentile(50), method.latency.percentile(99), method.latency.maximum]
        .map { Self.time($0).leftPadded(to: 11) }.joined()
      lines.append("\(method.module).\(method.name)".padded(to: width) + counts + times)
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func time(_ nanoseconds: Int) -> String {
    switch nanoseconds {
    case ..<1000: "\(nanoseconds) ns"
    case ..<1_000_000: "\(nanoseconds / 1000) µs"
    case ..<10_000_000_000: "\(nanoseconds / 1_000_000) ms"
    default: "\(nanoseconds / 1_000_000_000) s"
    }
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(width - count, 0)) }
  fileprivate func leftPadded(to width: Int) -> String { String(repeating: " ", count: max(width - count, 0)) + self }
}
