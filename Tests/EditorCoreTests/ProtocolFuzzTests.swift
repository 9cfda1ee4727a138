import EditorProtocol
import EventLoop
import JSON
import JSONRPC
import TestSupport
import Testing

@testable import EditorCore

/// Random messages and what becomes of good ones when they are damaged: the core goes on, answers each request once, and says
/// of what is no message that it is none.
@Suite struct ProtocolFuzzTests {
  @Test(arguments: 0..<60 as Range<UInt64>)
  func everyRequestIsAnsweredWhateverComes(seed: UInt64) throws {
    let bench = try FuzzBench(seed: seed)
    for _ in 0..<400 { bench.sendSomething() }
    bench.finish()
    #expect(bench.unanswered == [])
    #expect(bench.problems == [])
    #expect(bench.contents != nil, "the core answers still")
  }
}

/// A core, and what a front end that has lost its mind sends to it.
private final class FuzzBench {
  private static let views = ["view-id-1", "view-id-3"].map { ViewID($0) }
  private static let pathNames: Set<String> = ["file_path", "config_dir", "client_extras_dir", "destination"]
  private let loop = Loop()
  private let session: EditorSession
  private let transport: InMemoryTransport
  private let folder = TemporaryFolder()
  private var mutator: MessageMutator
  private let messages: [JSONValue]
  private let plainEdits: [JSONValue]
  private var wanted: [RequestID: Int] = [:]
  private var lastID = 100
  private var refusalCount = 0
  private(set) var problems: [String] = []
  private(set) var contents: String?

  init(seed: UInt64) throws {
    mutator = MessageMutator(seed: seed, keepingNames: Self.pathNames)
    let (own, other) = InMemoryTransport.pair()
    transport = own
    session = EditorSession(transport: other, on: loop) { _ in }
    folder.write("one two\nthree ONE\n\tfour 日本 👩‍🚀\r\nlast", to: "file")
    folder.write(Array("one\n".utf8) + [0xFF, 0xC3, 0x28, 10, 0x80], to: "binary")
    messages = Self.messages(folder)
    plainEdits = Self.views.flatMap { view in
      PlainEdit.allCases.map { .object(Self.message(FrontEndNotification.edit(view, .plain($0)).encoded)) }
    }
    own.open(receiver: self)
    session.start()
    let handshake = seed % 2 == 0 ? EditorSession.handshake : nil
    send(.object(Self.message(FrontEndNotification.clientStarted(ClientStarted(handshake: handshake)).encoded)))
    for name in ["file", "binary"] { send(request("new_view", ["file_path": .string(folder(name))])) }
  }

  private static func message(_ encoded: (method: String, params: JSONValue)) -> JSONObject {
    ["method": .string(encoded.method), "params": encoded.params]
  }

  /// One of each kind that has parameters, to two views.
  private static func messages(_ folder: TemporaryFolder) -> [JSONValue] {
    let edits: [EditCommand] = [
      .insert("x\ny"), .paste("a\nb\n"), .gotoLine(1),
      .gesture(LineColumn(line: 1, column: 2), .select(.word, multi: true)),
      .gesture(LineColumn(line: 0, column: 4), .selectExtend(.line)), .gesture(LineColumn(line: 2, column: 1), .drag),
      .click(LineColumn(line: 1, column: 1), flags: 2, count: 1), .drag(LineColumn(line: 0, column: 1), flags: 0),
      .scroll(first: 1, end: 20), .requestLines(first: 0, end: 9), .alsoShown([2..<5, 1..<300]),
      .resize(width: 20, height: 10),
      .highlightFind(visible: true), .find(FindQuery("o", caseSensitive: false)),
      .find(FindQuery("[a-z]+|$", caseSensitive: true, regex: true)),
      .multiFind([
        FindQuery("one", caseSensitive: false, wholeWords: true), FindQuery("\n", caseSensitive: true, regex: true),
      ]),
      .findNext(FindMotion(wrapAround: true)), .findPrevious(FindMotion(selection: .add)),
      .selectionForFind(caseSensitive: false), .replace("Two", preserveCase: true), .toggleRecording(name: "r"),
      .playRecording(name: "r"), .clearRecording(name: "r"),
      .requestHover(requestID: 1, at: LineColumn(line: 1, column: 1)),
      .gotoPosition(line: 2, character: 3),
    ]
    let notifications: [FrontEndNotification] =
      Self.views.flatMap { view in edits.map { .edit(view, $0) } } + [
        .closeView(Self.views[1]), .save(Self.views[0], path: folder("saved")), .setTheme(name: "InspiredGitHub"),
        .setLanguage(Self.views[0], languageID: "Plain Text"), .modifyUserConfig(.general, changes: ["tab_size": 3]),
        .modifyUserConfig(.userOverride(Self.views[0]), changes: ["word_wrap": true, "wrap_width": 9]),
        .plugin(Self.views[0], .start(name: "p")),
        .plugin(Self.views[0], .rpc(receiver: "p", method: "m", params: [], isRequest: false)),
        .tracingConfig(enabled: true), .cancel(Self.views[0]), .recover(Self.views[0], recoveryID: "r", .restore),
        .reload(Self.views[0]), .setEncoding(Self.views[0], .utf16BigEndian, readsAgain: true),
        .setEncoding(Self.views[0], .latin1, readsAgain: false),
      ]
    let requests: [FrontEndRequest] = [
      .newView(NewView(path: folder("file"))), .newView(NewView()), .getConfig(Self.views[0]),
      .debugGetContents(Self.views[1]),
      .cut(Self.views[0]), .copy(Self.views[1]), .saveFile(Self.views[0], path: folder("saved"), .ifUnchanged),
    ]
    // An id marks the requests; each gets a new one.
    return notifications.map { .object(message($0.encoded)) }
      + requests.map { request in
        var object = message(request.encoded)
        object["id"] = 0
        return .object(object)
      }
  }

