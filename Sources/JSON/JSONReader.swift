extension JSONValue {
  /// Reads one JSON text, strictly (RFC 8259): UTF-8 without a byte order mark, nothing but white space around the value.
  ///
  /// - A lone surrogate escape (`"\ud83d"`) becomes U+FFFD, since a `String` cannot hold one.
  /// - Of members with the same name the last stands, as in JavaScript.
  /// - A whole number beyond 64 bits becomes a double; a number beyond the range of a double is an error.
  /// - Parameters:
  ///   - depthLimit: How deep arrays and objects may nest. The reader recurses.
  ///   - valueLimit: How many values there may be in all. A value takes up to thirty times the memory of its text.
  package init(
    parsing bytes: some Collection<UInt8>, depthLimit: Int = 512, valueLimit: Int = .max
  ) throws(JSONError) {
    let result = bytes.withContiguousStorageIfAvailable {
      Self.parse($0, depthLimit: depthLimit, valueLimit: valueLimit)
    }
    if let result {
      self = try result.get()
    } else {
      self = try Array(bytes).withUnsafeBufferPointer {
        Self.parse($0, depthLimit: depthLimit, valueLimit: valueLimit)
      }.get()
    }
  }

  package init(parsing text: String, depthLimit: Int = 512) throws(JSONError) {
    var text = text
    self = try text.withUTF8 { Self.parse($0, depthLimit: depthLimit, valueLimit: .max) }.get()
  }

  /// The same for a text of which one part may be too large to be a tree: the elements of the first array that is a member `name` of an
  /// object go to `visit`, one by one, and `null` stands for it.
  package init(
    parsing text: String, handing name: String, to visit: @escaping (JSONValue) -> Void
  ) throws(JSONError) {
    var text = text
    self = try text.withUTF8 { bytes in
      Result { () throws(JSONError) in
        var reader = JSONReader(bytes: bytes, depthLeft: 512)
        reader.handed = (name, visit)
        return try reader.readText()
      }
    }.get()
  }

  private static func parse(
    _ bytes: UnsafeBufferPointer<UInt8>, depthLimit: Int, valueLimit: Int
  ) -> Result<JSONValue, JSONError> {
    Result { () throws(JSONError) in
      var reader = JSONReader(bytes: bytes, depthLeft: depthLimit, valuesLeft: valueLimit)
      return try reader.readText()
    }
  }
}

/// A recursive-descent reader over bytes that outlive it.
struct JSONReader {
  let bytes: UnsafeBufferPointer<UInt8>
  var depthLeft: Int
  var valuesLeft: Int
  var offset = 0
  /// Holds strings while their escapes are decoded.
  var scratch: [UInt8] = []
  /// The member whose elements are not kept.
  var handed: (name: String, visit: (JSONValue) -> Void)?

  init(bytes: UnsafeBufferPointer<UInt8>, depthLeft: Int, valuesLeft: Int = .max) {
    self.bytes = bytes
    self.depthLeft = depthLeft
    self.valuesLeft = valuesLeft
  }

  mutating func readText() throws(JSONError) -> JSONValue {
    let value = try readValue()
    skipWhitespace()
    guard offset == bytes.count else { throw JSONError(.trailingContent, atByteOffset: offset) }
    return value
  }

  private mutating func readValue() throws(JSONError) -> JSONValue {
    skipWhitespace()
    guard valuesLeft > 0 else { throw JSONError(.tooManyValues, atByteOffset: offset) }
    valuesLeft &-= 1
    switch try current() {
    case UInt8(ascii: "\""): return .string(try readString())
    case UInt8(ascii: "{"): return .object(try readObject())
    case UInt8(ascii: "["): return .array(try readArray())
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try readNumber()
    case UInt8(ascii: "t"): return try read("true", as: .bool(true))
    case UInt8(ascii: "f"): return try read("false", as: .bool(false))
    case UInt8(ascii: "n"): return try read("null", as: .null)
    default: throw JSONError(.unexpectedByte, atByteOffset: offset)
    }
  }

  private mutating func readObject() throws(JSONError) -> JSONObject {
    try descend()
    var object = JSONObject()
    if try closes(with: UInt8(ascii: "}")) { return object }
    repeat {
      skipWhitespace()
      guard try current() == UInt8(ascii: "\"") else { throw JSONError(.unexpectedByte, atByteOffset: offset) }
      let key = try readString()
      skipWhitespace()
      guard try current() == UInt8(ascii: ":") else { throw JSONError(.unexpectedByte, atByteOffset: offset) }
      offset &+= 1
      object[key] = handed == nil ? try readValue() : try readMember(key)
    } while try continues(until: UInt8(ascii: "}"))
    return object
  }

  private mutating func readMember(_ name: String) throws(JSONError) -> JSONValue {
    skipWhitespace()
    guard let handed, handed.name == name, try current() == UInt8(ascii: "[") else { return try readValue() }
    self.handed = nil
    try readElements(handed.visit)
    return .null
  }

  private mutating func readArray() throws(JSONError) -> [JSONValue] {
    var elements: [JSONValue] = []
    try readElements { elements.append($0) }
    return elements
  }

  @inline(__always)
  private mutating func readElements(_ take: (JSONValue) -> Void) throws(JSONError) {
    try descend()
    if try closes(with: UInt8(ascii: "]")) { return }
    repeat {
      take(try readValue())
    } while try continues(until: UInt8(ascii: "]"))
  }

  private mutating func descend() throws(JSONError) {
    guard depthLeft > 0 else { throw JSONError(.tooDeep, atByteOffset: offset) }
    depthLeft &-= 1
    offset &+= 1
  }

  /// Whether the collection ends here, without an element.
  private mutating func closes(with bracket: UInt8) throws(JSONError) -> Bool {
    skipWhitespace()
    guard try current() == bracket else { return false }
    offset &+= 1
    depthLeft &+= 1
    return true
  }

  /// Whether another element follows.
  private mutating func continues(until bracket: UInt8) throws(JSONError) -> Bool {
    skipWhitespace()
    let byte = try current()
    guard byte == UInt8(ascii: ",") || byte == bracket else { throw JSONError(.unexpectedByte, atByteOffset: offset) }
    offset &+= 1
    if byte == bracket { depthLeft &+= 1 }
    return byte != bracket
  }

  private mutating func read(_ token: StaticString, as value: JSONValue) throws(JSONError) -> JSONValue {
    for position in 0..<token.utf8CodeUnitCount {
      guard try current() == token.utf8Start[position] else { throw JSONError(.unexpectedByte, atByteOffset: offset) }
      offset &+= 1
    }
    return value
  }

  @inline(__always)
  func current() throws(JSONError) -> UInt8 {
    guard offset < bytes.count else { throw JSONError(.unexpectedEnd, atByteOffset: offset) }
    return bytes[offset]
  }

  @inline(__always)
  private mutating func skipWhitespace() {
    while offset < bytes.count {
      switch bytes[offset] {
      case 0x20, 0x0A, 0x0D, 0x09: offset &+= 1
      default: return
      }
    }
  }
}
