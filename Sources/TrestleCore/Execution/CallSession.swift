/// The native half of one bridge's message queue, as the calls in a batch see it. On the JS thread only.
@usableFromInline
final class CallSession {
  // What every batch touches, behind pointers: the checks of exclusive access to a class's member cost as much as writing a
  // number.

  /// Answers given on the JS thread, in order, until the turn ends.
  @usableFromInline let answers = makeWriter()
  /// The answer of the synchronous call that JavaScript waits for.
  @usableFromInline let synchronousAnswer = makeWriter()
  /// What JavaScript is being handed.
  private let delivered = makeWriter()
  /// For the arguments of a call that Swift waits for, unless it is inside another.
  private var idleWriter: UnsafeMutablePointer<ValueWriter>? = makeWriter()
  let dispatchTable = DispatchTable()
  let mailbox: Mailbox
  /// The modules with calls that are still to be handed to their executors, in the order of their first one.
  private let modulesWithCalls = UnsafeMutablePointer<[ModuleInstance]>.allocate(capacity: 1)
  private var lastCall: UInt64 = 0
  /// What JavaScript has async iterators over, by number.
  var streams: [UInt32: StreamSource] = [:]
  var lastStream: UInt32 = 0
  /// What JavaScript has of Swift's.
  let sharedObjects = SharedObjects()
  /// The events that JavaScript has listened to. They refer to this in their turn: nil from the end on.
  var eventTargets: [EventNumber: BridgeEventTarget]? = [:]
  var eventNames = SentNames()
  /// Records of deliveries that were given up: in JavaScript somebody waits for some of them.
  var unheard: [(kind: ReplyKind, slot: UInt32)] = []
  /// The instances that want to know of the ends of batches.
  var batchObservers: [any BatchObserver] = []
  /// The instances that want to know of the bridge's end.
  var invalidatableModules: [any InvalidatableModule] = []
  /// Whether JavaScript has called a module since the last batch ended.
  let hasCalledModule = UnsafeMutablePointer<Bool>.allocate(capacity: 1)
  let observers: [any QueueObserver]

  init(mailbox: Mailbox, observers: [any QueueObserver] = []) {
    self.mailbox = mailbox
    self.observers = observers
    modulesWithCalls.initialize(to: [])
    hasCalledModule.initialize(to: false)
  }

  private static func makeWriter() -> UnsafeMutablePointer<ValueWriter> {
    let writer = UnsafeMutablePointer<ValueWriter>.allocate(capacity: 1)
    writer.initialize(to: ValueWriter())
    return writer
  }

  deinit {
    for writer in [answers, synchronousAnswer, delivered, idleWriter] { Self.free(writer) }
    modulesWithCalls.deinitialize(count: 1)
    modulesWithCalls.deallocate()
    hasCalledModule.deallocate()
  }

  private static func free(_ writer: UnsafeMutablePointer<ValueWriter>?) {
    writer?.deinitialize(count: 1)
    writer?.deallocate()
  }

  /// An empty writer for the time of `body`.
  func withWriter<Result>(_ body: (inout ValueWriter) throws -> Result) rethrows -> Result {
    let writer = idleWriter ?? Self.makeWriter()
    idleWriter = nil
    defer {
      writer.pointee.removeAll()
      if idleWriter == nil { idleWriter = writer } else { Self.free(writer) }
    }
    return try body(&writer.pointee)
  }

  /// Answers with an error; if nobody waits for an answer, tells the bridge's `onError`.
  func fail(_ error: any Error, method: MethodReference, slot: UInt32) {
    fail(slot == 0 ? BridgeError(of: method, error) : error, slot: slot)
  }

  func fail(_ error: any Error, slot: UInt32) {
    switch slot {
    case 0: mailbox.reportError(error)
    case Invocation.synchronousSlot: synchronousAnswer.pointee.appendRejection(error, slot: slot)
    default: addRecord { $0.appendRejection(error, slot: slot) }
    }
  }

  /// Lets `write` add a record to the answers. While a value of the host's is being written there, whose code may do anything, it goes
  /// behind them, as those of other threads do.
  func addRecord<E: Error>(_ write: (inout ValueWriter) throws(E) -> Void) throws(E) {
    guard answers.pointee.isWriting else {
      if answers.pointee.isBusy { takeMail() }
      return try write(&answers.pointee)
    }
    answers.pointee.noteFollower()
    var failure: E?
    mailbox.post { writer in
      do throws(E) { try write(&writer) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  /// Adds what waits elsewhere to the answers, none of which is being written.
  @discardableResult
  func takeMail(mayHold: Bool = false) -> Bool {
    answers.pointee.progress = .free
    return mailbox.take(into: &answers.pointee, mayHold: mayHold)
  }

  func nextCall() -> UInt64 {
    lastCall += 1
    return lastCall
  }

  /// Lends the answers given so far; those given meanwhile wait for the next time.
  func withAnswers(_ body: (borrowing ValueWriter) throws -> Void) rethrows {
    swap(&answers.pointee, &delivered.pointee)
    defer { delivered.pointee.removeAll() }
    if !observers.isEmpty { show(delivered.pointee) }
    try body(delivered.pointee)
  }

  /// Has those who wait for what was given up hear of that, or begin without it.
  /// Nobody waits for events, nor for calls that JavaScript was not told of.
  func noteUnheard(_ records: [(kind: ReplyKind, slot: UInt32)]) {
    unheard += records.filter { $0.kind != .event && $0.kind != .call }
  }

  func tellUnheard() {
    for (kind, slot) in unheard.take() {
      switch kind {
      case .resolve, .reject:
        answers.pointee.appendRejection(
          BridgeError(.limit, "the answer came when the limits left scripts no turn to take it"), slot: slot)
      case .listener:
        answers.pointee.append(.listener, slot: slot)
        answers.pointee.append(.array)
      case .abort: answers.pointee.append(.abort, slot: slot)
      case .event, .call: break
      }
    }
  }

  /// The module has its first call of this batch.
  func addModuleWithCalls(_ module: ModuleInstance) { modulesWithCalls.pointee.append(module) }

  /// Hands the calls of this batch to the executors of their modules.
  @inline(__always)
  func startCalls() {
    if !modulesWithCalls.pointee.isEmpty { startWaitingCalls() }
  }

  /// JavaScript has given up the thread.
  func endBatch() {
    guard hasCalledModule.pointee else { return }
    hasCalledModule.pointee = false
    for observer in observers { observer.batchDidEnd() }
    for observer in batchObservers { observer.batchDidComplete() }
  }

  private func startWaitingCalls() {
    let modules = modulesWithCalls.pointee
    modulesWithCalls.pointee.removeAll(keepingCapacity: true)
    for module in modules { module.startCalls() }
  }
}
