extension Bool: BridgeCodable {
  public static var bridgeSchema: BridgeSchema { BridgeSchema(.bool) }

  @inlinable @inline(__always)
  public static func decode(from reader: inout ValueReader) throws(ConversionError) -> Bool {
    let (tag, low) = try reader.header()
    guard tag == Tag.bool.rawValue else { throw reader.error(.mismatch) }
    return low != 0
  }

  @inlinable
  public func encode(into writer: inout ValueWriter) { writer.append(.bool, low: self ? 1 : 0) }
}

extension Double: BridgeCodable {
  public static var bridgeSchema: BridgeSchema { BridgeSchema(.number) }

  @inlinable @inline(__always)
  public static func decode(from reader: inout ValueReader) throws(ConversionError) -> Double {
    let (tag, _) = try reader.header()
    guard tag == Tag.number.rawValue else { throw reader.error(.mismatch) }
    return try reader.slot(Double.self)
  }

  @inlinable
  public func encode(into writer: inout ValueWriter) { writer.append(.number, slot: self.bitPattern) }
}

extension Float: BridgeCodable {
  public static var bridgeSchema: BridgeSchema { BridgeSchema(.number) }

  @inlinable
  public static func decode(from reader: inout ValueReader) throws(ConversionError) -> Float {
    Float(try Double.decode(from: &reader))
  }

  @inlinable
  public func encode(into writer: inout ValueWriter) { Double(self).encode(into: &writer) }
}

/// Every width of integer: a number must be whole and in range; widths above 53 bits also take a BigInt, and give one
/// where a number would not be exact.
extension BridgeDecodable where Self: FixedWidthInteger {
  @inlinable
  public static func decode(from reader: inout ValueReader) throws(ConversionError) -> Self {
    let (tag, _) = try reader.header()
    switch tag {
    case Tag.number.rawValue:
      let number = try reader.slot(Double.self)
      // Within these bounds the conversion cannot trap; comparing back is faster than the generic `init(exactly:)`.
      if number.magnitude < 0x1p63 {
        let integer = Int64(number)
        if Double(integer) == number, let value = Self(exactly: integer) { return value }
      } else if let value = Self(exactly: number) {
        return value
      }
      throw reader.error(number.rounded() == number ? .outOfRange : .mismatch, bytesBack: 16)
    case Tag.bigInt.rawValue where Self.bitWidth > 53:
      guard let value = Self(exactly: try reader.slot(Int64.self)) else {
        throw reader.error(.outOfRange, bytesBack: 16)
      }
      return value
    case Tag.bigUInt.rawValue where Self.bitWidth > 53:
      guard let value = Self(exactly: try reader.slot(UInt64.self)) else {
        throw reader.error(.outOfRange, bytesBack: 16)
      }
      return value
    default: throw reader.error(.mismatch)
    }
  }
}

extension BridgeEncodable where Self: FixedWidthInteger {
  @inlinable
  public func encode(into writer: inout ValueWriter) {
    if let number = Double(exactly: self), number.magnitude <= 9_007_199_254_740_991 {
      number.encode(into: &writer)
    } else if let value = Int64(exactly: self) {
      writer.append(.bigInt, slot: UInt64(bitPattern: value))
    } else {
      writer.append(.bigUInt, slot: UInt64(truncatingIfNeeded: self))
    }
  }
}

extension BridgeTyped where Self: FixedWidthInteger {
  public static var bridgeSchema: BridgeSchema { BridgeSchema(.integer(bits: bitWidth, signed: isSigned)) }
}

extension Int: BridgeCodable {}
extension Int8: BridgeCodable {}
extension Int16: BridgeCodable {}
extension Int32: BridgeCodable {}
extension Int64: BridgeCodable {}
extension UInt: BridgeCodable {}
extension UInt8: BridgeCodable {}
extension UInt16: BridgeCodable {}
extension UInt32: BridgeCodable {}
extension UInt64: BridgeCodable {}
