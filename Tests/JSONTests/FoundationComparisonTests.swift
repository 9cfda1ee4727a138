import Foundation
import JSON
import Testing

/// Random values and damaged texts, the same in every run, read and written by both sides.
@Suite struct FoundationComparisonTests {
  @Test(arguments: 0..<20)
  func foundationReadsWhatWeWrite(seed: UInt64) throws {
    var random = RandomValues(seed: seed)
    for _ in 0..<100 {
      let value: JSONValue = [random.value(depth: 4)]
      let data = Data(value.description.utf8)
      #expect(try JSONValue(parsing: data) == value)
      let theirs = try JSONSerialization.jsonObject(with: data)
      #expect(JSONValue(foundation: theirs).resembles(value))
    }
  }

  @Test(arguments: 0..<20)
  func weReadWhatFoundationWrites(seed: UInt64) throws {
    var random = RandomValues(seed: seed)
    for _ in 0..<50 {
      let value: JSONValue = [random.value(depth: 4)]
      let options: JSONSerialization.WritingOptions = Bool.random(using: &random.generator) ? [.prettyPrinted] : []
      let data = try JSONSerialization.data(withJSONObject: value.foundation, options: options)
      let theirs = try JSONSerialization.jsonObject(with: data)
      #expect(try JSONValue(parsing: data).resembles(JSONValue(foundation: theirs)))
    }
  }

  /// Damaged texts are accepted by both readers or by none; except lone surrogates, which only we accept, and a comma at
  /// the end of an array, which only Foundation does.
  @Test(arguments: 0..<20)
  func readersAgreeOnDamagedTexts(seed: UInt64) {
    var random = RandomValues(seed: seed)
    for _ in 0..<200 {
      var bytes = Array(JSONValue.array([random.value(depth: 3)]).description.utf8)
      for _ in 0..<Int.random(in: 1...3, using: &random.generator) { random.damage(&bytes) }
      let ours = try? JSONValue(parsing: bytes)
      let theirs = (try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed))
        .map(JSONValue.init(foundation:))
      if String(decoding: bytes, as: UTF8.self).contains(",]") { continue }
      if theirs != nil || !bytes.contains(UInt8(ascii: "\\")) {
        #expect((ours == nil) == (theirs == nil), "\(String(decoding: bytes, as: UTF8.self))")
      }
      if let ours, let again = try? JSONValue(parsing: ours.description) { #expect(again == ours) }
    }
  }
}

struct RandomValues {
  var generator: SplitMix64

  init(seed: UInt64) { generator = SplitMix64(state: seed) }

  mutating func value(depth: Int) -> JSONValue {
    switch Int.random(in: 0..<(depth > 0 ? 9 : 7), using: &generator) {
    case 0: return .null
    case 1: return .bool(Bool.random(using: &generator))
    case 2:
      return JSONValue(
        Int64.random(in: .min ... .max, using: &generator) >> Int64.random(in: 0..<64, using: &generator))
    case 3: return JSONValue(UInt64.random(in: 0 ... .max, using: &generator))
    case 4: return .number(double())
    case 5, 6: return .string(string())
    case 7: return .array((0..<Int.random(in: 0..<5, using: &generator)).map { _ in value(depth: depth - 1) })
    default:
      let keys = (0..<Int.random(in: 0..<20, using: &generator)).map { _ in string() }
      return .object(JSONObject(keys.map { ($0, value(depth: depth - 1)) }))
    }
  }

  private mutating func double() -> Double {
    let value = Double(bitPattern: UInt64.random(in: 0 ... .max, using: &generator))
    return value.isFinite ? value : Double.random(in: -1...1, using: &generator)
  }

  private mutating func string() -> String {
    let ranges: [ClosedRange<UInt32>] = [
      0...0x1F, 0x20...0x7E, 0x20...0x7E, 0x7F...0x7FF, 0x800...0xD7FF, 0xE000...0x10FFFF,
    ]
    var text = ""
    for _ in 0..<Int.random(in: 0..<24, using: &generator) {
      let range = ranges[Int.random(in: 0..<ranges.count, using: &generator)]
      if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &generator)) { text.unicodeScalars.append(scalar) }
    }
    return text
  }

  mutating func damage(_ bytes: inout [UInt8]) {
    guard !bytes.isEmpty else { return }
    let position = Int.random(in: 0..<bytes.count, using: &generator)
    let pieces = Array("[]{}:,\"\\0e.-tnu \u{1}é".utf8)
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: bytes.remove(at: position)
    case 1: bytes[position] = pieces[Int.random(in: 0..<pieces.count, using: &generator)]
    case 2: bytes.insert(pieces[Int.random(in: 0..<pieces.count, using: &generator)], at: position)
    default: bytes.removeLast(bytes.count - position)
    }
  }
}

struct SplitMix64: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

extension JSONValue {
  fileprivate init(foundation value: Any) {
    switch value {
    case is NSNull: self = .null
    case let value as String: self = .string(value)
    case let value as [Any]: self = .array(value.map(JSONValue.init(foundation:)))
    case let value as [String: Any]: self = .object(JSONObject(value.map { ($0, JSONValue(foundation: $1)) }))
    case let value as NSNumber: self.init(foundation: value)
    default: self = .null
    }
  }

  private init(foundation number: NSNumber) {
    switch String(cString: number.objCType) {
    case "c": self = .bool(number.boolValue)
    case "d", "f": self = .number(number.doubleValue)
    case "Q": self = JSONValue(number.uint64Value)
    default: self = .integer(number.int64Value)
    }
  }

  /// Equality, but that doubles may differ in their last digits: Foundation does not round them correctly.
  fileprivate func resembles(_ other: JSONValue) -> Bool {
    switch (self, other) {
    case (.array(let left), .array(let right)):
      return left.count == right.count && zip(left, right).allSatisfy { $0.resembles($1) }
    case (.object(let left), .object(let right)):
      return left.count == right.count && left.allSatisfy { right[$0.key]?.resembles($0.value) == true }
    case (.number, _), (_, .number):
      guard let left = double, let right = other.double else { return false }
      return abs(left - right) <= 1e-14 * max(abs(left), abs(right))
    default: return self == other
    }
  }

  fileprivate var foundation: Any {
    switch self {
    case .null: NSNull()
    case .bool(let value): value
    case .integer(let value): value
    case .unsigned(let value): value
    case .number(let value): value
    case .string(let value): value
    case .array(let elements): elements.map(\.foundation)
    case .object(let members):
      Dictionary(members.map { ($0.key, $0.value.foundation) }, uniquingKeysWith: { $1 })
    }
  }
}
