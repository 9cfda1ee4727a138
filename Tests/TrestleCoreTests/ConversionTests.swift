import JSON
import Testing

@testable import TrestleCore

@Suite struct ConversionTests {
  @Test func numbers() throws {
    #expect(try decoded(1.5, as: Double.self) == 1.5)
    #expect(try decoded(.number(-0.0), as: Double.self).sign == .minus)
    #expect(try decoded(.number(.nan), as: Double.self).isNaN)
    #expect(try decoded(.number(1e300), as: Float.self) == .infinity)
    #expect(try encoded(-0.0) == .number(-0.0))
    #expect(throws: ConversionError(.mismatch, byteOffset: 0)) { try decoded("1", as: Double.self) }
  }

  @Test func integers() throws {
    #expect(try decoded(255, as: UInt8.self) == 255)
    #expect(throws: ConversionError(.outOfRange, byteOffset: 0)) { try decoded(256, as: UInt8.self) }
    #expect(throws: ConversionError(.mismatch, byteOffset: 0)) { try decoded(0.5, as: Int.self) }
    #expect(throws: ConversionError(.mismatch, byteOffset: 0)) { try decoded(.number(.nan), as: Int.self) }
    #expect(throws: ConversionError(.outOfRange, byteOffset: 0)) { try decoded(.number(.infinity), as: Int.self) }
    #expect(try decoded(.number(-0.0), as: Int.self) == 0)
    #expect(try decoded(.bigInt(.min), as: Int64.self) == .min)
    #expect(try decoded(.bigUInt(.max), as: UInt64.self) == .max)
    #expect(throws: ConversionError(.outOfRange, byteOffset: 0)) { try decoded(.bigUInt(.max), as: Int64.self) }
    #expect(throws: ConversionError(.outOfRange, byteOffset: 0)) { try decoded(.bigInt(-1), as: UInt64.self) }
    #expect(throws: ConversionError(.mismatch, byteOffset: 0)) { try decoded(.bigInt(1), as: Int32.self) }
    #expect(try encoded(1 << 53 - 1) == .number(9_007_199_254_740_991))
    #expect(try encoded(Int64.max) == .bigInt(.max))
    #expect(try encoded(UInt64.max) == .bigUInt(.max))
  }

  @Test(arguments: ["", "a", "seven b", "eight bt", "grüße", "日本", "😀", "\0", String(repeating: "é", count: 5000)])
  func strings(_ string: String) throws {
    #expect(try decoded(.string(string), as: String.self) == string)
    #expect(try encoded(string) == .string(string))
  }

  /// The longest that scripts put into the record itself.
  @Test func longStringsTravelBesideTheRecord() {
    for (count, tag) in [(1024, Tag.string), (1025, .longString)] {
      var encoder = CommandEncoder()
      encoder.append(.string(String(repeating: "x", count: count)))
      #expect(encoder.slots.first.map { UInt32(truncatingIfNeeded: $0) } == tag.rawValue)
    }
  }

  @Test(arguments: ["a", "é", "e\u{301}", "👩‍👩‍👧‍👦", "🇩🇪", "\r\n"] as [Character])
  func characters(_ character: Character) throws {
    #expect(try decoded(.string(String(character)), as: Character.self) == character)
    #expect(try encoded(character) == .string(String(character)))
    #expect(try decoded([.string(String(character))], as: [Character].self) == [character])
  }

  @Test func charactersAreExactlyOne() throws {
    for value: ScriptValue in ["", "ab", 1, nil] {
      #expect(throws: ConversionError(.mismatch, byteOffset: 0)) { try decoded(value, as: Character.self) }
    }
    #expect(try decoded(.utf16([0xD83D]), as: Character.self) == "\u{FFFD}")
  }

