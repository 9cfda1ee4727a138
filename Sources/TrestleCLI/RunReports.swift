import Glibc
import Synchronization
import Trestle

/// What `--trace`, `--cpu-prof`, `--leaks` and `--metrics` leave behind, however the run ends.
final class RunReports: Sendable {
  let trace: TraceFile?
  let metrics: MetricsRecorder?
  let hasLeaks: Bool
  private let profile: ReportPlace?
  // The event loop, whose `Lock` all else uses, is not the runner's business.
  private let opened = Mutex<Bridge?>(nil)
  /// The thread that writes them; `finished` when it has.
  private let finisher = Atomic<UInt>(0)
  private static let finished = UInt.max
  /// Since when the profile is being written, which lasts for as long as nobody takes it.
  private let writing = Mutex<ContinuousClock.Instant?>(nil)
  private static let timeToTake = Duration.seconds(2)
  /// Some could not be written.
  let hasFailed = Atomic(false)

  init(trace: TraceFile?, profile: ReportPlace?, hasLeaks: Bool, hasMetrics: Bool) {
    self.hasLeaks = hasLeaks
    self.trace = trace
    self.profile = profile
    metrics = hasMetrics ? MetricsRecorder() : nil
  }

  /// The bridge is open.
  func begin(_ bridge: Bridge) async throws {
    opened.withLock { $0 = bridge }
    if profile != nil { try await bridge.startProfiling() }
  }

  var isEmpty: Bool { trace == nil && metrics == nil && !needsScript }
  /// There are some, and they are not written.
  var areMissing: Bool { !isEmpty && finisher.load(ordering: .acquiring) != Self.finished }
  /// Whether some are taken on the JS thread alone.
  var needsScript: Bool { hasLeaks || profile != nil }
  var bridge: Bridge? { opened.withLock { $0 } }

  /// The first to finish waits for somebody to take the profile.
  var isStuck: Bool { writing.withLock { $0.map { .now - $0 > Self.timeToTake } ?? false } }

  /// Writes them, once. Whoever comes second, as a script may end the process while its timeout does, waits for the first; for
  /// whoever is to take the profile not for long.
  func finish() {
    let own = UInt(pthread_self())
    let (isFirst, other) = finisher.compareExchange(expected: 0, desired: own, ordering: .acquiringAndReleasing)
    guard isFirst else {
      while other != own, finisher.load(ordering: .acquiring) != Self.finished {
        if isStuck { return fail("\(profile?.path ?? ""): nobody takes the profile") }
        usleep(1000)
      }
      return
    }
    write()
    finisher.store(Self.finished, ordering: .releasing)
  }

  private func write() {
    do { try trace?.close() } catch { fail("\(error.place ?? "--trace"): \(error.message)") }
    if let bridge, needsScript { writeReportsOfScript(bridge) }
    if let bridge, metrics != nil, bridge.loop.isOnOwnThread { bridge.assumeIsolated { $0.recordHeap() } }
    if let metrics { Terminal.write(metrics.metrics.table) }
  }
}

extension RunReports {
  private func writeReportsOfScript(_ bridge: Bridge) {
    guard bridge.loop.isOnOwnThread else {
      return fail("the script cannot be ended: no profile, no leaks")
    }
    bridge.assumeIsolated { bridge in
      if let profile { writeProfile(of: bridge, to: profile) }
      if hasLeaks { writeLeaks(of: bridge) }
    }
  }

  private func writeLeaks(of bridge: isolated Bridge) {
    do { Terminal.write(try bridge.outstanding().table) } catch { fail("--leaks: \(error)") }
  }

  private func writeProfile(of bridge: isolated Bridge, to place: ReportPlace) {
    do {
      let profile = try bridge.takeProfile().json.description
      writing.withLock { $0 = .now }
      defer { writing.withLock { $0 = nil } }
      let descriptor = place.open()
      guard descriptor >= 0 else { return reportUnwritable(place.path) }
      guard let file = fdopen(descriptor, "w") else {
        reportUnwritable(place.path)
        _ = Glibc.close(descriptor)
        return
      }
      let isWritten = fputs(profile, file) >= 0
      if fclose(file) != 0 || !isWritten { reportUnwritable(place.path) }
    } catch { fail("\(place.path): there is no profile: \(error)") }
  }

  private func reportUnwritable(_ path: String) {
    fail("\(path): cannot write the profile: \(String(cString: strerror(errno)))")
  }

  private func fail(_ words: String) {
    hasFailed.store(true, ordering: .relaxed)
    Terminal.tell(words)
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
    if let heap {
      lines.append(
        "heap \(heap.heapSize >> 10) KB in \(heap.objectCount) objects, \(heap.heapCapacity >> 10) KB set aside, \(heap.extraMemorySize >> 10) KB outside"
      )
    }
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
