import Testing
import Trestle
import TrestleTesting

@testable import TrestleCore

/// Records and unions, read from the wire and written to it.
struct RecordTests {
  @Test func readsMembersInOrderOfTheShape() throws {
    let row = try read(Row.self) { words in
      words.append(.record, Row.recordShape.id)
      words.append(number: 7)
      words.append(.null)
      words.append(.undefined)
      words.append(number: 9)
      words.append(.bool, 1)
    }
    #expect(row == Row(id: 7, name: nil, tags: ["none"], flag: true))
  }

  @Test func readsMembersByName() throws {
    let row = try read(Row.self) { words in
      words.append(.object, 4)
      words.append("flag")
      words.append(.bool, 1)
      words.append("unknown")
      words.append(number: 1)
      words.append("id")
      words.append(number: 7)
      words.append("name")
      words.append("a")
    }
    #expect(row == Row(id: 7, name: "a", tags: ["none"], flag: true))
  }

  @Test func missingMemberWithoutInitialValueIsAnError() {
    #expect(throws: ConversionError.self) { try read(Row.self) { $0.append(.object, 0) } }
  }

  @Test func writesMembersInOrderOfTheShape() throws {
    var writer = ValueWriter()
    try Row(id: 7, name: nil, tags: []).encode(into: &writer)
    let tags = writer.bytes.bindMemory(to: UInt32.self)
    #expect(tags[0] == TrestleCore.Tag.record.rawValue)
    #expect(tags[1] == Row.recordShape.id)
    #expect(writer.bytes.load(fromByteOffset: 16, as: Double.self) == 7)
    #expect(tags[6] == TrestleCore.Tag.null.rawValue)
    #expect(tags[8] == TrestleCore.Tag.array.rawValue)
    #expect(writer.bytes.load(fromByteOffset: 48, as: Double.self) == 2)
    #expect(tags[14] == TrestleCore.Tag.bool.rawValue)
    #expect(writer.bytes.count == 64)
  }

  @Test func shapeTellsWhatMayBeLeftOut() {
    #expect(Row.recordShape.members.map(\.name) == ["id", "name", "tags", "version", "flag"])
    #expect(Row.recordShape.members.map(\.isOptional) == [false, true, true, true, true])
    #expect(Row.recordShape.members[0].documentation == "Its key.")
    #expect(Tree.recordShape.members[0].schema == .array(.record(Tree.recordShape)))
  }

  @Test func readsCasesOfAUnion() throws {
    let moved = try read(Change.self) { words in
      words.append(.object, 2)
      words.append("x")
      words.append(number: 4)
      words.append("type")
      words.append("moved")
    }
    #expect(moved == .moved(x: 4, y: 1))
    let nested = try read(Change.self) { words in
      words.append(.object, 2)
      words.append("type")
      words.append("undone")
      words.append("value")
      words.append(.object, 1)
      words.append("type")
      words.append("cleared")
    }
    #expect(nested == .undone(.cleared))
  }

  @Test func unknownCaseIsAnError() {
    #expect(throws: ConversionError.self) {
      try read(Change.self) { words in
        words.append(.object, 1)
        words.append("type")
        words.append("other")
      }
    }
  }

  @Test func membersMayBeCodable() {
    #expect(Mixed.recordShape.members.map(\.schema) == [.codable(name: "Plain"), .codable(name: "Array<Plain>")])
  }

  @Test func rawValuesAreMembersOfRecords() async throws {
    let alarms = StandaloneModule(Alarms.self)
    let alarm: JavaScriptValue = ["level": "HIGH", "history": ["low"], "code": 2]
    #expect(try await alarms.call("echo", alarm) == alarm)
    #expect(try await alarms.call("echo", alarm, as: Alarm.self) == Alarm(level: .high, history: [.low], code: .two))
    #expect(
      try await alarms.call("echo", ["level": "low", "history": []]) == ["level": "low", "history": [], "code": nil])
    let words = try await withTestBridge(.definitions([Alarms.moduleDefinition])) { test in
      let mistakes =
        "{level: 'none', history: []}, {level: 'low', history: ['low', 1]}, {level: 'low', history: [], code: 3}"
      return try await test.bridge.evaluate(
        """
        Promise.all([\(mistakes)].map(async alarm => NativeModules.Alarms.echo(alarm)).map(
          echo => echo.then(() => 'accepted', error => error.message)))
        """, as: [String].self)
    }
    #expect(
      words == [
        #"Alarms.echo, argument 1 'alarm.level': expected "low" | "HIGH", got string "none""#,
        #"Alarms.echo, argument 1 'alarm.history[1]': expected "low" | "HIGH", got number 1"#,
        "Alarms.echo, argument 1 'alarm.code': expected 1 | 2, got number 3",
      ])
  }

  private func read<Value: BridgeDecodable>(_: Value.Type, _ write: (inout Words) -> Void) throws -> Value {
    var words = Words()
    write(&words)
    return try words.slots.withUnsafeBytes { bytes in
      let start = try #require(bytes.baseAddress)
      let sideValues = SideValues()
      var reader = ValueReader(start: start, end: start + bytes.count, sideValues: sideValues)
      let value = try Value.decode(from: &reader)
      let isAtEnd = reader.isAtEnd
      #expect(isAtEnd)
      return value
    }
  }
}

@Record public struct Row: Equatable {
  /// Its key.
  public var id: Int64
  var name: String?
  var tags: [String] = ["none"]
  let version = 2
  fileprivate var flag = false
  var twice: Int64 { id * 2 }
  static let none = 0
}

@Record struct Tree {
  var branches: [Tree]
  init() { branches = [] }
}

@Record enum Change: Equatable {
  case moved(x: Int, y: Int = 1)
  indirect case undone(Change)
  case cleared
}

struct Plain: Codable { var name: String }

@Record struct Mixed {
  var one: Plain
  let many: [Plain]
}

@Record enum Level: String { case low, high = "HIGH" }

@Record enum Code: Int { case one = 1, two }

@Record struct Alarm: Equatable {
  var level: Level
  var history: [Level]
  var code: Code?
}

@NativeModule(isLinked: false) private struct Alarms {
  @Exported func echo(_ alarm: Alarm) -> Alarm { alarm }
}

/// What JavaScript writes.
private struct Words {
  var slots: [UInt64] = []

  mutating func append(_ tag: TrestleCore.Tag, _ low: UInt32 = 0) {
    slots.append(UInt64(tag.rawValue) | UInt64(low) << 32)
  }

  mutating func append(number: Double) {
    append(.number)
    slots.append(number.bitPattern)
  }

  mutating func append(_ string: String) {
    append(.string, UInt32(string.utf8.count))
    var bytes = Array(string.utf8)
    while !bytes.count.isMultiple(of: 8) { bytes.append(0) }
    for start in stride(from: 0, to: bytes.count, by: 8) {
      slots.append(bytes[start..<start + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) })
    }
  }
}
