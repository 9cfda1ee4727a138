import JSON

/// What a member of a message can be.
protocol WireValue {
  /// nil for a value of another type.
  static func read(_ json: JSONValue, of method: String) throws(ProtocolError) -> Self?
  func write(to writer: inout JSONWriter)
}

extension JSONValue {
  init(writtenBy write: (inout JSONWriter) -> Void) {
    var writer = JSONWriter()
    write(&writer)
    // What is written can be read.
    self = (try? JSONValue(parsing: writer.bytes)) ?? .null
  }
}

/// An object with members of its own.
protocol WireObject: WireValue {
  /// What a reader hands over.
  static var blank: Self { get }
  func passed(over wire: inout Wire) throws(ProtocolError) -> Self
}

extension WireObject {
  static func read(_ json: JSONValue, of method: String) throws(ProtocolError) -> Self? {
    var wire = Wire(reading: json, of: method)
    return try blank.passed(over: &wire)
  }

  /// nil for what is none.
  init?(reading json: JSONValue) {
    guard let value = try? Self.read(json, of: "") else { return nil }
    self = value
  }

  func write(to writer: inout JSONWriter) {
    Wire.write(to: &writer) { (wire) throws(ProtocolError) in _ = try passed(over: &wire) }
  }

  /// As a value: for what is not written often.
  var written: JSONValue { JSONValue(writtenBy: write) }
}

extension WireValue where Self: FixedWidthInteger {
  static func read(_ json: JSONValue, of method: String) -> Self? { json.int.flatMap(Self.init(exactly:)) }
  func write(to writer: inout JSONWriter) { writer.write(Int64(self)) }
}

extension Int64: WireValue {}
extension UInt32: WireValue {}

/// From 0 to ``largestCount``.
extension Int: WireValue {
  /// What every JSON has without loss. Sums and small multiples of such numbers are numbers, so that no peer's ends a process.
  static let largestCount = 1 << 53

  static func read(_ json: JSONValue, of method: String) -> Int? { json.count }
}

extension JSONValue {
  /// A whole number from -``Int/largestCount`` to ``Int/largestCount``.
  var wholeNumber: Int? { int.flatMap { (-Int.largestCount...Int.largestCount).contains($0) ? $0 : nil } }

  /// A whole number from 0 to ``Int/largestCount``.
  var count: Int? { int.flatMap { (0...Int.largestCount).contains($0) ? $0 : nil } }
}

extension Double: WireValue {
  static func read(_ json: JSONValue, of method: String) -> Double? { json.double }
  func write(to writer: inout JSONWriter) { writer.write(self) }
}

extension Bool: WireValue {
  static func read(_ json: JSONValue, of method: String) -> Bool? { json.bool }
  func write(to writer: inout JSONWriter) { writer.write(self) }
}

extension String: WireValue {
  static func read(_ json: JSONValue, of method: String) -> String? { json.string }
  func write(to writer: inout JSONWriter) { writer.write(self) }
}

extension JSONObject: WireValue {
  static func read(_ json: JSONValue, of method: String) -> JSONObject? { json.object }
  func write(to writer: inout JSONWriter) { writer.write(self) }
}

extension JSONValue: WireValue {
  static func read(_ json: JSONValue, of method: String) -> JSONValue? { json }
  func write(to writer: inout JSONWriter) { writer.write(self) }
}

extension Array: WireValue where Element: WireValue {
  static func read(_ json: JSONValue, of method: String) throws(ProtocolError) -> [Element]? {
    guard let array = json.array else { return nil }
    var elements: [Element] = []
    elements.reserveCapacity(array.count)
    for value in array {
      guard let element = try Element.read(value, of: method) else { return nil }
      elements.append(element)
    }
    return elements
  }

  func write(to writer: inout JSONWriter) {
    writer.beginArray()
    for element in self { element.write(to: &writer) }
    writer.endArray()
  }
}

/// One of a set of names.
extension WireValue where Self: RawRepresentable, RawValue == String {
  static func read(_ json: JSONValue, of method: String) -> Self? { json.string.flatMap(Self.init(rawValue:)) }
  func write(to writer: inout JSONWriter) { writer.write(rawValue) }
}
