import Testing

@testable import TrestleCore

/// What names stand for by a map.
@Suite struct ImportMapTests {
  private static let text = """
    {"imports": {"lib": "./lib/index.js", "lib/": "./lib/", "lib/deep/": "/deep/", "io": "trestle:files", "no": null,
      "./a.js": "./b.js", "up": "../up.js", "url": "file:///with%20space.js"},
     "scopes": {"/app/old/": {"lib": "./old-lib.js"}, "/app/old/one.js": {"lib": "./one-lib.js"}}}
    """

  static let names: [(name: String, referrer: String, target: String?)] = [
    ("lib", "/app/main.js", "/app/lib/index.js"), ("lib/x.js", "/app/main.js", "/app/lib/x.js"),
    ("lib/deep/y.js", "/app/main.js", "/deep/y.js"), ("io", "/app/main.js", "trestle:files"),
    ("no", "/app/main.js", "refused"), ("other", "/app/main.js", nil), ("library", "/app/main.js", nil),
    ("./a.js", "/app/main.js", "/app/b.js"), ("../a.js", "/app/sub/main.js", "/app/b.js"),
    ("./a.js", "/app/sub/main.js", nil), ("/app/a.js", "/x", "/app/b.js"), ("up", "/app/main.js", "/up.js"),
    ("url", "/app/main.js", "/with space.js"), ("lib", "/app/old/main.js", "/app/old-lib.js"),
    ("lib", "/app/old/one.js", "/app/one-lib.js"), ("lib/x.js", "/app/old/one.js", "/app/lib/x.js"),
    ("lib", "/app/older/main.js", "/app/lib/index.js"), ("lib/../../etc", "/app/main.js", "refused"),
    ("", "/app/main.js", nil),
  ]

  @Test(arguments: names) func whatANameStandsFor(name: String, referrer: String, target: String?) throws {
    let map = try ImportMap(Self.text, file: "/app/map.json")
    let found: String? =
      switch map.target(of: name, from: referrer) {
      case .name(let name)?: name
      case .refused?: "refused"
      case nil: nil
      }
    #expect(found == target)
  }

  @Test(arguments: [
    ("{", "not JSON"), ("[]", "the import map is no object"), ("5", "the import map is no object"),
    (#"{"scopes": []}"#, "'scopes' of the import map is no object"), (#"{"imports": []}"#, "'imports'"),
    (#"{"imports": {"a": 1}}"#, "'a' in the import map leads to no text"),
    (#"{"imports": {"a": "b"}}"#, "begins with no './'"), (#"{"imports": {"a/": "./b"}}"#, "does not end in '/'"),
    (#"{"scopes": {"/a": 1}}"#, "'scopes'"),
  ]) func whatIsNoMapIsNamed(text: String, words: String) {
    let error = #expect(throws: BridgeError.self) { try ImportMap(text, file: "/app/map.json") }
    #expect(error?.message.contains(words) == true && error?.place == "/app/map.json", "\(String(describing: error))")
  }

  @Test func aLoaderHasOne() async throws {
    let loader = FileModuleLoader(
      folder: "/app", given: ["/app/lib/index.js": ModuleSource("export default 7")],
      importMap: try ImportMap(Self.text, file: "/app/map.json"))
    try await withBridge([]) {
      $0.moduleLoader = loader
    } _: { bridge, _ in
      let value = try await bridge.importModule("lib").get("default", as: Int.self)
      #expect(value == 7)
      let error = await #expect(throws: JavaScriptError.self) { try await bridge.importModule("no") }
      #expect(error?.message == "no module 'no': the import map refuses it")
    }
  }
}
