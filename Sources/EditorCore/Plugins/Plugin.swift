import EditorProtocol
import EventLoop
import Glibc
import JSON
import JSONRPC

/// A plugin that runs: a process, and the peer that talks with it. The core never waits for it.
///
/// It must answer each `update`; while too many are open, changes are kept back, and one that answers nothing for long is ended.
final class Plugin {
  /// So many updates may wait for an answer.
  private static let openUpdateCount = 64
  /// So much of what it is told may lie about while it asks for more.
  private static let unreadByteCount = 128 << 20
  private static let noiseLimit = 20
  /// So much of what it says is handled between two keys.
  private static let turnByteCount = 16 << 10
  static let mostStatusItems = 64
  static let mostScopes = 1 << 16
  private static let shortestPause = Duration.milliseconds(20)
  private static let longestPause = Duration.seconds(1)
  private static let longestPenalty = Duration.seconds(30)
  /// A user may notice it; after a few times the plugin is named.
  private static let (noticeableTime, fewTimes) = (Duration.milliseconds(300), 3)
  /// What lies further apart is not the same trouble.
  private static let whileBusy = Duration.seconds(60)
  private static let keptLogByteCount = 1024

  let id: Int
  let manifest: PluginManifest
  var name: String { manifest.name }
  /// The scopes that it has named, by their index on the wire.
  var scopes: [String] = []
  /// By document and key: what it has put into the status line.
  var statusItems: [ViewID: [String: StatusItem]] = [:]
  /// What of it the front end has not been told.
  var statusChanges = StatusChanges()
  /// The revision of each document that it was told of last.
  var toldRevisions: [ViewID: Int] = [:]
  /// The documents whose changes were kept back.
  var staleDocuments: Set<ViewID> = []

  private weak var host: PluginHost?
  private let loop: Loop
  /// Nil in tests.
  private let process: ChildProcess?
  private let peer: Peer
  /// How long an answer may take.
  private let patience: Duration
  private let log: ProcessLog?
  private var watchdog: LoopSource?
  private var openUpdates = 0
  private var answers = 0
  private var noise = 0
  private var budget = TimeBudget()
  /// How often in a row, and when the last was.
  private var noticeable = (count: 0, last: MonotonicTime(nanoseconds: 0))
  /// The user has been told that an edit of its was too large.
  private var hasBeenRefused = false
  /// While it is paused: when it goes on.
  private var resumption: LoopSource?
  private(set) var hasEnded = false

  /// Starts its program.
  convenience init(
    _ manifest: PluginManifest, id: Int, patience: Duration, on loop: Loop, host: PluginHost
  ) throws(FileError) {
    let process: ChildProcess
    do throws(EventLoopError) {
      process = try ChildProcess(manifest.executablePath, company: .group)
    } catch {
      throw FileError(systemError: error.systemError, "cannot run", path: manifest.executablePath)
    }
    let transport = PipeTransport(
      input: process.output, output: process.input, on: loop, turnByteCount: Self.turnByteCount)
    self.init(
      manifest, id: id, patience: patience, on: loop, host: host, process: process, transport: transport)
    transport.onTurn = { [weak self] in self?.hasUsed($0) }
  }

  init(
    _ manifest: PluginManifest, id: Int, patience: Duration, on loop: Loop, host: PluginHost,
    process: ChildProcess?, transport: any Transport
  ) {
    self.id = id
    self.manifest = manifest
    self.patience = patience
    self.loop = loop
    self.host = host
    self.process = process
    log = process.map { ProcessLog(of: $0, keptByteCount: Self.keptLogByteCount) }
    var limits = Peer.Limits()
    limits.lineByteCount = 32 << 20
    limits.valueCount = 1 << 20
    peer = Peer(transport: transport, limits: limits)
    peer.start(handler: self)
    guard let process else { return }
    readLog()
    loop.onExit(of: process.id) { _ in }
  }

  // MARK: Back-pressure

  /// Work has been done for it. What is used up during a pause makes the next one longer.
  func hasUsed(_ time: Duration) {
    guard !hasEnded else { return }
    if time >= Self.noticeableTime {
      let now = MonotonicTime.now
      noticeable = (now - noticeable.last < Self.whileBusy ? noticeable.count + 1 : 1, now)
      if noticeable.count == Self.fewTimes {
        host?.frontEnd.alert("The plugin \(name) keeps the editor busy; it is slowed down")
      }
    }
    let penalty = budget.spend(time)
    guard resumption == nil else { return }
    if let penalty {
      pause(for: min(penalty, Self.longestPenalty))
    } else if host?.frontEnd.isBehind == true {
      pause(for: Self.shortestPause)
    }
  }

