import EditorProtocol
import EventLoop
import JSON
import JSONRPC
import Rope

/// The core: it owns all text and serves one front end.
///
/// Messages are handled in the order in which they come. What they change is sent when all that is at hand has been handled,
/// or before the answer to a request: one update for many keys.
package final class EditorSession {
  let loop: Loop
  let peer: Peer
  let log: (String) -> Void
  var buffers: [ViewID: Buffer] = [:]
  var config = ConfigLayers()
  var shared = SharedState()
  var recordings = Recordings()
  /// The front end has announced the extensions of this project.
  var speaksExtensions = false
  /// It takes parts of long lines.
  var takesPartialLines = false
  /// Those of a foreign front end's font.
  let widths = MeasuredWidths()
  var isMeasuring = false
  var trace = Trace()
  private var hasStarted = false
  private var lastID = 0
  /// Tells replacements apart.
  var replacementCount = 0
  lazy var searchWorker = SearchWorker(on: loop, onProgress: { [unowned self] in searchIsAt($1, $0) }) {
    [unowned self] in
    searchEnded($0)
  }
  /// Where journals are; without it, none are written.
  let recoveryFolder: RecoveryFolder?
  /// The user is to be told, once, that there is none.
  package var warnsOfMissingRecovery = false
  var hasToldOfLocks = false
  /// Where all files of texts are.
  private let system: any FileSystem
  lazy var files = FileService(on: loop, system: system, recoveryFolder: recoveryFolder)
  lazy var loader = FileLoader(on: loop, system: files.system) { Allocator.giveBackFreeMemory() }
  lazy var watcher = FileWatcher(on: loop, system: files.system)
  var reloadsInFlight = 0
  lazy var reloads = Inbox<Reloaded>(on: loop) { [unowned self] in reloaded($0) }
  var manifests: [PluginManifest] = []
  var plugins: [Plugin] = []
  var haveStarted = false
  var scopeStyles = ScopeStyles()
  /// How long a plugin may leave an update unanswered. Tests shorten it.
  var pluginPatience = Duration.seconds(10)
  /// Where settings are when a front end of this project does not say.
  private let settingsFolder: String?
  private static let longestLogLine = 1000
  var themeName = EditorSession.plainTheme
  var hasAnnouncedThemes = false

  /// Called once, when the front end is gone.
  package var onEnd: (() -> Void)?

  package init(
    transport: any Transport, on loop: Loop, system: any FileSystem = LinuxFileSystem(),
    recoveryFolder: RecoveryFolder? = nil, settingsFolder: String? = nil, log: @escaping (String) -> Void
  ) {
    self.system = system
    self.settingsFolder = settingsFolder
    self.recoveryFolder = recoveryFolder
    self.loop = loop
    // What a peer says may be part of it.
    self.log = { log($0.cut(to: Self.longestLogLine)) }
    var limits = Peer.Limits()
    limits.unsentByteCount = 4 << 20
    peer = Peer(transport: transport, limits: limits)
  }

  package func start() { peer.start(handler: self) }

  /// Finishes the saves that were asked for, also those that wait for their file to be loaded. Call when the loop has ended.
  package func finish() {
    endPlugins()
    while files.hasUnfinishedSaves || buffers.values.contains(where: \.queue.hasWaitingText) {
      loop.iterate(waiting: true)
    }
    removeExpired()
    files.finish()
    for buffer in buffers.values {
      // A front end that vanished may want what is not saved, and only that.
      if buffer.document.isPristine { buffer.journal?.discard() }
      writeJournal(of: buffer)
      buffer.journal?.synchronize()
    }
  }

  func send(_ notification: CoreNotification) {
    let message = notification.encoded
    peer.notify(message.method, params: message.params)
  }

  func alert(_ message: String) { send(.alert(message)) }

  /// Views and what belongs to them are counted together, as in xi-core.
  func nextID() -> Int {
    lastID += 1
    return lastID
  }

  // MARK: Updates

  /// Sends what changed in all views.
  func sendUpdates() {
    for buffer in buffers.values.sorted(by: { $0.view.id.rawValue < $1.view.id.rawValue }) where buffer.needsUpdate {
      sendUpdate(of: buffer)
    }
    measureWidths()
  }

  private func sendUpdate(of buffer: Buffer) {
    let view = buffer.view
    buffer.needsUpdate = false
    writeJournal(of: buffer)
    tellPlugins(ofChangesIn: buffer)
    startSearches(in: buffer)
    let (update, rendersLines) = view.makeUpdate(
      isPristine: buffer.isPristine, handledEdits: speaksExtensions ? buffer.handledEdits : nil)
    sendFindStatus(of: view, isComplete: rendersLines)
    if view.search.isReplacementDue, rendersLines, let replacement = view.search.replacement {
      send(.replaceStatus(view.id, chars: replacement.chars, preserveCase: replacement.preserveCase))
    }
    send(.update(view.id, update))
    if let target = view.scrollTarget {
      view.scrollTarget = nil
      send(.scrollTo(view.id, view.place(of: target)))
    }
    wrapInBackground(buffer)
  }
}

extension EditorSession {
  /// As in xi-core the whole status goes only with an update that brings lines; before that, counts.
  private func sendFindStatus(of view: TextView, isComplete: Bool) {
    guard !view.search.isSearching, isComplete ? view.search.isStatusDue : view.search.isCountDue else { return }
    send(.findStatus(view.id, view.findStatus(isComplete: isComplete, hasLines: !speaksExtensions)))
    view.search.isCountDue = false
    if isComplete { view.search.isStatusDue = false }
  }
}

