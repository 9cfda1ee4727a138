import Testing

@testable import TrestleCore

/// One wrong argument and what JavaScript is told of it, by native code and by the encoder in JavaScript alike.
struct MessageCase: Sendable, CustomTestStringConvertible {
  let schema: TypeSchema
  /// The value in JavaScript, as an expression.
  let script: String
  /// The same on the wire.
  let value: ScriptValue
  /// What follows `Files.read, argument 1 `.
  let words: String

  init(_ schema: TypeSchema, _ script: String, _ value: ScriptValue, _ words: String) {
    (self.schema, self.script, self.value, self.words) = (schema, script, value, words)
  }

  var testDescription: String { "\(script): \(words)" }
}

private let encoding = TypeSchema.enumeration(name: "Encoding", allowed: [.string("utf8"), .string("latin1")])
private let options = TypeSchema.record(RecordShape("Options") { [.init("encoding", Encoding.self)] })
private let long = String(repeating: "x", count: 41)

/// The parameter is named `it`.
let messageTable: [MessageCase] = [
  // What is expected
  .init(.bool, "1", 1, "'it': expected boolean, got number 1"),
  .init(.number, "'1'", "1", "'it': expected number, got string \"1\""),
  .init(.string, "1", 1, "'it': expected string, got number 1"),
  .init(.character, "1", 1, "'it': expected a string of one character, got number 1"),
  .init(.integer(bits: 8, signed: false), "300", 300, "'it': expected an integer from 0 to 255, got number 300"),
  .init(.integer(bits: 8, signed: true), "-129", -129, "'it': expected an integer from -128 to 127, got number -129"),
  .init(.integer(bits: 16, signed: false), "0.5", 0.5, "'it': expected an integer from 0 to 65535, got number 0.5"),
  .init(
    .integer(bits: 32, signed: true), "5n", .bigInt(5),
    "'it': expected an integer from -2147483648 to 2147483647, got bigint 5"),
  .init(.integer(bits: 64, signed: true), "NaN", .number(.nan), "'it': expected a 64-bit integer, got number NaN"),
  .init(
    .integer(bits: 64, signed: false), "-1n", .bigInt(-1), "'it': expected an unsigned 64-bit integer, got bigint -1"),
  .init(.data, "[1]", [1], "'it': expected ArrayBuffer or typed array, got array"),
  .init(
    .numbers(.float64), "new Float32Array(1)", .binary([0, 0, 0, 0], kind: ElementKind.float32.rawValue),
    "'it': expected Float64Array or array of numbers, got Float32Array"),
  .init(.numbers(.float32), "[1, '2']", [1, "2"], "'it[1]': expected number, got string \"2\""),
  .init(.numbers(.uint8), "[256]", [256], "'it[0]': expected an integer from 0 to 255, got number 256"),
  .init(.date, "5", 5, "'it': expected Date, got number 5"),
  .init(.date, "new Date(NaN)", .date(.nan), "'it': expected Date, got invalid Date"),
  .init(.url, "{}", [:], "'it': expected URL string, got object"),
  .init(.duration, "Infinity", .number(.infinity), "'it': expected number of milliseconds, got number Infinity"),
  .init(.array(.string), "'a'", "a", "'it': expected array, got string \"a\""),
  .init(.set(.string), "{}", [:], "'it': expected array or Set, got object"),
  .init(.dictionary(.number), "[]", [], "'it': expected object, got array"),
  .init(Place.typeSchema, "3", 3, "'it': expected Place, got number 3"),
  .init(Shape.typeSchema, "3", 3, "'it': expected Shape, got number 3"),
  .init(encoding, "3", 3, "'it': expected \"utf8\" | \"latin1\", got number 3"),
  .init(encoding, "'utf16'", "utf16", "'it': expected \"utf8\" | \"latin1\", got string \"utf16\""),
  .init(
    .enumeration(name: "Level", allowed: [.number(1), .number(2.5)]), "3", 3, "'it': expected 1 | 2.5, got number 3"),
  .init(.json, "() => 1", .function, "'it': expected JSON value, got function"),
  .init(.callback([]), "1", 1, "'it': expected function, got number 1"),
  // What is there
  .init(.string, "undefined", .undefined, "'it': expected string, got undefined"),
  .init(.string, "null", nil, "'it': expected string, got null"),
  .init(.string, "true", true, "'it': expected string, got boolean true"),
  .init(.string, "-0", .number(-0.0), "'it': expected string, got number -0"),
  .init(.string, "1e21", .number(1e21), "'it': expected string, got number 1e+21"),
  .init(
    .string, "123456789012345680000", .number(1.2345678901234568e20),
    "'it': expected string, got number 123456789012345680000"),
  .init(.string, "1e-7", .number(1e-7), "'it': expected string, got number 1e-7"),
  .init(.string, "0.000001", .number(0.000001), "'it': expected string, got number 0.000001"),
  .init(.string, "-1.5e300", .number(-1.5e300), "'it': expected string, got number -1.5e+300"),
  .init(.string, "2n ** 64n - 1n", .bigUInt(.max), "'it': expected string, got bigint 18446744073709551615"),
  .init(.number, "'x'.repeat(41)", .string(long), "'it': expected number, got string \"\(long.dropLast())…\""),
  .init(.number, "'a\"\\n'", "a\"\n", #"'it': expected number, got string "a\"\n""#),
  .init(
    .number, "'x'.repeat(39) + '😀'", .string("\(long.dropLast(2))😀"),
    "'it': expected number, got string \"\(long.dropLast(2))…\""),
  .init(.number, "'\\ud83d'", .utf16([0xD83D]), "'it': expected number, got string \"\u{FFFD}\""),
  .init(.number, "new ArrayBuffer(1)", .binary([1], kind: nil), "'it': expected number, got ArrayBuffer"),
  .init(.number, "new DataView(new ArrayBuffer(1))", .binary([1], kind: 11), "'it': expected number, got DataView"),
  .init(
    .number, "new Uint8ClampedArray(1)", .binary([1], kind: 10), "'it': expected number, got Uint8ClampedArray"),
  .init(.data, "detached()", .detached, "'it': expected ArrayBuffer or typed array, got detached ArrayBuffer"),
  .init(.number, "new Date(0)", .date(0), "'it': expected number, got Date"),
  .init(
    .number, "new Error('x')", .error(["Error", "x", .undefined, .undefined, [:], .undefined], identity: 0),
    "'it': expected number, got Error"),
  // Where it is
  .init(
    options, "{encoding: 3}", ["encoding": 3], "'it.encoding': expected \"utf8\" | \"latin1\", got number 3"),
  .init(options, "{}", [:], "'it.encoding': expected \"utf8\" | \"latin1\", got undefined"),
  .init(
    .array(options), "[{encoding: 'utf8'}, null]", [["encoding": "utf8"], nil], "'it[1]': expected Options, got null"),
  .init(
    .dictionary(.array(.string)), "{'content-type': ['a', 1]}", ["content-type": ["a", 1]],
    "'it[\"content-type\"][1]': expected string, got number 1"),
  .init(.dictionary(.string), "{'': 1}", ["": 1], "'it[\"\"]': expected string, got number 1"),
  .init(.dictionary(.string), "{$a_1: 1}", ["$a_1": 1], "'it.$a_1': expected string, got number 1"),
  .init(.dictionary(.string), "{'1a': 1}", ["1a": 1], "'it[\"1a\"]': expected string, got number 1"),
  .init(
    Shape.typeSchema, "{type: 'square'}", ["type": "square"],
    "'it.type': expected \"empty\" | \"circle\" | \"pair\", got string \"square\""),
  .init(
    Shape.typeSchema, "{type: 'circle', center: {x: 1, y: 2}}", ["type": "circle", "center": ["x": 1, "y": 2]],
    "'it.radius': expected number, got undefined"),
  .init(
    Shape.typeSchema, "{type: 'pair', first: {type: 'empty'}, second: {type: 'circle', center: 1}}",
    ["type": "pair", "first": ["type": "empty"], "second": ["type": "circle", "center": 1]],
    "'it.second.center': expected Place, got number 1"),
  .init(
    Tree.typeSchema, "{label: 'a', children: [{label: 'b', limit: null}]}",
    ["label": "a", "children": [["label": "b", "limit": nil]]],
    "'it.children[0].limit': expected a 64-bit integer, got null"),
  .init(.optional(.string), "1", 1, "'it': expected string, got number 1"),
  .init(.json, "{a: [1, new Date(0)]}", ["a": [1, .date(0)]], "'it.a[1]': expected JSON value, got Date"),
]
