/// Finds the first value of a record that does not fit its schema, once decoding has failed. Not on the hot path.
struct SchemaValidator {
  /// A value that does not fit: where, what was expected, what is there.
  struct Misfit {
    let path: ValuePath
    let expected: String
    let got: String
    /// The place in the record.
    let byteOffset: Int32

    var words: String { "expected \(expected), got \(got)" }
  }

  /// The value that starts here does not fit, whatever the schema says: its type refused it.
  let culprit: Int32?
  private var path = ValuePath()

  init(culprit: Int32? = nil) { self.culprit = culprit }

  /// - Parameter isOptional: whether the value may be left out, though its schema has no nil.
  /// - Returns: nil if the value fits; then the reader stands behind it.
  mutating func misfit(
    of schema: TypeSchema, isOptional: Bool = false, in reader: inout ValueReader
  ) throws(ConversionError) -> Misfit? {
    if isOptional, try reader.skipUndefined() { return nil }
    let first = reader.copy()
    if let misfit = try misfitWithin(schema, in: &reader) { return misfit }
    let isCulprit = first.byteOffset == culprit
    if !isCulprit, try fits(schema, in: &reader) { return nil }
    return Misfit(
      path: path, expected: schema.expectedDescription, got: first.nextDescription(), byteOffset: first.byteOffset)
  }
}

/// Values that hold others: the reader is moved into what fits, never past what does not.
extension SchemaValidator {
  /// A misfit of a value that this one holds; nil also where this value itself does not fit.
  private mutating func misfitWithin(
    _ schema: TypeSchema, in reader: inout ValueReader
  ) throws(ConversionError) -> Misfit? {
    let tag = reader.peekTag().flatMap(Tag.init(rawValue:))
    var inner = reader.copy()
    switch (schema, tag) {
    case (.optional(let wrapped), let tag?) where tag.rawValue > Tag.null.rawValue:
      return try misfitWithin(wrapped, in: &reader)
    case (.array(let element), .array), (.set(let element), .array):
      return try misfit(ofElements: element, in: &inner)
    case (.numbers(let kind), .array): return try misfit(ofElements: kind.elementSchema, in: &inner)
    case (.dictionary(let value), .object): return try misfit(ofValues: value, in: &inner)
    case (.record(let shape), .record): return try misfit(ofMembers: shape, in: &inner)
    case (.record(let shape), .object): return try misfit(ofMembers: shape.members, in: &inner)
    case (.union(let shape), .object): return try misfit(ofUnion: shape, in: &inner)
    case (.json, .array): return try misfit(ofElements: .json, in: &inner)
    case (.json, .object): return try misfit(ofValues: .optional(.json), in: &inner)
    default: return nil
    }
  }

  private mutating func misfit(
    of schema: TypeSchema, isOptional: Bool = false, at component: ValuePath.Component, in reader: inout ValueReader
  ) throws(ConversionError) -> Misfit? {
    path.append(component)
    defer { path.removeLast() }
    var validator = self
    return try reader.nested { (reader) throws(ConversionError) in
      try validator.misfit(of: schema, isOptional: isOptional, in: &reader)
    }
  }

  private mutating func misfit(
    ofElements schema: TypeSchema, in reader: inout ValueReader
  ) throws(ConversionError) -> Misfit? {
    let (_, count) = try reader.header()
    for index in 0..<reader.plausibleCount(count) {
      if let misfit = try misfit(of: schema, at: .index(index), in: &reader) { return misfit }
    }
    return nil
  }

  private mutating func misfit(
    ofValues schema: TypeSchema, in reader: inout ValueReader
  ) throws(ConversionError) -> Misfit? {
    let (_, count) = try reader.header()
    for _ in 0..<count {
      let key = try String.decode(from: &reader)
      if let misfit = try misfit(of: schema, at: .key(key), in: &reader) { return misfit }
    }
    return nil
  }

  private mutating func misfit(
    ofMembers shape: RecordShape, in reader: inout ValueReader
  ) throws(ConversionError) -> Misfit? {
    let (_, id) = try reader.header()
    guard id == shape.id else { return nil }
    for member in shape.members {
      if let misfit = try misfit(of: member, in: &reader) { return misfit }
    }
    return nil
  }

  private mutating func misfit(
    ofMembers members: [RecordShape.Member], in reader: inout ValueReader
  ) throws(ConversionError) -> Misfit? {
    let positions = try reader.memberPositions(of: members.map(\.name))
    for (member, position) in zip(members, positions) {
      var value = reader.reader(at: position)
      if let misfit = try misfit(of: member, in: &value) { return misfit }
    }
    return nil
  }

  private mutating func misfit(
    of member: RecordShape.Member, in reader: inout ValueReader
  ) throws(ConversionError) -> Misfit? {
    try misfit(of: member.schema, isOptional: member.isOptional, at: .key(member.name), in: &reader)
  }

  private mutating func misfit(
    ofUnion shape: UnionShape, in reader: inout ValueReader
  ) throws(ConversionError) -> Misfit? {
    let cases = shape.cases
    let names = TypeSchema.enumeration(name: shape.name, allowed: cases.map { .string($0.name) })
    var object = reader.copy()
    let position = try object.memberPositions(of: [shape.discriminator])[0]
    var discriminator = reader.reader(at: position)
    let start = discriminator.copy()
    if let misfit = try misfit(of: names, at: .key(shape.discriminator), in: &discriminator) { return misfit }
    var named = start.copy()
    let name = try String.decode(from: &named)
    guard let found = cases.first(where: { $0.name == name }) else { return nil }
    return try misfit(ofMembers: found.members, in: &reader)
  }
}

extension ElementKind {
  /// The schema of one element in a plain array.
  var elementSchema: TypeSchema {
    switch self {
    case .float32, .float64: .number
    case .uint8, .uint16, .uint32, .uint64: .integer(bits: byteCount * 8, signed: false)
    case .int8, .int16, .int32, .int64: .integer(bits: byteCount * 8, signed: true)
    }
  }
}
