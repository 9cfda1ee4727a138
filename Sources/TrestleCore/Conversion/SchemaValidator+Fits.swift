/// Whether a value is of the right kind; what it holds has been looked at already.
extension SchemaValidator {
  /// - Returns: whether the next value fits; then the reader stands behind it.
  func fits(_ schema: TypeSchema, in reader: inout ValueReader) throws(ConversionError) -> Bool {
    guard let rawTag = reader.peekTag() else { return schema.acceptsUndefined }
    guard let tag = Tag(rawValue: rawTag) else { throw reader.error(.malformed, bytesBack: 0) }
    let isAccepted = try accepts(schema, tag, reader.copy())
    if isAccepted { try reader.skip() }
    return isAccepted
  }

  private func accepts(
    _ schema: TypeSchema, _ tag: Tag, _ reader: consuming ValueReader
  ) throws(ConversionError) -> Bool {
    switch schema {
    case .void: return tag == .undefined
    case .bool: return tag == .bool
    case .integer(let bits, let signed): return try isInteger(tag, bits: bits, signed: signed, reader)
    case .number: return tag == .number
    case .string, .url, .decimal: return tag.isString
    case .wellFormedString: return try reader.hasWellFormedString()
    case .character: return tag.isString ? try String.decode(from: &reader).count == 1 : false
    case .data: return tag == .binary ? try isBinary(reader) { _ in true } : false
    case .numbers(let kind): return tag == .binary ? try isBinary(reader, ofKind: kind.accepts) : tag == .array
    case .date: return tag == .date ? try !number(reader).isNaN : false
    case .duration: return tag == .number ? try number(reader).magnitude <= Double.largestSafeInteger : false
    case .optional(let wrapped): return tag.rawValue <= Tag.null.rawValue ? true : try accepts(wrapped, tag, reader)
    case .array, .set: return tag == .array
    case .dictionary: return tag == .object
    case .record(let shape): return tag == .record ? try reader.header().low == shape.id : tag == .object
    case .enumeration(_, let allowed): return try isAllowed(tag, allowed, reader)
    case .union: return tag == .object
    case .json: return tag.isJSON
    case .codable: return true
    case .callback: return tag == .callback
    case .function, .scriptObject, .sequence: return tag == .reference
    case .stream: return false
    case .shared(let shared):
      guard tag == .shared, let object = reader.sideValues.sharedObject(try reader.header().low) else { return false }
      return type(of: object).sharedClass == shared
    }
  }

  private func number(_ reader: consuming ValueReader) throws(ConversionError) -> Double {
    _ = try reader.header()
    return try reader.slot(Double.self)
  }

  private func isInteger(
    _ tag: Tag, bits: Int, signed: Bool, _ reader: consuming ValueReader
  ) throws(ConversionError) -> Bool {
    let value: Int128?
    switch tag {
    case .number: value = Int128(exactly: try number(reader))
    case .bigInt where bits > 53: value = Int128(try Int64.decode(from: &reader))
    case .bigUInt where bits > 53: value = Int128(try UInt64.decode(from: &reader))
    default: return false
    }
    let magnitude = Int128(1) << Int128(signed ? bits - 1 : bits)
    return value.map { $0 < magnitude && $0 >= (signed ? -magnitude : 0) } ?? false
  }

  private func isAllowed(
    _ tag: Tag, _ allowed: [TypeSchema.JSONLiteral], _ reader: consuming ValueReader
  ) throws(ConversionError) -> Bool {
    switch tag {
    case .number:
      let number = try number(reader)
      return allowed.isEmpty || allowed.contains(.number(number))
    case .string, .utf16String, .longString:
      let string = try String.decode(from: &reader)
      return allowed.isEmpty || allowed.contains(.string(string))
    default: return false
    }
  }

  /// Whether it is a view of a kind that is wanted, and its buffer is there.
  private func isBinary(
    _ reader: consuming ValueReader, ofKind isWanted: (UInt32) -> Bool
  ) throws(ConversionError) -> Bool {
    let view = try reader.binaryView()
    return isWanted(view.kind) && reader.sideValues.withBytes(of: view) { _ in true } ?? false
  }
}

extension Tag {
  fileprivate var isString: Bool { self == .string || self == .utf16String || self == .longString }

  fileprivate var isJSON: Bool {
    switch self {
    case .binary, .date, .callback, .error, .reference, .shared: false
    default: true
    }
  }
}

extension TypeSchema {
  /// Whether a value that is missing fits.
  fileprivate var acceptsUndefined: Bool {
    switch self {
    case .void, .optional: true
    default: false
    }
  }
}