  @Test func whatIsNoCharacterIsWorded() async throws {
    let keys = ModuleDefinition("Keys", make: { _ in Nothing() }) {
      Member<Nothing>.sync("press", "key", "more") { (_, key: Character, more: [Character]?) in key }
    }
    let script = """
      const press = (...all) => { try { return NativeModules.Keys.press(...all) } catch (error) { return error.message } };
      [press('👍🏽', ['a']), press('ab'), press('a', ['b', ''])]
      """
    let words = try await withBridge([keys]) { bridge, _ in try await bridge.evaluate(script, as: [String].self) }
    #expect(
      words == [
        "👍🏽", "Keys.press, argument 1 'key': expected a string of one character, got string \"ab\"",
        "Keys.press, argument 2 'more[1]': expected a string of one character, got string \"\"",
      ])
  }

  @Test func wellFormedStringsHaveNoLoneSurrogates() throws {
    for text in ["", "a", "é\u{FFFD}", "😀", String(repeating: "x", count: 100_000) + "😀"] {
      #expect(try decoded(.string(text), as: WellFormedString.self).text == text)
    }
    #expect(try decoded(.utf16([0x61, 0xD83D, 0xDE00]), as: WellFormedString.self).text == "a😀")
    for units: [UInt16] in [[0xD83D], [0xDE00, 0xD83D], [0xD83D, 0xD83D, 0xDE00], [0x61, 0xDE00]] {
      #expect(throws: ConversionError(.mismatch, byteOffset: 0)) {
        try decoded(.utf16(units), as: WellFormedString.self)
      }
    }
    #expect(throws: ConversionError(.mismatch, byteOffset: 0)) { try decoded(.number(5), as: WellFormedString.self) }
  }

  @Test func loneSurrogatesBecomeReplacementCharacters() throws {
    #expect(try decoded(.utf16([0x61, 0xD83D]), as: String.self) == "a\u{FFFD}")
    #expect(try decoded(.utf16([0xDE00, 0xD83D, 0xDE00]), as: String.self) == "\u{FFFD}😀")
  }

  @Test func optionals() throws {
    #expect(try decoded(.undefined, as: Int?.self) == nil)
    #expect(try decoded(nil, as: Int?.self) == nil)
    #expect(try decoded(3, as: Int?.self) == 3)
    #expect(try encoded(Int?.none) == .null)
  }

  @Test func collections() throws {
    #expect(try decoded([["a"], []], as: [[String]].self) == [["a"], []])
    #expect(try decoded([1, 2, 1], as: Set<Int>.self) == [1, 2])
    #expect(try decoded(["a": 1, "b": 2], as: [String: Int].self) == ["a": 1, "b": 2])
    #expect(try encoded(["a": [1]] as [String: [Int]]) == ["a": [1]])
    #expect(try encoded([nil, true] as [Bool?]) == [nil, true])
    #expect(throws: ConversionError(.mismatch, byteOffset: 24)) { try decoded([1, "a"], as: [Int].self) }
  }

  @Test func durationsAreMilliseconds() throws {
    #expect(try decoded(1500.25, as: Duration.self) == .milliseconds(1500) + .microseconds(250))
    #expect(try decoded(-0.5, as: Duration.self) == .microseconds(-500))
    #expect(try encoded(Duration.microseconds(-1500)) == -1.5)
    #expect(throws: ConversionError(.outOfRange, byteOffset: 0)) { try decoded(.number(1e300), as: Duration.self) }
    #expect(throws: ConversionError(.mismatch, byteOffset: 0)) { try decoded(.number(.nan), as: Duration.self) }
  }

  enum Level: Int, BridgeCodable { case low = 1, high }
  struct Flags: OptionSet, BridgeCodable { let rawValue: UInt8 }

  @Test func rawValues() throws {
    #expect(try decoded("latin1", as: Encoding.self) == .latin1)
    #expect(try encoded(Encoding.utf8) == "utf8")
    #expect(Encoding.typeSchema == .enumeration(name: "Encoding", allowed: [.string("utf8"), .string("latin1")]))
    #expect(try decoded(2, as: Level.self) == .high)
    #expect(Level.typeSchema == .enumeration(name: "Level", allowed: []))
    #expect(try decoded(3, as: Flags.self) == Flags(rawValue: 3))
    #expect(throws: ConversionError(.mismatch, byteOffset: 8)) { try decoded(["utf16"], as: [Encoding].self) }
  }

  @Test func recordsInTheOrderOfTheirShapeOrByKeys() throws {
    let point = Place(x: 1, y: 2, name: "p")
    #expect(try decoded(.record(Place.shape, [1, 2, "p"]), as: Place.self) == point)
    #expect(try decoded(["name": "p", "extra": [1], "y": 2, "x": 1], as: Place.self) == point)
    #expect(try decoded(["y": 2, "x": 1], as: Place.self) == Place(x: 1, y: 2))
    #expect(try encoded(point) == ["x": 1, "y": 2, "name": "p"])
    #expect(throws: ConversionError.self) { try decoded(["y": 2], as: Place.self) }
    #expect(throws: ConversionError(.mismatch, byteOffset: 0)) { try decoded([1, 2], as: Place.self) }
  }

  @Test func membersWithDefaults() throws {
    let tree = Tree(label: "a", children: [Tree(label: "b", limit: 5)])
    #expect(try decoded(["label": "a", "children": [["limit": 5, "label": "b"]]], as: Tree.self) == tree)
    let child = ScriptValue.record(Tree.shape, ["b", 5, .undefined])
    #expect(try decoded(.record(Tree.shape, ["a", .undefined, [child]]), as: Tree.self) == tree)
  }

  @Test func unions() throws {
    let circle = Shape.circle(center: Place(x: 1, y: 2), radius: 3)
    let value: ScriptValue = ["radius": 3, "center": ["x": 1, "y": 2], "type": "circle"]
    #expect(try decoded(value, as: Shape.self) == circle)
    #expect(
      try decoded(["type": "pair", "first": value, "second": ["type": "empty"]], as: Shape.self)
        == .pair(circle, .empty))
    #expect(try encoded(Shape.empty) == ["type": "empty"])
    #expect(throws: ConversionError(.mismatch, byteOffset: 0)) { try decoded(["type": "square"], as: Shape.self) }
  }

  @Test func json() throws {
    let value: ScriptValue = ["a": [1, 1.5, "x", nil, true, .bigInt(7)], "gone": .undefined, "b": .bigUInt(.max)]
    let json: JSONValue = ["a": [1, 1.5, "x", .null, true, 7], "b": .unsigned(.max)]
    #expect(try decoded(value, as: JSONValue.self) == json)
    #expect(try decoded(.record(Place.shape, [1, 2, .undefined]), as: JSONValue.self) == ["x": 1, "y": 2])
    #expect(try decoded(.number(-0.0), as: JSONValue.self) == .number(-0.0))
    #expect(try decoded(.number(1e300), as: JSONValue.self) == .number(1e300))
    #expect(try decoded([.undefined], as: JSONValue.self) == [.null])
    #expect(try decoded(.number(.infinity), as: JSONValue.self) == .number(.infinity))
    #expect(try encoded(json) == ["a": [1, 1.5, "x", nil, true, 7], "b": .bigUInt(.max)])
    #expect(throws: ConversionError(.mismatch, byteOffset: 8)) { try decoded([.function], as: JSONValue.self) }
  }
}

