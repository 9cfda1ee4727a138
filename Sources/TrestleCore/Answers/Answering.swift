/// What a call is answered through, from any thread: with a value, an error, or whichever a closure comes to.
public protocol Answering: Sendable {
  func resolve(_ value: some BridgeEncodable)

  /// If nobody waits for the answer, the bridge's `onError` is told instead.
  func reject(_ error: any Error)
}

extension Answering {
  /// Answers with what `body` returns or throws.
  public func answer<Value: BridgeEncodable>(_ body: () throws -> Value) {
    do { resolve(try body()) } catch { reject(error) }
  }

  /// Answers `undefined`, or with what `body` throws.
  ///
  /// Has a name of its own, as a closure for `answer` may drop its result without a word.
  public func complete(_ body: () throws -> Void) {
    do { try body() } catch { return reject(error) }
    resolve(Undefined())
  }

  @_disfavoredOverload
  public func answer<Value: Encodable & Sendable>(_ body: () throws -> Value) {
    do { resolve(EncodedValue(try body())) } catch { reject(error) }
  }

  /// Answers with what `body` returns or throws, on the caller's executor.
  public nonisolated(nonsending) func answer<Value: BridgeEncodable>(
    _ body: nonisolated(nonsending) () async throws -> Value
  ) async {
    do { resolve(try await body()) } catch { reject(error) }
  }

  public nonisolated(nonsending) func complete(_ body: nonisolated(nonsending) () async throws -> Void) async {
    do { try await body() } catch { return reject(error) }
    resolve(Undefined())
  }

  @_disfavoredOverload
  public nonisolated(nonsending) func answer<Value: Encodable & Sendable>(
    _ body: nonisolated(nonsending) () async throws -> Value
  ) async {
    do { resolve(EncodedValue(try await body())) } catch { reject(error) }
  }
}
