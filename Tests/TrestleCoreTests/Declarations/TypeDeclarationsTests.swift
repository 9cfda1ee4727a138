import Testing

@testable import TrestleCore

/// What `tsc` is told of modules.
@Suite struct TypeDeclarationsTests {
  private static let page = RecordShape("Page<Int>", documentation: "A page.") {
    [
      RecordShape.Member("number", Int32.self, documentation: "From 1."), RecordShape.Member("next", Int32?.self),
      RecordShape.Member("mime-type", String.self, hasDefault: true),
    ]
  }

  private static func parameter(_ name: String, _ schema: TypeSchema, hasDefault: Bool = false) -> Parameter {
    Parameter(name: name, schema: schema, hasDefault: hasDefault)
  }

  private static let book = ModuleDefinition(
    "Book", documentation: "A book.\n\nOpen it first. */", make: { _ in Nothing() }
  ) {
    Member<Nothing>.constant("title") { _ in "t" }
    Member<Nothing>._method(
      "turn", .promise,
      [
        parameter("in", .optional(.record(page))), parameter("data", .numbers(.uint8)),
        parameter("bytes", .optional(.data)),
        parameter("speed", .number, hasDefault: true),
      ], result: Int64.self,
      documentation:
        "Turns.\n- Parameter in: where\n- Parameters:\n  - data: what\n  - bytes: more\n- Returns: how far\n- Throws: if torn"
    ) { _ in { (call) throws(ConversionError) in call.complete {} } }
    Member<Nothing>._method(
      "close", .callbacks,
      [.callback("failure", WireTrouble.self), .callback("success", Void.self, isOptional: true)]
    ) { _ in { (call) throws(ConversionError) in call.complete {} } }
    Member<Nothing>.sync("read-aloud") { _ in ["a"] }
    Member<Nothing>.event("turned", [String: Double?].self)
  }

  @Test func aModule() async throws {
    let text = try await withBridge([Self.book, wireSample()]) { bridge, _ in
      try await bridge.typeDeclarations(of: ["Book"])
    }
    let version = try #require(text.firstMatch(of: /@version ([0-9a-f]{16})\n/)).output.1
    #expect(
      text == """
        /**
         * A book.
         *
         * Open it first. *\\/
         * @version \(version)
         */
        interface Book {
          readonly title: string;
          /**
           * Turns.
           * @param in where
           * @param data what
           * @param bytes more
           * @returns how far
           * @throws if torn
           */
          turn(in_: (Page_Int_ | null) | undefined, data: Uint8Array | number[], bytes?: ArrayBuffer | ArrayBufferView | null, speed?: number, callOptions?: CallOptions | AbortSignal): Promise<number>;
          close(failure: (value: Error) => void, success?: () => void): void;
          "read-aloud"(): string[];
          addListener(event: "turned", listener: (value: Record<string, number | null>) => void): Subscription;
        }
        interface NativeModules { readonly Book: Book }

        /** A page. */
        interface Page_Int_ {
          /** From 1. */
          number: number;
          next?: number | null;
          "mime-type"?: string;
        }

        """)
  }

  /// Two types of one name, and one that has the name of a module or of what is there already.
  @Test func namesThatAreTaken() async throws {
    let shapes = ["Item", "Item", "Store", "Date"].map { name in
      RecordShape(name) { [RecordShape.Member("a", Bool.self)] }
    }
    let store = ModuleDefinition("Store", make: { _ in Nothing() }) {
      for shape in shapes {
        Member<Nothing>._method("put\(shape.id)", .void, [Self.parameter("it", .record(shape))]) { _ in
          { (call) throws(ConversionError) in call.complete {} }
        }
      }
    }
    let text = try await withBridge([store]) { bridge, _ in try await bridge.typeDeclarations() }
    for name in ["Item", "Item2", "Store2", "Date2"] {
      #expect(text.contains("(it: \(name)): void;") && text.contains("interface \(name) {"), "\(text)")
    }
  }

  @Test(arguments: Wire.allCases) func scriptsCheckVersions(wire: Wire) async throws {
    func version(_ modules: [ModuleDefinition]) async throws -> String? {
      try await withBridge(modules, wire: wire) { bridge, _ in
        try await bridge.evaluate("trestle.moduleVersion('Book')", as: String?.self)
      }
    }
    func book(_ name: String, documentation: String? = nil, result: Int = 1) -> ModuleDefinition {
      ModuleDefinition("Book", documentation: documentation, make: { _ in Nothing() }) {
        Member<Nothing>.promise(name, "page") { (_, page: Int) in page + result }
      }
    }
    let first = try await version([book("turn")])
    #expect(first?.count == 16)
    // Neither words nor numbers nor what a method does.
    #expect(try await version([book("turn", documentation: "Words.", result: 2), wireSample()]) == first)
    #expect(try await version([ModuleDefinition("Atlas", make: { _ in Nothing() }) {}, book("turn")]) == first)
    #expect(try await version([book("turnTo")]) != first)
    #expect(try await version([wireSample()]) == nil)
    try await withBridge([book("turn")], wire: wire) { bridge, _ in
      try await bridge.evaluate("trestle.requireVersion('Book', trestle.moduleVersion('Book'))")
      let other = await #expect(throws: JavaScriptError.self) {
        try await bridge.evaluate("trestle.requireVersion('Book', '0123')")
      }
      #expect(other?.message == "module 'Book' has version \(first ?? ""), and the script was written for 0123")
      let code = try await bridge.evaluate(
        "(() => { try { trestle.requireVersion('Atlas', '0') } catch (error) { return error.code } })()",
        as: String.self)
      #expect(code == "ERR_NOT_FOUND")
    }
  }
}
