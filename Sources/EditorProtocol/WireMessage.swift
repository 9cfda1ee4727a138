import JSON

/// Messages of one direction, or what else is of one kind or another by a name. A new one is a case, a blank of it among the `kinds`, its
/// expression in `kind(over:)`, and a row in `PROTOCOL.md`.
protocol WireMessage: Sendable {
  /// What a reader hands over to the wire: a blank of each kind, by its name.
  static var kinds: [String: Self] { get }
  /// Each kind in one expression: its name, and what passes over the wire.
  func kind(over wire: inout Wire) throws(ProtocolError) -> (name: String, message: Self)
}

extension Wire {
  static func write(_ message: some WireMessage) -> (method: String, params: JSONValue) {
    var wire = Wire.writing
    let name = try? message.kind(over: &wire).name
    return (name ?? "", wire.json)
  }

  static func read<T: WireMessage>(_ method: String, _ params: JSONValue) throws(ProtocolError) -> T {
    guard let blank = T.kinds[method] else { throw ProtocolError(.unknownMethod, method: method) }
    var wire = Wire(reading: params, of: method)
    return try blank.kind(over: &wire).message
  }

  /// Some kinds may have a name in common.
  static func kinds<T: WireMessage>(_ blanks: [T]) -> [String: T] {
    Dictionary(blanks.map { (write($0).method, $0) }) { first, _ in first }
  }
}
