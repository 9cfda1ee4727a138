import CJavaScriptCore

extension JSContext {
  public func bigInt(_ integer: Int64) throws(JSException) -> JSValue {
    try value { JSBigIntCreateWithInt64($0, integer, $1) }
  }

  public func bigInt(_ integer: UInt64) throws(JSException) -> JSValue {
    try value { JSBigIntCreateWithUInt64($0, integer, $1) }
  }

  /// `BigInt(decimal)`, of any size.
  public func bigInt(decimal: String) throws(JSException) -> JSValue {
    try value { context, exception in withJSString(decimal) { JSBigIntCreateWithString(context, $0, exception) } }
  }
}

extension JSValue {
  /// The integer, if this is a BigInt in range.
  public final func int64() throws(JSException) -> Int64? {
    guard kind == .bigInt else { return nil }
    let integer = try context.perform { JSValueToInt64($0, reference, $1) }
    return try isEqual(to: context.bigInt(integer)) ? integer : nil
  }

  /// The integer, if this is a BigInt in range.
  public final func uint64() throws(JSException) -> UInt64? {
    guard kind == .bigInt else { return nil }
    let integer = try context.perform { JSValueToUInt64($0, reference, $1) }
    return try isEqual(to: context.bigInt(integer)) ? integer : nil
  }
}
