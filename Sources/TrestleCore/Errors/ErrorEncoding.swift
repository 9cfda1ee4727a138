import JSEngine
import JSON

/// What JavaScript is told of a Swift error.
struct ErrorFields {
  var name: String
  var message: String
  var code: String?
  var stack: String?
  var properties = JSONObject()
  var cause: (any Error)?
  /// The JavaScript error object that it already is.
  var identity: JavaScriptError.Identity?
}

extension ErrorFields {
  /// The members of a JavaScript error that properties may not replace.
  private static let reservedNames: Set<String> = ["name", "message", "code", "stack", "cause"]
  private static let causeNames: Set<String> = ["cause", "underlying", "underlyingError"]

  init(_ error: some Error) {
    switch error {
    case let error as JavaScriptError: self.init(error)
    case let error as BridgeError: self.init(error)
    case let error as JSException:
      self = error.code == .thrown ? JavaScriptError(error).errorFields : BridgeError(error).errorFields
    case is CancellationError:
      self.init(name: "AbortError", message: "The operation was cancelled", code: "ERR_CANCELLED")
    case let error as any CodedError: self.init(coded: error)
    default:
      self.init(name: ErrorCode.typeName(of: error), message: "", code: ErrorCode.derived(from: error))
      readStoredProperties(of: error)
      message = statedMessage(of: error) ?? summary(of: error)
    }
  }

  private init(_ error: JavaScriptError) {
    self.init(
      name: error.name.isEmpty ? "Error" : error.name, message: error.message, code: error.code, stack: error.stack,
      properties: error.properties,
      cause: error.cause, identity: error.identity)
  }

  private init(_ error: BridgeError) {
    self.init(
      name: error.code == .argument ? "TypeError" : "BridgeError",
      message: (error.place.map { "\($0): " } ?? "") + error.message, code: error.code.rawValue, cause: error.cause)
    if let limit = error.exceeded { properties["exceeded"] = .string("\(limit)") }
  }

  private init(coded error: some CodedError) {
    self.init(name: ErrorCode.typeName(of: error), message: error.bridgeMessage, code: error.bridgeCode)
    readStoredProperties(of: error)
    for member in error.bridgeProperties { properties[member.key] = member.value }
  }

  /// What the error says of itself.
  private func statedMessage(of error: some Error) -> String? {
    if let message = LocalizedMessages.message(of: error) { return message }
    if let error = error as? any CustomStringConvertible { return error.description }
    return Mirror(reflecting: error).children.first { $0.label == "message" }?.value as? String
  }

  /// The case or type with its properties, as `print` writes them; but not the causes, which follow on their own.
  private func summary(of error: some Error) -> String {
    let words = ErrorCode.caseName(of: error) ?? name
    if properties.isEmpty { return words }
    return words + "(" + properties.map { "\($0.key): \($0.value)" }.joined(separator: ", ") + ")"
  }

  /// Labelled payloads of a case, or stored properties: the cause among them, and all that JSON can say.
  private mutating func readStoredProperties(of error: some Error) {
    var children = Array(Mirror(reflecting: error).children)
    if Mirror(reflecting: error).displayStyle == .enum, let payload = children.first?.value {
      let parts = Mirror(reflecting: payload)
      children = parts.displayStyle == .tuple ? Array(parts.children) : []
      if let underlying = payload as? any Error { cause = underlying }
    }
    for (label, value) in children {
      guard let label, !label.hasPrefix("_"), !label.hasPrefix(".") else { continue }
      if Self.causeNames.contains(label), let underlying = unwrapped(value) as? any Error {
        cause = underlying
      } else if !Self.reservedNames.contains(label) {
        properties[label] = JSONValue(property: value)
      }
    }
  }
}

extension Error {
  fileprivate var errorFields: ErrorFields { ErrorFields(self) }
}

/// What an optional holds, however it is nested; nil if it holds nothing.
private func unwrapped(_ value: Any) -> Any? {
  let mirror = Mirror(reflecting: value)
  guard mirror.displayStyle == .optional else { return value }
  return mirror.children.first.flatMap { unwrapped($0.value) }
}

extension JSONValue {
  /// A stored property that JSON can say; nil for others.
  fileprivate init?(property: Any) {
    guard let value = unwrapped(property) else { return nil }
    switch value {
    case let value as JSONValue: self = value
    case let value as Bool: self = .bool(value)
    case let value as String: self = .string(value)
    case let value as any BinaryInteger: self = JSONValue(value)
    case let value as any BinaryFloatingPoint: self = .number(Double(value))
    case let value as any RawRepresentable: self.init(property: value.rawValue)
    case let values as [Any]: self = .array(values.compactMap { JSONValue(property: $0) })
    case let values as [String: Any]:
      self = .object(JSONObject(values.compactMap { key, value in JSONValue(property: value).map { (key, $0) } }))
    default:
      guard let name = ErrorCode.caseName(of: value), Mirror(reflecting: value).children.isEmpty else { return nil }
      self = .string(name)
    }
  }
}

extension ValueWriter {
  /// Causes are followed this far.
  private static let longestCauseChain = 16

  /// Any error, as JavaScript shall see it. Reads the error by reflection: some microseconds.
  package mutating func append(error: any Error) { append(error: error, causesLeft: Self.longestCauseChain) }

  private mutating func append(error: any Error, causesLeft: Int) {
    let fields = error.errorFields
    append(errorOf: fields.identity)
    append(fields.name)
    append(fields.message.asMessage)
    append(optional: fields.code)
    append(optional: fields.stack)
    let mark = mark
    do { try fields.properties.encode(into: &self) } catch {
      rewind(to: mark)
      append(.object)
    }
    if let cause = fields.cause, causesLeft > 0 {
      append(error: cause, causesLeft: causesLeft - 1)
    } else {
      append(.undefined)
    }
  }

  private mutating func append(optional string: String?) {
    if let string { append(string) } else { append(.undefined) }
  }
}