  /// Reads nothing of it for a while: when its pipes are full it waits, and nothing of what it says is lost.
  private func pause(for time: Duration) {
    peer.isReceivingPaused = true
    log?.pause()
    resumption = loop.after(time) { [weak self] in
      guard let self, !hasEnded else { return }
      resumption = nil
      if host?.frontEnd.isBehind == true { return pause(for: min(time * 2, Self.longestPause)) }
      peer.isReceivingPaused = false
      readLog()
    }
  }

  var isPaused: Bool { resumption != nil }

  private func readLog() { log?.read(on: loop) { [unowned self] in hasUsed($0) } }

  func notify(_ message: HostNotification) { peer.notify(message.method, writeParams: message.encodeParams) }

  private func request(
    _ message: HostRequest, _ completion: @escaping (Result<JSONValue, ResponseError>) -> Void
  ) {
    peer.request(message.method, writeParams: message.encodeParams, completion: completion)
  }

  var isBehind: Bool { openUpdates >= Self.openUpdateCount }

  func update(_ document: ViewID, _ change: TextChange) {
    openUpdates += 1
    request(.update(document, change)) { [weak self] _ in self?.answered() }
    watch()
  }

  private func answered() {
    guard !hasEnded else { return }
    openUpdates -= 1
    answers += 1
    if openUpdates == Self.openUpdateCount / 2 || openUpdates == 0 { host?.caughtUp(self) }
  }

  /// One-shot: an idle core stays idle.
  private func watch() {
    guard watchdog == nil else { return }
    let before = answers
    watchdog = loop.after(patience) { [weak self] in
      guard let self else { return }
      watchdog = nil
      guard openUpdates > 0 else { return }
      // What it has answered may not have been read yet.
      if answers > before || resumption != nil { return watch() }
      end("does not answer; it was ended")
    }
  }

  /// Asks what it has recorded of its own work.
  func collectTrace(_ completion: @escaping ([JSONValue]) -> Void) {
    request(.collectTrace) { completion((try? $0.get())?.array ?? []) }
  }

  /// Asks it to end, and lets it go.
  func shutDown() {
    // To tell it would take as long as it does not read.
    guard peer.unsentByteCount == 0 else { return kill() }
    notify(.shutDown)
    close()
    // One that does not listen ends all the same.
    guard let process = process?.id else { return }
    loop.after(.seconds(1)) { Self.killGroup(of: process) }
  }

  /// Ends it with the core.
  func kill() {
    // First: it may have stopped to read, and what it has not read would be waited for.
    if let process { Self.killGroup(of: process.id) }
    close()
  }

  /// Ends a plugin at once, with all that it has started.
  private static func killGroup(of process: pid_t) { _ = Glibc.kill(-process, SIGKILL) }

  private func end(_ reason: String) {
    guard !hasEnded else { return }
    kill()
    host?.ended(self, because: reason)
  }

  private func close() {
    hasEnded = true
    peer.close()
    log?.pause()
    watchdog?.cancel()
    resumption?.cancel()
  }

  private var lastWords: String {
    // One that is paused has more in its log than its last words.
    log?.readRest()
    let line = log?.lastLine ?? ""
    return line.isEmpty ? "" : ": \(line)"
  }
}

extension Plugin: PeerHandler {
  func peer(_ peer: Peer, didReceiveNotification method: String, params: JSONValue) {
    guard !hasEnded, let host else { return }
    do throws(ProtocolError) { host.plugin(self, tells: try PluginNotification(method: method, params: params)) } catch
    {
      peerNotice("\(error)")
    }
  }

  func peer(_ peer: Peer, didReceiveRequest method: String, params: JSONValue, reply: Reply) {
    guard !hasEnded else { return }
    guard peer.unsentByteCount < Self.unreadByteCount else {
      return end("asks, and does not read the answers; it was ended")
    }
    do throws(ProtocolError) {
      host?.plugin(self, asks: try PluginRequest(method: method, params: params), reply)
    } catch {
      reply.fail(error.code == .unknownMethod ? .methodNotFound(method) : .invalidRequest(.string("\(error)")))
    }
  }

  func peerDidHandleMessages(_ peer: Peer) { host?.handledMessages(of: self) }

  func peer(_ peer: Peer, didNotice oddity: String) { peerNotice(oddity) }

  /// What it says is no message, or one that means nothing.
  func peerNotice(_ oddity: String) {
    noise += 1
    if noise == Self.noiseLimit { end("keeps saying what means nothing (\(oddity)); it was ended") }
  }

  /// Its edit is not made, and it is not told by any answer: the user is.
  func refuseEdit(_ reason: String) {
    if !hasBeenRefused { host?.frontEnd.alert("An edit of the plugin \(name) was refused: \(reason)") }
    hasBeenRefused = true
    peerNotice("edit: \(reason)")
  }

  func peer(_ peer: Peer, didCloseBecauseOf reason: TransportEnd) {
    guard !hasEnded else { return }
    let words = lastWords
    end("ended unexpectedly\(words)")
  }
}
