import JSON

extension TypeSchema {
  /// What conversion errors say was expected. JavaScript's encoder is given the same text.
  package var expectedDescription: String {
    switch self {
    case .void: "undefined"
    case .bool: "boolean"
    case .integer(let bits, let signed): Self.integerDescription(bits: bits, signed: signed)
    case .number: "number"
    case .string: "string"
    case .character: "a string of one character"
    case .data: "ArrayBuffer or typed array"
    case .numbers(let kind): "\(kind.constructorName) or array of numbers"
    case .date: "Date"
    case .url: "URL string"
    case .decimal: "decimal number as a string"
    case .duration: "number of milliseconds"
    case .optional(let wrapped): wrapped.expectedDescription
    case .array: "array"
    case .set: "array or Set"
    case .dictionary: "object"
    case .record(let shape): shape.name
    case .enumeration(let name, let allowed):
      allowed.isEmpty ? name : allowed.map(\.description).joined(separator: " | ")
    case .union(let shape): shape.name
    case .json: "JSON value"
    case .codable(let name): name
    case .callback, .function: "function"
    case .scriptObject: "object"
    case .stream, .sequence: "iterable"
    case .shared(let shared): shared.name
    }
  }

  private static func integerDescription(bits: Int, signed: Bool) -> String {
    guard bits <= 53 else { return signed ? "a \(bits)-bit integer" : "an unsigned \(bits)-bit integer" }
    let smallest = signed ? -(1 << (bits - 1)) : 0
    let largest = (1 << (signed ? bits - 1 : bits)) - 1
    return "an integer from \(smallest) to \(largest)"
  }
}

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
