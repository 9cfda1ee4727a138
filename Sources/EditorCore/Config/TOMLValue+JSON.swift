import JSON
import TOMLKit

extension TOMLValueConvertible {
  /// Dates and times go as strings.
  var json: JSONValue? {
    switch type {
    case .bool: bool.map { .bool($0) }
    case .int: int.map { JSONValue($0) }
    case .double: double.map { .number($0) }
    case .string: string.map { .string($0) }
    case .array: array.map { .array($0.compactMap(\.json)) }
    case .table:
      table.map { table in
        .object(JSONObject(table.keys.sorted().compactMap { key in table[key]?.json.map { (key, $0) } }))
      }
    case .date, .time, .dateTime: .string(debugDescription)
    }
  }
}
