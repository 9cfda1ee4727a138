/// A number of milliseconds in JavaScript; fractions of one are kept.
extension Duration: BridgeCodable {
  public static var bridgeSchema: BridgeSchema { BridgeSchema(.duration) }

  private static let attosecondsPerMillisecond = 1e15

  public static func decode(from reader: inout ValueReader) throws(ConversionError) -> Duration {
    let milliseconds = try Double.decode(from: &reader)
    guard milliseconds.isFinite else { throw reader.error(.mismatch, bytesBack: 16) }
    guard milliseconds.magnitude <= Double.largestSafeInteger else { throw reader.error(.outOfRange, bytesBack: 16) }
    let whole = milliseconds.rounded(.towardZero)
    let rest = (milliseconds - whole) * attosecondsPerMillisecond
    return .milliseconds(Int64(whole)) + Duration(secondsComponent: 0, attosecondsComponent: Int64(rest))
  }

  public func encode(into writer: inout ValueWriter) {
    let (seconds, attoseconds) = components
    (Double(seconds) * 1000 + Double(attoseconds) / Self.attosecondsPerMillisecond).encode(into: &writer)
  }
}

extension Double {
  /// JavaScript's `Number.MAX_SAFE_INTEGER`, 2^53 − 1.
  @usableFromInline static let largestSafeInteger = 9_007_199_254_740_991.0
}
