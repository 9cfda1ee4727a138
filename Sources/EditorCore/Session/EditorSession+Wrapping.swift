import EventLoop

extension EditorSession {
  private static let sliceByteCount = 16 << 10
  private static let sliceTime = Duration.microseconds(150)
  private static let wrapUpdateInterval = Duration.milliseconds(100)

  /// Breaks the lines of a long text in slices, while nothing else is to be done; tells of it ten times a second at most.
  func wrapInBackground(_ buffer: Buffer) {
    guard !buffer.view.lines.unbroken.isEmpty, buffer.wrapping == nil else { return }
    var update = MonotonicTime.now + Self.wrapUpdateInterval
    buffer.wrapping = loop.onIdle { [unowned self, weak buffer] in
      guard let buffer, buffers[buffer.view.id] === buffer else { return false }
      let end = MonotonicTime.now + Self.sliceTime
      repeat {
        buffer.view.wrapMore(byteCount: Self.sliceByteCount)
      } while !buffer.view.lines.unbroken.isEmpty && MonotonicTime.now < end
      let isDone = buffer.view.lines.unbroken.isEmpty
      if isDone || MonotonicTime.now >= update {
        update = MonotonicTime.now + Self.wrapUpdateInterval
        buffer.needsUpdate = true
      }
      if isDone { buffer.wrapping = nil }
      sendUpdates()
      return !isDone
    }
  }
}
