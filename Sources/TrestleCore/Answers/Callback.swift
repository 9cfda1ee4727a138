/// A JavaScript function that Swift calls once, from any thread.
///
/// The callbacks of one call are one shot together, as React Native's pair: after any of them was called, calling one
/// again does nothing but tell the bridge's `onError` (`ERR_ANSWERED_TWICE`). If the last reference goes and none was
/// called, the failure callback gets an `ERR_DROPPED` that names the method.
public final class Callback<Value>: Sendable {
  @usableFromInline let guardian: ReplyGuard
  @usableFromInline let isFailure: Bool

  @inlinable
  init(guardian: ReplyGuard, isFailure: Bool) {
    self.guardian = guardian
    self.isFailure = isFailure
  }

  /// Calls the failure callback of the pair with an error, whichever of them this is.
  public func reject(_ error: any Error) { if guardian.take() { guardian.unguarded.reject(error) } }

  @usableFromInline
  func finish(_ value: some BridgeEncodable) {
    guard guardian.take() else { return }
    if isFailure { guardian.unguarded.reject(with: value) } else { guardian.unguarded.resolve(value) }
  }
}

extension Callback where Value: BridgeEncodable {
  @inlinable
  public func callAsFunction(_ value: Value) { finish(value) }
}

extension Callback where Value: Encodable & Sendable {
  @_disfavoredOverload
  public func callAsFunction(_ value: Value) {
    finish(EncodedValue(value))
  }
}

extension Callback where Value: Error {
  @_disfavoredOverload
  public func callAsFunction(_ error: Value) { reject(error) }
}

extension Callback where Value == Void {
  public func callAsFunction() { finish(Undefined()) }
}
