/// The native half of one bridge's message queue, as the calls in a batch see it. On the JS thread only.
@usableFromInline
final class CallSession {
  /// Answers given on the JS thread, in order, until the turn ends.
  @usableFromInline var answers = ValueWriter()
  /// The answer of the synchronous call that JavaScript waits for.
  @usableFromInline var synchronousAnswer = ValueWriter()
  let mailbox: Mailbox
  /// The modules with calls that are still to be handed to their executors, in the order of their first one.
  var modulesWithCalls: [ModuleInstance] = []
  private var lastCall: UInt64 = 0

  init(mailbox: Mailbox) { self.mailbox = mailbox }

  func nextCall() -> UInt64 {
    lastCall += 1
    return lastCall
  }

  /// Hands the calls of this batch to the executors of their modules.
  func startCalls() {
    guard !modulesWithCalls.isEmpty else { return }
    let modules = modulesWithCalls
    modulesWithCalls.removeAll(keepingCapacity: true)
    for module in modules { module.startCalls() }
  }
}
