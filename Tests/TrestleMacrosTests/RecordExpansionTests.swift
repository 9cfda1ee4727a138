import Testing

/// The code that `@Record` writes.
struct RecordExpansionTests {
  @Test func writesConversionOfAStruct() {
    let expansion = Expansion(
      of: """
        /// One row.
        @Record public struct Row {
          /// Its key.
          var id: Int64
          var children: [Row] = []
          let version = 3
          var twice: Int64 { id * 2 }
          static let none = 0
        }
        """)
    #expect(expansion.mistakes == [])
    #expect(
      expansion.text == #"""
        /// One row.
        public struct Row {
          /// Its key.
          var id: Int64
          var children: [Row] = []
          let version = 3
          var twice: Int64 { id * 2 }
          static let none = 0

          public static let recordShape = _Expansion.RecordShape("Row", documentation: "One row.") {
            [
              .init("id", \Row.id, documentation: "Its key."),
              .init("children", \Row.children, hasDefault: true),
              .init("version", \Row.version, hasDefault: true),
            ]
          }

          public static var bridgeSchema: BridgeSchema { ._record(recordShape) }

          public static func decode(from reader: inout ValueReader) throws(ConversionError) -> Row {
            try reader._record(recordShape) { (reader) throws(ConversionError) in try Row(members: &reader) }
          }

          public func encode(into writer: inout ValueWriter) throws {
            writer._record(Self.recordShape)
            try writer._member(self.id)
            try writer._member(self.children)
            try writer._member(self.version)
          }

          private enum _TypeChecks: _Expansion.TypeChecks {
            @available(*, unavailable, message: "'[Row]' cannot cross the bridge: mark 'Row' '@Record', or make it 'Codable & Sendable'") @discardableResult static func bothWays(_: [Row].Type) -> _Expansion.Refusal<0> { .init() }
            static func check() {
              #sourceLocation(file: "Sample.swift", line: 5)
              bothWays([Row].self)
              #sourceLocation()
            }
          }
        }

        extension Row: BridgeDecodable, BridgeEncodable, Sendable {
          private init(members reader: inout ValueReader) throws(ConversionError) {
            self.id = try reader._member()
            try reader._member(into: &self.children)
            try reader._skipMember()
          }
        }
        """#)
  }

  @Test func writesConversionOfAnEnumeration() {
    let expansion = Expansion(
      of: """
        @Record(discriminator: "kind") enum Change {
          case moved(x: Int, y: Int = 0)
          case renamed(String), none
        }
        """)
    #expect(expansion.mistakes == [])
    #expect(
      expansion.contains(
        """
        static let unionShape = _Expansion.UnionShape("Change", discriminator: "kind") {
          [
            .init("moved", [.init("x", Int.self), .init("y", Int.self, hasDefault: true)]),
            .init("renamed", [.init("value", String.self)]),
            .init("none"),
          ]
        }
        """))
    #expect(
      expansion.contains(
        """
        switch name {
        case "moved": return Change.moved(x: try reader._member(), y: try reader._member(default: 0))
        case "renamed": return Change.renamed(try reader._member())
        default: return Change.none
        }
        """))
    #expect(
      expansion.contains(
        """
        case .moved(let payload1, let payload2):
          writer._object(members: 3)
          try writer._member("kind", "moved")
          try writer._member("x", payload1)
          try writer._member("y", payload2)
        """))
  }

  @Test func tellsTheRawValues() {
    let expansion = Expansion(of: "@Record enum Mode: String { case read, `default` = \"other\" }")
    #expect(!expansion.text.contains("func"))
    #expect(
      expansion.contains(
        """
        ._enumeration("Mode", [Mode.read, Mode.`default`])
        """))
    #expect(expansion.contains("extension Mode: BridgeDecodable, BridgeEncodable, Sendable {}"))
  }
}
