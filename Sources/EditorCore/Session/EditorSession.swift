import EditorProtocol
import EventLoop
import JSON
import JSONRPC
import Rope
import TextMetrics

/// The core: it owns all text and serves one front end. Here is what becomes of each message; who does it has its own state.
///
/// Messages are handled in the order in which they come. What they change is sent when all that is at hand has been handled,
/// or before the answer to a request: one update for many keys.
package final class EditorSession {
  let loop: Loop
  let frontEnd: FrontEnd
  private(set) lazy var views = ViewCoordinator(of: self)
  private(set) lazy var commands = CommandCoordinator(of: self)
  private(set) lazy var searches = Searches(of: self)
  private(set) lazy var wrapping = LineWrapping(of: self)
  private(set) lazy var files = FileCoordinator(of: self, system: system, recoveryFolder: recoveryFolder)
  private(set) lazy var changes = ChangeCoordinator(of: self)
  private(set) lazy var folder = FolderCoordinator(of: self)
  private(set) lazy var shell = ShellCommands(of: self)
  private(set) lazy var reloads = ReloadCoordinator(of: self)
  private(set) lazy var recovery = RecoveryCoordinator(of: self, folder: recoveryFolder)
  private(set) lazy var plugins = PluginHost(of: self)
  private(set) lazy var settings = SettingsCoordinator(of: self, userFolder: settingsFolder)
  private(set) lazy var tracing = Tracing(of: self)
  private var hasStarted = false
  private let system: any FileSystem
  private let recoveryFolder: RecoveryFolder?
  private let settingsFolder: String?

  /// Called once, when the front end is gone.
  package var onEnd: (() -> Void)?

  /// - Parameters:
  ///   - system: Where all files of texts are.
  ///   - recoveryFolder: Where journals are; without it, none are written.
  ///   - settingsFolder: Where settings are when a front end of this project does not say.
  package init(
    transport: any Transport, on loop: Loop, system: any FileSystem = LinuxFileSystem(),
    recoveryFolder: RecoveryFolder? = nil, settingsFolder: String? = nil, log: @escaping (String) -> Void
  ) {
    (self.loop, self.system) = (loop, system)
    (self.recoveryFolder, self.settingsFolder) = (recoveryFolder, settingsFolder)
    frontEnd = FrontEnd(transport: transport, log: log)
  }

  package func start() { frontEnd.start(handler: self) }

  /// The user is to be told, once, that there is no folder for recovery.
  package func warnOfMissingRecovery() { recovery.warnsOfMissingFolder = true }

  /// Finishes the saves that were asked for, also those that wait for their file to be loaded. Call when the loop has ended.
  package func finish() {
    plugins.end()
    changes.end()
    shell.endAll()
    while files.service.hasUnfinishedSaves || views.documents.contains(where: \.queue.hasWaitingText) {
      loop.iterate(waiting: true)
    }
    recovery.keepUndo()
    recovery.removeExpired()
    files.service.finish()
    recovery.finish()
  }

  private func clientStarted(_ started: ClientStarted) {
    guard !hasStarted else { return frontEnd.log("a second client_started was ignored") }
    hasStarted = true
    if let handshake = started.handshake { frontEnd.greet(handshake, settingsPath: settings.path(for: started)) }
    if let folder = settings.folder(of: started) {
      settings.use(folder)
      plugins.find(in: folder + "/plugins")
    }
    if let folder = started.clientExtrasDirectory { plugins.find(in: folder) }
    settings.announce()
  }
}

extension EditorSession {
  static let handshake = Handshake(
    unicode: CellMetrics.unicodeVersion,
    extensions: [
      .bookmarks, .bytes, .changes, .codeEditing, .editCount, .encodings, .files, .findProblems, .folder, .gotoPosition,
      .heldCopies, .keys, .matchPlace, .panes, .partialLines, .paths, .progress, .recovery, .refuseMatch, .reload,
      .sharedDocuments,
      .shellCommands, .wordCompletion,
    ])
}

extension EditorSession: PeerHandler {
  package func peer(_ peer: Peer, didReceiveNotification method: String, params: JSONValue) {
    do throws(ProtocolError) {
      let notification = try FrontEndNotification(method: method, params: params)
      tracing.traced(method) { handle(notification) }
    } catch {
      frontEnd.log("\(error)")
    }
  }

  package func peer(_ peer: Peer, didReceiveRequest method: String, params: JSONValue, reply: Reply) {
    do throws(ProtocolError) {
      let request = try FrontEndRequest(method: method, params: params)
      tracing.traced(method) { handle(request, reply) }
    } catch {
      frontEnd.log("\(error)")
      reply.fail(.invalidRequest(.string("\(error)")))
    }
  }

  package func peerDidHandleMessages(_ peer: Peer) { tracing.traced("updates") { views.sendUpdates() } }

  package func peer(_ peer: Peer, didNotice oddity: String) { frontEnd.log(oddity) }

  package func peer(_ peer: Peer, didCloseBecauseOf end: TransportEnd) {
    if end != .endOfInput { frontEnd.log("\(end)") }
    onEnd?()
  }

