import JSON

/// What a message passes over, member by member, in either direction: who writes hands over each value and gets it back; who reads hands
/// over a blank and gets what the member holds. So one expression says all of a message, for both sides and for the page that tells of it:
///
///     .save(wire.view(view), path: wire("file_path", path))
///
/// A member that is absent and one that is `null` are the same. What is written becomes text at once: a tree of values for each message
/// would take more time than all the rest of it.
struct Wire {
  /// To name a message is to pass over it and write nothing.
  private enum Direction { case reading, writing, naming, describing }

  private let direction: Direction
  let method: String
  /// What is read.
  private let json: JSONValue
  private var writer = JSONWriter()
  /// Something has been handed over, and written.
  private var (isBegun, hasMembers) = (false, false)
  /// It is no object.
  private var isWhole = false
  /// Of each member what the page has to say of it.
  private(set) var description = JSONObject()

  private init(_ direction: Direction, _ json: JSONValue = .null, of method: String = "") {
    (self.direction, self.method, self.json) = (direction, method, json)
  }

  init(reading json: JSONValue, of method: String) { self.init(.reading, json, of: method) }

  static var describing: Wire { Wire(.describing) }

  static func name(of message: some WireMessage) -> String {
    var wire = Wire(.naming)
    return (try? message.kind(over: &wire).name) ?? ""
  }

  /// Writes one value: what `pass` hands over, `null` where that is nothing.
  static func write(
    to writer: inout JSONWriter, _ pass: (inout Wire) throws(ProtocolError) -> Void
  ) {
    var wire = Wire(.writing)
    // With two owners it would be copied.
    swap(&wire.writer, &writer)
    try? pass(&wire)
    if !wire.isBegun { wire.writer.writeNull() } else if !wire.isWhole { wire.writer.endObject() }
    swap(&wire.writer, &writer)
  }

  /// A member that is always written and must be there, one that is always written, one that may be left out.
  private enum Presence: String { case required, written, optional }

  func error(_ member: String = "") -> ProtocolError { ProtocolError(.invalidParams, method: method, member: member) }

  /// Inlined, as the time of a message is that of its members.
  @inline(__always)
  private mutating func member<T: WireValue>(
    _ name: String, _ value: T?, _ presence: Presence
  ) throws(ProtocolError) -> T? {
    switch direction {
    case .writing: if let value { write(name, value) } else { begin() }
    case .naming: break
    case .describing: description[name] = .string(presence.rawValue)
    case .reading:
      guard let json = json[name] else { return nil }
      if case .null = json { return nil }
      guard let result = try T.read(json, of: method) else { throw error(name) }
      return result
    }
    return value
  }

  private mutating func write(_ name: String, _ value: some WireValue) {
    beginMember(name)
    value.write(to: &writer)
  }

  private mutating func beginMember(_ name: String) {
    begin()
    hasMembers = true
    writer.key(name)
  }

  private mutating func begin() {
    if !isBegun { writer.beginObject() }
    isBegun = true
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
    if let value { write(name, value) } else { write(name, JSONValue.null) }
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

  /// An object, though it has no members.
  mutating func empty<T>(_ message: T) -> T {
    if direction == .writing { begin() }
    return message
  }

  mutating func view(_ view: ViewID) throws(ProtocolError) -> ViewID { try self("view_id", view) }

  /// An object within this one, left out where it is empty if it is optional.
  mutating func object<T>(
    _ name: String, isOptional: Bool = false, _ pass: (inout Wire) throws(ProtocolError) -> T
  ) throws(ProtocolError) -> T {
    switch direction {
    case .writing: return try within(name, unless: { isOptional && !$0.hasMembers }, pass)
    case .naming, .describing:
      var inner = Wire(direction)
      let result = try pass(&inner)
      description[name] = .string((isOptional ? Presence.optional : .required).rawValue)
      return result
    case .reading: break
    }
    guard isOptional || json[name] != nil else { throw error(name) }
    var inner = Wire(reading: json[name] ?? .null, of: method)
    return try pass(&inner)
  }

  /// Writes an object within this one.
  private mutating func within<T>(
    _ name: String, unless isLeftOut: (Wire) -> Bool, _ pass: (inout Wire) throws(ProtocolError) -> T
  ) throws(ProtocolError) -> T {
    begin()
    let (start, hadMembers) = (writer.position, hasMembers)
    beginMember(name)
    var inner = Wire(.writing)
    swap(&inner.writer, &writer)
    let result = try pass(&inner)
    swap(&inner.writer, &writer)
    if isLeftOut(inner) {
      writer.goBack(to: start)
      hasMembers = hadMembers
    } else if !inner.isBegun {
      writer.writeNull()
    } else if !inner.isWhole {
      writer.endObject()
    }
    return result
  }

  private mutating func writeWhole(_ value: some WireValue) {
    (isBegun, hasMembers, isWhole) = (true, true, true)
    value.write(to: &writer)
  }

  /// A value in place of the object.
  mutating func whole<T: WireValue>(_ value: T) throws(ProtocolError) -> T {
    guard direction == .reading else {
      if direction == .writing { writeWhole(value) }
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
    case .writing: writeWhole(values)
    case .naming: break
    case .describing: for (name, value) in zip(names, values) { _ = try self(name, value) }
    case .reading:
      let elements = json.array ?? []
      let numbers = elements.compactMap { isExact ? $0.wholeNumber : $0.count }
      guard numbers.count >= names.count, !isExact || elements.count == names.count else { throw error() }
      return make(numbers)
    }
    return make(values)
  }

  /// A message within this one, as its `method` and `params`.
  mutating func message<T: WireMessage>(_ message: T) throws(ProtocolError) -> T {
    if direction == .reading { return try Wire.read(self("method", ""), json["params"] ?? .null) }
    _ = try self("method", Wire.name(of: message))
    let pass = { (params: inout Wire) throws(ProtocolError) in try message.kind(over: &params).message }
    // xi-core dies of parameters where none are.
    if direction == .writing { return try within("params", unless: { !$0.isBegun }, pass) }
    return try object("params", isOptional: true, pass)
  }

  /// What is of one kind or another as a member says, the members of its kind in the same object.
  mutating func kind<T: WireMessage>(_ name: String, _ value: T) throws(ProtocolError) -> T {
    let written = try self(name, direction == .writing ? Wire.name(of: value) : "")
    switch direction {
    case .writing: _ = try value.kind(over: &self)
    case .naming: break
    case .describing:
      for kind in T.kinds.values {
        var inner = Wire.describing
        _ = try kind.kind(over: &inner)
        for member in inner.description { description[member.key] = .string(Presence.optional.rawValue) }
      }
    case .reading:
      guard let blank = T.kinds[written] else { throw error(name) }
      return try blank.kind(over: &self).message
    }
    return value
  }
}
