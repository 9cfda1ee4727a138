import EventLoop
import JSON
import Rope

/// What takes the time: `tracing_config` and `save_trace`.
extension EditorSession {
  /// How long plugins may take to tell what they have recorded.
  private static let tracePatience = Duration.seconds(1)

  func traced(_ method: String, _ body: () -> Void) {
    guard trace.isEnabled else { return body() }
    let start = MonotonicTime.now
    body()
    if trace.isEnabled { trace.record(method, since: start) }
  }

  func setTracing(_ isEnabled: Bool) {
    trace.isEnabled = isEnabled
    for plugin in plugins { plugin.notify("tracing_config", ["enabled": .bool(isEnabled)]) }
  }

  /// Writes what was recorded here, by the front end and by the plugins; one that does not answer is left out.
  func saveTrace(to path: String, with frontEndSamples: [JSONValue]) {
    var samples = trace.samples + frontEndSamples
    var askedCount = plugins.count
    var isWritten = false
    let write = { [unowned self] in
      guard !isWritten else { return }
      isWritten = true
      writeTrace(samples, to: path)
    }
    for plugin in plugins {
      plugin.collectTrace { more in
        samples += more
        askedCount -= 1
        if askedCount == 0 { write() }
      }
    }
    if askedCount == 0 { write() } else { loop.after(Self.tracePatience, write) }
  }

  private func writeTrace(_ samples: [JSONValue], to path: String) {
    files.save(Rope(JSONValue.array(samples).description), as: FileImage(), to: path, overwriting: .anything) { _ in
      nil
    } onProgress: { _ in
    } completion: { [unowned self] result in
      if case .failure(let error) = result { alert("\(error)") }
    }
  }
}
