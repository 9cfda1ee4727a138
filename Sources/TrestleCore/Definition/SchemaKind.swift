/// What is to be known of a kind of schema beside how it is written and whether a value fits: one table, which JavaScript's
/// (`treeEncoders` in `js/runtime/tree.js`) stands beside.
struct SchemaKind {
  /// The name of its encoder in JavaScript.
  let name: String
  /// What conversion errors say was expected. JavaScript's encoder is given the same text.
  let expected: String
  /// The types that are written inside it.
  var inner: [TypeSchema] = []
  /// What else its encoder is given.
  var details: [(name: String, value: any BridgeEncodable)] = []
}

extension TypeSchema {
  var kind: SchemaKind {
    switch self {
    case .void: SchemaKind(name: "void", expected: "undefined")
    case .bool: SchemaKind(name: "bool", expected: "boolean")
    case .integer(let bits, let signed): Self.integerKind(bits: bits, signed: signed)
    case .number: SchemaKind(name: "number", expected: "number")
    case .string: SchemaKind(name: "string", expected: "string")
    case .wellFormedString: SchemaKind(name: "string", expected: "a string without halves of surrogate pairs")
    case .character: SchemaKind(name: "string", expected: "a string of one character")
    case .data: SchemaKind(name: "data", expected: "ArrayBuffer or typed array")
    case .numbers(let kind):
      SchemaKind(
        name: "numbers", expected: "\(kind.constructorName) or array of numbers",
        details: [("elements", kind.rawValue), ("of", kind.elementSchema)])
    case .date: SchemaKind(name: "date", expected: "Date")
    case .url: SchemaKind(name: "string", expected: "URL string")
    case .decimal: SchemaKind(name: "string", expected: "decimal number as a string")
    case .duration: SchemaKind(name: "duration", expected: "number of milliseconds")
    case .optional(let wrapped): .around(wrapped, name: "optional", expected: wrapped.expectedDescription)
    case .array(let element): .around(element, name: "array", expected: "array")
    case .set(let element): .around(element, name: "set", expected: "array or Set")
    case .dictionary(let value): .around(value, name: "dictionary", expected: "object")
    case .record(let shape): SchemaKind(name: "record", expected: shape.name, details: [("id", shape.id)])
    case .enumeration(let name, let allowed):
      SchemaKind(
        name: "enumeration",
        expected: allowed.isEmpty ? name : allowed.map(\.description).joined(separator: " | "),
        details: [("allowed", allowed)])
    case .union(let shape):
      SchemaKind(
        name: "union", expected: shape.name, details: [("id", shape.id), ("discriminator", shape.discriminator)])
    case .json: SchemaKind(name: "json", expected: "JSON value")
    case .codable(let name): SchemaKind(name: "codable", expected: name.inWordsOfScripts)
    case .callback(let values): SchemaKind(name: "callback", expected: "function", inner: values)
    case .function(let values, let result):
      SchemaKind(name: "function", expected: "function", inner: values + [result])
    case .scriptObject: SchemaKind(name: "scriptObject", expected: "object")
    case .stream(let element): SchemaKind(name: "stream", expected: "iterable", inner: [element])
    case .sequence(let element): SchemaKind(name: "sequence", expected: "iterable", inner: [element])
    case .shared(let shared): SchemaKind(name: "shared", expected: shared.name, details: [("id", shared.id)])
    }
  }

  /// What conversion errors say was expected.
  package var expectedDescription: String { kind.expected }

  private static func integerKind(bits: Int, signed: Bool) -> SchemaKind {
    let isBig = bits > 53
    let high = isBig ? 9_007_199_254_740_991 : (1 << (signed ? bits - 1 : bits)) - 1
    let low = signed ? isBig ? -high : -high - 1 : 0
    return SchemaKind(
      name: "integer",
      expected: isBig
        ? signed ? "a \(bits)-bit integer" : "an unsigned \(bits)-bit integer" : "an integer from \(low) to \(high)",
      details: [("low", Double(low)), ("high", Double(high)), ("big", isBig)])
  }
}

extension SchemaKind {
  /// That of a value which holds others of one type.
  fileprivate static func around(_ inner: TypeSchema, name: String, expected: String) -> SchemaKind {
    SchemaKind(name: name, expected: expected, inner: [inner], details: [("of", inner)])
  }
}

extension String {
  /// The name of a Swift type as scripts know it: `Optional<Date>` is `Date or null`.
  var inWordsOfScripts: String {
    func argument(of name: String) -> String? {
      hasPrefix(name + "<") && hasSuffix(">") ? String(dropFirst(name.count + 1).dropLast()) : nil
    }
    if let wrapped = argument(of: "Optional") { return wrapped.inWordsOfScripts + " or null" }
    if argument(of: "Array") != nil || argument(of: "Set") != nil { return "array" }
    return argument(of: "Dictionary") == nil ? self : "object"
  }
}
