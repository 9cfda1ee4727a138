import CLinux
import EventLoop
import Glibc
import JSON
import TestSupport
import Testing

@testable import JSONRPC

@Suite struct PipeTransportTests {
  @Test func carriesMessagesBothWays() throws {
    let connection = try PipedPeers()
    var answer: String?
    connection.left.request("echo", params: ["text": "é😀\n"]) { answer = $0.text }
    connection.run { answer != nil }
    #expect(answer == #"{"text":"é😀\n"}"#)
  }

  /// More than a pipe holds, in both directions at once.
  @Test func largeMessagesWaitForTheReader() throws {
    let connection = try PipedPeers()
    let text = JSONValue.string(String(repeating: "0123456789", count: 300_000))
    var answers: [Bool] = []
    for _ in 0..<3 { connection.left.request("echo", params: text) { answers.append($0 == .success(text)) } }
    #expect(connection.leftTransport.unsentByteCount > 0)
    connection.run { answers.count == 3 }
    #expect(answers == [true, true, true])
    #expect(connection.leftTransport.unsentByteCount == 0)
  }

  @Test func aCongestedPeerPausesAndLosesNothing() throws {
    var limits = Peer.Limits()
    limits.unsentByteCount = 1 << 16
    let connection = try PipedPeers(rightLimits: limits)
    var answers: [Int] = []
    let text = JSONValue.string(String(repeating: "x", count: 50_000))
    connection.leftTransport.isReceivingPaused = true
    for number in 0..<40 { connection.left.request("echo", params: text) { _ in answers.append(number) } }
    // As long as nobody reads what it says, it hears no more than one turn.
    connection.run { connection.right.unsentByteCount > 1 << 16 }
    for _ in 0..<100 { connection.loop.iterate() }
    #expect(connection.right.unsentByteCount < 1_000_000)
    connection.leftTransport.isReceivingPaused = false
    connection.run { answers.count == 40 }
    #expect(answers == Array(0..<40))
  }

  @Test func theEndOfInputEndsTheConnection() throws {
    let connection = try PipedPeers()
    var answer: String?
    connection.left.request("later", params: .null) { answer = $0.text }
    connection.run { connection.rightHandler.kept.count == 1 }
    connection.right.close()
    connection.close(\.back.write)
    connection.run { answer != nil }
    #expect(connection.leftHandler.heard.last == "closed: end of input")
  }

  @Test func aReaderThatIsGoneEndsTheConnection() throws {
    let connection = try PipedPeers()
    connection.right.close()
    connection.close(\.forth.read)
    connection.left.notify("x", params: .null)
    // The caller of a failing `send` is not called back in the middle of it.
    #expect(connection.left.state != .closed)
    connection.run { connection.left.state == .closed }
    #expect(connection.leftHandler.heard.last == "closed: write: Broken pipe")
  }

  @Test func theLastWordsOfOneThatReadsNoMoreAreHeard() throws {
    let connection = try PipedPeers()
    connection.right.notify("goodbye", params: .null)
    connection.right.close()
    connection.close(\.forth.read)
    connection.left.notify("x", params: .null)
    connection.run { connection.left.state == .closed }
    #expect(connection.leftHandler.heard.contains { $0.contains("goodbye") })
    #expect(connection.leftHandler.heard.last == "closed: write: Broken pipe")
  }

  /// It was paused, as that one had not read what it was told.
  @Test func theLastWordsOfOneThatIsBehindAreHeard() throws {
    var limits = Peer.Limits()
    limits.unsentByteCount = 1 << 16
    let connection = try PipedPeers(leftLimits: limits)
    connection.right.isReceivingPaused = true
    connection.left.notify("x", params: .string(String(repeating: "x", count: 1 << 20)))
    connection.right.notify("goodbye", params: .null)
    for _ in 0..<10 { connection.loop.iterate() }
    #expect(!connection.leftHandler.heard.contains { $0.contains("goodbye") })
    connection.right.close()
    connection.close(\.forth.read)
    connection.run { connection.left.state == .closed }
    #expect(connection.leftHandler.heard.contains { $0.contains("goodbye") })
    #expect(connection.leftHandler.heard.last == "closed: write: Broken pipe")
  }

