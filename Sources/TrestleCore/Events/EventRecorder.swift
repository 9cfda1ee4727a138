import EventLoop

/// What stands for a bridge's listeners where there is no bridge: told of all that is emitted, whether anyone listens or not.
final class EventRecorder: EventTarget {
  private let listening: EventListening
  private let name: String
  private let module: String
  private let context: BridgeContext
  private let hasListener = Lock(false)
  private let enqueued = Lock<[any BridgeEncodable]>([])

  init(_ listening: EventListening, name: String, module: String, context: BridgeContext) {
    self.listening = listening
    self.name = name
    self.module = module
    self.context = context
    listening.add(self)
  }

  var isListening: Bool {
    get { hasListener.withLock { $0 } }
    set {
      let old = hasListener.withLock { hasListener in
        defer { hasListener = newValue }
        return hasListener
      }
      if old != newValue { listening.changeObserverCount(by: newValue ? 1 : -1) }
    }
  }

  func send(_ value: some BridgeEncodable) { context.emit(name, of: module, value) }
  func enqueue(_ value: any BridgeEncodable) { enqueued.withLock { $0.append(value) } }
  func sendEnqueued() { for value in enqueued.withLock({ $0.take() }) { send(value) } }

  func close() {
    isListening = false
    listening.remove(self)
  }
}
