import JSON

/// Reads the members of `params` by name and type; a member that is absent and one that is `null` are the same.
struct ParamsReader {
  let method: String
  let value: JSONValue

  init(_ method: String, _ value: JSONValue) {
    self.method = method
    self.value = value
  }

  func error(_ member: String = "") -> ProtocolError { ProtocolError(.invalidParams, method: method, member: member) }

  /// A member that must be there.
  func required<T>(_ member: String, _ read: (JSONValue) -> T?) throws(ProtocolError) -> T {
    guard let value = value[member], let result = read(value) else { throw error(member) }
    return result
  }

  /// A member that may be absent, but not of another type.
  func optional<T>(_ member: String, _ read: (JSONValue) -> T?) throws(ProtocolError) -> T? {
    guard let value = value[member], !value.isNull else { return nil }
    guard let result = read(value) else { throw error(member) }
    return result
  }

  func string(_ member: String) throws(ProtocolError) -> String { try required(member, \.string) }
  func count(_ member: String) throws(ProtocolError) -> Int { try required(member, \.count) }
  func bool(_ member: String) throws(ProtocolError) -> Bool { try required(member, \.bool) }
  func viewID() throws(ProtocolError) -> ViewID { ViewID(try string("view_id")) }

  func optionalString(_ member: String) throws(ProtocolError) -> String? { try optional(member, \.string) }
  func optionalCount(_ member: String) throws(ProtocolError) -> Int? { try optional(member, \.count) }
  func optionalBool(_ member: String) throws(ProtocolError) -> Bool? { try optional(member, \.bool) }

  func array<T>(_ member: String, _ read: (JSONValue) throws(ProtocolError) -> T) throws(ProtocolError) -> [T] {
    var elements: [T] = []
    for element in try required(member, \.array) { elements.append(try read(element)) }
    return elements
  }

  func strings(_ member: String) throws(ProtocolError) -> [String] {
    try array(member) { (element) throws(ProtocolError) in
      guard let string = element.string else { throw error(member) }
      return string
    }
  }

  /// `params` as an array of exactly two whole numbers.
  func pair() throws(ProtocolError) -> (Int, Int) {
    guard let numbers = value.array, numbers.count == 2, let first = numbers[0].int, let second = numbers[1].int
    else { throw error() }
    return (first, second)
  }
}

extension JSONValue {
  /// A whole number from 0 up.
  var count: Int? { int.flatMap { $0 >= 0 ? $0 : nil } }

  /// An object of the members that are not nil.
  static func members(_ members: (String, JSONValue?)...) -> JSONValue {
    var object = JSONObject()
    for (key, value) in members where value != nil { object[key] = value }
    return .object(object)
  }
}
