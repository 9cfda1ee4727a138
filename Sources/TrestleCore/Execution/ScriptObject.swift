/// A JavaScript object that Swift holds, from any thread: a parameter of a method, or what `Bridge.object` and
/// `Bridge.callForObject` give. Handed back to JavaScript it is the very same object.
///
/// ```swift
/// let editor = try await bridge.callForObject("makeEditor", "notes.txt")
/// try await editor.set("readOnly", to: true)
/// let lines = try await editor.call("lineCount", as: Int.self)
/// ```
///
/// The object is kept in JavaScript as long as a copy of this lives. Each operation crosses like `Bridge.call`, and throws what
/// that throws; a member that is a promise is awaited. After the bridge has closed all throw `ERR_CLOSED`. In another bridge it
/// is nothing: it arrives there as `undefined`, which that bridge's `onError` is told.
public struct ScriptObject: BridgeCodable {
  private let kept: KeptValue

  init(_ kept: KeptValue) { self.kept = kept }

  public static var bridgeSchema: BridgeSchema { BridgeSchema(.scriptObject) }

  public static func decode(from reader: inout ValueReader) throws(ConversionError) -> ScriptObject {
    let (tag, index) = try reader.header()
    guard tag == Tag.reference.rawValue else { throw reader.error(.mismatch) }
    guard let kept = reader.sideValues.object(at: Int(index)) else { throw reader.error(.missing) }
    return ScriptObject(kept)
  }

  public func encode(into writer: inout ValueWriter) { writer.append(kept) }

  /// The value of a property; runs its getter.
  public func get<Value: BridgeDecodable>(_ name: String, as: Value.Type) async throws -> Value {
    try await bridge.operate(operation(.get, name), as: Value.self)
  }

  /// Sets a property; runs its setter.
  public func set(_ name: String, to value: some BridgeEncodable) async throws {
    _ = try await bridge.operate(operation(.set, name), value, as: Undefined.self)
  }

  /// Calls a method on the object.
  public func call<each Argument: BridgeEncodable, Result: BridgeDecodable>(
    _ name: String, _ arguments: repeat each Argument, as: Result.Type
  ) async throws -> Result {
    try await bridge.operate(operation(.call, name), repeat each arguments, as: Result.self)
  }

  /// The object that is the value of a property.
  ///
  /// - Throws: also `ERR_ARGUMENT` if it is no object.
  public func object(_ name: String) async throws -> ScriptObject {
    try await bridge.hold(operation(.get, name, keeps: true))
  }

  /// Calls a method on the object, and holds the object that it gives.
  public func callForObject<each Argument: BridgeEncodable>(
    _ name: String, _ arguments: repeat each Argument
  ) async throws -> ScriptObject {
    try await bridge.hold(operation(.call, name, keeps: true), repeat each arguments)
  }

  private var bridge: Bridge {
    get throws {
      guard let bridge = kept.bridge.value else { throw BridgeError(.closed, "the bridge is closed") }
      return bridge
    }
  }

  private func operation(_ kind: ScriptOperation.Kind, _ name: String, keeps: Bool = false) -> ScriptOperation {
    ScriptOperation(kind: kind, object: kept, name: name, keeps: keeps)
  }
}

extension Bridge {
  /// The object that a script has under a path: `name` or `name.member`, where `name` is a registered callable module or a
  /// global object.
  ///
  /// - Throws: as `call`; `ERR_ARGUMENT` if there is no object.
  public func object(_ path: String) async throws -> ScriptObject {
    try await hold(ScriptOperation(kind: .get, object: nil, name: path, keeps: true))
  }

  /// Calls a JavaScript function, and holds the object that it gives; if that is a promise, the object that it comes to.
  ///
  /// - Throws: as `call`; `ERR_ARGUMENT` if what it gives is no object.
  public func callForObject<each Argument: BridgeEncodable>(
    _ path: String, _ arguments: repeat each Argument
  ) async throws -> ScriptObject {
    try await hold(ScriptOperation(kind: .call, object: nil, name: path, keeps: true), repeat each arguments)
  }

  /// Imports a module, and all that it needs, with the loader of the configuration; waits until it has run. What is loaded already is not
  /// run again.
  ///
  /// - Parameter specifier: as a script writes it; a path is relative to the loader's folder.
  /// - Returns: the module's namespace: its exports are members of it.
  /// - Throws: ``JavaScriptError`` for a module that is not there, cannot be parsed or linked, or throws, and without a loader;
  ///   ``BridgeError`` if a limit ends it, or the bridge closes.
  @discardableResult
  public func importModule(_ specifier: String) async throws -> ScriptObject {
    try await hold(ScriptOperation(kind: .import, object: nil, name: specifier, keeps: true))
  }

  fileprivate func hold<each Argument: BridgeEncodable>(
    _ operation: ScriptOperation, _ arguments: repeat each Argument
  ) async throws -> ScriptObject {
    try await operate(operation, repeat each arguments, as: ScriptObject.self)
  }
}

/// What is done with a member of an object, or with what has a path: `Operation` of `js/runtime/calls.js`.
struct ScriptOperation: BridgeEncodable {
  enum Kind: String { case get, set, call, `import` }

  let kind: Kind
  /// None for a path.
  let object: KeptValue?
  let name: String
  /// Whether the answer is the result itself, which stays in JavaScript.
  let keeps: Bool

  static var bridgeSchema: BridgeSchema { BridgeSchema(.json) }

  func encode(into writer: inout ValueWriter) throws {
    writer.append(.object, low: 4)
    writer.append("operation")
    writer.append(kind.rawValue)
    writer.append("object")
    if let object { Int(object.number).encode(into: &writer) } else { writer.append(.undefined) }
    writer.append("name")
    writer.append(name)
    writer.append("keeps")
    keeps.encode(into: &writer)
  }
}
