import JSON

/// Messages of one direction, or what else is of one kind or another by a name. A new one is a case, a blank of it among the `kinds`, its
/// expression in `kind(over:)`, and a row in `PROTOCOL.md`.
protocol WireMessage: Sendable {
  /// What a reader hands over to the wire: a blank of each kind, by its name.
  static var kinds: [String: Self] { get }
  /// Each kind in one expression: its name, and what passes over the wire.
  func kind(over wire: inout Wire) throws(ProtocolError) -> (name: String, message: Self)
}

extension WireMessage {
  func writeParams(to writer: inout JSONWriter) {
    Wire.write(to: &writer) { (wire) throws(ProtocolError) in _ = try kind(over: &wire) }
  }
}

/// A message of its own on the wire.
package protocol EncodableMessage: Sendable {
  var method: String { get }
  func encodeParams(to writer: inout JSONWriter)
}

extension EncodableMessage {
  /// The same as values: for what is not sent often.
  package var encoded: (method: String, params: JSONValue) { (method, JSONValue(writtenBy: encodeParams)) }
}

extension Wire {
  static func read<T: WireMessage>(_ method: String, _ params: JSONValue) throws(ProtocolError) -> T {
    guard let blank = T.kinds[method] else { throw ProtocolError(.unknownMethod, method: method) }
    var wire = Wire(reading: params, of: method)
    return try blank.kind(over: &wire).message
  }

  /// Some kinds may have a name in common.
  static func kinds<T: WireMessage>(_ blanks: [T]) -> [String: T] {
    Dictionary(blanks.map { (name(of: $0), $0) }) { first, _ in first }
  }
}
