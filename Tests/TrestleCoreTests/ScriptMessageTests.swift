import Testing

@testable import TrestleCore

/// The encoder in JavaScript refuses what native code refuses, in the same words.
@Suite struct ScriptMessageTests {
  @Test(arguments: Wire.allCases) func javaScriptSaysTheSameAsNativeCode(wire: Wire) async throws {
    for entry in messageTable {
      let files = ModuleDefinition("Files", make: { _ in Nothing() }) {
        Member<Nothing>._method("read", .promise, [Parameter(name: "it", schema: entry.schema, hasDefault: false)]) {
          _ in
          { (call) throws(ConversionError) in call.complete {} }
        }
      }
      let words = try await withBridge([files], wire: wire) { bridge, _ in
        try await bridge.evaluate(
          """
          function detached() { const buffer = new ArrayBuffer(1); buffer.transfer(); return buffer }
          NativeModules.Files.read(\(entry.script)).then(() => 'accepted', error => error.message)
          """, as: String.self)
      }
      #expect(words == "Files.read, argument 1 \(entry.words)", "\(entry.script)")
    }
  }

  @Test(
    arguments: Wire.allCases,
    [
      ("", "Files.read: expected 1 to 2 arguments, got 0"), ("1, 2, 3", "Files.read: expected 1 to 2 arguments, got 3"),
    ])
  func argumentsAreCountedFirst(wire: Wire, example: (arguments: String, words: String)) async throws {
    let files = ModuleDefinition("Files", make: { _ in Nothing() }) {
      Member<Nothing>.promise("read", "path", "encoding") { (_, path: String, encoding: String?) in path }
    }
    let message = try await withBridge([files], wire: wire) { bridge, _ in
      try await bridge.evaluate(
        "NativeModules.Files.read(\(example.arguments)).catch(error => error.message)", as: String.self)
    }
    #expect(message == example.words)
  }
}
