import Testing
import Trestle
import TrestleModules

@Suite struct WebTests {
  @Test(arguments: [
    ("Array.from(new TextEncoder().encode('aé€😀'))", "97,195,169,226,130,172,240,159,152,128"),
    ("Array.from(new TextEncoder().encode('\\ud800x\\udc00'))", "239,191,189,120,239,191,189"),
    ("JSON.stringify(new TextEncoder().encodeInto('a€b', new Uint8Array(4)))", #"{"read":2,"written":4}"#),
    ("JSON.stringify(new TextEncoder().encodeInto('a€b', new Uint8Array(3)))", #"{"read":1,"written":1}"#),
    ("new TextDecoder().decode(new Uint8Array([0xEF, 0xBB, 0xBF, 97]))", "a"),
    ("new TextDecoder('utf-8', { ignoreBOM: true }).decode(new Uint8Array([0xEF, 0xBB, 0xBF, 97]))", "\u{FEFF}a"),
    ("new TextDecoder().decode(new Uint8Array([0xF0, 0x9F, 0x98, 97, 0xC0, 0x80]))", "\u{FFFD}a\u{FFFD}\u{FFFD}"),
    ("new TextDecoder().decode(new Uint8Array([0xED, 0xA0, 0x80]))", "\u{FFFD}\u{FFFD}\u{FFFD}"),
    ("new TextDecoder().decode(new Uint8Array([1, 98, 99, 1]).subarray(1, 3))", "bc"),
    ("new TextDecoder().decode(new DataView(new Uint8Array([97, 98]).buffer, 1))", "b"),
    (
      "(() => { try { new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array([255])) } catch (e) { return e.name } })()",
      "TypeError"
    ),
    ("(() => { try { new TextDecoder('latin1') } catch (e) { return e.name } })()", "RangeError"),
  ])
  func text(_ expression: String, _ expected: String) async throws {
    #expect(try await value(of: expression) == expected)
  }

  @Test(arguments: [
    "{ a: [1, , 'x', { b: null }], c: undefined }", "new Map([[{ k: 1 }, new Set([1, [2]])]])", "new Date(5)", "/x/gi",
    "new Uint16Array([1, 2, 3]).subarray(1)", "new Float64Array([0.5])", "new Error('text')",
  ])
  func clones(_ expression: String) async throws {
    let bridge = try await ModuleBridge()
    try await bridge.run("const value = (\(expression)); console.log(structuredClone(value)); console.log(value)")
    let lines = bridge.output.split(separator: "\n")
    #expect(lines.prefix(lines.count / 2) == lines.suffix(lines.count / 2))
    await bridge.bridge.close()
  }

  @Test func clonesKeepIdentityAndCycles() async throws {
    let isKept = """
      (() => {
        const shared = {}, value = { one: shared, two: shared }; value.self = value;
        const copy = structuredClone(value);
        return String(copy !== value && copy.self === copy && copy.one === copy.two && copy.one !== shared);
      })()
      """
    #expect(try await value(of: isKept) == "true")
    #expect(
      try await value(of: "(() => { try { structuredClone({ f() {} }) } catch (e) { return e.message } })()")
        == "structuredClone: a function cannot be cloned")
  }

  private func value(of expression: String) async throws -> String {
    let bridge = try await ModuleBridge()
    let value = try await bridge.bridge.evaluate("String(\(expression))", as: String.self)
    await bridge.bridge.close()
    return value
  }
}
