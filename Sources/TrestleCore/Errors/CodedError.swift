import JSON

/// An error that says itself how JavaScript sees it. What it leaves out is derived, as for any other error.
public protocol CodedError: Error {
  /// `error.code`. By default `ERR_` and the name of the enumeration's case, or of the type without `Error`.
  var bridgeCode: String { get }
  /// `error.message`.
  var bridgeMessage: String { get }
  /// Further properties of the error object. By default the stored properties, or the case's labelled payload.
  var bridgeProperties: JSONObject { get }
}

extension CodedError {
  public var bridgeCode: String { ErrorCode.derived(from: self) }
  public var bridgeMessage: String { String(describing: self) }
  public var bridgeProperties: JSONObject { [:] }
}
