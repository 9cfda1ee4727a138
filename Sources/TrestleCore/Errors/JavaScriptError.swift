import JSEngine
import JSON

/// What a script threw or rejected with, as a Swift error. Sent back, it is the same object again.
public struct JavaScriptError: Error, Sendable, CustomStringConvertible {
  /// Where JavaScript keeps the error object. The last reference to go releases it there.
  package class Identity: @unchecked Sendable {  // subclasses are safe from any thread
    /// The number it is kept under. Never 0.
    package let number: UInt32
    init(number: UInt32) { self.number = number }
  }

  /// `TypeError` and the like; empty if what was thrown is no error.
  public var name: String
  /// The text of what was thrown if that is no error.
  public var message: String
  /// `error.code`, where it is a string.
  public var code: String?
  /// As the engine writes it, without the bridge's own frames: `function@file:line:column`, the innermost first. Of a script that
  /// cannot be parsed it begins with the place.
  public var stack: String?
  /// The error's own further properties, as far as JSON can say them, others as text; the `errors` of an `AggregateError` too.
  public var properties: JSONObject
  /// `error.cause`; a cause that is no error is wrapped in one.
  public var cause: (any Error)?
  /// What was thrown, where that is no error and JSON can say it.
  package private(set) var thrown: JSONValue?
  /// Nil for errors that were made in Swift, or that belong to another bridge.
  package var identity: Identity?

  public init(
    name: String = "Error", message: String, code: String? = nil, stack: String? = nil, properties: JSONObject = [:],
    cause: (any Error)? = nil
  ) {
    self.name = name
    self.message = message
    self.code = code
    self.stack = stack
    self.properties = properties
    self.cause = cause
  }

  /// Where in a script it was made: `file:line:column`.
  public var place: String? { stack.flatMap { StackFrame.all(in: $0).first { !$0.isInternal }?.place } }

  /// Name and message.
  var title: String { [name, message].filter { !$0.isEmpty }.joined(separator: ": ") }

  public var description: String { title + (place.map { " (\($0))" } ?? "") }
}

extension JavaScriptError {
  /// What `describeThrown` of `js/runtime` tells.
  init(told: JSONValue) {
    self.init(
      name: told["name"]?.string ?? "Error", message: told["message"]?.string ?? "", code: told["code"]?.string,
      stack: told["stack"]?.string, properties: told["properties"]?.object ?? [:],
      cause: told["cause"].map(JavaScriptError.init(told:)))
    takeThrown()
  }

  /// What was thrown and is no error comes as a property, under no name.
  private mutating func takeThrown() {
    guard name.isEmpty else { return }
    thrown = properties["thrown"]
    properties["thrown"] = nil
  }

  /// Of what the script's own code does not tell.
  init(_ exception: JSException) {
    self.init(
      name: exception.name, message: exception.message, code: exception.errorCode, stack: exception.stack,
      cause: exception.causes.first.map { JavaScriptError($0) } ?? exception.underlying)
  }
}

extension JavaScriptError: BridgeCodable {
  public static var bridgeSchema: BridgeSchema { BridgeSchema(.codable(name: "Error")) }

  /// Reads an error, or wraps any other value that was thrown.
  public static func decode(from reader: inout ValueReader) throws(ConversionError) -> JavaScriptError {
    guard reader.peekTag() == Tag.error.rawValue else { return try wrapped(from: &reader) }
    let (_, index) = try reader.header()
    return try reader.nested { (reader) throws(ConversionError) in
      let (name, message) = (try String?.decode(from: &reader), try String?.decode(from: &reader))
      var error = JavaScriptError(name: name ?? "Error", message: message ?? "")
      error.code = try String?.decode(from: &reader)
      error.stack = try String?.decode(from: &reader)
      error.properties = try JSONObject?.decode(from: &reader) ?? [:]
      error.takeThrown()
      if try !reader.skipUndefined() { error.cause = try decode(from: &reader) }
      error.identity = reader.sideValues.errorIdentity(at: Int(index))
      return error
    }
  }

  private static func wrapped(from reader: inout ValueReader) throws(ConversionError) -> JavaScriptError {
    let words = reader.nextDescription()
    let start = reader.byteOffset
    let message = try? String.decode(from: &reader)
    if message == nil {
      reader.position = reader.start + Int(start)
      try reader.skip()
    }
    return JavaScriptError(message: message ?? words)
  }

  public func encode(into writer: inout ValueWriter) throws { writer.append(error: self) }
}
