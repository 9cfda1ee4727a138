import JSEngine

/// The native half of the message queue: reads the batches that JavaScript leaves in the shared buffer, and calls modules.
///
/// On the JS thread. May be entered again from a module that calls JavaScript: then it goes on where it was.
final class CommandQueue {
  /// A record of the runtime itself, not of a module.
  enum RuntimeRecord: UInt16 {
    case answer = 0
    case failure = 1
    case elsewhere = 2
    case uncaught = 3
    /// Nobody waits for the answer in a slot any more.
    case cancel = 4
    /// The answer of a call that was cancelled has come: its slot may be taken again.
    case cancelled = 5
    /// The next element of the stream whose number follows is asked for.
    case pull = 6
    /// No more is asked of the stream whose number stands in place of the slot.
    case drop = 7
    /// An event has a new listener, whose number stands in place of the slot.
    case listen = 8
    /// A listener is removed.
    case unlisten = 9
    /// JavaScript lets go of the object whose number stands in place of the slot.
    case release = 10
  }

  let buffer: CommandBuffer
  let session: CallSession
  let registry: ModuleRegistry
  let sideValues: EngineSideValues
  let moduleContext: BridgeContext
  /// Takes an answer to a call from Swift: its number, whether it is an error, and the value.
  var onRuntimeRecord: (RuntimeRecord, UInt32, inout ValueReader) throws(ConversionError) -> Void = { _, _, _ in }
  /// Whether the main module has begun and waits for something.
  var isMainPending = false
  // The runtime owns both. Counting references to it costs more than all else that a synchronous call does here.
  private let engine: Unmanaged<JSContext>
  let gate: Unmanaged<TurnGate>
  /// The next record to read. Behind a pointer: the check of exclusive access to a member costs as much as reading it.
  private let position = UnsafeMutablePointer<Int>.allocate(capacity: 1)

  /// How many synchronous calls JavaScript is in, one inside the other. Behind a pointer for the same reason.
  private let synchronousDepth = UnsafeMutablePointer<Int>.allocate(capacity: 1)
  /// How many values beside the buffer belong to calls that are being made.
  private let sideFloor = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
  /// Those of them that are inside another.
  private var nestedCalls: [MethodReference] = []
  /// What JavaScript has to let go of, of the values beside the last delivery: where they lie there, and their numbers.
  var handedOver: [(index: Int, isStream: Bool, number: UInt32)] = []

  init(
    engine: JSContext, session: CallSession, registry: ModuleRegistry, sideValues: EngineSideValues,
    context: BridgeContext
  ) throws(BridgeError) {
    buffer = try CommandBuffer()
    self.engine = .passUnretained(engine)
    gate = .passUnretained(engine.gate)
    self.session = session
    self.registry = registry
    self.sideValues = sideValues
    moduleContext = context
    position.initialize(to: CommandBuffer.commandsStart)
    synchronousDepth.initialize(to: 0)
    sideFloor.initialize(to: 0)
  }

  deinit {
    position.deallocate()
    synchronousDepth.deallocate()
    sideFloor.deallocate()
  }

  /// Whether JavaScript has left calls.
  var hasCalls: Bool { buffer[CommandBuffer.Word.cursor] != Int32(CommandBuffer.commandsStart) }

  /// How many calls JavaScript says that wait in it.
  var waitingCalls: Int32 { buffer[CommandBuffer.Word.waiting] }

  /// The same, once it runs no more.
  func takeWaitingCalls() -> Int32 {
    defer { buffer[CommandBuffer.Word.waiting] = 0 }
    return waitingCalls
  }

