import Testing

/// The code that `@SharedObject` writes.
struct SharedObjectExpansionTests {
  @Test func writesWholeClassOfAnActor() {
    let expansion = Expansion(
      of: """
        /// A text.
        @SharedObject("Document")
        public actor TextDocument {
          @Exported let path: String
          /// How many.
          @Exported nonisolated var count: Int { get throws { 1 } }
          @Exported func insert(_ text: String) {}
        }
        """)
    #expect(expansion.mistakes == [])
    #expect(
      expansion.text == """
        /// A text.
        public actor TextDocument {
          let path: String
          /// How many.
          nonisolated var count: Int { get throws { 1 } }
          func insert(_ text: String) {}

          public nonisolated static let sharedClass = _Expansion.SharedClass(
            "Document", of: TextDocument.self, documentation: "A text.",
            fileID: "Sample/Sample.swift", line: 2
          ) {
            Member._method("get path", .sync, result: String.self) { module in
              { (call) throws(ConversionError) in call.answer { module.path } }
            }
            Member._method("get count", .sync, result: Int.self, documentation: "How many.") { module in
              { (call) throws(ConversionError) in call.answer { try module.count } }
            }
            Member._method("insert", .void, [.init("text", String.self)]) { module in
              { (call) throws(ConversionError) in
                let text = try call.next(String.self)
                call.enqueue(on: module) {
                  module.assumeIsolated { module in
                    module.insert(text)
                  }
                }
              }
            }
          }

          public nonisolated let moduleExecutor = _Expansion.ModuleExecutor()

          public nonisolated var unownedExecutor: UnownedSerialExecutor {
            moduleExecutor.asUnownedSerialExecutor()
          }
        }

        extension TextDocument: SharedObject, _Expansion.ModuleActor {}
        """, "\(expansion.text)")
  }

  @Test func tellsWhichPropertiesCanBeAssigned() {
    let expansion = Expansion(
      of: """
        @SharedObject final class Document: Sendable {
          @Exported let path: String
          @Exported var title: String { get { "" } set {} }
          @Exported var size: Int { 1 }
          @Exported private(set) nonisolated(unsafe) var count: Int
          @Exported("draft") nonisolated(unsafe) var isDraft: Bool
        }
        """)
    #expect(expansion.mistakes == [])
    #expect(
      expansion.contains(
        """
        Member._method("set title", .sync, [.init("value", String.self)]) { module in
        { (call) throws(ConversionError) in
        let value = try call.next(String.self)
        call.complete { module.title = value }
        }
        }
        """))
    #expect(expansion.contains("call.complete { module.isDraft = value }"))
    for name in ["path", "size", "count"] { #expect(!expansion.text.contains("\"set \(name)\"")) }
  }
}
