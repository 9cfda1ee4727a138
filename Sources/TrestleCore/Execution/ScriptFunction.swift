/// A JavaScript function that Swift holds and calls as often as it likes, from any thread: a parameter of a method.
///
/// ```swift
/// @Exported func download(_ url: URL, progress: ScriptFunction<Double, Undefined>) async throws { … progress.notify(0.5) … }
/// @Exported func sort(_ rows: [Row], by isBefore: ScriptFunction<Row, Row, Bool>) async throws -> [Row]
/// ```
///
/// The last type is that of the result, ``Undefined`` where there is none. The function is kept in JavaScript as long as a
/// copy of this lives; handed back it is the very same. A call crosses like `Bridge.call`; after the bridge has closed it throws `ERR_CLOSED`. Over React Native's
/// wire it must not stand last: there that is a callback that fires once.
public struct ScriptFunction<each Argument: BridgeEncodable, Result: BridgeDecodable>: BridgeCodable {
  private let kept: KeptValue
  /// Of the record that the result is, or 0.
  private let resultShape: UInt32

  public static var bridgeSchema: BridgeSchema {
    var arguments: [TypeSchema] = []
    for type in repeat (each Argument).self { arguments.append(type.typeSchema) }
    return BridgeSchema(.function(arguments, result: Result.typeSchema))
  }

  public static func decode(from reader: inout ValueReader) throws(ConversionError) -> Self {
    let (tag, index) = try reader.header()
    guard tag == Tag.reference.rawValue else { throw reader.error(.mismatch) }
    guard let kept = reader.sideValues.function(at: Int(index)) else { throw reader.error(.missing) }
    guard case .record(let shape) = Result.typeSchema else { return Self(kept: kept, resultShape: 0) }
    return Self(kept: kept, resultShape: shape.id)
  }

  public func encode(into writer: inout ValueWriter) { writer.append(kept) }

  /// Calls the function and awaits its result; if that is a promise, what it comes to.
  ///
  /// - Throws: as `Bridge.call`.
  public func callAsFunction(_ arguments: repeat each Argument) async throws -> Result {
    guard let bridge = kept.bridge.value else { throw BridgeError(.closed, "the bridge is closed") }
    return try await bridge.call(kept: kept, repeat each arguments, as: Result.self)
  }

  /// The same for a method that scripts wait for and that does nothing else meanwhile: where the function's promise waits for what nothing
  /// is left to do, the call fails (`unsettled`), instead of keeping the bridge from being idle.
  package func callWithNothingElse(_ arguments: repeat each Argument) async throws -> Result {
    guard let bridge = kept.bridge.value else { throw BridgeError(.closed, "the bridge is closed") }
    return try await bridge.call(kept: kept, keeping: .nothingForScript, repeat each arguments, as: Result.self)
  }

  /// Calls the function and waits for it, which takes half a microsecond with numbers: on the JS thread, where methods of classes and
  /// structs run, synchronous ones, and what is isolated to the bridge. The limits of the turn are the function's too.
  ///
  /// - Throws: `JavaScriptError` for what it throws, and for a promise, as nobody can wait for that here; `BridgeError` with the
  ///   code `ERR_THREAD` on any other thread, `ERR_CLOSED`, for a result that does not convert, or if a limit has ended it.
  public func callNow(_ arguments: repeat each Argument) throws -> Result {
    guard let bridge = kept.bridge.value else { throw BridgeError(.closed, "the bridge is closed") }
    return try bridge.callNow(kept: kept, shape: resultShape, repeat each arguments)
  }

  /// Calls the function and does not wait. What it throws goes to the bridge's `onError`. Calls and events that come close
  /// together cross together, in their order.
  public func notify(_ arguments: repeat each Argument) {
    kept.bridge.value?.notify(kept: kept, repeat each arguments)
  }
}
