import EventLoop
import Glibc

/// A transport over two descriptors, pipes as a rule. They stay the caller's, who closes them after `close`.
package final class PipeTransport: Transport {
  /// Input of one turn. More waits for the next turn, so that a flood still gets its answers.
  private let turnByteCount: Int
  /// Told what a turn of input has taken of the processor, its handling and its answers included.
  package var onTurn: ((Duration) -> Void)?

  private let loop: Loop
  private let input: CInt
  private let output: CInt
  private weak var receiver: (any TransportReceiver)?
  private var readSource: LoopSource?
  private var writeSource: LoopSource?
  private var buffer: [UInt8]
  private var unsent = UnsentBytes()
  private var isOpen = false
  private var hasReader = true

  /// `output` is made non-blocking, `input` is not: it is only read when there is something.
  package init(input: CInt, output: CInt, on loop: Loop, turnByteCount: Int = 256 << 10) {
    self.turnByteCount = turnByteCount
    buffer = [UInt8](repeating: 0, count: min(turnByteCount, 64 << 10))
    self.loop = loop
    self.input = input
    self.output = output
    let flags = fcntl(output, F_GETFL)
    if flags >= 0 { _ = fcntl(output, F_SETFL, flags | O_NONBLOCK) }
    // A write to a pipe that nobody reads is to be an error, not the end of the process.
    signal(SIGPIPE, SIG_IGN)
  }

  deinit { stopWatching() }

  package func open(receiver: any TransportReceiver) {
    self.receiver = receiver
    isOpen = true
    watchInput()
  }

  package var unsentByteCount: Int { unsent.count }

  package var isReceivingPaused = false {
    didSet {
      guard isOpen, isReceivingPaused != oldValue else { return }
      if isReceivingPaused {
        readSource?.cancel()
        readSource = nil
      } else {
        watchInput()
      }
    }
  }

  package func close() {
    guard isOpen else { return }
    isOpen = false
    stopWatching()
    sendRestWithinASecond()
  }

  /// The last words: a reader that is slow gets them, one that is stuck is given up.
  private func sendRestWithinASecond() {
    let deadline = ContinuousClock.now + .seconds(1)
    while !unsent.isEmpty, ContinuousClock.now < deadline {
      var request = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
      guard poll(&request, 1, 100) >= 0 || errno == EINTR else { return }
      let (written, error) = unsent.withUnsent { Self.write($0, to: output) }
      if error != nil { return }
      unsent.removeFirst(written)
    }
  }

  private func stopWatching() {
    readSource?.cancel()
    writeSource?.cancel()
    readSource = nil
    writeSource = nil
  }

  private func end(_ end: TransportEnd) {
    guard isOpen else { return }
    close()
    receiver?.transportDidEnd(end)
  }

  /// So many turns of input are taken after a write has failed: more than pipes hold.
  private static let lastTurnCount = 16

  /// Nobody reads any more. What the other side said before is heard, also while what it had not read kept it waiting. Not within `send`,
  /// whose caller is in the middle of something.
  private func endSoon(_ end: TransportEnd) {
    hasReader = false
    unsent = UnsentBytes()
    writeSource?.cancel()
    writeSource = nil
    loop.after(.zero) { [weak self] in
      self?.isReceivingPaused = false
      for _ in 0..<Self.lastTurnCount {
        guard let self, isOpen, hasInput() else { break }
        receive()
      }
      self?.end(end)
    }
  }

  // MARK: Input

  private func watchInput() {
    readSource = loop.onReadable(input) { [unowned self] in receive() }
  }

  private func receive() {
    let start = onTurn == nil ? nil : ThreadTime.used
    defer { if let start, let onTurn { onTurn(ThreadTime.used - start) } }
    var received = 0
    var ended: TransportEnd?
    while received < turnByteCount, isOpen, !isReceivingPaused, received == 0 || hasInput() {
      let input = input
      let count = buffer.withUnsafeMutableBytes { read(input, $0.baseAddress, $0.count) }
      guard count > 0 else {
        if count == 0 { ended = .endOfInput }
        if count < 0, errno != EINTR, errno != EAGAIN { ended = .failure(call: "read", errno: errno) }
        break
      }
      received += count
      buffer.withUnsafeBufferPointer { receiver?.transportDidReceive(UnsafeBufferPointer(rebasing: $0[..<count])) }
    }
    // What came before the end is answered too.
    if isOpen, received > 0 { receiver?.transportDidDrainInput() }
    if let ended { end(ended) }
  }

  private func hasInput() -> Bool {
    var request = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
    return poll(&request, 1, 0) > 0
  }

  // MARK: Output

  package func send(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard isOpen, hasReader, !bytes.isEmpty else { return }
    guard unsent.isEmpty else { return unsent.append(bytes) }
    let (written, error) = Self.write(bytes, to: output)
    if let error { return endSoon(.failure(call: "write", errno: error)) }
    guard written < bytes.count else { return }
    unsent.append(UnsafeBufferPointer(rebasing: bytes[written...]))
    writeSource = loop.onWritable(output) { [unowned self] in sendUnsent() }
  }

  private func sendUnsent() {
    let (written, error) = unsent.withUnsent { Self.write($0, to: output) }
    if let error { return endSoon(.failure(call: "write", errno: error)) }
    unsent.removeFirst(written)
    guard unsent.isEmpty else { return }
    writeSource?.cancel()
    writeSource = nil
    receiver?.transportDidDrainOutput()
  }

  /// The count of bytes written before the pipe was full, and the error that ended the writing.
  private static func write(_ bytes: UnsafeBufferPointer<UInt8>, to output: CInt) -> (count: Int, error: CInt?) {
    var rest = UnsafeRawBufferPointer(bytes)
    while !rest.isEmpty {
      let count = Glibc.write(output, rest.baseAddress, rest.count)
      if count >= 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      } else if errno != EINTR {
        return (bytes.count - rest.count, errno == EAGAIN ? nil : errno)
      }
    }
    return (bytes.count, nil)
  }
}

/// A queue of bytes that costs nothing while it is empty.
private struct UnsentBytes {
  private var bytes: [UInt8] = []
  private var start = 0

  var count: Int { bytes.count - start }
  var isEmpty: Bool { count == 0 }

  mutating func append(_ more: UnsafeBufferPointer<UInt8>) { bytes.append(contentsOf: more) }

  func withUnsent<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    bytes.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[start...])) }
  }

  mutating func removeFirst(_ count: Int) {
    start += count
    if isEmpty {
      bytes = []
      start = 0
    } else if start > 1 << 20, start >= self.count {
      // Not before as much has gone as is left: each byte is moved once at most.
      bytes.removeFirst(start)
      start = 0
    }
  }
}
