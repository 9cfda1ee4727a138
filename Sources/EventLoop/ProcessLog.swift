import Glibc

/// What a child writes to its standard error: read as it comes, and its end is kept.
package final class ProcessLog {
  private let process: ChildProcess
  private let keptByteCount: Int
  private var source: LoopSource?
  private var kept: [UInt8] = []
  private var hasEnded = false
  /// It goes to the standard error of this process, too.
  package var isForwarded = false

  package init(of process: ChildProcess, keptByteCount: Int) {
    (self.process, self.keptByteCount) = (process, keptByteCount)
  }

  /// Reads what comes, until ``pause()``.
  /// - Parameter onRead: Told what that has taken of the processor.
  package func read(on loop: Loop, onRead: @escaping (Duration) -> Void = { _ in }) {
    guard !hasEnded else { return }
    source = loop.onReadable(process.log) { [unowned self] in
      let start = ThreadTime.used
      readSome()
      onRead(ThreadTime.used - start)
    }
  }

  package func pause() {
    source?.cancel()
    source = nil
  }

  /// What is there still of one that is gone: no more than a pipe holds.
  package func readRest() {
    var request = pollfd(fd: process.log, events: Int16(POLLIN), revents: 0)
    for _ in 0..<32 where !hasEnded && poll(&request, 1, 0) > 0 && request.revents & Int16(POLLIN) != 0 { readSome() }
    pause()
  }

  private func readSome() {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(process.log, &buffer, buffer.count)
    guard count > 0 else {
      guard count == 0 || errno != EINTR && errno != EAGAIN else { return }
      hasEnded = true
      return pause()
    }
    if isForwarded { _ = write(2, buffer, count) }
    kept = (kept + buffer[..<count]).suffix(keptByteCount)
  }

  /// Empty if there is none.
  package var lastLine: String {
    kept.split(separator: 0x0A).last.map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
}
