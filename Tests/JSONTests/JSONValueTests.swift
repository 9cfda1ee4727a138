import JSON
import Testing

@Suite struct JSONValueTests {
  @Test func writesCompactText() {
    let value: JSONValue = ["a": [1, -2, 2.5, true, .null], "b": ["c": "é\n\"\\\u{1}\u{1f}"], "d": [:], "e": []]
    #expect(value.description == #"{"a":[1,-2,2.5,true,null],"b":{"c":"é\n\"\\\u0001\u001f"},"d":{},"e":[]}"#)
  }

  @Test(arguments: [
    (JSONValue(UInt64.max), "18446744073709551615"), (.integer(.min), "-9223372036854775808"), (1.0, "1.0"),
    (.number(-0.0), "-0.0"), (.number(.nan), "null"), (.number(-.infinity), "null"), (.number(1e300), "1e+300"),
    (.string("\u{8}\u{c}\r\t\u{7f}/"), "\"\\b\\f\\r\\t\u{7f}/\""),
  ])
  func writesScalars(value: JSONValue, expected: String) {
    #expect(value.description == expected)
  }

  @Test func writesPieceByPiece() {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("n")
    writer.write(7)
    writer.key("list")
    writer.beginArray()
    writer.write("x")
    writer.write([1, [:]] as JSONValue)
    writer.writeNull()
    writer.endArray()
    writer.key("text")
    Array("a\"b".utf8).withUnsafeBufferPointer { writer.write(utf8: $0) }
    writer.endObject()
    writer.endLine()
    writer.write(true)
    #expect(
      String(decoding: writer.bytes, as: UTF8.self) == #"{"n":7,"list":["x",[1,{}],null],"text":"a\"b"}"# + "\ntrue")
    writer.removeAll()
    writer.write(false)
    #expect(String(decoding: writer.bytes, as: UTF8.self) == "false")
  }

  @Test func writesEveryNumberOfDigits() {
    var power: UInt64 = 1
    for _ in 0..<20 {
      for number in [power - 1, power, power + 1] {
        #expect(JSONValue(number).description == "\(number)")
        if let signed = Int64(exactly: number) { #expect(JSONValue(-signed).description == "\(-signed)") }
      }
      power = power.multipliedReportingOverflow(by: 10).partialValue
    }
  }

  @Test func integersChooseTheirCase() {
    #expect(JSONValue(UInt64(5)) == .integer(5))
    #expect(JSONValue(UInt64.max) == .unsigned(.max))
    #expect(JSONValue(Int128.max) == .number(Double(Int128.max)))
  }

  @Test func accessorsAnswerForTheirOwnTypeOnly() {
    let value: JSONValue = ["i": 7, "d": 2.5, "w": 2.0, "s": "x", "b": true, "a": [10, 20], "n": .null]
    #expect(value["i"]?.int == 7 && value["i"]?.double == 7 && value["i"]?.string == nil)
    #expect(value["d"]?.int == nil && value["d"]?.double == 2.5 && value["w"]?.int == 2)
    #expect(value["b"]?.bool == true && value["b"]?.int == nil && value["s"]?.string == "x")
    #expect(value["a"]?[1] == 20 && value["a"]?[2] == nil && value["a"]?["x"] == nil && value["a"]?.array?.count == 2)
    #expect(value["n"]?.isNull == true && value["missing"] == nil && value[0] == nil)
    #expect(JSONValue(UInt64.max).int == nil && JSONValue(UInt64.max).uint64 == .max && JSONValue(-1).uint64 == nil)
  }

  /// Below, at and above the count at which objects begin to hash their keys.
  @Test(arguments: [1, 15, 16, 17, 18, 40])
  func objectsKeepOrderAndFindMembers(count: Int) {
    let keys = (0..<count).map { "key \($0)" }
    var object = JSONObject(keys.map { ($0, JSONValue($0)) })
    object[keys[0]] = "changed"
    #expect(object.keys == keys && object[keys[0]] == "changed")
    #expect(keys.dropFirst().allSatisfy { object[$0] == .string($0) } && object["other"] == nil)
    #expect(object == JSONObject(object.reversed().map { ($0.key, $0.value) }))
    #expect(object.hashValue == JSONObject(object.reversed().map { ($0.key, $0.value) }).hashValue)
    object[keys[count / 2]] = nil
    #expect(object.count == count - 1 && object[keys[count / 2]] == nil)
    #expect(object.keys.allSatisfy { object[$0] != nil })
  }
}
