import CSQLite
import EventLoop
import Trestle

/// A value of a database's.
enum SQLValue: Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
}

extension SQLValue: BridgeCodable {
  static var bridgeSchema: BridgeSchema { BridgeSchema(.codable(name: "any")) }

  /// Whole numbers that are exact are integers there, others are real.
  static func decode(from reader: inout ValueReader) throws(ConversionError) -> SQLValue {
    switch reader.peekTag().flatMap(Tag.init(rawValue:)) {
    case .null?, .undefined?, nil:
      _ = try reader.header()
      return .null
    case .number?:
      let number = try Double.decode(from: &reader)
      guard number.magnitude <= 0x1p53 - 1, let integer = Int64(exactly: number), integer != 0 || number.sign == .plus
      else { return .real(number) }
      return .integer(integer)
    case .bigInt?, .bigUInt?: return .integer(try Int64.decode(from: &reader))
    case .binary?: return .blob(try reader.binary())
    default: return .text(try String.decode(from: &reader))
    }
  }

  func encode(into writer: inout ValueWriter) {
    switch self {
    case .null: writer.append(.null)
    case .integer(let integer): integer.encode(into: &writer)
    case .real(let number): number.encode(into: &writer)
    case .text(let text): writer.append(text)
    case .blob(let bytes): writer.append(bytes: bytes, elements: .uint8)
    }
  }
}

/// The values for the parameters of a statement: in their order, or by name.
struct SQLParameters: BridgeDecodable, Sendable {
  var values: [SQLValue] = []
  /// As many as values where they have names.
  var names: [String]?

  static var bridgeSchema: BridgeSchema { BridgeSchema(.codable(name: "any")) }

  /// An array of an array of names, or null, and one of values.
  static func decode(from reader: inout ValueReader) throws(ConversionError) -> SQLParameters {
    let (tag, count) = try reader.header()
    guard tag == Tag.array.rawValue, count == 2 else { throw reader.error(.mismatch) }
    let names = try [String]?.decode(from: &reader)
    let values = try [SQLValue].decode(from: &reader)
    guard names == nil || names?.count == values.count else { throw reader.error(.malformed) }
    return SQLParameters(values: values, names: names)
  }
}

/// Rows for JavaScript, already as they cross: an array of the columns' names, and one of all their values.
final class SQLRows: BridgeEncodable, @unchecked Sendable {  // filled by one thread, then handed over
  private let names: [String]
  private var content = ValueWriter()
  private var valueCount = 0
  private(set) var rowCount = 0
  /// How many bytes the values take, in round figures.
  private(set) var byteCount = 0

  static var bridgeSchema: BridgeSchema { BridgeSchema(.codable(name: "any")) }

  init(names: [String] = []) { self.names = names }

  func append(_ value: SQLValue) {
    value.encode(into: &content)
    valueCount += 1
    byteCount += 16
    switch value {
    case .text(let text): byteCount += text.utf8.count
    case .blob(let bytes): byteCount += bytes.count
    default: break
    }
  }

  func endRow() { rowCount += 1 }

  func encode(into writer: inout ValueWriter) throws {
    writer.append(.array, low: 3)
    rowCount.encode(into: &writer)
    try names.encode(into: &writer)
    writer.append(.array, low: UInt32(truncatingIfNeeded: valueCount))
    writer.append(contentsOf: content)
  }
}

/// What a statement has changed.
struct SQLChanges: BridgeEncodable, Sendable {
  let changes: Int64
  let lastInsertRowid: Int64

  static var bridgeSchema: BridgeSchema { BridgeSchema(.codable(name: "any")) }

  func encode(into writer: inout ValueWriter) throws {
    writer.append(.array, low: 2)
    changes.encode(into: &writer)
    lastInsertRowid.encode(into: &writer)
  }
}
