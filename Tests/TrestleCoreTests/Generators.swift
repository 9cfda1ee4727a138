import JSON

@testable import TrestleCore

/// SplitMix64: the same numbers for the same seed, everywhere.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
    return word ^ word >> 31
  }

  mutating func below(_ count: Int) -> Int { Int(next() % UInt64(count)) }
}

/// A type with values at random: small ones, and the ends of their range.
protocol Generated: Sendable, Equatable {
  static func random(_ generator: inout SeededGenerator, size: Int) -> Self
}

extension Generated where Self: FixedWidthInteger {
  static func random(_ generator: inout SeededGenerator, size: Int) -> Self {
    switch generator.below(4) {
    case 0: [.min, .max, 0, 1][generator.below(4)]
    case 1: Self(clamping: generator.below(1000) - 500)
    default: Self(truncatingIfNeeded: generator.next())
    }
  }
}

extension Int: Generated {}
extension Int8: Generated {}
extension UInt16: Generated {}
extension Int64: Generated {}
extension UInt64: Generated {}
extension UInt8: Generated {}

extension Bool: Generated {
  static func random(_ generator: inout SeededGenerator, size: Int) -> Bool { generator.below(2) == 0 }
}

extension Double: Generated {
  static func random(_ generator: inout SeededGenerator, size: Int) -> Double {
    let special = [0, -0.0, .infinity, -.infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 0x1p53, -0x1p53]
    let other = Double(bitPattern: generator.next())
    return generator.below(3) == 0 || other.isNaN ? special[generator.below(special.count)] : other
  }
}

extension String: Generated {
  static func random(_ generator: inout SeededGenerator, size: Int) -> String {
    let alphabets = [Array("abcXYZ \"\\\n\0"), Array("aéß日本😀👨‍👩‍👧e\u{301}")]
    let alphabet = alphabets[generator.below(2)]
    let length = generator.below(20) == 0 ? 1500 : generator.below(20)
    return String((0..<length).map { _ in alphabet[generator.below(alphabet.count)] })
  }
}

extension Optional: Generated where Wrapped: Generated {
  static func random(_ generator: inout SeededGenerator, size: Int) -> Wrapped? {
    generator.below(3) == 0 ? nil : Wrapped.random(&generator, size: size)
  }
}

extension Array: Generated where Element: Generated {
  static func random(_ generator: inout SeededGenerator, size: Int) -> [Element] {
    (0..<generator.below(size + 1)).map { _ in Element.random(&generator, size: size / 2) }
  }
}

extension Dictionary: Generated where Key == String, Value: Generated {
  static func random(_ generator: inout SeededGenerator, size: Int) -> [String: Value] {
    let pairs = [Value].random(&generator, size: size).map { (String.random(&generator, size: size), $0) }
    return Dictionary(pairs) { _, last in last }
  }
}

extension Place: Generated {
  static func random(_ generator: inout SeededGenerator, size: Int) -> Place {
    Place(x: .random(&generator, size: size), y: .random(&generator, size: size), name: .random(&generator, size: size))
  }
}

extension Tree: Generated {
  static func random(_ generator: inout SeededGenerator, size: Int) -> Tree {
    Tree(
      label: .random(&generator, size: size), limit: .random(&generator, size: size),
      children: .random(&generator, size: size))
  }
}

extension Shape: Generated {
  static func random(_ generator: inout SeededGenerator, size: Int) -> Shape {
    switch generator.below(size > 0 ? 3 : 2) {
    case 0: .empty
    case 1: .circle(center: .random(&generator, size: size), radius: .random(&generator, size: size))
    default: .pair(.random(&generator, size: size - 1), .random(&generator, size: size - 1))
    }
  }
}

extension Encoding: Generated {
  static func random(_ generator: inout SeededGenerator, size: Int) -> Encoding {
    [.utf8, .latin1][generator.below(2)]
  }
}

extension JSONValue: Generated {
  static func random(_ generator: inout SeededGenerator, size: Int) -> JSONValue {
    switch generator.below(size > 0 ? 8 : 6) {
    case 0: .null
    case 1: .bool(.random(&generator, size: size))
    case 2: .integer(.random(&generator, size: size))
    case 3: JSONValue(UInt64.random(&generator, size: size))
    case 4: .number(fraction(&generator))
    case 5: .string(.random(&generator, size: size))
    case 6: .array(.random(&generator, size: size))
    default: .object(JSONObject([String: JSONValue].random(&generator, size: size).map { ($0, $1) }))
    }
  }
}

extension JSONValue {
  /// A number that is no integer: whole ones come back as such.
  private static func fraction(_ generator: inout SeededGenerator) -> Double {
    let number = Double.random(&generator, size: 0)
    let isInteger = number == number.rounded() && number.magnitude <= Double.largestSafeInteger
    return isInteger && (number != 0 || number.sign == .plus) ? 0.5 : number
  }
}

/// A plain `Codable` type over all of them.
struct Document: Codable, Generated {
  struct Page: Codable, Generated {
    var title: String
    var sizes: [Double]
    var next: [Page]
    var marks: [String: Bool?]

    static func random(_ generator: inout SeededGenerator, size: Int) -> Page {
      Page(
        title: .random(&generator, size: size), sizes: .random(&generator, size: size),
        next: .random(&generator, size: size), marks: .random(&generator, size: size))
    }
  }
  var id: UInt64
  var pages: [Page]
  var cover: Page?
  var numbers: [Int]
  var bytes: [UInt8]

  static func random(_ generator: inout SeededGenerator, size: Int) -> Document {
    Document(
      id: .random(&generator, size: size), pages: .random(&generator, size: size),
      cover: .random(&generator, size: size), numbers: .random(&generator, size: size),
      bytes: .random(&generator, size: size))
  }
}

extension ScriptValue {
  /// Any value at all.
  static func random(_ generator: inout SeededGenerator, size: Int) -> ScriptValue {
    switch generator.below(size > 0 ? 16 : 12) {
    case 0: .undefined
    case 1: .null
    case 2: .bool(.random(&generator, size: size))
    case 3: .number(.random(&generator, size: size))
    case 4: .number(Double(generator.below(5)))
    case 5: .bigInt(.random(&generator, size: size))
    case 6: .string(.random(&generator, size: size))
    case 7: .utf16((0..<generator.below(6)).map { _ in UInt16(truncatingIfNeeded: generator.next() >> 4) | 0xD800 })
    case 8: .date(.random(&generator, size: size))
    case 9: .binary(.random(&generator, size: size), kind: UInt32(generator.below(15)))
    case 10: generator.below(2) == 0 ? .function : .detached
    case 11: ["empty", "circle", "pair", "utf8"][generator.below(4)]
    case 12: .array((0..<generator.below(size + 1)).map { _ in random(&generator, size: size / 2) })
    case 13: .record(Place.shape, (0..<3).map { _ in random(&generator, size: size / 2) })
    default: .object(members(&generator, size: size))
    }
  }

  private static func members(_ generator: inout SeededGenerator, size: Int) -> [Member] {
    let names = ["x", "y", "name", "type", "center", "radius", "label", "children", "id", "pages", "other key"]
    return (0..<generator.below(size + 2)).map { _ in
      Member(names[generator.below(names.count)], random(&generator, size: size / 2))
    }
  }
}
