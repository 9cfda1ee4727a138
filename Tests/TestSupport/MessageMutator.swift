import JSON

/// Messages made worse at random, the same from the same seed.
package struct MessageMutator: RandomNumberGenerator {
  private var state: UInt64
  /// Members that stay what they are, or become no string: what they name is opened and written.
  private let keptNames: Set<String>

  package init(seed: UInt64, keepingNames names: Set<String> = []) {
    // Not the step of `next`: then all seeds would run through one sequence, each a few numbers behind another.
    state = seed &* 0xD134_2543_DE82_EF95 &+ 1
    keptNames = names
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  package mutating func number(below bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }
  package mutating func isOne(in count: Int) -> Bool { number(below: count) == 0 }

  private static let values: [JSONValue] = [
    .null, true, false, 0, 1, 2, 7, -1, .integer(.max), .integer(.min), .unsigned(.max), 0.5, -1.5, 1e308, -1e308, "",
    "a", "\u{0}", "é🎈", "view-id-1", "view-id-3", "(", "drag", "[a-z]*[0-9]", [], [:], [[]], [[[]], [:]], [0, 0],
    [9, 0], [-1, 1], ["a": ["b": []]],
  ]

  package mutating func value() -> JSONValue {
    if isOne(in: 40) { return .string(String(repeating: "long\n", count: 300)) }
    if isOne(in: 80) { return (0..<60).reduce(JSONValue.null) { inner, _ in [inner] } }
    return Self.values[number(below: Self.values.count)]
  }

  private static let numbers: [JSONValue] = [
    0, 1, -1, 2, 7, 4096, .integer(.max), .integer(.max - 1), .integer(.min), .integer(1 << 31), .integer(1 << 53),
    .unsigned(.max), 0.5, 1e308, -1e308,
  ]

  /// One number anywhere in it made another, mostly one at the end of what there is; the rest is as it was.
  package mutating func withOtherNumber(_ value: JSONValue) -> JSONValue {
    let count = value.numberCount
    guard count > 0 else { return mutated(value) }
    var index = number(below: count)
    return value.replacingNumber(&index, by: Self.numbers[number(below: Self.numbers.count)])
  }

  /// One or a few places changed, members left out or added.
  package mutating func mutated(_ value: JSONValue) -> JSONValue {
    switch value {
    case .object(let object) where !isOne(in: 12): mutated(object)
    case .array(let elements) where !isOne(in: 8): mutated(elements)
    default: self.value()
    }
  }

  private mutating func mutated(_ object: JSONObject) -> JSONValue {
    var object = object
    let members = Array(object)
    guard !members.isEmpty, !isOne(in: 10) else {
      object[["x", "id", "params", "method"][number(below: 4)]] = value()
      return .object(object)
    }
    let member = members[number(below: members.count)]
    if isOne(in: 5) {
      object[member.key] = nil
    } else if keptNames.contains(member.key) {
      object[member.key] = [JSONValue.null, 7, [], [:]][number(below: 4)]
    } else {
      object[member.key] = mutated(member.value)
    }
    return .object(object)
  }

  private mutating func mutated(_ elements: [JSONValue]) -> JSONValue {
    var elements = elements
    guard !elements.isEmpty, !isOne(in: 6) else { return .array(elements + [value()]) }
    let index = number(below: elements.count)
    if isOne(in: 4) { elements.remove(at: index) } else { elements[index] = mutated(elements[index]) }
    return .array(elements)
  }

  /// A few bytes of a line turned over, put in or taken out. No newline comes in.
  package mutating func damaged(_ line: [UInt8]) -> [UInt8] {
    var line = line
    for _ in 0...number(below: 3) where !line.isEmpty {
      let index = number(below: line.count)
      switch number(below: 4) {
      case 0: line[index] = UInt8.random(in: 11...255, using: &self)
      case 1: line.insert(UInt8.random(in: 11...255, using: &self), at: index)
      case 2: line.remove(at: index)
      default: line.removeSubrange(index...)
      }
    }
    return line
  }
}

extension JSONValue {
  fileprivate var numberCount: Int {
    switch self {
    case .integer, .unsigned, .number: 1
    case .array(let elements): elements.reduce(0) { $0 + $1.numberCount }
    case .object(let object): object.reduce(0) { $0 + $1.value.numberCount }
    default: 0
    }
  }

  /// - Parameter index: Of the number, counted down on the way to it.
  fileprivate func replacingNumber(_ index: inout Int, by new: JSONValue) -> JSONValue {
    switch self {
    case .integer, .unsigned, .number:
      defer { index -= 1 }
      return index == 0 ? new : self
    case .array(let elements): return .array(elements.map { $0.replacingNumber(&index, by: new) })
    case .object(let object):
      return .object(JSONObject(object.map { ($0.key, $0.value.replacingNumber(&index, by: new)) }))
    default: return self
    }
  }
}
