import Foundation
import TestSupport
import Testing

/// What `import Trestle` gives to programs of other packages: all that the guide and the examples use, and nothing of the engine.
@Suite(.offThePool) struct OutsideTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  @Test(arguments: [
    "Tests/GuideTests/GuideModule.swift", "examples/greeter/Main.swift", "examples/hosted-loop/Main.swift",
    "examples/notebook/Notebook.swift", "examples/react-native/Library.swift",
  ])
  func theSourcesOfTheGuideCompileInAnotherPackage(path: String) throws {
    let source = try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
    let compilation = try Compilation(of: source)
    #expect(compilation.errors.isEmpty, "\(compilation.output)")
  }

  @Test func theEngineTheLoopAndTheWireAreInNobodysNamespace() throws {
    let source = """
      import Trestle
      func use(_ context: JSContext) {}  // error: cannot find type 'JSContext'
      func use(_ value: JSValue) {}  // error: cannot find type 'JSValue'
      func use(_ loop: Loop) {}  // error: cannot find type 'Loop'
      func use(_ tag: Tag) {}  // error: cannot find type 'Tag'
      func use(_ values: SideValues) {}  // error: cannot find type 'SideValues'
      func use(_ writer: JSONWriter) {}  // error: cannot find type 'JSONWriter'
      """
    let compilation = try Compilation(of: source)
    let expectations = Compilation.expectations(in: source)
    #expect(compilation.errors.map(\.line) == expectations.map(\.line), "\(compilation.output)")
    for (error, expected) in zip(compilation.errors, expectations) { #expect(error.text.contains(expected.text)) }
  }

  @Test func whatABridgeSpeaksOfNeedsNoFurtherImport() throws {
    let compilation = try Compilation(
      of: """
        import Trestle
        func run(_ bridge: Bridge, _ json: JSONValue) async throws -> Int? {
          var limits = ExecutionLimits(time: .seconds(1))
          limits.isInterruptible = true
          try await bridge.setLimits(limits)
          do { try await bridge.evaluate("for (;;) {}") } catch let error as BridgeError
            where error.exceeded == .time { print(error.message) }
          let number = try await bridge.withContext { try $0.evaluate("6 * 7").number }
          let object: JSONObject = ["text": "x", "number": 3]
          for member in object { print(member.key, member.value.string ?? "") }
          return json["number"]?.int ?? number.map { Int($0) }
        }
        """)
    #expect(compilation.errors.isEmpty, "\(compilation.output)")
  }

  @Test func theEngineIsThereForThoseWhoImportIt() throws {
    let compilation = try Compilation(
      of: """
        import EventLoop
        import JSEngine
        import Trestle
        func sum(_ context: JSContext) throws -> Double? { try context.evaluate("1 + 2").number }
        func run(_ bridge: Bridge) async throws -> Double? { try await bridge.withContext(sum) }
        func loop(of bridge: Bridge) -> Loop { bridge.loop }
        """)
    #expect(compilation.errors.isEmpty, "\(compilation.output)")
  }
}
