import EventLoop
import JSEngine

/// Looks at one bridge's heap for a recorder, now and then. On the JS thread.
final class HeapRecorder {
  private static let nanosecondsBetweenLooks = 1_000_000_000

  private let recorder: MetricsRecorder
  private var lastLook = MonotonicTime.now

  init(_ recorder: MetricsRecorder) { self.recorder = recorder }

  func turnDidEnd(_ context: JSContext) {
    if lastLook.nanosecondsPassed > Self.nanosecondsBetweenLooks { record(context) }
  }

  func record(_ context: JSContext) {
    if let heap = try? context.memoryStatistics() { recorder.add(heap) }
    lastLook = .now
  }
}

extension Bridge {
  /// Has the recorder, if there is one, know the heap as it is now.
  package func recordHeap() {
    guard let runtime = try? openRuntime() else { return }
    runtime.heap?.record(runtime.context)
  }
}
