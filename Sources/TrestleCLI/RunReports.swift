import Glibc
import Synchronization
import Trestle

/// What `--trace`, `--cpu-prof` and `--metrics` leave behind, however the run ends.
final class RunReports: Sendable {
  let trace: TraceFile?
  let metrics: MetricsRecorder?
  private let profilePath: String?
  // The event loop, whose `Lock` all else uses, is not the runner's business.
  private let profiled = Mutex<Bridge?>(nil)
  private let isFinished = Atomic(false)

  init(trace: TraceFile?, profilePath: String?, hasMetrics: Bool) {
    self.trace = trace
    self.profilePath = profilePath
    metrics = hasMetrics ? MetricsRecorder() : nil
  }

  /// The bridge is open.
  func begin(_ bridge: Bridge) async throws {
    guard profilePath != nil else { return }
    try await bridge.startProfiling()
    profiled.withLock { $0 = bridge }
  }

  /// Writes them, once: a script may end the process while its timeout does. The profile is taken on the JS thread alone.
  func finish() {
    guard !isFinished.exchange(true, ordering: .acquiringAndReleasing) else { return }
    do { try trace?.close() } catch { Terminal.write("trestle: \(error.place ?? "--trace"): \(error.message)\n") }
    if let bridge = profiled.withLock({ $0 }) { writeProfile(of: bridge) }
    if let metrics { Terminal.write(metrics.metrics.table) }
  }
}

extension RunReports {
  private func writeProfile(of bridge: Bridge) {
    guard let profilePath else { return }
    guard bridge.loop.isOnOwnThread else {
      return Terminal.write("trestle: \(profilePath): no profile is written while a script still runs\n")
    }
    do {
      let profile = try bridge.assumeIsolated { bridge in try bridge.takeProfile() }
      guard let file = fopen(profilePath, "we") else { return reportUnwritable(profilePath) }
      let isWritten = fputs(profile.json.description, file) >= 0
      if fclose(file) != 0 || !isWritten { reportUnwritable(profilePath) }
    } catch { Terminal.write("trestle: \(profilePath): there is no profile: \(error)\n") }
  }

  private func reportUnwritable(_ path: String) {
    Terminal.write("trestle: \(path): cannot write the profile: \(String(cString: strerror(errno)))\n")
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