  private func handle(_ notification: FrontEndNotification) {
    if case .clientStarted(let started) = notification { return clientStarted(started) }
    if case .tracingConfig(let isEnabled) = notification { return tracing.set(isEnabled) }
    guard hasStarted else { return frontEnd.log("a message before client_started was ignored") }
    switch notification {
    case .clientStarted, .tracingConfig: break
    case .endTask(let task): folder.end(task)
    case .setTheme(let name): settings.setTheme(name)
    case .modifyUserConfig(let domain, let changes): settings.modify(domain, changes)
    case .plugin(let view, let command): plugins.obey(command, in: view)
    case .saveTrace(let path, let samples): tracing.save(to: path, with: samples)
    case .cancel(let view):
      handle(view) {
        shell.end(in: $0)
        searches.cancel($0)
      }
    case .closeView(let view): handle(view, views.close)
    case .reload(let view): handle(view) { reloads.reload($0.document) }
    case .compareWithDisk(let view): handle(view) { changes.compareWithDisk($0.document) }
    case .edit(let view, let command): handle(view) { commands.edit($0, command) }
    case .save(let view, let path): handle(view) { files.save($0.document, to: path) }
    case .setLanguage(let view, let language): handle(view) { settings.setLanguage(language, of: $0.document) }
    case .recover(let view, let id, let choice): handle(view) { recovery.offers.answer($0, id, choice) }
    case .setEncoding(let view, let encoding, let readsAgain):
      handle(view) { reloads.setEncoding(encoding, of: $0.document, readsAgain: readsAgain) }
    }
  }

  /// What is said of an unknown view is ignored: it may have been closed just now.
  private func handle(_ view: ViewID, _ body: (TextView) -> Void) {
    if let view = views[view] { body(view) }
  }

  private func handle(_ request: FrontEndRequest, _ reply: Reply) {
    if case .newView(let wanted) = request { return views.open(wanted, reply) }
    if case .completePath(let path) = request { return files.complete(path, reply) }
    if case .folder(let number, let task) = request { return folder.find(number, task, reply) }
    guard let view = request.view.flatMap({ views[$0] }) else {
      return reply.fail(ResponseError(code: ErrorCode.viewMissing, message: "missing view"))
    }
    let document = view.document
    // What waits for the journal must find it behind.
    recovery.writeJournal(of: document)
    let giveUp = { reply.fail(.cancelled) }
    switch request {
    case .newView, .completePath, .folder: break
    // What was asked for before a save, or before all was replaced, is told after it.
    case .getConfig:
      document.enqueue(
        .init(order: .file, needs: [.replacedText, .idleFile, .journal]) { [unowned self] in
          views.sendUpdates()
          reply.succeed(.object(document.settings.table))
        })
    case .change:
      document.enqueue(
        .init(order: .lookAtText, needs: [.replacedText, .comparison, .journal], giveUp: giveUp) { [unowned self] in
          views.sendUpdates()
          reply.succeed(view.earlierLines()?.json ?? .null)
        })
    case .words:
      document.enqueue(
        .init(order: .lookAtText, needs: [.replacedText, .journal], giveUp: giveUp) { [unowned self] in
          views.sendUpdates()
          reply.succeed(view.words(with: views.documents.filter { $0 !== document }).json)
        })
    case .motionsEnd:
      document.enqueue(
        .init(view: view.id, order: .lookAtText, needs: [.matches, .journal]) { [unowned self] in
          views.sendUpdates()
          reply.succeed([:])
        })
    case .debugGetContents:
      document.enqueue(
        .init(order: .lookAtText, needs: [.wholeText, .replacedText, .idleFile, .journal], giveUp: giveUp) {
          [unowned self] in
          views.sendUpdates()
          reply.succeed(.string(document.buffer.text.string(in: document.buffer.text.fullRange)))
        })
    case .cut(_, let limit), .copy(_, let limit):
      commands.copy(view, cutting: request.isCut, holdAbove: limit, reply, giveUp: giveUp)
    case .runCommand(_, let command, let use):
      document.enqueue(
        .init(needs: [.wholeText, .replacedText], giveUp: giveUp) { [unowned self] in
          shell.run(command, use, in: view, reply)
        })
    case .saveFile(_, let path, let policy, let makesFolders):
      document.enqueue(
        .init(needs: [.wholeText, .replacedText, .journal], giveUp: giveUp) { [unowned self] in
          files.save(document, to: path, policy, makingFolders: makesFolders) { error in
            if let error { reply.fail(error) } else { reply.succeed([:]) }
          }
        })
    }
  }
}

extension ResponseError {
  /// Of what waited for a file to be loaded.
  fileprivate static let cancelled = ResponseError(code: ErrorCode.cancelled, message: "cancelled")
}

extension FrontEndRequest {
  fileprivate var view: ViewID? {
    switch self {
    case .newView, .completePath, .folder: nil
    case .getConfig(let view), .debugGetContents(let view), .cut(let view, _), .copy(let view, _),
      .motionsEnd(let view), .change(let view), .words(let view), .runCommand(let view, _, _),
      .saveFile(let view, _, _, _):
      view
    }
  }

  fileprivate var isCut: Bool { if case .cut = self { true } else { false } }
}
