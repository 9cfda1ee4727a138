import EditorProtocol
import JSON
import JSONRPC
import TextMetrics

/// The way to the core, and what is known of the one at its end.
final class CoreLink {
  private let channel: any CoreChannel
  /// What the core said of itself; nil for a foreign core, or before its first message.
  var handshake: Handshake?
  /// Why the editor cannot go on with this core.
  var failure: String?
  /// Why there is no core, and none is being started.
  var loss: String?
  /// The editor ends; what was typed is given to a core for the last time.
  var isLeaving = false
  /// What waits for an answer goes on.
  var onAnswer: () -> Void = {}

  init(_ channel: any CoreChannel) { self.channel = channel }

  /// The first messages to a core, sent without waiting for anything.
  func start(configDirectory: String? = nil) {
    let handshake = Handshake(unicode: CellMetrics.unicodeVersion)
    send(.clientStarted(ClientStarted(configDirectory: configDirectory, handshake: handshake)))
  }

  func send(_ notification: FrontEndNotification) { channel.send(notification) }

  /// Asks the core. What waits for the answer goes on when `completion` has seen it.
  func request(_ request: FrontEndRequest, completion: @escaping (Result<JSONValue, ResponseError>) -> Void) {
    channel.send(request) { [weak self] result in
      guard let self else { return }
      completion(result)
      // What goes on where a core has ended is for the next one, and the editor hears of that in a moment.
      if loss == nil, case .failure(let error) = result, error.isOfClosedConnection { return }
      onAnswer()
    }
  }

  /// Asks something that any core answers at once.
  func askForSignOfLife(of view: ViewID) { channel.send(.getConfig(view)) { _ in } }

  /// Whether the core understands an extension.
  func supports(_ wanted: Extension) -> Bool { handshake?.extensions.contains(wanted) == true }
}
