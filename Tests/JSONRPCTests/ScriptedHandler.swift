import JSON

@testable import JSONRPC

/// Notes what it hears, as text. Requests: `echo` answers with its params, `later` keeps its reply, `drop` forgets it, all
/// others fail.
final class ScriptedHandler: PeerHandler {
  var heard: [String] = []
  var kept: [Reply] = []
  var onMessagesHandled: ((Peer) -> Void)?
  var onNotification: ((Peer, String) -> Void)?

  func peer(_ peer: Peer, didReceiveNotification method: String, params: JSONValue) {
    heard.append("\(method) \(params)")
    onNotification?(peer, method)
  }

  func peer(_ peer: Peer, didReceiveRequest method: String, params: JSONValue, reply: Reply) {
    heard.append("\(method)? \(params)")
    switch method {
    case "echo":
      reply.succeed(params)
      reply.succeed("a second answer")
    case "later": kept.append(reply)
    case "drop": break
    default: reply.fail(.methodNotFound(method))
    }
  }

  func peerDidHandleMessages(_ peer: Peer) {
    heard.append("handled")
    onMessagesHandled?(peer)
  }

  func peer(_ peer: Peer, didNotice oddity: String) { heard.append("noticed: \(oddity)") }
  func peer(_ peer: Peer, didCloseBecauseOf end: TransportEnd) { heard.append("closed: \(end)") }
}

/// Two peers in memory.
struct PeerPair {
  let leftTransport: InMemoryTransport
  let rightTransport: InMemoryTransport
  let left: Peer
  let right: Peer
  let leftHandler = ScriptedHandler()
  let rightHandler = ScriptedHandler()

  init(limits: Peer.Limits = Peer.Limits()) {
    (leftTransport, rightTransport) = InMemoryTransport.pair()
    left = Peer(transport: leftTransport, limits: limits)
    right = Peer(transport: rightTransport, limits: limits)
    left.start(handler: leftHandler)
    right.start(handler: rightHandler)
  }

  func settle() { leftTransport.settle() }
}

extension Result where Success == JSONValue, Failure == ResponseError {
  var text: String {
    switch self {
    case .success(let value): "\(value)"
    case .failure(let error): "\(error)"
    }
  }
}
