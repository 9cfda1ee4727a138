import EventLoop

/// Who listens to an event, and what they are told. From any thread.
final class EventListening: Sendable {
  private struct State {
    var targets: [any EventTarget] = []
    /// How many of those have listeners: what stands for a bridge in a test is told without any.
    var observerCount = 0
    /// What was emitted last, if that is replayed.
    var last: (any BridgeEncodable)?
    var start: @Sendable () -> Void = {}
    var stop: @Sendable () -> Void = {}
    /// Whether `start` was called after `stop`.
    var isStarted = false
    var isTelling = false
  }

  private let state = Lock(State())
  private let replaysLast: Bool
  /// Whether a bridge with listeners is at work.
  let keepsAlive: Bool

  init(replaysLast: Bool, keepsAlive: Bool) {
    self.replaysLast = replaysLast
    self.keepsAlive = keepsAlive
  }

  var isObserved: Bool { state.withLock { $0.observerCount > 0 } }

  func emit(_ value: some BridgeEncodable) {
    guard replaysLast else {
      for target in state.withLock({ $0.targets }) { target.send(value) }
      return
    }
    // All targets get values in the order in which they become the last one.
    let targets = state.withLock { state in
      state.last = value
      for target in state.targets { target.enqueue(value) }
      return state.targets
    }
    for target in targets { target.sendEnqueued() }
  }

  /// From now on the target is told.
  ///
  /// - Parameter enqueue: given the value to replay, if any, between what was emitted before and what will be. Quick: the
  ///   source is locked.
  func add(_ target: any EventTarget, enqueue: ((any BridgeEncodable)?) -> Void = { _ in }) {
    state.withLock { state in
      if !state.targets.contains(where: { $0 === target }) { state.targets.append(target) }
      enqueue(state.last)
    }
  }

  func remove(_ target: any EventTarget) { state.withLock { $0.targets.removeAll { $0 === target } } }

  /// A target has its first listener, or has lost its last one.
  func changeObserverCount(by change: Int) {
    state.withLock { $0.observerCount += change }
    tellObservers()
  }

  func tell(start: @escaping @Sendable () -> Void, stop: @escaping @Sendable () -> Void) {
    state.withLock { state in (state.start, state.stop, state.isStarted) = (start, stop, false) }
    tellObservers()
  }

  /// Calls what is due. Where another thread is at it, leaves that to it.
  private func tellObservers() {
    while let call = nextCall() {
      call()
      state.withLock { $0.isTelling = false }
    }
  }

  private func nextCall() -> (@Sendable () -> Void)? {
    state.withLock { state in
      guard !state.isTelling, state.isStarted != (state.observerCount > 0) else { return nil }
      state.isTelling = true
      state.isStarted.toggle()
      return state.isStarted ? state.start : state.stop
    }
  }
}

/// Where an event goes: to the listeners in one bridge, or to what stands for it in a test. From any thread.
protocol EventTarget: AnyObject, Sendable {
  func send(_ value: some BridgeEncodable)
  /// Keeps a value for `sendEnqueued`. Quick: the source is locked.
  func enqueue(_ value: any BridgeEncodable)
  /// Sends what was enqueued, or leaves that to a thread that is at it.
  func sendEnqueued()
}

extension Array {
  /// What is in it, which is not in it any more.
  mutating func take() -> [Element] {
    defer { self = [] }
    return self
  }
}
