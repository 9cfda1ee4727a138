import JSON
import Testing

@testable import TrestleCore

@Suite struct CodableTests {
  struct Row: Codable, Sendable, Equatable {
    enum Kind: String, Codable { case file, folder }
    struct Part: Codable, Equatable {
      var x: Float
      var y: Int8?
    }
    var id: UInt64
    var name: String
    var kind: Kind
    var note: String?
    var parts: [Part]
    var byName: [String: Part]
    var byNumber: [Int: String]
    var pairs: [Bool?]
    var wait: Duration
    var bytes: [UInt8]
  }

  private let row = Row(
    id: .max, name: "日", kind: .folder, note: nil, parts: [.init(x: 1, y: nil), .init(x: -0.5, y: -1)],
    byName: ["k": .init(x: 2, y: 3)], byNumber: [7: "seven"], pairs: [true, nil], wait: .milliseconds(5), bytes: [1, 2])

  private let script: ScriptValue = [
    "id": .bigUInt(.max), "name": "日", "kind": "folder", "parts": [["x": 1], ["x": -0.5, "y": -1]],
    "byName": ["k": ["x": 2, "y": 3]], "byNumber": ["7": "seven"], "pairs": [true, nil], "wait": 5,
    "bytes": .binary([1, 2], kind: 0),
  ]

  @Test func synthesizedConformances() throws {
    #expect(try encodedByCodable(row) == script)
    #expect(try decodedByCodable(script, as: Row.self) == row)
  }

  @Test func manyMembersInAnyOrder() throws {
    let members = (0..<40).reversed().map { ScriptValue.Member("m\($0)", .number(Double($0))) }
    let found = try decodedByCodable(.object(members), as: [String: DoubleBox].self)
    #expect(found["m7"]?.value == 7 && found.count == 40)
  }

  struct DoubleBox: Codable, Sendable {
    let value: Double
    init(from decoder: any Decoder) throws { value = try decoder.singleValueContainer().decode(Double.self) }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(value)
    }
  }

  @Test func recordsWithAShape() throws {
    struct Named: Codable, Equatable { var x: Double; var name: String? }
    #expect(try decodedByCodable(.record(Place.shape, [1, 2, .undefined]), as: Named.self) == Named(x: 1))
  }

  @Test func undefinedMembersAreNotThere() throws {
    struct Keys: Decodable, Sendable {
      let all: [String]
      let contains: Bool
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: PlainKey.self)
        all = container.allKeys.map(\.stringValue)
        contains = container.contains(PlainKey(stringValue: "b"))
      }
    }
    let keys = try decodedByCodable(["a": 1, "b": .undefined, "c": nil], as: Keys.self)
    #expect(keys.all == ["a", "c"])
    #expect(!keys.contains)
  }

  class Base: Codable {
    var a = 1
    init() {}
  }
  final class Derived: Base, @unchecked Sendable {
    var b = 2
    enum CodingKeys: CodingKey { case b, base }
    override init() { super.init() }
    required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      b = try container.decode(Int.self, forKey: .b)
      try super.init(from: container.superDecoder(forKey: .base))
    }
    override func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      let base = container.superEncoder(forKey: .base)
      try container.encode(b, forKey: .b)
      try super.encode(to: base)
    }
  }

  @Test func superclasses() throws {
    #expect(try encodedByCodable(Derived()) == ["base": ["a": 1], "b": 2])
    let value = try decodedByCodable(["b": 5, "base": ["a": 6]], as: Derived.self)
    #expect((value.a, value.b) == (6, 5))
  }

  /// Two nested containers, filled in turns.
  struct Interleaved: Codable, Sendable, Equatable {
    var left: [Int] = []
    var right: [String] = []
    enum CodingKeys: CodingKey { case left, right, middle, empty }

    init(_ left: [Int], _ right: [String]) { (self.left, self.right) = (left, right) }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      var left = try container.nestedUnkeyedContainer(forKey: .left)
      var right = try container.nestedContainer(keyedBy: CodingKeys.self, forKey: .right)
        .nestedUnkeyedContainer(forKey: .middle)
      while !left.isAtEnd || !right.isAtEnd {
        if !left.isAtEnd { self.left.append(try left.decode(Int.self)) }
        if !right.isAtEnd { self.right.append(try right.decode(String.self)) }
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      var left = container.nestedUnkeyedContainer(forKey: .left)
      var right = container.nestedContainer(keyedBy: CodingKeys.self, forKey: .right)
      var inner = right.nestedUnkeyedContainer(forKey: .middle)
      for (number, text) in zip(self.left, self.right) {
        try inner.encode(text)
        try left.encode(number)
      }
      try container.encode("é", forKey: .middle)
      _ = container.superEncoder(forKey: .empty)
    }
  }

  @Test func nestedContainersFilledInTurns() throws {
    let value = Interleaved([1, 2], ["a", "ü"])
    let script = try encodedByCodable(value)
    #expect(script == ["left": [1, 2], "right": ["middle": ["a", "ü"]], "middle": "é", "empty": [:]])
    #expect(try decodedByCodable(script, as: Interleaved.self) == value)
  }

  struct Silent: Encodable { func encode(to encoder: any Encoder) {} }
  struct Confused: Encodable {
    let twice: Bool
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(1)
      if twice { try container.encode(2) } else { _ = encoder.unkeyedContainer() }
    }
  }
  struct Swallowing: Encodable {
    struct Failing: Encodable { func encode(to encoder: any Encoder) throws { throw CancellationError() } }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.unkeyedContainer()
      try? container.encode(Failing())
      try container.encode(1)
    }
  }

  @Test func encodersThatMisbehave() throws {
    #expect(try encodedByCodable([Silent()]) == [[:]])
    #expect(throws: EncodingError.self) { try encodedByCodable(Confused(twice: true)) }
    #expect(throws: EncodingError.self) { try encodedByCodable([Confused(twice: false)]) }
    #expect(throws: CancellationError.self) { try encodedByCodable(Swallowing()) }
  }

  @Test func aDecoderThatIsKeptReadsNothing() throws {
    struct Keeping: Decodable, @unchecked Sendable {
      let decoder: any Decoder
      init(from decoder: any Decoder) { self.decoder = decoder }
    }
    let kept = try decodedByCodable(["a": 1], as: Keeping.self)
    #expect(throws: BridgeError.self) { try kept.decoder.container(keyedBy: PlainKey.self) }
  }

  @Test func endsOfArrays() throws {
    struct Two: Decodable, Sendable {
      init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        _ = try container.decode(Int.self)
        _ = try container.decode(Int.self)
      }
    }
    _ = try decodedByCodable([1, 2], as: Two.self)
    #expect(throws: ConversionError(.mismatch, byteOffset: 0)) { try decodedByCodable([1], as: Two.self) }
  }
}
