import EventLoop

/// A thread for what reads files of others, and may take as long as it likes: a mount may not answer, a log may be of gigabytes. Nothing
/// that is to come to the disk waits for it, and nobody waits for its end.
final class ReadingThread {
  private let name: String
  private var thread: LoopThread?

  init(name: String) { self.name = name }

  /// In the order asked; at once, if no thread is to be had.
  func perform(_ body: @escaping @Sendable () -> Void) {
    if thread == nil { thread = try? LoopThread(name: name) }
    if thread?.loop.perform(body) != true { body() }
  }
}
