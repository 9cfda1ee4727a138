import TrestleCore

extension Observable {
  /// The values as a sequence: subscribed to at once. Those that nobody has asked for yet are kept or dropped by the policy.
  public func values(
    bufferingPolicy: AsyncThrowingStream<Value, any Error>.Continuation.BufferingPolicy = .unbounded
  ) -> AsyncThrowingStream<Value, any Error> {
    AsyncThrowingStream(bufferingPolicy: bufferingPolicy) { continuation in
      let subscription = subscribe { event in
        switch event {
        case .next(let value): continuation.yield(value)
        case .failed(let error): continuation.finish(throwing: error)
        case .completed: continuation.finish()
        }
      }
      continuation.onTermination = { _ in subscription.dispose() }
    }
  }
}

/// A method may return one: JavaScript gets an async iterator, as of a ``BridgeStream``. The subscription begins with the call,
/// and ends when the script leaves the loop. Values that it has not asked for yet are kept; return `values(bufferingPolicy:)`
/// for another policy.
extension Observable: BridgeTyped, BridgeEncodable where Value: BridgeEncodable {
  public static var bridgeSchema: BridgeSchema { BridgeStream<Value>.bridgeSchema }
  public func encode(into writer: inout ValueWriter) throws { try values().encode(into: &writer) }
}
