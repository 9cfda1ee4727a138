/// A two-way stream of bytes. Everything happens on one thread.
///
/// Laws: bytes arrive as they were sent, none lost or moved; `send` never blocks; after `transportDidEnd`, or `close`,
/// the receiver hears nothing more.
package protocol Transport: AnyObject {
  /// Starts to receive; called once. The receiver is not kept alive.
  func open(receiver: any TransportReceiver)

  /// Takes the bytes over; what cannot be written at once is kept. Dropped when the stream has ended.
  func send(_ bytes: UnsafeBufferPointer<UInt8>)

  /// Bytes accepted by `send` and not yet written.
  var unsentByteCount: Int { get }

  /// While paused nothing is received; the other side is slowed down, and nothing is lost.
  var isReceivingPaused: Bool { get set }

  /// Ends both directions. What is unsent is still written, unless that takes longer than a second.
  func close()
}

package protocol TransportReceiver: AnyObject {
  /// - Parameter bytes: Valid during the call.
  func transportDidReceive(_ bytes: UnsafeBufferPointer<UInt8>)

  /// All input at hand has been received: the moment to answer.
  func transportDidDrainInput()

  /// Everything sent has been written, after some of it had to wait.
  func transportDidDrainOutput()

  func transportDidEnd(_ end: TransportEnd)
}

package enum TransportEnd: Sendable, Hashable {
  /// The other side closed its end.
  case endOfInput
  /// A system call failed; `EPIPE` is the other side gone.
  case failure(call: String, errno: CInt)
}

extension TransportEnd: CustomStringConvertible {
  package var description: String {
    switch self {
    case .endOfInput: "end of input"
    case .failure(let call, let error): "\(call): \(systemErrorText(error))"
    }
  }
}