  private func request(_ method: String, _ params: JSONValue) -> JSONValue {
    lastID += 1
    return ["id": JSONValue(lastID), "method": .string(method), "params": params]
  }

  func sendSomething() {
    // Those without parameters are many, and there is little to get wrong in them.
    var message =
      mutator.isOne(in: 3)
      ? plainEdits[mutator.number(below: plainEdits.count)] : messages[mutator.number(below: messages.count)]
    if case .object(var object) = message, object["id"] != nil {
      lastID += 1
      object["id"] = JSONValue(lastID)
      message = .object(object)
    }
    let namesFile = Self.pathNames.contains { message["params"]?[$0] != nil }
    switch mutator.number(below: 10) {
    case 0...3: send(message)
    case 4...5: send(mutator.mutated(message))
    case 6...7: send(mutator.withOtherNumber(message))
    case 8 where !namesFile: send(mutator.damaged(bytes(message)))
    default: send((0..<mutator.number(below: 40)).map { _ in UInt8.random(in: 11...255, using: &mutator) })
    }
    keepSmall()
  }

  /// Doubled often enough, any text fills the memory.
  private func keepSmall() {
    for view in session.views.all where view.text.byteCount > 20_000 {
      for edit in [PlainEdit.selectAll, .deleteBackward] {
        send(.object(Self.message(FrontEndNotification.edit(view.id, .plain(edit)).encoded)))
      }
    }
    while session.views.all.count > 6, let view = session.views.all.last {
      send(.object(Self.message(FrontEndNotification.closeView(view.id).encoded)))
    }
  }

  private func bytes(_ message: JSONValue) -> [UInt8] {
    var writer = JSONWriter()
    writer.write(message)
    return Array(writer.bytes)
  }

  private func send(_ message: JSONValue) { send(bytes(message)) }

  private func send(_ line: [UInt8]) {
    let refusals = refusalCount
    let isRefused = note(line)
    // In pieces, as pipes have it.
    let cut = mutator.number(below: line.count + 1)
    for piece in [line[..<cut], line[cut...] + [10]] { Array(piece).withUnsafeBufferPointer { transport.send($0) } }
    transport.settle()
    if isRefused, refusalCount == refusals { problems.append("not refused: \(String(decoding: line, as: UTF8.self))") }
    loop.iterate()
    transport.settle()
  }

  /// Remembers what is to be answered.
  /// - Returns: Whether it is no message at all.
  private func note(_ line: [UInt8]) -> Bool {
    if line.allSatisfy({ [0x20, 0x0D].contains($0) }) { return false }
    guard let json = try? JSONValue(parsing: line), let object = json.object else { return true }
    guard object["method"] != nil else { return object["id"] == nil && object["error"] == nil }
    guard object["method"]?.string != nil else { return true }
    guard let id = object["id"] else { return false }
    guard let id = RequestID(any: id) else { return true }
    wanted[id, default: 0] += 1
    return false
  }

  func finish() {
    let last = request("debug_get_contents", ["view_id": "view-id-1"])
    send(["method": "edit", "params": ["view_id": "view-id-1", "method": "insert", "params": ["chars": "!"]]])
    send(last)
    let deadline = ContinuousClock.now + patience
    while !unanswered.isEmpty, ContinuousClock.now < deadline {
      loop.iterate()
      transport.settle()
    }
    transport.close()
    transport.settle()
    session.finish()
  }

  var unanswered: [RequestID] { wanted.filter { $0.value > 0 }.map(\.key) }
}

extension RequestID {
  fileprivate init?(any json: JSONValue) {
    if let number = json.uint64 {
      self = .number(number)
    } else if let text = json.string {
      self = .string(text)
    } else {
      return nil
    }
  }
}

extension FuzzBench: TransportReceiver {
  func transportDidReceive(_ bytes: UnsafeBufferPointer<UInt8>) {
    for line in bytes.split(separator: 10) {
      guard let message = try? JSONValue(parsing: line) else {
        problems.append("no JSON: \(String(decoding: line, as: UTF8.self))")
        continue
      }
      receive(message)
    }
  }

  private func receive(_ message: JSONValue) {
    if let method = message["method"]?.string {
      // A front end that measures nothing.
      if message["id"] != nil { return send(["id": message["id"] ?? .null, "error": ["code": -1, "message": "no"]]) }
      if (try? CoreNotification(method: method, params: message["params"] ?? .null)) == nil {
        problems.append("not understood: \(method)")
      }
      return
    }
    if message["error"] != nil { refusalCount += 1 }
    guard let id = message["id"].flatMap(RequestID.init(any:)) else { return }
    if id == .number(UInt64(lastID)) { contents = message["result"]?.string ?? message["error"].map { "\($0)" } }
    // An id that could be read is used for refusals, too.
    guard let count = wanted[id] else { return }
    if count == 0 { problems.append("answered twice: \(id.json)") }
    wanted[id] = count - 1
  }

  func transportDidDrainInput() {}
  func transportDidDrainOutput() {}
  func transportDidEnd(_ end: TransportEnd) {}
}
