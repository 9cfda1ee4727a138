import EventLoop

/// The listeners of one bridge to an event of a module.
///
/// Unchecked: what is neither constant nor locked is touched on the JS thread alone.
final class BridgeEventTarget: EventTarget, @unchecked Sendable {
  private let listening: EventListening
  private let name: String
  private let module: Int
  private let session: CallSession
  private let wake: BridgeWake
  private var listenerCount = 0
  /// React Native's half listens: once, however often it says so.
  private var isReactNativeListening = false
  /// While there are listeners, where those keep the bridge from being idle.
  private var activity: Activity?
  private let queue = Lock(Queue())

  /// What crosses in the order in which it is put here, whichever thread does it.
  private struct Queue {
    var messages: [Message] = []
    /// A thread is about to post some of them.
    var isPosting = false
  }

  private enum Message {
    case value(any BridgeEncodable)
    /// A listener of that number begins; with the value to replay.
    case listener(UInt32, (any BridgeEncodable)?)
  }

  init(_ listening: EventListening, name: String, module: Int, session: CallSession, wake: BridgeWake) {
    self.listening = listening
    self.name = name
    self.module = module
    self.session = session
    self.wake = wake
  }

  func send(_ value: some BridgeEncodable) {
    guard wake.loop.isOnOwnThread else {
      // Behind what the thread has answered before, and before what it answers next.
      return session.mailbox.post { [self] writer in write(value, into: &writer) }
    }
    session.emit(name, ofModule: module, value)
    wake.settleSoon()
  }

  func enqueue(_ value: any BridgeEncodable) { queue.withLock { $0.messages.append(.value(value)) } }

  func sendEnqueued() {
    while let messages = nextMessages() {
      session.mailbox.post { writer in for message in messages { write(message, into: &writer) } }
      queue.withLock { $0.isPosting = false }
    }
    guard wake.loop.isOnOwnThread else { return }
    if session.answers.pointee.isWriting { return session.answers.pointee.noteFollower() }
    session.takeMail()
    wake.settleSoon()
  }

  private func nextMessages() -> [Message]? {
    queue.withLock { queue in
      guard !queue.isPosting, !queue.messages.isEmpty else { return nil }
      queue.isPosting = true
      return queue.messages.take()
    }
  }

  private func write(_ message: Message, into writer: inout ValueWriter) {
    switch message {
    case .value(let value): write(value, into: &writer)
    // React Native's listeners have no number.
    case .listener(0, let last): if let last { write(last, into: &writer) }
    case .listener(let number, let last):
      do { try writer.appendListener(number, last) } catch {
        session.mailbox.reportError(error)
        write(.listener(number, nil), into: &writer)
      }
    }
  }

  private func write(_ value: some BridgeEncodable, into writer: inout ValueWriter) {
    do { try writer.appendEvent(name, ofModule: module, value) } catch { session.mailbox.reportError(error) }
  }

  /// JavaScript has a new listener, which is told of what is emitted from now on; first of the last value, if that is
  /// replayed. On the JS thread.
  ///
  /// - Parameter number: by which JavaScript knows it; 0 for one of React Native's.
  func addListener(_ number: UInt32) {
    if number == 0 {
      guard !isReactNativeListening else { return }
      isReactNativeListening = true
    }
    listening.add(self) { last in queue.withLock { $0.messages.append(.listener(number, last)) } }
    sendEnqueued()
    listenerCount += 1
    guard listenerCount == 1 else { return }
    if listening.keepsAlive { activity = Activity(in: session.mailbox.activities) }
    listening.changeObserverCount(by: 1)
  }

  func removeListener(_ number: UInt32) {
    if number == 0 {
      guard isReactNativeListening else { return }
      isReactNativeListening = false
    }
    guard listenerCount > 0 else { return }
    listenerCount -= 1
    if listenerCount == 0 { end() }
  }

  /// All listeners are gone with their bridge.
  func close() {
    if listenerCount > 0 { end() }
    listenerCount = 0
  }

  private func end() {
    activity = nil
    listening.remove(self)
    listening.changeObserverCount(by: -1)
  }
}

extension CallSession {
  /// Adds an event to what crosses next.
  func emit(_ event: String, ofModule module: Int, _ value: some BridgeEncodable) {
    do {
      if answers.pointee.isBusy {
        try addRecord { writer throws in try writer.appendEvent(event, ofModule: module, value) }
      } else {
        try answers.pointee.appendEvent(event, ofModule: module, value, names: &eventNames)
      }
    } catch { mailbox.reportError(error) }
  }

  /// All listeners are gone, and nothing keeps this any more.
  func closeEvents() {
    let targets = eventTargets ?? [:]
    eventTargets = nil
    for target in targets.values { target.close() }
  }
}

/// Which event it is, in one bridge: the number of its module, and its own among those with a source.
struct EventNumber: Hashable {
  let module: Int
  let event: Int
}

extension CommandQueue {
  /// A listener was added or removed; the numbers of its module and event follow.
  func changeListener(_ number: UInt32, isAdded: Bool, _ reader: inout ValueReader) throws(ConversionError) {
    let event = EventNumber(module: try Int.decode(from: &reader), event: try Int.decode(from: &reader))
    guard isAdded else { return session.eventTargets?[event]?.removeListener(number) ?? () }
    do throws(BridgeError) { try target(of: event)?.addListener(number) } catch { session.mailbox.reportError(error) }
  }

  /// Makes the module's instance, which has the source.
  private func target(of event: EventNumber) throws(BridgeError) -> BridgeEventTarget? {
    guard let targets = session.eventTargets else { return nil }
    if let target = targets[event] { return target }
    guard registry.modules.indices.contains(event.module), let wake = moduleContext.bridge.value?.wake else {
      return nil
    }
    let module = registry.modules[event.module]
    let sources = try module.eventSources(in: moduleContext)
    guard sources.indices.contains(event.event) else { return nil }
    let name = module.details.sourceNames[event.event]
    let target = BridgeEventTarget(
      sources[event.event], name: name, module: event.module, session: session, wake: wake)
    session.eventTargets?[event] = target
    return target
  }
}