  /// Makes all calls in the buffer, those included that they lead to, in order; then empties it.
  ///
  /// - Parameter refusal: what they fail with instead.
  func drain(refusing refusal: BridgeError? = nil) {
    // A call that is being made keeps its values, and what it has borrowed, while scripts that it runs make others.
    let (outerFloor, outerLoan) = (sideFloor.pointee, sideValues.loan)
    var refusal = refusal
    while true {
      let end = Int(buffer[CommandBuffer.Word.cursor])
      guard position.pointee < end else { break }
      guard end <= CommandBuffer.commandsEnd, let length = recordLength(before: end) else {
        reportMalformed("a batch that breaks off")
        break
      }
      let start = UnsafeRawPointer(buffer.pointer(toWord: position.pointee))
      position.pointee += length
      sideValues.beginLoans()
      // Scripts that earlier ones have run may have left this one, with values of its own.
      sideFloor.pointee = buffer[CommandBuffer.Word.sideCount]
      if let refusal, refuseCall(start, refusal) { continue }
      handleRecord(start, byteCount: length * 4)
      if buffer[CommandBuffer.Word.sideCount] != 0, refusal == nil, isMemoryUsedUp() { refusal = Self.overMemory }
    }
    sideValues.goOnLending(outerLoan)
    sideFloor.pointee = outerFloor
    position.pointee = CommandBuffer.commandsStart
    buffer[CommandBuffer.Word.cursor] = Int32(CommandBuffer.commandsStart)
    if buffer[CommandBuffer.Word.sideCount] > outerFloor {
      sideValues.clear(from: Int(outerFloor))
      buffer[CommandBuffer.Word.sideCount] = outerFloor
    }
    session.startCalls()
  }

  /// Each call is given a copy of its own of the script's bytes, and the engine looks at no limit between two calls.
  private func isMemoryUsedUp() -> Bool {
    guard sideValues.copiedByteCount >= Self.bytesBetweenLooks else { return false }
    sideValues.copiedByteCount = 0
    return gate._withUnsafeGuaranteedRef { $0.isMemoryUsedUp() }
  }

  private static let bytesBetweenLooks = 8 << 20

  private static let overMemory = {
    var error = BridgeError(.limit, "the call was not made: the process uses more than its memory")
    error.exceeded = .residentMemory
    return error
  }()

  /// - Returns: false for a record of the runtime's own.
  private func refuseCall(_ start: UnsafeRawPointer, _ error: BridgeError) -> Bool {
    guard start.load(fromByteOffset: 4, as: Int32.self) >= 0 else { return false }
    session.fail(error, slot: start.load(fromByteOffset: 12, as: UInt32.self))
    return true
  }

  /// Whether reading what was handed over has broken off since this was asked last.
  func takeUnread() -> Bool {
    defer { buffer[CommandBuffer.Word.unread] = 0 }
    return buffer[CommandBuffer.Word.unread] != 0
  }

  func willDeliver() { buffer[CommandBuffer.Word.answerEnd] = 0 }

  /// Whether JavaScript has learned of the delivery.
  var hasDeliveryBegun: Bool { buffer[CommandBuffer.Word.answerEnd] != 0 }

  /// Whether a script was ended while it took its answers.
  var isDeliveryUnfinished: Bool {
    buffer[CommandBuffer.Word.answerCursor] < buffer[CommandBuffer.Word.answerEnd]
  }

  var deliveryCursor: Int32 { buffer[CommandBuffer.Word.answerCursor] }

  /// JavaScript takes no more of it: what that was handed and has not read is let go of, and who waits there is told another time.
  ///
  /// - Parameter wasHandedOver: false if there was not even a turn for it.
  func giveUpDelivery(of answers: borrowing ValueWriter, wasHandedOver: Bool) {
    let hasBegun = buffer[CommandBuffer.Word.answerEnd] != 0
    if wasHandedOver {
      let readCount = hasBegun ? Int(buffer[CommandBuffer.Word.answerSide]) : 0
      for (index, isStream, number) in handedOver where index >= readCount {
        if isStream { session.drop(stream: number) } else { session.sharedObjects.release(number, count: 1) }
      }
    }
    let start = answers.byteCount <= Self.roomForAnswers ? CommandBuffer.answersStart : 0
    session.noteUnheard(answers.records(from: hasBegun ? (Int(deliveryCursor) - start) * 4 : 0))
    session.eventNames.forget()
    buffer[CommandBuffer.Word.answerEnd] = deliveryCursor
    // Limits waited while it was read.
    buffer[CommandBuffer.Word.reading] = 0
  }

