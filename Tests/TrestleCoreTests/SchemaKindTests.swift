import TestSupport
import Testing

@testable import TrestleCore

@Suite struct SchemaKindTests {
  /// One of each kind, each behind the one before: the compiler asks for those that are new.
  private static func sample(after schema: TypeSchema) -> TypeSchema? {
    switch schema {
    case .void: .bool
    case .bool: .integer(bits: 8, signed: true)
    case .integer(bits: 8, _): .integer(bits: 64, signed: false)
    case .integer: .number
    case .number: .string
    case .string: .wellFormedString
    case .wellFormedString: .character
    case .character: .data
    case .data: .numbers(.int16)
    case .numbers: .date
    case .date: .url
    case .url: .decimal
    case .decimal: .duration
    case .duration: .optional(.date)
    case .optional: .array(.json)
    case .array: .set(.string)
    case .set: .dictionary(.number)
    case .dictionary: .record(Shelf.shape)
    case .record: .enumeration(name: "Side", allowed: [.string("left"), .number(2)])
    case .enumeration: .union(shape)
    case .union: .json
    case .json: .codable(name: "Thing")
    case .codable: .callback([.number])
    case .callback: .function([.number], result: .string)
    case .function: .scriptObject
    case .scriptObject: .sequence(.bool)
    case .sequence: .shared(Folder.sharedClass)
    case .shared: .stream(.number)
    // Towards JavaScript only.
    case .stream: nil
    }
  }

  private static let shape = UnionShape("Shape", discriminator: "kind") { [UnionShape.Case("dot")] }
  private static let all = Array(sequence(first: TypeSchema.void, next: sample))

  /// Each has an encoder in JavaScript, by itself and inside another, that refuses a symbol and says what it expects.
  @Test(arguments: Wire.allCases) func everyKindHasAnEncoder(wire: Wire) async throws {
    let schemas = Self.all.filter { if case .stream = $0 { false } else { $0 != .void } }
    #expect(schemas.count == 27)
    let module = ModuleDefinition("Kinds", make: { _ in () }) {
      for (index, schema) in schemas.enumerated() {
        for (name, schema) in [("own", schema), ("inner", .array(schema))] {
          Member<Void>._method(
            "\(name)\(index)", .promise, [Parameter(name: "value", schema: schema, hasDefault: false)],
            result: Undefined.self
          ) { _ in { (call) throws(ConversionError) in call.complete {} } }
        }
      }
    }
    try await withBridge([module], wire: wire) { bridge, log in
      for (index, schema) in schemas.enumerated() {
        for (call, path) in [("own\(index)(Symbol())", ""), ("inner\(index)([Symbol()])", "[0]")] {
          // React Native's callbacks go by position.
          if case .callback = schema, !path.isEmpty || wire == .reactNative { continue }
          let text = try await bridge.evaluate(
            "NativeModules.Kinds.\(call).then(String, error => `${error.code} ${error.message}`)", as: String.self)
          #expect(
            text.hasPrefix("ERR_ARGUMENT") && text.contains("value\(path)")
              && text.contains("expected \(schema.expectedDescription), got symbol"), "\(schema): \(text)")
        }
      }
    }
  }

  @Test(arguments: [
    ("Date", "Date"), ("Optional<Date>", "Date or null"), ("Optional<Array<Date>>", "array or null"),
    ("Set<Date>", "array"),
    ("Dictionary<String, Optional<Date>>", "object"),
  ])
  func namesOfSwiftAreToldInWordsOfScripts(_ name: String, _ words: String) {
    #expect(TypeSchema.codable(name: name).expectedDescription == words)
  }
}
