import JSON

extension TypeSchema.JSONLiteral: CustomStringConvertible {
  /// As JavaScript writes it.
  public var description: String {
    switch self {
    case .string(let string): JSONValue.string(string).description
    case .number(let number): number.scriptDescription
    }
  }
}

extension Double {
  /// What JavaScript's `String(number)` gives (ECMA-262, Number::toString): the same digits as Swift's, placed otherwise.
  /// But −0 keeps its sign.
  var scriptDescription: String {
    guard isFinite else { return isNaN ? "NaN" : self < 0 ? "-Infinity" : "Infinity" }
    if self == 0 { return sign == .minus ? "-0" : "0" }
    let (digits, pointPosition) = decimalDigits
    return (self < 0 ? "-" : "") + Self.place(digits, pointPosition: pointPosition)
  }

  /// The shortest digits that name this number, and how many of them stand before the point.
  private var decimalDigits: (digits: String, pointPosition: Int) {
    let parts = magnitude.description.split(separator: "e")
    let mantissa = parts[0].split(separator: ".", omittingEmptySubsequences: false)
    let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    let all = mantissa.joined()
    let leadingZeros = all.prefix { $0 == "0" }.count
    let significant = all.dropFirst(leadingZeros)
    let trailingZeros = significant.reversed().prefix { $0 == "0" }.count
    return (String(significant.dropLast(trailingZeros)), mantissa[0].count + exponent - leadingZeros)
  }

  private static func place(_ digits: String, pointPosition: Int) -> String {
    switch pointPosition {
    case digits.count...21: return digits + String(repeating: "0", count: pointPosition - digits.count)
    case 1...21: return "\(digits.prefix(pointPosition)).\(digits.dropFirst(pointPosition))"
    case -5...0: return "0." + String(repeating: "0", count: -pointPosition) + digits
    default:
      let fraction = digits.count > 1 ? ".\(digits.dropFirst())" : ""
      let exponent = pointPosition - 1
      return "\(digits.prefix(1))\(fraction)e\(exponent < 0 ? "-" : "+")\(exponent.magnitude)"
    }
  }
}
