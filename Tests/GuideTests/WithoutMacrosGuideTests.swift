import TestSupport
import Testing

/// What `WithoutMacros.md` shows.
@Suite(.offThePool) struct WithoutMacrosGuideTests {
  @Test func withoutMacros() throws {
    let compilation = try Compilation(
      of: #"""
        import TrestleCore

        final class Greeter: Sendable, NativeModule {
          static let moduleDefinition = ModuleDefinition("Greeter", make: { _ in Greeter() }) {
            Member<Greeter>.promise("greet", "name") { (_, name: String) in "Hello, \(name)!" }
            Member<Greeter>.sync("length", "text") { (_, text: String) in text.count }
          }
        }

        func open() async throws -> Bridge {
          let bridge = try await Bridge(modules: .definitions([Greeter.moduleDefinition]))
          return bridge
        }
        """#)
    #expect(compilation.errors.isEmpty, "\(compilation.output)")
  }
}
