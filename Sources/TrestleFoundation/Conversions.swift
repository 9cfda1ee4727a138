public import FoundationEssentials
public import TrestleCore

/// An ArrayBuffer towards JavaScript; from there an ArrayBuffer or any view on one, copied.
extension Data: BridgeCodable {
  public static var bridgeSchema: BridgeSchema { BridgeSchema(.data) }

  public static func decode(from reader: inout ValueReader) throws(ConversionError) -> Data {
    Data(try reader.binary())
  }

  public func encode(into writer: inout ValueWriter) { writer.append(bytes: [UInt8](self)) }
}

/// A JavaScript `Date`, whole milliseconds since 1970.
extension Date: BridgeCodable {
  public static var bridgeSchema: BridgeSchema { BridgeSchema(.date) }

  /// ECMA-262: a time value is at most so many milliseconds from 1970.
  private static let largestTimeValue = 8.64e15

  public static func decode(from reader: inout ValueReader) throws(ConversionError) -> Date {
    Date(timeIntervalSince1970: try reader.date() / 1000)
  }

  public func encode(into writer: inout ValueWriter) throws {
    // A script compares dates by milliseconds: seconds in a double are rarely whole ones.
    let milliseconds = (timeIntervalSince1970 * 1000).rounded()
    guard milliseconds.magnitude <= Self.largestTimeValue else {
      throw BridgeError(.argument, "JavaScript has no date for \(timeIntervalSince1970) seconds since 1970")
    }
    writer.append(.date, slot: milliseconds.bitPattern)
  }
}

/// A string in JavaScript.
extension URL: BridgeCodable {
  public static var bridgeSchema: BridgeSchema { BridgeSchema(.url) }

  public static func decode(from reader: inout ValueReader) throws(ConversionError) -> URL {
    let start = reader.byteOffset
    guard let url = URL(string: try String.decode(from: &reader)) else {
      throw ConversionError(.mismatch, byteOffset: start)
    }
    return url
  }

  public func encode(into writer: inout ValueWriter) { writer.append(absoluteString) }
}

/// A string in JavaScript, whose numbers would not be exact: `"12.5"`.
extension Decimal: BridgeCodable {
  public static var bridgeSchema: BridgeSchema { BridgeSchema(.decimal) }

  private static let mostDigits = 38
  /// Of the text of one, in bytes.
  private static let greatestLength = 64

  public static func decode(from reader: inout ValueReader) throws(ConversionError) -> Decimal {
    let start = reader.byteOffset
    let text = try String.decode(from: &reader)
    // First: to match a text of any length takes time that nothing ends.
    guard text.utf8.count <= greatestLength, isWhole(text), let value = Decimal(string: text) else {
      throw ConversionError(.mismatch, byteOffset: start)
    }
    return value
  }

  /// Whether all of the text is a number, of so many digits that none is lost: Foundation reads as far as it can.
  private static func isWhole(_ text: String) -> Bool {
    guard let match = text.wholeMatch(of: /[-+]?([0-9]+)(?:\.([0-9]+))?(?:[eE][-+]?[0-9]{1,3})?/) else { return false }
    return match.1.count + (match.2?.count ?? 0) <= mostDigits
  }

  public func encode(into writer: inout ValueWriter) throws {
    if isNaN { throw BridgeError(.argument, "a decimal that is no number") }
    writer.append(description)
  }
}

/// Runs when the program or the library is loaded: from then on errors are described by `LocalizedError` too.
@section(".init_array") @used
private let useLocalizedErrors: @convention(c) () -> Void = {
  LocalizedMessages.use { error in (error as? any LocalizedError)?.errorDescription }
}