  /// Makes the calls in the buffer, of which JavaScript waits for the last.
  ///
  /// - Returns: its answer, for `readResult` in JavaScript.
  @inline(__always)
  func drainSynchronously() -> RawValue? {
    guard synchronousDepth.pointee == 0 else { return drainWithin() }
    return drainForAnswer()
  }

  /// The call around this one may have been answered already: there are calls behind it in the buffer.
  @inline(never)
  private func drainWithin() -> RawValue? {
    var outer = ValueWriter()
    swap(&outer, &session.synchronousAnswer.pointee)
    defer { swap(&outer, &session.synchronousAnswer.pointee) }
    return drainForAnswer()
  }

  @inline(__always)
  private func drainForAnswer() -> RawValue? {
    session.synchronousAnswer.pointee.removeAll()
    synchronousDepth.pointee += 1
    drain()
    synchronousDepth.pointee -= 1
    let result = engine._withUnsafeGuaranteedRef { returnResult(session.synchronousAnswer.pointee, in: $0) }
    // What it holds, such as an object, is JavaScript's now.
    if !session.synchronousAnswer.pointee.sideValues.isEmpty { session.synchronousAnswer.pointee.removeAll() }
    return result
  }

  /// The length of the record at `position`, in words, if it is one.
  private func recordLength(before end: Int) -> Int? {
    let length = Int(buffer[position.pointee])
    return length >= 4 && length & 1 == 0 && position.pointee + length <= end ? length : nil
  }

  private func handleRecord(_ start: UnsafeRawPointer, byteCount: Int) {
    let module = start.load(fromByteOffset: 4, as: Int32.self)
    let method = start.load(fromByteOffset: 8, as: UInt16.self)
    let argumentCount = start.load(fromByteOffset: 10, as: UInt16.self)
    let slot = start.load(fromByteOffset: 12, as: UInt32.self)
    let (first, end) = (start + 16, start + byteCount)
    if module >= 0 {
      session.hasCalledModule.pointee = true
      call(
        module: Int(module), method: Int(method), argumentCount: Int(argumentCount), slot: slot, from: first, to: end)
    } else {
      handleRuntimeRecord(method, slot: slot, ValueReader(start: first, end: end, sideValues: sideValues))
    }
  }

  @inline(__always)
  private func call(
    module: Int, method: Int, argumentCount: Int, slot: UInt32, from start: UnsafeRawPointer, to end: UnsafeRawPointer
  ) {
    guard
      let bound = session.dispatchTable.method(method, ofModule: module) ?? bind(method, ofModule: module, slot: slot)
    else { return }
    var invocation = Invocation(
      reader: ValueReader(start: start, end: end, sideValues: sideValues), slot: slot, of: bound)
    bound._withUnsafeGuaranteedRef { bound in
      guard argumentCount <= bound.parameterCount else {
        return invocation.fail(BridgeError(.argument, "\(bound.reference): too many arguments"))
      }
      if slot == Invocation.synchronousSlot, synchronousDepth.pointee > 1 { return callNested(bound, &invocation) }
      do throws(ConversionError) { try bound.call(&invocation) } catch {
        invocation.fail(invocation.describe(error))
      }
    }
  }

  /// Synchronous calls may be nested this deep: methods that run JavaScript that calls them again go on without end.
  private static let deepestNesting = 100

  /// A synchronous call from a script that another one runs.
  @inline(never)
  private func callNested(_ bound: BoundMethod, _ invocation: inout Invocation) {
    guard nestedCalls.count < Self.deepestNesting else { return invocation.fail(tooDeep(bound.reference)) }
    nestedCalls.append(bound.reference)
    defer { nestedCalls.removeLast() }
    do throws(ConversionError) { try bound.call(&invocation) } catch { invocation.fail(invocation.describe(error)) }
  }

