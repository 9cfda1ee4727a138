import EditorProtocol
import JSON
import JSONRPC

/// Whom the core serves: what it is told, and what it has said that it understands.
final class FrontEnd {
  /// The extensions of this project.
  private(set) var speaksExtensions = false
  /// Parts of long lines.
  private(set) var takesPartialLines = false
  /// Several views of one document.
  private(set) var sharesDocuments = false
  /// What xi leaves to plugins, or has not: languages, indentation, pairs.
  private(set) var editsCode = false
  /// Which lines have changed.
  private(set) var takesChanges = false
  /// Whether it has keys of its own to set.
  private(set) var takesKeys = false
  /// Which match is selected.
  private(set) var takesMatchPlaces = false
  /// Why a query finds nothing, with its status.
  private(set) var takesFindProblems = false
  private let peer: Peer
  private let writeLog: (String) -> Void
  private static let longestLogLine = 1000
  /// What it may have unread before plugins are slowed down; its own requests wait later.
  private static let unreadByteCount = 256 << 10

  init(transport: any Transport, log: @escaping (String) -> Void) {
    var limits = Peer.Limits()
    limits.unsentByteCount = 4 << 20
    peer = Peer(transport: transport, limits: limits)
    writeLog = log
  }

  func start(handler: any PeerHandler) { peer.start(handler: handler) }

  func greet(_ handshake: Handshake, settingsPath: String?) {
    speaksExtensions = handshake.version == Handshake.currentVersion
    takesPartialLines = speaksExtensions && handshake.extensions.contains(.partialLines)
    sharesDocuments = speaksExtensions && handshake.extensions.contains(.sharedDocuments)
    editsCode = speaksExtensions && handshake.extensions.contains(.codeEditing)
    takesMatchPlaces = speaksExtensions && handshake.extensions.contains(.matchPlace)
    takesFindProblems = speaksExtensions && handshake.extensions.contains(.findProblems)
    takesChanges = speaksExtensions && handshake.extensions.contains(.changes)
    takesKeys = speaksExtensions && handshake.extensions.contains(.keys)
    var own = EditorSession.handshake
    own.settingsPath = settingsPath
    send(.handshake(own))
  }

  func send(_ notification: CoreNotification) {
    peer.notify(notification.method, writeParams: notification.encodeParams)
  }

  /// Tells something of a document, in each of its views.
  func send(toViewsOf document: Document, _ notification: (ViewID) -> CoreNotification) {
    for view in document.views.all { send(notification(view.id)) }
  }

  func alert(_ message: String) { send(.alert(message)) }

  func request(_ request: CoreRequest, completion: @escaping (Result<JSONValue, ResponseError>) -> Void) {
    let message = request.encoded
    peer.request(message.method, params: message.params, completion: completion)
  }

  /// What a peer says may be part of the message.
  func log(_ message: String) { writeLog(message.cut(to: Self.longestLogLine)) }

  var isBehind: Bool { peer.unsentByteCount > Self.unreadByteCount }
}

extension String {
  /// At most so many characters of it.
  func cut(to count: Int) -> String { utf8.count <= count ? self : String(prefix(count)) + "…" }
}
