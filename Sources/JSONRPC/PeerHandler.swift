import JSON

/// What a peer hears from the other side, in the order in which it was sent.
package protocol PeerHandler: AnyObject {
  func peer(_ peer: Peer, didReceiveNotification method: String, params: JSONValue)
  func peer(_ peer: Peer, didReceiveRequest method: String, params: JSONValue, reply: Reply)

  /// All messages at hand have been handled. What is sent from here leaves together with the answers to them, in one write.
  func peerDidHandleMessages(_ peer: Peer)

  /// Something odd that the connection survives: a malformed line, an answer to no request.
  func peer(_ peer: Peer, didNotice oddity: String)

  /// The last call. Pending requests have been told.
  func peer(_ peer: Peer, didCloseBecauseOf end: TransportEnd)
}
