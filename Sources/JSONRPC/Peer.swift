import JSON

/// One side of a JSON-RPC connection: JSON objects, one a line, requests and notifications both ways.
///
/// Serial: messages are handled one by one in the order sent, on the thread of the transport, and handlers are never
/// re-entered. The `"jsonrpc"` member is optional in what comes in; what goes out has it once the other side used it.
package final class Peer {
  package enum State: Sendable {
    case created, running, closed
  }

  package struct Limits: Sendable {
    /// A longer line is refused. At least 1024: the refusal itself must never be refused.
    package var lineByteCount = 256 << 20 {
      didSet { lineByteCount = max(1024, lineByteCount) }
    }
    /// A line with more values is refused: their memory is many times that of the line.
    package var valueCount = 2 << 20
    /// While more output waits to be written, no input is read. For one side of a connection alone: if both waited,
    /// neither would read.
    package var unsentByteCount = Int.max

    package init() {}
  }

  package private(set) var state = State.created
  private let transport: any Transport
  private let limits: Limits
  private weak var handler: (any PeerHandler)?
  private var framer: LineFramer
  private var output = JSONWriter()
  private var isHandlingMessages = false
  private var usesVersionMember = false
  /// Too much output waits.
  private var waitsForReader = false
  private var lastID: UInt64?
  private var pending: [UInt64: (Result<JSONValue, ResponseError>) -> Void] = [:]

  package init(transport: any Transport, limits: Limits = Limits()) {
    self.transport = transport
    self.limits = limits
    framer = LineFramer(lengthLimit: limits.lineByteCount)
  }

  /// Starts to receive. The handler is not kept alive.
  package func start(handler: any PeerHandler) {
    guard state == .created else { return }
    state = .running
    self.handler = handler
    transport.open(receiver: self)
  }

  /// Ends the connection; pending requests are told.
  package func close() {
    guard state == .running else { return }
    flush()
    transport.close()
    finish(reason: "closed here")
  }

  // MARK: Sending

  /// What the other side has not taken yet.
  package var unsentByteCount: Int { output.bytes.count + transport.unsentByteCount }

  /// While paused nothing is received, and the other side is slowed down. For a peer whose output has no limit of its own.
  package var isReceivingPaused: Bool {
    get { transport.isReceivingPaused }
    set { transport.isReceivingPaused = newValue }
  }

  package func notify(_ method: String, params: JSONValue) {
    notify(method) { $0.write(params) }
  }

  /// - Parameter writeParams: Writes one value straight into the outgoing bytes.
  package func notify(_ method: String, writeParams: (inout JSONWriter) -> Void) {
    send { writer in
      writer.key("method")
      writer.write(method)
      writer.key("params")
      writeParams(&writer)
    }
  }

  /// - Parameter completion: Called once, with the answer or with one error when the connection ends before it.
  package func request(
    _ method: String, params: JSONValue, completion: @escaping (Result<JSONValue, ResponseError>) -> Void
  ) {
    request(method, writeParams: { $0.write(params) }, completion: completion)
  }

  /// - Parameter writeParams: Writes one value straight into the outgoing bytes.
  package func request(
    _ method: String, writeParams: (inout JSONWriter) -> Void,
    completion: @escaping (Result<JSONValue, ResponseError>) -> Void
  ) {
    guard state == .running else { return completion(.failure(.connectionClosed("\(state)"))) }
    let id = lastID.map { $0 + 1 } ?? 0
    lastID = id
    pending[id] = completion
    send { writer in
      writer.key("id")
      writer.write(id)
      writer.key("method")
      writer.write(method)
      writer.key("params")
      writeParams(&writer)
    }
  }

  func respond(to id: RequestID?, _ result: Result<JSONValue, ResponseError>) {
    send { writer in
      writer.key("id")
      writer.write(id?.json ?? .null)
      switch result {
      case .success(let value):
        writer.key("result")
        writer.write(value)
      case .failure(let error):
        writer.key("error")
        writer.write(error.json)
      }
    }
  }

  private func send(_ writeMembers: (inout JSONWriter) -> Void) {
    guard state == .running else { return }
    output.beginObject()
    if usesVersionMember {
      output.key("jsonrpc")
      output.write("2.0")
    }
    writeMembers(&output)
    output.endObject()
    output.endLine()
    if !isHandlingMessages { flush() }
  }

  private func flush() {
    guard !output.bytes.isEmpty else { return }
    let bytes = output.bytes
    output.removeAll()
    bytes.withUnsafeBufferPointer { transport.send($0) }
    guard transport.unsentByteCount > limits.unsentByteCount else { return }
    waitsForReader = true
    transport.isReceivingPaused = true
  }

  private func finish(reason: String) {
    state = .closed
    let pending = pending.sorted { $0.key < $1.key }
    self.pending = [:]
    for (_, completion) in pending { completion(.failure(.connectionClosed(reason))) }
  }
}

