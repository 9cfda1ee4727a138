import JSON
import Testing

@testable import TrestleCore

@Suite struct MessageTests {
  private let method = MethodReference(module: "Files", name: "read", kind: .promise)

  /// What a failed call says: decodes the arguments as `types`, then asks for the words.
  private func words(
    _ parameters: [Parameter], _ arguments: [ScriptValue],
    decode: (inout ValueReader) throws -> Void = { reader in throw reader.error(.mismatch, bytesBack: 0) }
  ) -> String {
    var encoder = CommandEncoder()
    for argument in arguments { encoder.append(argument) }
    return encoder.withReader { reader in
      let first = reader.copy()
      do {
        try decode(&reader)
        return "no error"
      } catch let error as ConversionError {
        return error.described(of: method, parameters: parameters, arguments: first, count: arguments.count).message
      } catch { return "\(error)" }
    }
  }

  @Test(arguments: messageTable)
  func table(_ entry: MessageCase) {
    let parameter = Parameter(name: "it", schema: entry.schema, hasDefault: false)
    #expect(words([parameter], [entry.value]) == "Files.read, argument 1 \(entry.words)")
  }

  @Test func countsOfArguments() {
    let path = Parameter("path", String.self)
    let limit = Parameter("limit", Int.self, hasDefault: true)
    let note = Parameter("note", String?.self)
    #expect(words([], [1]) == "Files.read: expected 0 arguments, got 1")
    #expect(words([path], []) == "Files.read: expected 1 argument, got 0")
    #expect(words([path, path], ["a"]) == "Files.read: expected 2 arguments, got 1")
    #expect(words([path, limit], ["a", 1, 2]) == "Files.read: expected 1 to 2 arguments, got 3")
    #expect(words([limit, path, note], []) == "Files.read: expected 2 to 3 arguments, got 0")
  }

  @Test func theFirstWrongArgumentIsNamed() {
    let parameters = [Parameter("path", String.self), Parameter("limit", Int.self, hasDefault: true)]
    let text = words(parameters, ["a", "b"]) { reader in
      _ = try String.decode(from: &reader)
      _ = try Int.decode(from: &reader)
    }
    #expect(text == "Files.read, argument 2 'limit': expected a 64-bit integer, got string \"b\"")
  }

  /// A type that accepts less than its schema says.
  struct Even: BridgeDecodable, Equatable {
    static var bridgeSchema: BridgeSchema { BridgeSchema(.enumeration(name: "an even number", allowed: [])) }
    static func decode(from reader: inout ValueReader) throws(ConversionError) -> Even {
      let start = reader.byteOffset
      guard try Int.decode(from: &reader) % 2 == 0 else { throw ConversionError(.mismatch, byteOffset: start) }
      return Even()
    }
  }

  @Test func aTypeThatRefusesWhatItsSchemaAccepts() {
    let text = words([Parameter("name", String.self), Parameter("all", [String: [Even]].self)], ["x", ["a": [2, 3]]]) {
      _ = try String.decode(from: &$0)
      _ = try [String: [Even]].decode(from: &$0)
    }
    #expect(text == "Files.read, argument 2 'all.a[1]': expected an even number, got number 3")
  }

  struct Row: Codable, Sendable, Equatable {
    struct Part: Codable, Equatable { var sizes: [UInt8] }
    var id: Int
    var names: [String]
    var part: Part?
  }

  private static let refusedRows: [(String, ScriptValue)] = [
    ("'row': expected object, got number 3", 3),
    ("'row.id': expected a 64-bit integer, got undefined", [:]),
    ("'row.id': expected a 64-bit integer, got null", ["id": nil]),
    ("'row.names': expected array, got string \"a\"", ["id": 1, "names": "a"]),
    ("'row.names[1]': expected string, got number 2", ["id": 1, "names": ["a", 2]]),
    (
      "'row.part.sizes[0]': expected an integer from 0 to 255, got number 256",
      ["id": 1, "names": [], "part": ["sizes": [256]]]
    ),
    ("'row.part.sizes': expected Uint8Array or array of numbers, got undefined", ["id": 1, "names": [], "part": [:]]),
  ]

  @Test(arguments: refusedRows)
  func codableTypesSayWhere(_ text: String, _ value: ScriptValue) {
    let found = words([Parameter("path", String.self), Parameter("row", Row.self)], ["x", value]) {
      _ = try String.decode(from: &$0)
      _ = try DecodedValue<Row>.decode(from: &$0)
    }
    #expect(found == "Files.read, argument 2 \(text)")
  }

  struct Refusing: Decodable, Sendable {
    init(from decoder: any Decoder) throws {
      throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "not on Sundays"))
    }
  }

  @Test func whatADecoderThrowsIsToldAndKept() throws {
    var encoder = CommandEncoder()
    encoder.append(1)
    let parameters = [Parameter("it", Refusing.self)]
    let described = encoder.withReader { reader -> BridgeError in
      let first = reader.copy()
      do throws(ConversionError) { _ = try DecodedValue<Refusing>.decode(from: &reader) } catch {
        return error.described(of: method, parameters: parameters, arguments: first, count: 1)
      }
      return BridgeError(.argument, "no error")
    }
    #expect(described.message == "Files.read, argument 1 'it': not on Sundays")
    #expect(described.code == .argument)
    #expect(described.cause is DecodingError)
  }

  @Test func valuesThatNestTooDeep() {
    var value: ScriptValue = []
    for _ in 0..<600 { value = [value] }
    let text = words([Parameter("path", String.self), Parameter("tree", JSONValue.self)], ["x", value]) {
      _ = try String.decode(from: &$0)
      _ = try JSONValue.decode(from: &$0)
    }
    #expect(text == "Files.read, argument 2 'tree': nested deeper than 512 levels")
  }

  @Test func results() {
    var encoder = CommandEncoder()
    encoder.append([1, "a"])
    let error = encoder.withReader { reader in
      ConversionError(.mismatch, byteOffset: 24).described(
        of: "plugin.transform", named: "result", schema: .array(.number), value: reader.copy())
    }
    #expect(error.message == "plugin.transform, 'result[1]': expected number, got string \"a\"")
  }
}
