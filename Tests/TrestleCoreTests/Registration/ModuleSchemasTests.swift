import JSON
import Testing

@testable import TrestleCore

/// What tools are told of a bridge's modules.
struct ModuleRegistrationSchemaTests {
  private let module = ModuleDefinition(
    "Shapes", documentation: "Draws.", dependencies: ["Canvas"], fileID: "Tests", line: 3, make: { _ in Nothing() }
  ) {
    Member<Nothing>.constant("limits") { _ in [1.5] }
    Member<Nothing>.promise("draw", "shape", "scale") { (_, shape: Shape, scale: Double?) in [Tree]() }
    Member<Nothing>._method(
      "find", .callbacks, [Parameter("name", Encoding.self), .callback("done", Int64.self)], documentation: "Finds."
    ) { _ in { (call) throws(ConversionError) in call.complete {} } }
    Member<Nothing>.event("drawn", Place.self)
  }

  @Test func modules() async throws {
    let canvas = ModuleDefinition("Canvas", capabilities: [.files], make: { _ in Nothing() }) {}
    let schemas = try await withBridge([module, canvas], { $0.capabilities = [.files] }) { bridge, _ in
      try await bridge.moduleSchemas()
    }
    let expected: JSONValue = [
      "id": 1, "name": "Shapes", "origin": "Tests:3", "documentation": "Draws.", "dependencies": ["Canvas"],
      "capabilities": [], "constants": [["name": "limits", "type": "Float64Array"]],
      "methods": [
        [
          "id": 0, "name": "draw", "kind": "promise",
          "parameters": [
            ["name": "shape", "type": "Shape", "optional": false],
            ["name": "scale", "type": "number | null", "optional": true],
          ], "result": "Tree[]",
        ],
        [
          "id": 1, "name": "find", "kind": "callbacks", "documentation": "Finds.",
          "parameters": [
            ["name": "name", "type": #""utf8" | "latin1""#, "optional": false],
            ["name": "done", "type": "(value: number) => void", "optional": false],
          ], "result": "void",
        ],
      ], "events": [["name": "drawn", "type": "Place", "isMember": false]],
    ]
    var shapes = try #require(schemas["modules"]?[1]?.object)
    #expect(shapes["version"]?.string?.count == 16)
    shapes["version"] = nil
    #expect(.object(shapes) == expected)
    #expect(schemas["modules"]?[0]?["capabilities"] == ["files"])
    #expect(schemas["types"]?.array?.map { $0["name"] } == ["Place", "Shape", "Tree"])
    #expect(schemas["types"]?[1]?["cases"]?[1]?["name"] == "circle")
    #expect(
      schemas["types"]?[2]?["members"]?[2] == ["name": "children", "type": "Tree[]", "optional": true])
  }
}