extension Peer: TransportReceiver {
  package func transportDidReceive(_ bytes: UnsafeBufferPointer<UInt8>) {
    isHandlingMessages = true
    // Taken out: what a handler does may end the connection, which looks at the framer.
    var framer = LineFramer(lengthLimit: limits.lineByteCount)
    swap(&framer, &self.framer)
    framer.receive(bytes) { line in
      handle(line)
      return state == .running
    }
    self.framer = framer
  }

  package func transportDidDrainInput() {
    isHandlingMessages = true
    handler?.peerDidHandleMessages(self)
    isHandlingMessages = false
    flush()
  }

  package func transportDidDrainOutput() {
    guard waitsForReader else { return }
    waitsForReader = false
    transport.isReceivingPaused = false
  }

  package func transportDidEnd(_ end: TransportEnd) {
    guard state == .running else { return }
    if framer.hasPartialLine { handler?.peer(self, didNotice: "the input ends within a line") }
    finish(reason: "\(end)")
    handler?.peer(self, didCloseBecauseOf: end)
  }

  // MARK: Messages

  private func handle(_ line: LineFramer.Line) {
    let bytes: UnsafeBufferPointer<UInt8>
    switch line {
    case .complete(let line): bytes = line
    case .oversized(let start): return refuseOversized(start)
    }
    if bytes.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) { return }
    do throws(JSONError) {
      handle(try JSONValue(parsing: bytes, valueLimit: limits.valueCount))
    } catch {
      refuse(.parseError(.string("\(error)")), answering: nil)
    }
  }

  private func handle(_ json: JSONValue) {
    do throws(Message.Malformed) {
      let message = try Message(json: json)
      if json["jsonrpc"] != nil { usesVersionMember = true }
      handle(message)
    } catch {
      if error.isAnswered {
        refuse(.invalidRequest(.string(error.reason)), answering: error.id)
      } else {
        handler?.peer(self, didNotice: error.reason)
      }
    }
  }

  private func handle(_ message: Message) {
    switch message {
    case .notification(let method, let params):
      handler?.peer(self, didReceiveNotification: method, params: params)
    case .request(let id, let method, let params):
      handler?.peer(self, didReceiveRequest: method, params: params, reply: Reply(to: id, from: self))
    case .response(let id, let result):
      guard case .number(let number) = id, let completion = pending.removeValue(forKey: number) else {
        handler?.peer(self, didNotice: "an answer to no request, id \(id.json)")
        return
      }
      completion(result)
    case .strayError(let error):
      handler?.peer(self, didNotice: "the other side refused a message: \(error)")
    }
  }

  /// What is too long to be read may be an answer: then its request has failed.
  private func refuseOversized(_ start: UnsafeBufferPointer<UInt8>) {
    let error = ResponseError.invalidRequest("longer than \(limits.lineByteCount) bytes")
    guard let id = Message.idOfResponse(beginningWith: start), let completion = pending.removeValue(forKey: id) else {
      return refuse(error, answering: nil)
    }
    handler?.peer(self, didNotice: "\(error)")
    completion(.failure(error))
  }

  private func refuse(_ error: ResponseError, answering id: RequestID?) {
    handler?.peer(self, didNotice: "\(error)")
    respond(to: id, .failure(error))
  }
}