extension EditorSession: PeerHandler {
  package func peer(_ peer: Peer, didReceiveNotification method: String, params: JSONValue) {
    do throws(ProtocolError) {
      let notification = try FrontEndNotification(method: method, params: params)
      traced(method) { handle(notification) }
    } catch {
      log("\(error)")
    }
  }

  package func peer(_ peer: Peer, didReceiveRequest method: String, params: JSONValue, reply: Reply) {
    do throws(ProtocolError) {
      let request = try FrontEndRequest(method: method, params: params)
      traced(method) { handle(request, reply) }
    } catch {
      log("\(error)")
      reply.fail(.invalidRequest(.string("\(error)")))
    }
  }

  package func peerDidHandleMessages(_ peer: Peer) { traced("updates") { sendUpdates() } }

  package func peer(_ peer: Peer, didNotice oddity: String) { log(oddity) }

  package func peer(_ peer: Peer, didCloseBecauseOf end: TransportEnd) {
    if end != .endOfInput { log("\(end)") }
    onEnd?()
  }

  private func handle(_ notification: FrontEndNotification) {
    if case .clientStarted(let started) = notification { return clientStarted(started) }
    if case .tracingConfig(let isEnabled) = notification { return setTracing(isEnabled) }
    guard hasStarted else { return log("a message before client_started was ignored") }
    switch notification {
    case .clientStarted, .tracingConfig: break
    case .closeView(let view): closeView(view)
    case .save(let view, let path): save(view, to: path)
    case .setTheme(let name): setTheme(name)
    case .setLanguage(let view, let language): setLanguage(language, of: view)
    case .modifyUserConfig(let domain, let changes): modifyConfig(domain, changes)
    case .edit(let view, let command): edit(view, command)
    case .plugin(let view, let command): obey(command, in: view)
    case .saveTrace(let path, let samples): saveTrace(to: path, with: samples)
    case .cancel(let view): cancel(view)
    case .recover(let view, let id, let choice): recover(view, id, choice)
    case .setEncoding(let view, let encoding, let readsAgain):
      if let buffer = buffers[view] { setEncoding(encoding, of: buffer, readsAgain: readsAgain) }
    case .reload(let view): if let buffer = buffers[view] { reload(buffer) }
    }
  }

  private func clientStarted(_ started: ClientStarted) {
    guard !hasStarted else { return log("a second client_started was ignored") }
    hasStarted = true
    if let handshake = started.handshake {
      speaksExtensions = handshake.version == Handshake.currentVersion
      takesPartialLines = speaksExtensions && handshake.extensions.contains(.partialLines)
      send(.handshake(Self.handshake))
    }
    if let folder = started.configDirectory ?? (speaksExtensions ? settingsFolder : nil) {
      useSettings(in: folder)
      findPlugins(in: [folder + "/plugins"])
    }
    if let folder = started.clientExtrasDirectory { findPlugins(in: [folder]) }
    send(.availableLanguages(languages))
    announceThemes()
    setTheme(config.file.theme ?? Self.plainTheme)
  }

  private func handle(_ request: FrontEndRequest, _ reply: Reply) {
    if case .newView(let wanted) = request { return openView(wanted, reply) }
    guard let view = request.view, let buffer = buffers[view] else {
      return reply.fail(ResponseError(code: ErrorCode.viewMissing, message: "missing view"))
    }
    let giveUp = { reply.fail(.cancelled) }
    switch request {
    case .newView: break
    // What was asked for before a save, or before all was replaced, is told after it.
    case .getConfig:
      buffer.enqueue(
        .init(order: .file, needs: [.replacedText, .idleFile]) { [unowned self] in
          sendUpdates()
          reply.succeed(.object(buffer.configTable))
        })
    case .debugGetContents:
      buffer.enqueue(
        .init(order: .lookAtText, needs: [.wholeText, .replacedText, .idleFile], giveUp: giveUp) { [unowned self] in
          sendUpdates()
          reply.succeed(.string(buffer.text.string(in: buffer.text.fullRange)))
        })
    case .cut(_, let limit), .copy(_, let limit):
      buffer.enqueue(
        .init(needs: .replacedText, giveUp: giveUp) { [unowned self] in
          copy(buffer, cutting: request.isCut, holdAbove: limit, reply)
        })
    case .saveFile(_, let path, let policy):
      buffer.enqueue(
        .init(needs: [.wholeText, .replacedText], giveUp: giveUp) { [unowned self] in
          save(buffer, to: path, policy, reply)
        })
    }
  }

  private func copy(_ buffer: Buffer, cutting: Bool, holdAbove limit: Int?, _ reply: Reply) {
    buffer.handledEdits += 1
    let text = cutting && !buffer.isReadOnly ? buffer.cut() : buffer.selectedText()
    buffer.needsUpdate = true
    sendUpdates()
    guard let text else { return reply.succeed(.null) }
    if let limit, text.byteCount > limit { return reply.succeed(shared.hold(text).json) }
    reply.succeed(.string(text.string(in: text.fullRange)))
  }
}

extension String {
  /// At most so many characters of it.
  func cut(to count: Int) -> String { utf8.count <= count ? self : String(prefix(count)) + "…" }
}

extension ResponseError {
  /// Of what waited for a file to be loaded.
  fileprivate static let cancelled = ResponseError(code: ErrorCode.cancelled, message: "cancelled")
}

extension FrontEndRequest {
  fileprivate var view: ViewID? {
    switch self {
    case .newView: nil
    case .getConfig(let view), .debugGetContents(let view), .cut(let view, _), .copy(let view, _),
      .saveFile(let view, _, _):
      view
    }
  }

  fileprivate var isCut: Bool { if case .cut = self { true } else { false } }
}
