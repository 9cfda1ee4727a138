import EventLoop
import Glibc
import JSON

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