  private func tooDeep(_ method: MethodReference) -> BridgeError {
    let last = nestedCalls.lastIndex { $0 === method } ?? nestedCalls.startIndex
    let cycle = (nestedCalls[last...] + [method]).map(\.description).joined(separator: " → ")
    return BridgeError(
      .limit, "synchronous calls \(Self.deepestNesting) deep, each from a script that the one before runs: \(cycle)",
      at: method.description)
  }

  /// Makes the instance of a module at the first call to it; finds the methods of classes.
  ///
  /// - Returns: nil if there is no such method; the caller has been told.
  @inline(never)
  private func bind(_ method: Int, ofModule module: Int, slot: UInt32) -> Unmanaged<BoundMethod>? {
    if let method = session.sharedObjects.method(method, ofClass: module - SharedObjects.firstClass) {
      return .passUnretained(method)
    }
    guard module < registry.modules.count else {
      session.fail(Self.malformed("a call of module \(module), which does not exist"), slot: slot)
      return nil
    }
    let instance = registry.modules[module]
    guard method < instance.details.methods.count else {
      let name = instance.definition.name
      session.fail(
        Self.malformed("a call of method \(method) of module '\(name)', which does not exist"), slot: slot)
      return nil
    }
    do throws(BridgeError) { try instance.bind(in: moduleContext) } catch {
      let details = instance.details.methods[method]
      let reference = MethodReference(module: instance.definition.name, name: details.name, kind: details.kind)
      session.fail(error, method: reference, slot: slot)
      return nil
    }
    return session.dispatchTable.method(method, ofModule: module)
  }

  private func handleRuntimeRecord(_ method: UInt16, slot: UInt32, _ reader: consuming ValueReader) {
    guard let record = RuntimeRecord(rawValue: method) else { return reportMalformed("runtime record \(method)") }
    var reader = reader
    do throws(ConversionError) {
      switch record {
      case .elsewhere: try handleElsewhere(&reader)
      case .cancel: session.mailbox.cancelCall(inSlot: slot)
      case .cancelled: session.mailbox.forgetCancellation(inSlot: slot)
      case .pull: session.pull(fromStream: try UInt32.decode(from: &reader), slot: slot)
      case .drop: session.drop(stream: slot)
      case .listen: try changeListener(slot, isAdded: true, &reader)
      case .release: try releaseObject(slot, &reader)
      case .unlisten: try changeListener(slot, isAdded: false, &reader)
      case .answer, .failure, .uncaught: try onRuntimeRecord(record, slot, &reader)
      }
    } catch {
      let words = "a runtime record that does not convert (\(error.reason))"
      // Whoever waits for its answer is told.
      if record == .pull { session.fail(Self.malformed(words), slot: slot) }
      reportMalformed(words)
    }
  }

  /// A record that was too large for the buffer lies in one of its own.
  private func handleElsewhere(_ reader: inout ValueReader) throws(ConversionError) {
    let (_, index) = try reader.header()
    let isThere = sideValues.withArrayBuffer(at: Int(index)) { bytes in
      guard let start = bytes.baseAddress, bytes.count >= 16 else { return reportMalformed("an empty buffer") }
      let byteCount = Int(start.load(as: Int32.self)) * 4
      guard byteCount >= 16, byteCount <= bytes.count, start.load(fromByteOffset: 4, as: Int32.self) >= -1 else {
        return reportMalformed("a large record that breaks off")
      }
      // One that names itself would go on without end.
      let isElsewhere =
        start.load(fromByteOffset: 4, as: Int32.self) == -1
        && start.load(fromByteOffset: 8, as: UInt16.self) == RuntimeRecord.elsewhere.rawValue
      guard !isElsewhere else { return reportMalformed("a large record within another") }
      handleRecord(start, byteCount: byteCount)
    }
    if !isThere { reportMalformed("a large record that is not there") }
  }

  private static func malformed(_ what: String) -> BridgeError {
    BridgeError(.malformed, "the command buffer holds \(what)")
  }

  /// Where the next record would begin is not to be believed.
  private func reportMalformed(_ what: String) {
    session.mailbox.reportError(Self.malformed("\(what); the rest of the batch is dropped"))
    position.pointee = Int(buffer[CommandBuffer.Word.cursor])
  }
}
