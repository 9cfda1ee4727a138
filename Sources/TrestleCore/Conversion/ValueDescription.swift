import JSON

extension ValueReader {
  /// What conversion errors say they got: the next value in words, which stays the next one.
  ///
  /// `js/runtime` writes the same words for the same values.
  func nextDescription() -> String {
    var reader = copy()
    guard let tag = reader.peekTag() else { return "undefined" }
    return (try? reader.description(of: Tag(rawValue: tag))) ?? "malformed value"
  }

  private mutating func description(of tag: Tag?) throws(ConversionError) -> String {
    switch tag {
    case .undefined: return "undefined"
    case .null: return "null"
    case .bool: return "boolean \(try Bool.decode(from: &self))"
    case .number: return "number \(try Double.decode(from: &self).scriptDescription)"
    case .bigInt: return "bigint \(try Int64.decode(from: &self))"
    case .bigUInt: return "bigint \(try UInt64.decode(from: &self))"
    case .string, .utf16String, .longString: return "string \(try String.decode(from: &self).quotedExcerpt)"
    case .array: return "array"
    case .record, .object, .reference: return "object"
    case .binary:
      let view = try binaryView()
      let name = BinaryKind.constructorName(view.kind)
      if sideValues.withBytes(of: view, { _ in }) != nil { return name }
      let isThere = sideValues.withBinary(at: view.index) { _ in }
      return isThere ? "\(name) that has shrunk since" : "detached \(name)"
    case .date:
      _ = try header()
      return try slot(Double.self).isNaN ? "invalid Date" : "Date"
    case .callback: return "function"
    case .error: return "Error"
    case .shared:
      let object = sideValues.sharedObject(try header().low)
      return object.map { type(of: $0).sharedClass.name } ?? "a released object"
    case .name, .signal, .stream, nil: throw error(.malformed, bytesBack: 0)
    }
  }

  /// How many values follow.
  var valueCount: Int {
    var reader = copy()
    var count = 0
    while reader.peekTag() != nil, (try? reader.skip()) != nil { count += 1 }
    return count
  }

  /// A reader of the same memory at the same place.
  func copy() -> ValueReader { reader(at: position) }

  /// A reader of the same memory at another place.
  func reader(at position: UnsafeRawPointer) -> ValueReader {
    var copy = ValueReader(start: start, end: end, sideValues: sideValues)
    copy.position = position
    // Within a value the depth goes on; at the start of the record there is none yet.
    copy.depth = position == start ? 0 : depth
    return copy
  }
}

extension String {
  /// In quotes, escaped as JSON, and cut after 40 UTF-16 units.
  var quotedExcerpt: String {
    let longest = 40
    guard utf16.count > longest else { return JSONValue.string(self).description }
    var end = utf16.index(utf16.startIndex, offsetBy: longest)
    // Never half of a surrogate pair.
    if end.samePosition(in: unicodeScalars) == nil { end = utf16.index(before: end) }
    return JSONValue.string(String(self[..<end]) + "…").description
  }
}
