import EventLoop
import Glibc
import JSON
import Rope

/// What takes the time: `tracing_config` and `save_trace`.
final class Tracing {
  /// How long plugins may take to tell what they have recorded.
  private static let patience = Duration.seconds(1)

  private(set) var trace = Trace()
  private unowned let session: EditorSession

  init(of session: EditorSession) { self.session = session }

  func traced(_ method: String, _ body: () -> Void) {
    guard trace.isEnabled else { return body() }
    let start = MonotonicTime.now
    body()
    if trace.isEnabled { trace.record(method, since: start) }
  }

  func set(_ isEnabled: Bool) {
    trace.isEnabled = isEnabled
    session.plugins.tell(.tracingConfig(enabled: isEnabled))
  }

  /// Writes what was recorded here, by the front end and by the plugins; one that does not answer is left out.
  func save(to path: String, with frontEndSamples: [JSONValue]) {
    var samples = trace.samples + frontEndSamples
    var askedCount = session.plugins.running.count
    var isWritten = false
    let finish = { [unowned self] in
      guard !isWritten else { return }
      isWritten = true
      write(samples, to: path)
    }
    for plugin in session.plugins.running {
      plugin.collectTrace { more in
        samples += more
        askedCount -= 1
        if askedCount == 0 { finish() }
      }
    }
    if askedCount == 0 { finish() } else { session.loop.after(Self.patience, finish) }
  }

  private func write(_ samples: [JSONValue], to path: String) {
    let text = Rope(JSONValue.array(samples).description)
    session.files.service.save(text, as: FileImage(), to: path, overwriting: .anything) { _, then in
      then(nil)
    } onProgress: { _ in
    } completion: { [unowned self] result in
      if case .failure(let error) = result { session.frontEnd.alert("\(error)") }
    }
  }
}

/// Which messages the core handles and how long each takes, while that is wanted.
struct Trace {
  /// The oldest go when there are twice as many.
  private static let keptCount = 100_000

  /// What was recorded goes when it is turned off.
  var isEnabled = false {
    didSet { if !isEnabled { events = [] } }
  }
  private var events: [(name: String, start: MonotonicTime, end: MonotonicTime)] = []

  mutating func record(_ name: String, since start: MonotonicTime) {
    events.append((name, start, .now))
    if events.count >= 2 * Self.keptCount { events.removeFirst(Self.keptCount) }
  }

  /// Complete events of Chrome's trace format: times in microseconds.
  var samples: [JSONValue] {
    let process = JSONValue(getpid())
    return events.map { event in
      let start = event.start.nanoseconds
      return [
        "name": .string(event.name), "cat": "core", "ph": "X", "pid": process, "tid": process,
        "ts": JSONValue(Double(start) / 1000), "dur": JSONValue(Double(event.end.nanoseconds - start) / 1000),
      ]
    }
  }
}
