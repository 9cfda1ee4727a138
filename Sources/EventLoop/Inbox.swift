/// A door from any thread to one handler on a loop's thread. The handler may capture what is not `Sendable`: only
/// messages cross.
///
/// Messages arrive in the order sent. The loop keeps the handler until `close`, or until it closes itself.
public final class Inbox<Message: Sendable>: Sendable {
  private let loop: Loop
  // Touched on the loop's own thread alone.
  private nonisolated(unsafe) let receiver: Receiver<Message>

  /// On the loop's own thread.
  public init(on loop: Loop, _ handler: @escaping (Message) -> Void) {
    self.loop = loop
    receiver = Receiver(on: loop, handler)
  }

  /// Any thread.
  /// - Returns: false if the loop is closed.
  @discardableResult
  public func send(_ message: Message) -> Bool {
    // Without `self`: a loop that goes with a message on its way would keep itself.
    nonisolated(unsafe) let receiver = receiver
    return loop.perform { receiver.handler?(message) }
  }

  /// Drops the handler; messages on their way are lost. On the loop's own thread.
  public func close() { receiver.cancel() }
}

private final class Receiver<Message>: LoopSource {
  var handler: ((Message) -> Void)?

  init(on loop: Loop, _ handler: @escaping (Message) -> Void) {
    self.handler = handler
    super.init(on: loop)
    loop.retain(self)
  }

  override func detach() { handler = nil }
}
