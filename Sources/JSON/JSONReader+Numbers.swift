extension JSONReader {
  /// Reads a number whose first byte is `-` or a digit.
  mutating func readNumber() throws(JSONError) -> JSONValue {
    let start = offset
    let negative = bytes[offset] == UInt8(ascii: "-")
    if negative { offset &+= 1 }
    let firstDigit = offset
    var magnitude: UInt64 = 0
    let fits = try readDigits(into: &magnitude)
    guard bytes[firstDigit] != UInt8(ascii: "0") || offset == firstDigit + 1 else {
      throw JSONError(.invalidNumber, atByteOffset: start)
    }
    let isWhole = try !readFractionAndExponent()
    // Minus zero is a double: integers have none.
    if isWhole, fits, !(negative && magnitude == 0) {
      if !negative { return JSONValue(magnitude) }
      if magnitude <= Int64.min.magnitude { return .integer(Int64(truncatingIfNeeded: 0 &- magnitude)) }
    }
    return .number(try double(in: start..<offset))
  }

  /// Reads one digit or more; false when they exceed 64 bits.
  private mutating func readDigits(into magnitude: inout UInt64) throws(JSONError) -> Bool {
    var fits = true
    let start = offset
    while offset < bytes.count, case let digit = bytes[offset] &- UInt8(ascii: "0"), digit < 10 {
      let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(UInt64(digit))
      if overflow || carry { fits = false }
      magnitude = sum
      offset &+= 1
    }
    guard offset > start else {
      throw JSONError(offset < bytes.count ? .invalidNumber : .unexpectedEnd, atByteOffset: offset)
    }
    return fits
  }

  private mutating func readFractionAndExponent() throws(JSONError) -> Bool {
    let start = offset
    var ignored: UInt64 = 0
    if offset < bytes.count, bytes[offset] == UInt8(ascii: ".") {
      offset &+= 1
      _ = try readDigits(into: &ignored)
    }
    if offset < bytes.count, bytes[offset] | 0x20 == UInt8(ascii: "e") {
      offset &+= 1
      if offset < bytes.count, bytes[offset] == UInt8(ascii: "+") || bytes[offset] == UInt8(ascii: "-") { offset &+= 1 }
      _ = try readDigits(into: &ignored)
    }
    return offset > start
  }

  private func double(in range: Range<Int>) throws(JSONError) -> Double {
    let text = String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
    guard let value = Double(text) else { throw JSONError(.invalidNumber, atByteOffset: range.lowerBound) }
    guard value.isFinite else { throw JSONError(.numberOutOfRange, atByteOffset: range.lowerBound) }
    return value
  }
}
