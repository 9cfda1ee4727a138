import EditorProtocol
import JSON
import JSONRPC
import Rope
import TestSupport

@testable import EditorCore

/// A plugin in memory that follows the text as it is told, and says what its owner has it say.
final class FuzzPlugin {
  private let transport: InMemoryTransport
  private let plugin: Plugin
  private unowned let session: EditorSession
  private var pending: [UInt8] = []
  /// Far from the ids that messages get when they are damaged.
  private static let firstID = 5_000_000
  private var lastID = firstID
  /// The texts that it was told of, by their revisions.
  private var texts: [Int: [UInt8]]
  private(set) var revision: Int
  private(set) var problems: [String] = []
  private(set) var openRequests: Set<Int> = []
  private(set) var lastAnswer: JSONValue?
  /// It answers no update until it is told to.
  var keepsAnswers = false
  private var keptAnswers: [JSONValue] = []

  init(in session: EditorSession, number: Int, revision: Int, text: [UInt8]) {
    let (own, other) = InMemoryTransport.pair()
    (transport, self.session, self.revision) = (own, session, revision)
    texts = [revision: text]
    plugin = Plugin(
      PluginManifest(name: "fuzz \(number)", executablePath: ""), id: session.views.nextID(), patience: patience,
      on: session.loop, host: session.plugins, process: nil, transport: other)
    session.plugins.running.append(plugin)
    own.open(receiver: self)
  }

  var id: Int { plugin.id }
  var isGone: Bool { plugin.hasEnded }
  var text: [UInt8]? { texts[revision] }
  /// Whether it was told of all changes.
  var hasCaughtUp: Bool {
    transport.settle()
    return isGone || session.views.documents.allSatisfy { $0.buffer.revision == revision }
  }

  /// One that the core has still.
  func anyText(_ random: inout MessageMutator) -> (Int, [UInt8])? {
    texts.keys.sorted().suffix(20).randomElement(using: &random).map { ($0, texts[$0] ?? []) }
  }

  // MARK: Saying

  func send(_ message: JSONValue) { send([message]) }

  /// In one piece.
  func send(_ messages: [JSONValue]) {
    let lines = messages.map { message in
      var writer = JSONWriter()
      writer.write(message)
      return Array(writer.bytes)
    }
    send(line: Array(lines.joined(separator: [10])))
  }

  /// Answers what it has not answered, behind other messages.
  func answer(after messages: [JSONValue]) {
    keepsAnswers = false
    let answers = keptAnswers
    keptAnswers = []
    send(messages + answers)
  }

  func send(line: [UInt8]) {
    (line + [10]).withUnsafeBufferPointer { transport.send($0) }
    transport.settle()
  }

  func request(_ method: String, _ params: JSONValue) {
    lastID += 1
    openRequests.insert(lastID)
    send(["id": JSONValue(lastID), "method": .string(method), "params": params])
  }

  private func message(_ line: [UInt8]) -> JSONValue? { try? JSONValue(parsing: line) }

  // MARK: Being told

  private func take(_ message: JSONValue) {
    if message["method"]?.string == "update" {
      follow(message["params"] ?? .null)
      let answer: JSONValue = ["id": message["id"] ?? .null, "result": 0]
      return keepsAnswers ? keptAnswers.append(answer) : send(answer)
    }
    guard message["method"] == nil, let id = message["id"]?.int, (Self.firstID...lastID).contains(id) else { return }
    lastAnswer = message
    if openRequests.remove(id) == nil { problems.append("answered twice: \(id)") }
  }

  private func follow(_ change: JSONValue) {
    if change["delta"] == .null { return takeAll(of: change) }
    guard let base = texts[revision], let new = change["rev"]?.int, let els = change["delta"]?["els"]?.array,
      change["delta"]?["base_len"]?.int == base.count, new == revision + 1
    else { return problems.append("an update that does not follow: \(change)") }
    var text: [UInt8] = []
    for element in els {
      if let start = element["copy"]?[0]?.int, let end = element["copy"]?[1]?.int, base.indices.contains(end - 1) {
        text += base[start..<end]
      } else if let inserted = element["insert"]?.string {
        text += inserted.utf8
      } else {
        problems.append("an element that is none: \(element)")
      }
    }
    if change["new_len"]?.int != text.count || change["new_line_count"]?.int != text.count(where: { $0 == 10 }) + 1 {
      problems.append("an update of another text: \(change)")
    }
    texts[new] = text
    revision = new
  }
}

extension FuzzPlugin {
  /// It is to ask for the text; here it looks.
  private func takeAll(of change: JSONValue) {
    guard let new = change["rev"]?.int, let document = session.views.documents.first, document.buffer.revision == new
    else {
      return problems.append("an update of a text that is not there: \(change)")
    }
    texts[new] = document.buffer.text.bytes(in: document.buffer.text.fullRange)
    revision = new
  }
}

extension FuzzPlugin: TransportReceiver {
  func transportDidReceive(_ bytes: UnsafeBufferPointer<UInt8>) {
    pending += bytes
    while let end = pending.firstIndex(of: 10) {
      let line = Array(pending[..<end])
      // More may come while it is answered.
      pending.removeFirst(end + 1)
      if let message = message(line) { take(message) } else { problems.append("no JSON") }
    }
  }

  func transportDidDrainInput() {}
  func transportDidDrainOutput() {}
  func transportDidEnd(_ end: TransportEnd) {}
}
