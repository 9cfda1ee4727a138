import Glibc
import JSEngine
import Testing

/// Scripts that the engine reads where they lie.
@Suite struct BundledScriptTests {
  private func script(_ text: String) -> BundledScript { BundledScript(strdup(text)!) }

  @Test func runsInEitherRealm() async throws {
    try await withContext { context throws in
      try context.evaluate("globalThis.where = 'script'")
      let script = script("(function f() { return typeof where + new Error().stack })")
      for (found, expected) in [
        (try context.evaluate(script, sourceURL: "a.js"), "stringf@a.js:1:"),
        (try context.ownRealm.evaluate(script, sourceURL: "b.js"), "undefinedf@b.js:1:"),
      ] {
        let text = try #require(try JSFunction(found)?.call().string)
        #expect(text.hasPrefix(expected), "\(text)")
      }
    }
  }

  @Test(arguments: ["'\u{2026}'", "("]) func isRefused(_ text: String) async throws {
    try await withContext { context throws in
      #expect(throws: JSException.self) { try context.evaluate(self.script(text), sourceURL: "a.js") }
      #expect(try context.evaluate("1 + 1").number == 2)
    }
  }
}
