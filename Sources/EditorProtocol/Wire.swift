import JSON

/// What a message passes over, member by member, in either direction: who writes hands over each value and gets it back; who reads hands
/// over a blank and gets what the member holds. So one expression says all of a message, for both sides and for the page that tells of it:
///
///     .save(wire.view(view), path: wire("file_path", path))
///
/// A member that is absent and one that is `null` are the same.
struct Wire {
  private enum Direction { case reading, writing, describing }

  private let direction: Direction
  let method: String
  /// What is read, or what was written so far: `null` as long as that is nothing.
  private(set) var json: JSONValue

  init(reading json: JSONValue, of method: String) {
    (self.direction, self.method, self.json) = (.reading, method, json)
  }

  private init(_ direction: Direction) { (self.direction, self.method, self.json) = (direction, "", .null) }

  static var writing: Wire { Wire(.writing) }
  /// Of each member there is in its place what the page has to say of it.
  static var describing: Wire { Wire(.describing) }

  /// A member that is always written and must be there, one that is always written, one that may be left out.
  private enum Presence: String { case required, written, optional }

  func error(_ member: String = "") -> ProtocolError { ProtocolError(.invalidParams, method: method, member: member) }

  /// Inlined, as the time of a message is that of its members.
  @inline(__always)
  private mutating func member<T: WireValue>(
    _ name: String, _ value: T?, _ presence: Presence
  ) throws(ProtocolError) -> T? {
    switch direction {
    case .writing: write(name, value?.json)
    case .describing: write(name, .string(presence.rawValue))
    case .reading:
      guard let json = json[name] else { return nil }
      if case .null = json { return nil }
      guard let result = try T.read(json, of: method) else { throw error(name) }
      return result
    }
    return value
  }

  private mutating func write(_ name: String, _ value: JSONValue?) {
    var object = json.object ?? JSONObject()
    // With two owners it would be copied.
    json = .null
    object[name] = value
    json = .object(object)
  }
}

extension Wire {
  /// A member that must be there.
  mutating func callAsFunction<T: WireValue>(_ name: String, _ value: T) throws(ProtocolError) -> T {
    guard let value = try member(name, value, .required) else { throw error(name) }
    return value
  }

  /// One that may be left out, but not be of another type.
  mutating func callAsFunction<T: WireValue>(_ name: String, _ value: T?) throws(ProtocolError) -> T? {
    try member(name, value, .optional)
  }

  /// One that is always written, and is `fallback` where a reader does not find it.
  mutating func callAsFunction<T: WireValue>(_ name: String, _ value: T, or fallback: T) throws(ProtocolError) -> T {
    try member(name, value, .written) ?? fallback
  }

  /// One that is left out where it is `fallback`.
  mutating func callAsFunction<T: WireValue & Equatable>(
    _ name: String, _ value: T, unless fallback: T
  ) throws(ProtocolError) -> T {
    try member(name, direction == .writing && value == fallback ? nil : value, .optional) ?? fallback
  }

  /// One that is written as `null` rather than left out.
  mutating func nullable<T: WireValue>(_ name: String, _ value: T?) throws(ProtocolError) -> T? {
    guard direction == .writing else { return try member(name, value, .written) }
    write(name, value?.json ?? .null)
    return value
  }

  /// A list of which a reader leaves out what it does not know.
  mutating func lenient<T: WireValue>(_ name: String, _ values: [T]) throws(ProtocolError) -> [T] {
    guard direction == .reading else { return try self(name, values, or: []) }
    return (json[name]?.array ?? []).compactMap { try? T.read($0, of: method) }
  }

  /// A list of which a reader does not take more.
  mutating func callAsFunction<T: WireValue>(
    _ name: String, _ values: [T], atMost limit: Int
  ) throws(ProtocolError) -> [T] {
    if direction == .reading, (json[name]?.array?.count ?? 0) > limit { throw error(name) }
    return try self(name, values)
  }

  mutating func view(_ view: ViewID) throws(ProtocolError) -> ViewID { try self("view_id", view) }

  /// An object within this one, left out where it is empty if it is optional.
  mutating func object<T>(
    _ name: String, isOptional: Bool = false, _ pass: (inout Wire) throws(ProtocolError) -> T
  ) throws(ProtocolError) -> T {
    guard direction == .reading else {
      var inner = Wire(direction)
      let result = try pass(&inner)
      _ = try member(name, isOptional && inner.json == [:] ? nil : inner.json, isOptional ? .optional : .required)
      return result
    }
    guard isOptional || json[name] != nil else { throw error(name) }
    var inner = Wire(reading: json[name] ?? .null, of: method)
    return try pass(&inner)
  }

  /// A value in place of the object.
  mutating func whole<T: WireValue>(_ value: T) throws(ProtocolError) -> T {
    guard direction == .reading else {
      json = value.json
      return value
    }
    guard let result = try T.read(json, of: method) else { throw error() }
    return result
  }

  /// Numbers in place of the object, one for each name. With `isExact` there are no more, and they may be below 0; else what is no count
  /// is passed over.
  mutating func numbers<T>(
    _ names: [String], _ values: [Int], isExact: Bool = false, _ make: ([Int]) -> T
  ) throws(ProtocolError) -> T {
    switch direction {
    case .writing: json = values.json
    case .describing: for (name, value) in zip(names, values) { _ = try self(name, value) }
    case .reading:
      let elements = json.array ?? []
      let numbers = elements.compactMap { isExact ? $0.int : $0.count }
      guard numbers.count >= names.count, !isExact || elements.count == names.count else { throw error() }
      return make(numbers)
    }
    return make(values)
  }

  /// A message within this one, as its `method` and `params`.
  mutating func message<T: WireMessage>(_ message: T) throws(ProtocolError) -> T {
    if direction == .reading { return try Wire.read(self("method", ""), json["params"] ?? .null) }
    let (method, params) = Wire.write(message)
    _ = try (self("method", method), self("params", params == .null ? nil : params))
    return message
  }

  /// What is of one kind or another as a member says, the members of its kind in the same object.
  mutating func kind<T: WireMessage>(_ name: String, _ value: T) throws(ProtocolError) -> T {
    let written = try self(name, "")
    switch direction {
    case .writing: write(name, .string(try value.kind(over: &self).name))
    case .describing:
      for kind in T.kinds.values {
        var inner = Wire.describing
        _ = try kind.kind(over: &inner)
        for member in inner.json.object ?? [:] { write(member.key, .string(Presence.optional.rawValue)) }
      }
    case .reading:
      guard let blank = T.kinds[written] else { throw error(name) }
      return try blank.kind(over: &self).message
    }
    return value
  }
}
