import JSON

/// The answer that a request waits for: given once, at once or later. If it is dropped, the request is told so.
package final class Reply {
  private weak var peer: Peer?
  private let id: RequestID
  private var isGiven = false

  init(to id: RequestID, from peer: Peer) {
    self.id = id
    self.peer = peer
  }

  deinit {
    if !isGiven { peer?.respond(to: id, .failure(.internalError("the request was dropped"))) }
  }

  package func succeed(_ result: JSONValue) { give(.success(result)) }
  package func fail(_ error: ResponseError) { give(.failure(error)) }

  /// A second answer is ignored.
  private func give(_ result: Result<JSONValue, ResponseError>) {
    guard !isGiven else { return }
    isGiven = true
    peer?.respond(to: id, result)
  }
}