@Suite struct DepthTests {
  /// `[[[…]]]` without recursion.
  private func nestedArrays(_ depth: Int) -> [UInt64] {
    Array(repeating: UInt64(Tag.array.rawValue) | 1 << 32, count: depth) + [UInt64(Tag.null.rawValue)]
  }

  private func json(_ depth: Int) -> JSONValue {
    var value = JSONValue.null
    for _ in 0..<depth { value = .array([value]) }
    return value
  }

  private func decode<Value: BridgeDecodable>(_ slots: [UInt64], as: Value.Type) throws -> Value {
    let sideValues = SideValues()
    return try withExtendedLifetime(sideValues) {
      try slots.withUnsafeBytes { bytes in
        let start = try #require(bytes.baseAddress)
        var reader = ValueReader(start: start, end: start + bytes.count, sideValues: sideValues)
        return try Value.decode(from: &reader)
      }
    }
  }

  @Test func atTheLimit() throws {
    #expect(try decode(nestedArrays(512), as: JSONValue.self) == json(512))
    #expect(try decode(nestedArrays(512), as: DecodedValue<Nest>.self).value.depth == 512)
    _ = try encoded(json(512))
    _ = try encodedByCodable(Nest(depth: 512))
  }

  @Test(arguments: [513, 10_000, 100_000])
  func beyondTheLimit(_ depth: Int) throws {
    #expect { try decode(nestedArrays(depth), as: JSONValue.self) } throws: {
      ($0 as? ConversionError)?.reason == .tooDeep
    }
    #expect { try decode(nestedArrays(depth), as: DecodedValue<Nest>.self) } throws: {
      ($0 as? ConversionError)?.reason == .tooDeep
    }
  }

  @Test(arguments: [513, 10_000])
  func beyondTheLimitOut(_ depth: Int) throws {
    #expect { try encoded(json(depth)) } throws: { ($0 as? BridgeError)?.code == .limit }
    #expect { try encodedByCodable(Nest(depth: depth)) } throws: { ($0 as? BridgeError)?.code == .limit }
  }

  /// Arrays in arrays, made only while they are encoded.
  struct Nest: Codable, Sendable {
    var depth: Int
    init(depth: Int) { self.depth = depth }

    init(from decoder: any Decoder) throws {
      if try decoder.singleValueContainer().decodeNil() {
        depth = 0
      } else {
        var container = try decoder.unkeyedContainer()
        depth = try container.decode(Nest.self).depth + 1
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.unkeyedContainer()
      if depth > 1 { try container.encode(Nest(depth: depth - 1)) } else { try container.encodeNil() }
    }
  }
}
