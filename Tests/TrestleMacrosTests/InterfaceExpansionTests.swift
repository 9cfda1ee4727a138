import Testing

/// The code that `@JSInterface` writes.
struct InterfaceExpansionTests {
  @Test func writesAProxy() {
    let expansion = Expansion(
      of: """
        /// What a plugin does.
        @JSInterface public protocol Plugin: Sendable {
          /// Makes it better.
          func transform(_ page: Page, with script: [String: Int]?) async throws -> Page
          func close() async throws
          func log(_ text: String)
        }
        """)
    #expect(expansion.mistakes == [])
    #expect(
      expansion.contains(
        """
        public struct PluginProxy: Plugin, ScriptProxy {
          public static let _interface = _Expansion.ScriptInterface("Plugin", documentation: "What a plugin does.") {
            [
              .init("transform", [.argument("page", Page.self), .argument("script", [String: Int]?.self)], result: Page.self, documentation: "Makes it better."),
              .init("close", [], isAwaited: true),
              .init("log", [.argument("text", String.self)], isAwaited: false),
            ]
          }
          private let script: _Expansion.ScriptModule
          public init(_ script: _Expansion.ScriptModule) { self.script = script }
          public func transform(_ page: Page, with script: [String: Int]?) async throws -> Page {
            try await self.script.call("transform", _Expansion.argument(page), _Expansion.argument(script), as: Page.self)
          }
          public func close() async throws {
            _ = try await self.script.call("close", as: Undefined.self)
          }
          public func log(_ text: String) {
            self.script.invoke("log", _Expansion.argument(text))
          }
          private enum _TypeChecks: _Expansion.TypeChecks {
            @available(*, unavailable, message: "'Page' cannot go to JavaScript: mark it '@Record', or make it 'Encodable & Sendable'") @discardableResult static func toJavaScript(_: Page.Type) -> _Expansion.Refusal<0> { .init() }
            @available(*, unavailable, message: "'Page' cannot come from JavaScript: mark it '@Record', or make it 'Decodable & Sendable'") @discardableResult static func fromJavaScript(_: Page.Type) -> _Expansion.Refusal<1> { .init() }
            static func check() {
              #sourceLocation(file: "Sample.swift", line: 4)
              toJavaScript(Page.self)
              #sourceLocation(file: "Sample.swift", line: 4)
              fromJavaScript(Page.self)
              #sourceLocation()
            }
          }
        }
        """), "\(expansion.text)")
  }

  @Test func makesFunctionsAsyncThrows() {
    let expansion = Expansion(of: "@JSInterface protocol Plugin { func size(_ page: Page) -> Int }")
    #expect(expansion.mistakes.last == "fix: (_ page: Page) async throws -> Int", "\(expansion.mistakes)")
  }

  @Test func staysAsHiddenAsItsProtocol() {
    let expansion = Expansion(of: "@JSInterface fileprivate protocol Plugin { func log() }")
    #expect(expansion.contains("fileprivate struct PluginProxy: Plugin, ScriptProxy {"))
    #expect(expansion.contains("static let _interface = _Expansion.ScriptInterface(\"Plugin\") {"))
    #expect(!expansion.text.contains("fileprivate static"))
  }
}
