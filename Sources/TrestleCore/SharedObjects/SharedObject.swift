/// A Swift object that JavaScript holds as an object of its own: `@SharedObject` writes the conformance.
///
/// It crosses wherever a value does, as an argument, a result, in arrays and records. JavaScript sees one object for it, with
/// its exported methods and properties on the prototype, and passing that back gives the same instance in Swift. The
/// bridge keeps the instance until the script forgets the object or calls `release()` on it, or the bridge closes; a call that
/// runs keeps it too.
public protocol SharedObject: AnyObject, BridgeCodable {
  static var sharedClass: _Expansion.SharedClass { get }

  /// How many bytes it keeps, in round figures; 0 if it does not say. A few words in JavaScript stand for them, so that the collector,
  /// which is told of this number, would come late without it. Counts for `BridgeConfiguration.sharedMemoryLimit`. Read once, on the
  /// JS thread, when JavaScript is first given the object.
  var memoryCost: Int { get }
}

extension SharedObject {
  public var memoryCost: Int { 0 }

  public static var bridgeSchema: BridgeSchema { BridgeSchema(.shared(sharedClass)) }

  public func encode(into writer: inout ValueWriter) { writer.append(self, of: Self.sharedClass) }

  public static func decode(from reader: inout ValueReader) throws(ConversionError) -> Self {
    let (tag, number) = try reader.header()
    guard tag == Tag.shared.rawValue else { throw reader.error(.mismatch) }
    guard let object = reader.sideValues.sharedObject(number) else { throw reader.error(.missing) }
    guard let object = object as? Self else { throw reader.error(.mismatch) }
    return object
  }
}

extension _Expansion {
  /// A shared object as a value: equal to itself alone.
  public struct SharedReference: Sendable, Equatable {
    public let object: any SharedObject
    public init(_ object: any SharedObject) { self.object = object }
    public static func == (one: SharedReference, other: SharedReference) -> Bool { one.object === other.object }
  }
}
