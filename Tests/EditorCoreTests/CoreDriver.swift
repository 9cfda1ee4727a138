import EventLoop
import EditorProtocol
import JSON
import JSONRPC
import Rope
import TestSupport
import Testing

@testable import EditorCore

/// A front end for tests: a session in memory, and a line cache that follows its updates.
final class CoreDriver: PeerHandler {
  let loop = Loop()
  let session: EditorSession
  private let transport: InMemoryTransport
  private let peer: Peer
  private(set) var views: [ViewID: LineCache] = [:]
  private(set) var notifications: [CoreNotification] = []
  private(set) var log: [String] = []
  var view = ViewID("")
  /// Told of each notification as it comes in.
  var onNotification: (CoreNotification) -> Void = { _ in }
  /// What a request of the core gets; nil for an error.
  var answer: (_ method: String, _ params: JSONValue) -> JSONValue? = { _, _ in nil }

  /// - Parameters:
  ///   - handshake: Speaks the extensions of this project.
  ///   - settings: The folder of the settings.
  ///   - system: Where files are.
  ///   - recoveryFolder: Where journals are written; nil for none.
  init(
    handshake: Bool = false, settings: String? = nil, system: any FileSystem = LinuxFileSystem(),
    recoveryFolder: RecoveryFolder? = nil
  ) {
    let (own, other) = InMemoryTransport.pair()
    transport = own
    peer = Peer(transport: own)
    let log = Log()
    session = EditorSession(transport: other, on: loop, system: system, recoveryFolder: recoveryFolder) {
      log.lines.append($0)
    }
    sessionLog = log
    session.start()
    peer.start(handler: self)
    notify(
      .clientStarted(
        ClientStarted(configDirectory: settings, handshake: handshake ? EditorSession.handshake : nil)))
  }

  private final class Log { var lines: [String] = [] }
  private let sessionLog: Log
  var sessionMessages: [String] { sessionLog.lines }

  func notify(_ notification: FrontEndNotification) {
    let message = notification.encoded
    peer.notify(message.method, params: message.params)
    settle()
  }

  /// A line as it is, without its newline.
  func send(line: String) {
    Array((line + "\n").utf8).withUnsafeBufferPointer { transport.send($0) }
    settle()
  }

  /// - Parameter meanwhile: Called when the request has been sent.
  func request(
    _ method: String, _ params: JSONValue, meanwhile: () -> Void = {}
  ) -> Result<JSONValue, ResponseError> {
    var answer: Result<JSONValue, ResponseError>?
    peer.request(method, params: params) { answer = $0 }
    meanwhile()
    run { answer != nil }
    return answer ?? .failure(.connectionClosed("no answer"))
  }

  /// Sends a message, and waits for nothing.
  func start(_ method: String, _ params: JSONValue) {
    if method == "edit" { peer.notify(method, params: params) } else { peer.request(method, params: params) { _ in } }
    transport.settle()
  }

  // Messages that come with others: what they change is not told yet.

  func perform(_ view: ViewID, _ command: EditCommand) {
    if let view = session.views[view] { session.commands.edit(view, command) }
  }

  func save(to path: String) { if let document { session.files.save(document, to: path) } }

  func close() { if let textView { session.views.close(textView) } }

  @discardableResult
  func open(_ path: String? = nil) -> ViewID {
    let id = (try? request("new_view", path.map { ["file_path": .string($0)] } ?? [:]).get())?.string ?? ""
    view = ViewID(id)
    return view
  }

  func edit(_ method: String, _ params: JSONValue = []) {
    peer.notify("edit", params: ["view_id": .string(view.rawValue), "method": .string(method), "params": params])
    settle()
  }

  /// Runs what is due, and waits for searches and saves.
  func settle() {
    transport.settle()
    run {
      session.views.all.allSatisfy {
        $0.document.file.savesInFlight == 0 && !$0.isSearching && $0.document.recovery.journal?.isBehind != true
      }
    }
    for view in session.views.all where views[view.id] != nil && !view.needsUpdate && view.lines.unbroken.isEmpty {
      guard view.text.byteCount <= Self.comparedByteCount, let difference = difference(in: view) else { continue }
      Issue.record("\(view.id.rawValue): \(difference)")
    }
  }

  /// A longer text is not compared with what is shown of it each time.
  private static let comparedByteCount = 4096

  /// What is wrong in what the front end has of a view to which no update is due; nil where nothing is.
  func difference(in view: TextView) -> String? {
    let cache = views[view.id] ?? LineCache()
    if let problem = cache.problems.first { return problem }
    guard cache.lines.count == view.lineCount else { return "\(cache.lines.count) lines of \(view.lineCount)" }
    guard cache.isPristine == view.document.isPristine else { return "it is told to be pristine: \(cache.isPristine)" }
    var renderer = LineRenderer(view)
    for (index, fresh) in renderer.lines(0..<view.lineCount, withText: true).enumerated() {
      if let known = cache.lines[index], known != fresh { return "line \(index) is \(known), not \(fresh)" }
    }
    return nil
  }

