import CJavaScriptCore

/// A JavaScript promise.
public final class JSPromise: JSObject {
  /// The value, if it is an instance of `Promise`, not merely an object with a `then`.
  public convenience init?(_ value: JSValue) {
    let context = value.context
    guard value.isObject else { return nil }
    // A script may have made itself heard of here, by the trap of a proxy, and may have closed the context.
    let isPromise = try? context.reference { reference, exception in
      withArguments([value]) {
        JSObjectCallAsFunction(reference, context.intrinsics.isPromise, nil, 1, $0, exception)
      }
    }
    guard let isPromise, !context.isClosed, JSValueToBoolean(context.reference, isPromise) else { return nil }
    self.init(adopting: value.reference, in: context)
  }

  /// Runs one of the two on the JS thread, as a microtask, once the promise is settled; neither, if a limit drops that.
  public func whenSettled(
    fulfilled: @escaping (JSValue) -> Void, rejected: @escaping (JSException) -> Void
  ) throws(JSException) {
    let onValue = try context.makeFunction { call in
      fulfilled(call.argument(0))
      return nil
    }
    let onReason = try context.makeFunction { call in
      rejected(JSException(reading: call.argument(0)))
      return nil
    }
    let arguments = [self, onValue, onReason]
    try context.perform { context, exception in
      withArguments(arguments) {
        _ = JSObjectCallAsFunction(context, self.context.intrinsics.then, nil, arguments.count, $0, exception)
      }
    }
  }

  /// Waits for the promise, on an actor whose executor is the context's loop.
  /// - Throws: why it was rejected; that the context is closed, or that a limit has ended a turn, which may have dropped what was
  ///   to settle it. Any other promise that is never settled is waited for in vain: close over a deadline.
  public func value(isolation: isolated (any Actor)? = #isolation) async throws -> JSValue {
    let outcome = await withCheckedContinuation { continuation in
      let wait = Wait(continuation, in: context)
      do throws(JSException) {
        try context.checkOpen()
        context.waits[ObjectIdentifier(wait)] = wait
        try whenSettled(fulfilled: { wait.end(.success($0)) }, rejected: { wait.end(.failure($0)) })
      } catch { wait.end(.failure(error)) }
    }
    return try outcome.result.get()
  }

  /// Settled and read on the same thread.
  fileprivate struct Outcome: @unchecked Sendable { let result: Result<JSValue, JSException> }

  /// Somebody who waits for a promise, until the first that is heard of its end.
  final class Wait {
    private var continuation: CheckedContinuation<Outcome, Never>?
    private weak let context: JSContext?

    fileprivate init(_ continuation: CheckedContinuation<Outcome, Never>, in context: JSContext) {
      self.continuation = continuation
      self.context = context
    }

    deinit { end(.failure(.contextClosed)) }

    func end(_ result: Result<JSValue, JSException>) {
      continuation.take()?.resume(returning: Outcome(result: result))
      context?.waits[ObjectIdentifier(self)] = nil
    }
  }
}

extension JSContext {
  /// Nobody knows whose settlement is lost.
  func endWaits(_ error: JSException) { for wait in Array(waits.values) { wait.end(.failure(error)) } }
}

/// A promise that native code settles.
public final class JSDeferred {
  public let promise: JSPromise
  private let resolver: JSFunction
  private let rejecter: JSFunction

  public init(in context: JSContext) throws(JSException) {
    var functions: (resolve: JSObjectRef?, reject: JSObjectRef?)
    let reference = try context.reference { JSObjectMakeDeferredPromise($0, &functions.resolve, &functions.reject, $1) }
    guard let resolve = functions.resolve, let reject = functions.reject else {
      throw JSException(.engine, "the engine made no promise")
    }
    promise = JSPromise(adopting: reference, in: context)
    resolver = JSFunction(adopting: resolve, in: context)
    rejecter = JSFunction(adopting: reject, in: context)
  }

  /// Fulfils the promise, or has it follow `value` if that is a promise. After the first settlement: does nothing.
  public func resolve(_ value: JSValue) throws(JSException) { try resolver.call([value]) }

  public func reject(_ reason: JSValue) throws(JSException) { try rejecter.call([reason]) }

  /// Rejects with the `Error` that a host function would throw.
  public func reject(_ error: any Error) throws(JSException) {
    let context = promise.context
    try context.checkOpen()
    guard let reason = context.thrownReference(for: error) else { return }
    try reject(JSValue(adopting: reason, in: context))
  }
}

@available(*, unavailable)
extension JSDeferred: Sendable {}

extension JSContext {
  /// Runs `handler` with the promise and the reason, on the JS thread, after the microtasks during which a promise was
  /// rejected with nobody waiting for it. Stays set.
  public func onUnhandledRejection(_ handler: @escaping (JSValue, JSException) -> Void) throws(JSException) {
    let function = try makeFunction { call in
      handler(call.argument(0), JSException(reading: call.argument(1)))
      return nil
    }
    try perform { JSGlobalContextSetUnhandledRejectionCallback($0, function.reference, $1) }
  }
}
