/// One of two ends joined in memory, for tests: what one sends waits until ``deliver()`` is called on the other.
package final class InMemoryTransport: Transport {
  private weak var receiver: (any TransportReceiver)?
  private weak var other: InMemoryTransport?
  private var inbox: [[UInt8]] = []
  private var isOpen = false
  private var otherHasClosed = false

  private init() {}

  /// Two ends, each the other's other.
  package static func pair() -> (InMemoryTransport, InMemoryTransport) {
    let (left, right) = (InMemoryTransport(), InMemoryTransport())
    left.other = right
    right.other = left
    return (left, right)
  }

  package func open(receiver: any TransportReceiver) {
    self.receiver = receiver
    isOpen = true
  }

  package func send(_ bytes: UnsafeBufferPointer<UInt8>) {
    if isOpen { other?.inbox.append(Array(bytes)) }
  }

  /// As if the other side had sent these bytes.
  package func inject(_ text: String) { inbox.append(Array(text.utf8)) }

  package var unsentByteCount: Int { other?.inbox.reduce(0) { $0 + $1.count } ?? 0 }
  package var isReceivingPaused = false

  package func close() {
    guard isOpen else { return }
    isOpen = false
    other?.otherHasClosed = true
  }

  /// Receives everything that has been sent so far, as one turn; then the end, if the other side has closed.
  /// - Returns: Whether there was anything.
  @discardableResult
  package func deliver() -> Bool {
    guard isOpen, !isReceivingPaused, !inbox.isEmpty || otherHasClosed else { return false }
    let chunks = inbox
    inbox = []
    for chunk in chunks where isOpen { chunk.withUnsafeBufferPointer { receiver?.transportDidReceive($0) } }
    if isOpen, !chunks.isEmpty { receiver?.transportDidDrainInput() }
    if !chunks.isEmpty { other?.receiver?.transportDidDrainOutput() }
    if isOpen, otherHasClosed, inbox.isEmpty {
      close()
      receiver?.transportDidEnd(.endOfInput)
    }
    return true
  }

  /// Delivers on both ends until nothing moves any more.
  package func settle() {
    while deliver() || other?.deliver() == true {}
  }
}