  @Test func recordsBothDirections() throws {
    let path = "/tmp/jsonrpc-record-\(getpid())-\(UInt64.random(in: 0 ... .max))"
    defer { unlink(path) }
    let connection = try PipedPeers(recordingTo: path)
    var answer: String?
    connection.left.request("echo", params: 1) { answer = $0.text }
    connection.run { answer != nil }
    let file = try #require(fopen(path, "r"))
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1000)
    let count = fread(&bytes, 1, bytes.count, file)
    #expect(
      String(decoding: bytes[..<count], as: UTF8.self)
        == #"< {"id":0,"method":"echo","params":1}"# + "\n" + #"> {"id":0,"result":1}"# + "\n")
  }

  @Test func aRecordGoesOnBehindTheOneBefore() throws {
    let path = "/tmp/jsonrpc-record-\(getpid())-\(UInt64.random(in: 0 ... .max))"
    defer { unlink(path) }
    for number in 0..<2 {
      let (transport, _) = InMemoryTransport.pair()
      try RecordingTransport(transport, path: path, goesOn: number > 0).remark("\(number)")
    }
    var bytes = [UInt8](repeating: 0, count: 100)
    let file = try #require(fopen(path, "r"))
    defer { fclose(file) }
    let count = fread(&bytes, 1, bytes.count, file)
    #expect(String(decoding: bytes[..<count], as: UTF8.self) == "# 0\n# 1\n")
  }

  @Test func aRecordThatEndsIsToldOnce() throws {
    let (transport, _) = InMemoryTransport.pair()
    let recording = try RecordingTransport(transport, path: "/dev/full")
    var reasons: [String] = []
    recording.onFailure = { reasons.append($0) }
    for _ in 0..<3 { recording.remark("x") }
    #expect(reasons == ["No space left on device"])
  }

  @Test func aRecordThatCannotBeWrittenIsAnError() {
    let (transport, _) = InMemoryTransport.pair()
    #expect(throws: ResponseError.internalError("/nowhere/at/all: No such file or directory")) {
      try RecordingTransport(transport, path: "/nowhere/at/all")
    }
  }
}

/// Two peers over real pipes, on one loop.
private final class PipedPeers {
  typealias Pipe = (read: CInt, write: CInt)

  let loop = Loop()
  var forth: Pipe
  var back: Pipe
  let leftTransport: PipeTransport
  let left: Peer
  let right: Peer
  let leftHandler = ScriptedHandler()
  let rightHandler = ScriptedHandler()

  init(
    leftLimits: Peer.Limits = Peer.Limits(), rightLimits: Peer.Limits = Peer.Limits(), recordingTo path: String? = nil
  ) throws {
    forth = try Self.makePipe()
    back = try Self.makePipe()
    leftTransport = PipeTransport(input: back.read, output: forth.write, on: loop)
    let rightTransport = PipeTransport(input: forth.read, output: back.write, on: loop)
    left = Peer(transport: leftTransport, limits: leftLimits)
    right = Peer(
      transport: try path.map { try RecordingTransport(rightTransport, path: $0) } ?? rightTransport,
      limits: rightLimits)
    left.start(handler: leftHandler)
    right.start(handler: rightHandler)
  }

  deinit {
    left.close()
    right.close()
    for descriptor in [forth.read, forth.write, back.read, back.write] where descriptor >= 0 { Glibc.close(descriptor) }
  }

  private static func makePipe() throws -> Pipe {
    var ends: [CInt] = [0, 0]
    try #require(pipe2(&ends, O_CLOEXEC) == 0)
    return (ends[0], ends[1])
  }

  func close(_ end: ReferenceWritableKeyPath<PipedPeers, CInt>) {
    Glibc.close(self[keyPath: end])
    self[keyPath: end] = -1
  }

  /// Runs the loop until the condition holds; fails after a generous while.
  func run(until condition: () -> Bool) {
    let deadline = ContinuousClock.now + patience
    while !condition(), ContinuousClock.now < deadline { loop.iterate() }
    #expect(condition())
  }
}
