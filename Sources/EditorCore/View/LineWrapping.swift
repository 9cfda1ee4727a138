import EditorProtocol
import EventLoop
import JSON
import TextMetrics

/// Breaks lines beside the keys: those of long texts, and by the widths of a foreign front end's font.
final class LineWrapping {
  let widths = MeasuredWidths()
  private var isMeasuring = false
  private unowned let session: EditorSession
  private var frontEnd: FrontEnd { session.frontEnd }

  init(of session: EditorSession) { self.session = session }

  /// Asks a foreign front end for widths that are not known, and breaks lines anew by them. Nothing waits for the answer.
  func measureWidths() {
    guard !isMeasuring, let clusters = widths.takeUnknown() else { return }
    isMeasuring = true
    let question = MeasureWidth(style: StyleSpan.firstDefined, strings: clusters)
    frontEnd.request(.measureWidth([question])) { [weak self] result in
      guard let self else { return }
      isMeasuring = false
      let answer = (try? result.get())?[0]?.array
      if answer?.count != clusters.count { frontEnd.log("measure_width was not answered") }
      let metrics = CellMetrics(tabSize: 1)
      guard widths.learn(clusters, (answer ?? []).map { $0.double ?? -1 }, cells: { metrics.width(of: $0) }) else {
        return measureWidths()
      }
      for view in session.views.all where view.isWrappedByWidths {
        view.applyWrapping()
        view.needsUpdate = true
      }
      session.views.sendUpdates()
    }
  }

  private static let sliceByteCount = 16 << 10
  private static let sliceTime = Duration.microseconds(150)
  private static let wrapUpdateInterval = Duration.milliseconds(100)

  /// Breaks the lines of a long text in slices, while nothing else is to be done; tells of it ten times a second at most.
  func wrapInBackground(_ view: TextView) {
    guard !view.lines.unbroken.isEmpty, view.wrapping == nil else { return }
    var update = MonotonicTime.now + Self.wrapUpdateInterval
    view.wrapping = session.loop.onIdle { [unowned self, weak view] in
      guard let view, session.views[view.id] === view else { return false }
      let end = MonotonicTime.now + Self.sliceTime
      repeat {
        view.wrapMore(byteCount: Self.sliceByteCount)
      } while !view.lines.unbroken.isEmpty && MonotonicTime.now < end
      let isDone = view.lines.unbroken.isEmpty
      if isDone || MonotonicTime.now >= update {
        update = MonotonicTime.now + Self.wrapUpdateInterval
        view.needsUpdate = true
      }
      if isDone { view.wrapping = nil }
      session.views.sendUpdates()
      return !isDone
    }
  }
}

extension TextView {
  fileprivate var isWrappedByWidths: Bool {
    if case .measured = lines.mode { true } else { false }
  }
}
