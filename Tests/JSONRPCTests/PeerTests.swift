import JSON
import Testing

@testable import JSONRPC

@Suite struct PeerTests {
  @Test func messagesArriveInOrderAndTurnsAreTold() {
    let pair = PeerPair()
    for number in 0..<3 { pair.left.notify("n\(number)", params: [JSONValue(number)]) }
    pair.settle()
    #expect(pair.rightHandler.heard == ["n0 [0]", "n1 [1]", "n2 [2]", "handled"])
  }

  @Test func requestsGoBothWays() {
    let pair = PeerPair()
    var answers: [String] = []
    pair.left.request("echo", params: ["x": 1]) { answers.append("left \($0.text)") }
    pair.right.request("nonsense", params: .null) { answers.append("right \($0.text)") }
    pair.left.request("drop", params: .null) { answers.append("left \($0.text)") }
    pair.settle()
    #expect(
      Set(answers) == [
        #"left {"x":1}"#, #"right Method not found (-32601): "nonsense""#,
        #"left Internal error (-32603): "the request was dropped""#,
      ])
  }

  @Test func anAnswerMayComeLater() {
    let pair = PeerPair()
    var answers: [String] = []
    pair.left.request("later", params: .null) { answers.append("first \($0.text)") }
    pair.left.request("echo", params: 2) { answers.append("second \($0.text)") }
    pair.settle()
    pair.rightHandler.kept.removeLast().succeed(1)
    pair.settle()
    #expect(answers == ["second 2", "first 1"])
  }

  @Test func whatIsSentWhileHandlingLeavesInOneWrite() {
    let pair = PeerPair()
    pair.rightHandler.onNotification = { peer, method in peer.notify("seen \(method)", params: .null) }
    pair.rightHandler.onMessagesHandled = { peer in peer.notify("all", params: .null) }
    pair.left.notify("a", params: .null)
    pair.left.notify("b", params: .null)
    pair.rightTransport.deliver()
    pair.leftTransport.deliver()
    #expect(pair.leftHandler.heard == ["seen a null", "seen b null", "all null", "handled"])
  }

  @Test(arguments: [
    ("nonsense", -32700), ("{\"method\":\"a\"", -32700), ("[1,2]", -32600), ("7", -32600), ("{}", -32600),
    (#"{"method":"a","id":-1}"#, -32600), (#"{"method":"a","id":{}}"#, -32600), (#"{"method":"\ud83d"#, -32700),
    ("\u{FEFF}{}", -32700),
  ])
  func malformedLinesAreAnsweredAndSurvived(line: String, code: Int) throws {
    let pair = PeerPair()
    pair.rightTransport.inject(line + "\n")
    pair.left.notify("after", params: .null)
    pair.settle()
    #expect(pair.rightHandler.heard.count == 3)
    #expect(pair.rightHandler.heard.suffix(2) == ["after null", "handled"])
    let told = try #require(pair.leftHandler.heard.first)
    #expect(told.hasPrefix("noticed: the other side refused a message") && told.contains("(\(code))"))
  }

  @Test func aMalformedRequestIsAnsweredByItsID() {
    let pair = PeerPair()
    var answer: String?
    pair.left.request("later", params: .null) { answer = $0.text }
    pair.rightTransport.inject(#"{"method":7,"id":0}"# + "\n")
    pair.settle()
    #expect(answer == #"Invalid request (-32600): "method is no string""#)
  }

  @Test(arguments: [
    #"{"id":1,"result":1,"error":{"code":1,"message":"x"}}"#, #"{"id":5,"result":1}"#, #"{"id":"x","result":1}"#,
    #"{"id":1}"#, #"{"id":null,"error":{"code":1}}"#, #"{"id":null,"error":"text"}"#,
  ])
  func strayResponsesAreNeverAnswered(line: String) {
    let pair = PeerPair()
    pair.rightTransport.inject(line + "\n")
    pair.settle()
    #expect(pair.rightHandler.heard.count == 2 && pair.rightHandler.heard.first?.hasPrefix("noticed") == true)
    #expect(pair.leftHandler.heard == [])
  }

  @Test func aLineTooLongIsRefused() {
    var limits = Peer.Limits()
    limits.lineByteCount = 0
    let pair = PeerPair(limits: limits)
    pair.left.notify("long", params: .string(String(repeating: "x", count: 1100)))
    pair.left.notify("short", params: .null)
    pair.settle()
    #expect(pair.rightHandler.heard.suffix(2) == ["short null", "handled"])
    #expect(pair.rightHandler.heard.first == #"noticed: Invalid request (-32600): "longer than 1024 bytes""#)
  }

  /// A value costs many times its text, and a name goes to logs.
  @Test func aLineThatCostsTooMuchIsRefused() {
    var limits = Peer.Limits()
    limits.valueCount = 100
    let pair = PeerPair(limits: limits)
    pair.left.notify("many", params: .array(Array(repeating: 0, count: 200)))
    pair.left.notify(String(repeating: "m", count: 5000), params: .null)
    pair.left.notify("few", params: .array(Array(repeating: 0, count: 90)))
    pair.settle()
    #expect(pair.rightHandler.heard.count == 4)
    #expect(pair.rightHandler.heard.allSatisfy { $0.utf8.count < 400 })
    #expect(pair.rightHandler.heard.contains { $0.contains("too many values") })
    #expect(pair.rightHandler.heard.contains { $0.contains("method is too long") })
    #expect(pair.leftHandler.heard.allSatisfy { $0.utf8.count < 400 })
  }

  @Test func anAnswerTooLongFailsItsRequest() {
    var limits = Peer.Limits()
    limits.lineByteCount = 0
    let pair = PeerPair(limits: limits)
    var answers: [String] = []
    pair.left.request("echo", params: 1) { answers.append($0.text) }
    pair.left.request("echo", params: .string(String(repeating: "x", count: 900))) { answers.append($0.text) }
    pair.leftTransport.inject(#"{"id":1,"result":""# + String(repeating: "x", count: 1100) + "\"}\n")
    pair.settle()
    #expect(answers.contains(#"Invalid request (-32600): "longer than 1024 bytes""#))
    #expect(answers.contains("1"))
    // What only looks like an answer is none.
    for line in [#"{"id":1,"method":""#, #"{"x":{"id":1,"result":""#, #"{"id":77,"result":""#] {
      pair.leftTransport.inject(line + String(repeating: "x", count: 1100) + "\n")
    }
    pair.settle()
    #expect(answers.count == 2)
  }

  @Test func theVersionMemberIsUsedOnceHeard() {
    let (transport, other) = InMemoryTransport.pair()
    let listener = LineListener()
    other.open(receiver: listener)
    let peer = Peer(transport: transport)
    let handler = ScriptedHandler()
    peer.start(handler: handler)
    transport.inject(#"{"id":1,"method":"echo"}"# + "\n \r\n" + #"{"jsonrpc":"2.0","id":"a","method":"echo"}"# + "\n")
    transport.settle()
    #expect(listener.text == #"{"id":1,"result":null}"# + "\n" + #"{"jsonrpc":"2.0","id":"a","result":null}"# + "\n")
  }

  @Test func pendingRequestsFailOnceWhenTheConnectionEnds() {
    let pair = PeerPair()
    var answers: [String] = []
    pair.left.request("later", params: .null) { answers.append("1 \($0.text)") }
    pair.left.request("later", params: .null) { answers.append("2 \($0.text)") }
    pair.settle()
    pair.right.close()
    pair.settle()
    let error = "Connection closed: end of input (-32000)"
    #expect(answers == ["1 \(error)", "2 \(error)"])
    #expect(pair.leftHandler.heard.last == "closed: end of input")
    #expect(pair.left.state == .closed && pair.right.state == .closed)
    pair.left.request("echo", params: .null) { answers.append("3 \($0.text)") }
    #expect(answers.last == "3 Connection closed: closed (-32000)")
    for reply in pair.rightHandler.kept { reply.succeed(1) }
    #expect(answers.count == 3)
  }

  @Test func halfALineAtTheEndIsNoticed() {
    let pair = PeerPair()
    pair.rightTransport.inject(#"{"method":"#)
    pair.left.close()
    pair.settle()
    #expect(pair.rightHandler.heard.suffix(2) == ["noticed: the input ends within a line", "closed: end of input"])
  }

  @Test func closingWithinAHandlerStopsTheTurn() {
    let pair = PeerPair()
    pair.rightHandler.onNotification = { peer, _ in peer.close() }
    pair.left.notify("a", params: .null)
    pair.left.notify("b", params: .null)
    pair.settle()
    #expect(pair.rightHandler.heard == ["a null"])
  }
}

private final class LineListener: TransportReceiver {
  var text = ""
  func transportDidReceive(_ bytes: UnsafeBufferPointer<UInt8>) { text += String(decoding: bytes, as: UTF8.self) }
  func transportDidDrainInput() {}
  func transportDidDrainOutput() {}
  func transportDidEnd(_ end: TransportEnd) {}
}
