/// Why a value from JavaScript did not become the Swift value that was wanted, and where it lies in the record.
///
/// Small, as decoding is the hot path: the words ("Files.read, argument 2 'options.encoding': expected …, got …") are
/// found afterwards, by walking the record again along the method's schema.
@frozen
public struct ConversionError: Error, Sendable, Equatable {
  @frozen @usableFromInline
  package enum Reason: UInt8, Sendable {
    /// Not of the type that the schema names.
    case mismatch
    /// A number outside the range of its type.
    case outOfRange
    /// Fewer or more arguments than the method has.
    case argumentCount
    /// Nested deeper than the limit.
    case tooDeep
    /// Not a record that our encoder writes: a length beyond the end, an unknown tag.
    case malformed
    /// A value beside the buffer that is not there.
    case missing
  }

  @usableFromInline package var reason: Reason
  /// Bytes from the start of the record to the value.
  @usableFromInline package var byteOffset: Int32

  @inlinable
  package init(_ reason: Reason, byteOffset: Int32) {
    self.reason = reason
    self.byteOffset = byteOffset
  }

  /// The value is not of the type that the schema names.
  ///
  /// - Parameter byteOffset: where the reader was before it.
  public init(byteOffset: Int32) { self.init(.mismatch, byteOffset: byteOffset) }
}

extension Invocation {
  /// The error in words.
  func describe(_ error: ConversionError) -> BridgeError {
    if let failure = reader.sideValues.failure { return failure }
    guard let parameters = module.details.methods.first(where: { $0.name == method.name })?.parameters else {
      return BridgeError(.argument, "\(method): \(error.reason)")
    }
    var arguments = reader.reader(at: reader.start)
    // The object that the method is called on is none of them.
    if module.isClass { try? arguments.skip() }
    let count = arguments.valueCount
    return error.described(of: method, parameters: parameters, arguments: arguments, count: count)
  }
}

/// The error of a result of JavaScript in words.
func describeResult(_ error: ConversionError, as schema: TypeSchema, _ reader: inout ValueReader) -> BridgeError {
  if let failure = reader.sideValues.failure { return failure }
  return error.described(
    of: "the answer of JavaScript", named: "result", schema: schema, value: reader.reader(at: reader.start))
}
