import JSON
import Testing

@Suite struct JSONReaderTests {
  @Test func readsEveryKind() throws {
    let value = try JSONValue(parsing: #" {"a": [1, -2, 2.5, true, false, null, "x"], "b": {}, "c": []} "#)
    #expect(value == ["a": [1, -2, 2.5, true, false, .null, "x"], "b": [:], "c": []])
    #expect(value.object?.keys == ["a", "b", "c"])
  }

  @Test(arguments: [
    ("9223372036854775807", JSONValue.integer(.max)), ("-9223372036854775808", .integer(.min)),
    ("18446744073709551615", .unsigned(.max)), ("9223372036854775808", .unsigned(1 << 63)),
    ("18446744073709551616", .number(0x1p64)),
    ("-9223372036854775809", .number(-0x1p63)),
    ("0", 0), ("-0", .number(-0.0)), ("1.0", 1.0), ("1E2", 100.0), ("-1.5e-3", -0.0015),
    ("5e-324", .number(.leastNonzeroMagnitude)),
    ("1.7976931348623157e308", .number(.greatestFiniteMagnitude)), ("0.1", 0.1), ("1e-999", 0.0),
  ])
  func readsNumbers(text: String, expected: JSONValue) throws {
    let value = try JSONValue(parsing: text)
    #expect(value == expected)
    #expect(value.double?.sign == expected.double?.sign)
  }

  @Test(arguments: [
    (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t"), (#""\u0041\u00e9\u4e2D""#, "Aé中"), (#""\ud83d\ude00""#, "😀"),
    (#""a long run of plain text \n and then some""#, "a long run of plain text \n and then some"),
    ("\"é😀\u{7f}\"", "é😀\u{7f}"), (#""\u0000""#, "\0"),
    // Lone surrogates
    (#""\ud83d""#, "\u{FFFD}"), (#""\ude00""#, "\u{FFFD}"), (#""\ud83dx""#, "\u{FFFD}x"),
    (#""\ud83d\n""#, "\u{FFFD}\n"),
    (#""\ud83d\u0041""#, "\u{FFFD}A"), (#""\ud83d\ud83d\ude00""#, "\u{FFFD}😀"),
  ])
  func readsStrings(text: String, expected: String) throws {
    #expect(try JSONValue(parsing: text) == .string(expected))
  }

  @Test(arguments: [
    ("", JSONError.Code.unexpectedEnd, 0), (" ", .unexpectedEnd, 1), ("[1", .unexpectedEnd, 2),
    ("[1,", .unexpectedEnd, 3),
    ("[1,]", .unexpectedByte, 3), ("[1 2]", .unexpectedByte, 3), ("{", .unexpectedEnd, 1),
    ("{\"a\"}", .unexpectedByte, 4),
    ("{\"a\":1,}", .unexpectedByte, 7), ("{1:2}", .unexpectedByte, 1), ("nul", .unexpectedEnd, 3),
    ("nulL", .unexpectedByte, 3), ("1 2", .trailingContent, 2), ("'a'", .unexpectedByte, 0),
    ("\u{FEFF}1", .unexpectedByte, 0),
    ("01", .invalidNumber, 0), ("-", .unexpectedEnd, 1), ("-a", .invalidNumber, 1), ("1.", .unexpectedEnd, 2),
    ("1.e5", .invalidNumber, 2), ("1e+", .unexpectedEnd, 3), ("+1", .unexpectedByte, 0), (".5", .unexpectedByte, 0),
    ("1e999", .numberOutOfRange, 0), ("NaN", .unexpectedByte, 0), ("\"a", .unexpectedEnd, 2),
    ("\"\\x\"", .invalidEscape, 1),
    ("\"\\u12g4\"", .invalidEscape, 1), ("\"\\u12", .unexpectedEnd, 5), ("\"a\nb\"", .controlCharacter, 2),
    ("\"\\", .unexpectedEnd, 2), ("]", .unexpectedByte, 0),
  ])
  func refuses(text: String, code: JSONError.Code, byteOffset: Int) {
    #expect(throws: JSONError(code, atByteOffset: byteOffset)) { try JSONValue(parsing: text) }
  }

  @Test(arguments: [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82]] as [[UInt8]])
  func refusesInvalidUTF8(bytes: [UInt8]) {
    #expect(throws: JSONError(.invalidUTF8, atByteOffset: 1)) {
      try JSONValue(parsing: Array("[\"".utf8) + bytes + Array("\"]".utf8))
    }
    #expect(throws: JSONError(.invalidUTF8, atByteOffset: 0)) {
      try JSONValue(parsing: Array("\"\\n".utf8) + bytes + Array("\"".utf8))
    }
  }

  @Test func limitsDepth() throws {
    let nested = { (depth: Int) in String(repeating: "[", count: depth) + String(repeating: "]", count: depth) }
    #expect(try JSONValue(parsing: nested(512)) != .null)
    #expect(throws: JSONError(.tooDeep, atByteOffset: 512)) { try JSONValue(parsing: nested(513)) }
    #expect(throws: JSONError(.tooDeep, atByteOffset: 2)) { try JSONValue(parsing: "[[{}]]", depthLimit: 2) }
    #expect(try JSONValue(parsing: "[[],[],{}]", depthLimit: 2) == [[], [], [:]])
  }

  @Test func valuesAreCounted() throws {
    let bytes = Array(#"{"a":[1,{"b":2}],"c":"x"}"#.utf8)
    #expect(try JSONValue(parsing: bytes, valueLimit: 6) == ["a": [1, ["b": 2]], "c": "x"])
    #expect(throws: JSONError(.tooManyValues, atByteOffset: 21)) { try JSONValue(parsing: bytes, valueLimit: 5) }
  }

  @Test func lastOfEqualNamesStands() throws {
    let value = try JSONValue(parsing: #"{"a":1,"b":2,"a":3}"#)
    #expect(value.object.map(Array.init) == [.init(key: "a", value: 3), .init(key: "b", value: 2)])
  }

  @Test func readsFromACollectionThatIsNotContiguous() throws {
    #expect(try JSONValue(parsing: "][1]".utf8.reversed().reversed().dropFirst()) == [1])
  }

  @Test func elementsAreHandedOver() throws {
    var handed: [JSONValue] = []
    let text = #"{"a": {"b": 1}, "list": [1, {"list": [2]}, "x"], "other": {"list": [3]}}"#
    let rest = try JSONValue(parsing: text, handing: "list") { handed.append($0) }
    #expect(handed == [1, ["list": [2]], "x"])
    #expect(rest == ["a": ["b": 1], "list": .null, "other": ["list": [3]]])
    for text in [#"{"list": []}"#, #"{"list": 1}"#, "[]"] {
      #expect(throws: Never.self) {
        _ = try JSONValue(parsing: text, handing: "list") { _ in Issue.record("none is there") }
      }
    }
    #expect(throws: JSONError.self) { try JSONValue(parsing: #"{"list": [1, }"#, handing: "list") { _ in } }
  }
}
