/// An error that JavaScript threw, as Swift sees it.
public struct JavaScriptError: Error, Sendable {
  public var name: String
  public var message: String
  public var code: String?
  public var stack: String?
}

extension JavaScriptError: BridgeDecodable {
  public static var bridgeSchema: TypeSchema { .json }

  public static func decode(from reader: inout ValueReader) throws(ConversionError) -> JavaScriptError {
    let (tag, _) = try reader.header()
    guard tag == Tag.error.rawValue else { throw reader.error(.mismatch) }
    let name = try String?.decode(from: &reader)
    let message = try String?.decode(from: &reader)
    let code = try String?.decode(from: &reader)
    let stack = try String?.decode(from: &reader)
    try reader.skip()
    try reader.skip()
    return JavaScriptError(name: name ?? "Error", message: message ?? "", code: code, stack: stack)
  }
}
