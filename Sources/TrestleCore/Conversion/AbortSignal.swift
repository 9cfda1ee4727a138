/// An argument of a call to JavaScript: there it is an `AbortSignal`, aborted when the Swift task that waits is cancelled.
///
/// `undefined` on a bridge whose scripts have no `AbortController`, as without the module `Web`.
public struct AbortSignal: BridgeEncodable {
  public init() {}

  public static var bridgeSchema: BridgeSchema { BridgeSchema(.codable(name: "AbortSignal")) }

  public func encode(into writer: inout ValueWriter) { writer.append(.signal) }
}