  /// What a journal is to become is written beside it: a test's dead core would hold it open.
  func awaitJournal() { run { session.views.documents.allSatisfy { $0.recovery.journal?.isBeginningAnew != true } } }

  func run(until condition: () -> Bool) {
    let deadline = ContinuousClock.now + patience
    transport.settle()
    while !condition() {
      guard ContinuousClock.now < deadline else {
        Issue.record("what is waited for has not come")
        return
      }
      loop.iterate()
      transport.settle()
    }
  }

  var cache: LineCache { views[view] ?? LineCache() }
  var textView: TextView? { session.views[view] }
  var document: Document? { textView?.document }

  /// The whole text, with carets and selected ranges marked.
  var markedText: String {
    guard let textView else { return "(no view)" }
    var marked = textView.text
    for region in textView.selection.regions.reversed() {
      if region.isCaret {
        marked.insert("‸", at: region.active)
      } else {
        marked.insert("⟧", at: region.upperBound)
        marked.insert("⟦", at: region.lowerBound)
      }
    }
    return marked.string(in: marked.fullRange)
  }

  // MARK: PeerHandler

  func peer(_ peer: Peer, didReceiveNotification method: String, params: JSONValue) {
    do throws(ProtocolError) {
      let notification = try CoreNotification(method: method, params: params)
      notifications.append(notification)
      onNotification(notification)
      if case .update(let view, let update) = notification { views[view, default: LineCache()].apply(update) }
    } catch {
      log.append("\(error)")
    }
  }

  func peer(_ peer: Peer, didReceiveRequest method: String, params: JSONValue, reply: Reply) {
    if let answer = answer(method, params) { reply.succeed(answer) } else { reply.fail(.methodNotFound(method)) }
  }

  func peerDidHandleMessages(_ peer: Peer) {}
  func peer(_ peer: Peer, didNotice oddity: String) { log.append(oddity) }
  func peer(_ peer: Peer, didCloseBecauseOf end: TransportEnd) {}
}

/// As on a worker's thread.
func onOwnThread<Value: Sendable>(
  _ body: @escaping @Sendable (RegularExpression.OwnThread) throws -> Value
) throws -> Value {
  let thread = try LoopThread(name: "test")
  let result = Lock<Result<Value, any Error>?>(nil)
  thread.loop.perform {
    let outcome = RegularExpression.OwnThread(thread).map { own in Result { try body(own) } }
    result.withLock { $0 = outcome }
  }
  thread.stop()
  thread.join()
  guard let outcome = result.withLock({ $0 }) else { throw CancellationError() }
  return try outcome.get()
}

extension SearchPattern {
  /// However long it takes.
  func allMatches(in text: Rope) throws -> IntervalTree? {
    try onOwnThread { try matches(in: text, text.fullRange, .long($0)) }
  }
}

extension FileService {
  /// Holds its thread up, or tells that what was asked before is done.
  func afterOthers(_ body: @escaping @Sendable () -> Void) { worker?.perform(body) }
}

/// The lines that a front end knows; nil where it knows none.
struct LineCache {
  private(set) var lines: [UpdateLine?] = []
  private(set) var isPristine = true
  private(set) var annotations: [Annotation] = []
  /// What was wrong with an update.
  private(set) var problems: [String] = []

  mutating func apply(_ update: ViewUpdate) {
    isPristine = update.pristine
    annotations = update.annotations
    var new: [UpdateLine?] = []
    var old = 0
    for op in update.ops {
      switch op {
      case .copy(let count, let number): new += take(count, &old, renumberedFrom: number)
      case .skip(let count): old += count
      case .invalidate(let count): new += Array(repeating: nil, count: count)
      case .insert(let lines): new += lines
      case .update(let lines, _):
        for (line, known) in zip(lines, take(lines.count, &old, renumberedFrom: nil)) {
          new.append(known.map { updated($0, by: line) })
        }
      }
    }
    lines = new
  }

  private func updated(_ line: UpdateLine, by change: UpdateLine) -> UpdateLine {
    var line = line
    line.cursors = change.cursors
    line.number = change.number
    if let styles = change.styles { line.styles = styles }
    return line
  }

  private mutating func take(_ count: Int, _ old: inout Int, renumberedFrom number: Int?) -> [UpdateLine?] {
    guard old + count <= lines.count else {
      problems.append("\(count) lines wanted from \(old) of \(lines.count)")
      return Array(repeating: nil, count: count)
    }
    defer { old += count }
    guard var number else { return Array(lines[old..<(old + count)]) }
    return lines[old..<(old + count)].enumerated().map { index, line in
      guard var line else {
        number += 1
        return nil
      }
      if line.number != nil {
        line.number = number
        number += 1
      } else if index == 0 {
        number += 1
      }
      return line
    }
  }
}
