import EventLoop
import JSEngine
import TestSupport
import Testing
import Trestle
import TrestleModules
import TrestleReactNative

/// A clone is another script's: whatever lies in one, what is read of it is data of the reader's realm, or an error.
@Suite struct ForgedCloneTests {
  typealias Wire = BridgeConfiguration.Wire

  /// What a script is told of a clone, and what else it sees of the reading.
  private static let reader = """
    const tell = globalThis.isForeign;
    delete globalThis.isForeign;
    const { ownKeys, getPrototypeOf, getOwnPropertyDescriptor, defineProperty } = Reflect;
    let heard = 0, foreign = 0, asked = '', isWatching = false;
    const walk = (value) => {
      const seen = new Set(), waiting = { next: null, value };
      for (let link = waiting, last = waiting; link !== null; link = link.next) {
        const { value } = link;
        if ((typeof value !== 'object' || value === null) && typeof value !== 'function' || seen.has(value)) continue;
        seen.add(value);
        const prototype = getPrototypeOf(value);
        if (tell(value)) foreign++;
        const add = (value) => { last = last.next = { __proto__: null, next: null, value }; };
        add(prototype);
        for (const key of ownKeys(value)) {
          const { value: member, get, set } = getOwnPropertyDescriptor(value, key);
          add(member); add(get); add(set);
        }
        if (value instanceof Map) try { value.forEach((value, key) => { add(value); add(key); }); } catch {}
        if (value instanceof Set) try { value.forEach(add); } catch {}
      }
    };
    const worker = new Worker('', { eval: true });
    worker.onmessage = ({ data }) => { isWatching = false; heard++; walk(data); isWatching = true; };
    // Nothing that is inherited is asked.
    for (const prototype of [Object.prototype, Array.prototype, Float64Array.prototype, getPrototypeOf(Float64Array.prototype), Map.prototype, Set.prototype, RegExp.prototype, ArrayBuffer.prototype]) {
      for (const key of ['0', '1', '2', '3', '7', '17', 'undefined', 'constructor', 'length', 'valueOf', 'toString', 'set', 'add', Symbol.iterator, Symbol.species, Symbol.toPrimitive, Symbol.match]) {
        const before = getOwnPropertyDescriptor(prototype, key);
        if (before?.configurable === false) continue;
        defineProperty(prototype, key, {
          configurable: true, set(value) { if (isWatching) asked += `set ${String(key)} `; defineProperty(this, key, { value, writable: true, enumerable: true, configurable: true }); },
          get() { if (isWatching) asked += `get ${String(key)} `; return before?.get !== undefined ? before.get.call(this) : before?.value; },
        });
      }
    }
    isWatching = true;
    """

  private func withReader(
    _ wire: Wire, _ body: (Bridge, Lock<[String]>) async throws -> Void
  ) async throws {
    let errors = Lock<[String]>([])
    var configuration = BridgeConfiguration()
    configuration.wire = wire
    configuration.capabilities = [.files]
    configuration.onError = { error in errors.withLock { $0.append((error as? JavaScriptError)?.name ?? "\(error)") } }
    let bridge = try await Bridge(modules: .workers(), configuration: configuration)
    try await bridge.withContext { context in
      let isForeign = try context.ownRealm.evaluate(
        """
        (value) => {
          try { return value === globalThis || value === Object.prototype || Object.prototype.isPrototypeOf.call(Object.prototype, value); }
          catch { return false; }
        }
        """)
      try context.globalObject.set("isForeign", isForeign)
    }
    try await bridge.evaluate(Self.reader)
    try await body(bridge, errors)
    await bridge.close(within: patience)
  }

  /// Tells the script of clones, as if its worker had posted them, until all have been read.
  /// - Returns: how many came to data.
  private func read(
    _ clones: [ForgedClone], in bridge: Bridge, _ errors: Lock<[String]>
  ) async throws -> Int {
    try await bridge.evaluate("heard = 0")
    errors.withLock { $0 = [] }
    for clone in clones { bridge.emit("message", of: "Workers", MessageWithForgery(message: clone)) }
    await bridge.waitUntilIdle()
    #expect(try await bridge.evaluate("foreign", as: Int.self) == 0)
    #expect(try await bridge.evaluate("isWatching = false, asked", as: String.self) == "")
    try await bridge.evaluate("isWatching = true")
    let heard = try await bridge.evaluate("heard", as: Int.self)
    let failures = errors.withLock { $0 }
    #expect(heard + failures.count == clones.count)
    #expect(failures.allSatisfy { $0 == "DataCloneError" || $0 == "RangeError" }, "\(Set(failures))")
    #expect(try await bridge.evaluate("1 + 1", as: Int.self) == 2)
    return heard
  }

  @Test(arguments: Wire.allCases) func whatIsMalformedIsRefused(wire: Wire) async throws {
    let texts: [JSONValue] = ["constructor", "length", "-5", "Uint8Array", "x"]
    let numbers: [JSONValue] = [
      // Indices that are none.
      [17, "constructor"], [17, "__proto__"], [17, "length"], [17, 0], [17, -1], [17, 0.5], [17, 4_294_967_296],
      [17, .null],
      [17, [0]], [5, "constructor"], [5, "__proto__"], [5, 5], [5, -1], [6, "length"], [15, 0, -1],
      [15, "constructor", -1],
      [15, "push", -1],
      // What breaks off, or goes on behind its end.
      [], [4], [5], [7], [7, 1], [7, 1, 0], [8], [8, 1], [8, 1, 1], [8, 1, 1, 0], [9, 1], [9, 2, 0], [10, 1], [11],
      [12, 0], [13, 0, 0], [14],
      [16, 3, 0], [0, 0], [4, 1, 1],
      [15, 0],
      // Counts that are none.
      [7, "x"], [7, 4_294_967_295], [7, -1], [8, "constructor", 0, 0], [8, -1, 0, 0], [8, 4_294_967_296, 0, 0],
      [8, 1.5, 0, 0],
      [8, 0, 1, 0, 0], [9, 1, 0, 0], [9, .number(1e308)], [10, .null, 0],
      [18], [19, 0], [19, 0, 7, 0, 0],
      // Kinds that are none.
      ["0"], [20], [-1], [0.5], [.null], [true], [[]], ["constructor"],
      // Parts of another type.
      [6, 0], [6, 4], [12, 4, 0], [13, 4, 4, 4, 1, 0, 2], [13, 4, 4, 0, 7, 0, 2], [14, 0], [14, 1], [14, 7, 0],
      [14, 17, 0], [16, 0, 0, 1, 0],
      [16, 3, 0, 1, 7, 0], [16, 3, 0, 1, 17, 0], [16, 3, 0, 1, 8, 1, 0, 0], [8, 1, 0, 1, 1, 4, 5],
      [19, 0, 0, 4, 1, 4, 1], [19, 0, 0, 5, 0, 7, 0], [19, 4, 0, 7, 0, 0], [18, 0, 0, 4, 1],
    ]
    let clones =
      numbers.map { ForgedClone(numbers: .json($0), strings: .json(.array(texts)), buffers: .json([])) }
      + [
        ForgedClone(numbers: .json(.null), strings: .json([]), buffers: .json([])),
        ForgedClone(numbers: .json("17"), strings: .json([]), buffers: .json([])),
        ForgedClone(numbers: .bytes([16, 0, 1, 2], .uint8), strings: .json([]), buffers: .json([])),
        ForgedClone(numbers: .json([0]), strings: .json([1]), buffers: .json([])),
        ForgedClone(numbers: .json([0]), strings: .json(["length": 1]), buffers: .json([])),
        ForgedClone(numbers: .json([0]), strings: .json([]), buffers: .json([[]])),
        ForgedClone(numbers: .json([0]), strings: .json([]), buffers: .json(.null)),
        ForgedClone(numbers: .json([15, 0, -1]), strings: .json([]), buffers: .bytes([1], .uint8)),
        // A view that does not fit its buffer.
        ForgedClone(
          numbers: .json([16, 0, 1, 1, 15, 0, -1]), strings: .json(["Float64Array"]), buffers: .buffers([16])),
        ForgedClone(
          numbers: .json([16, 0, -1, 1, 15, 0, -1]), strings: .json(["Uint8Array"]), buffers: .buffers([16])),
        ForgedClone(
          numbers: .json([16, 0, 0, 9e15, 15, 0, -1]), strings: .json(["Uint8Array"]), buffers: .buffers([16])),
        // Buffers that cannot be resized so.
        ForgedClone(numbers: .json([15, 0, 4]), strings: .json([]), buffers: .buffers([16])),
        ForgedClone(numbers: .json([15, 0, -2]), strings: .json([]), buffers: .buffers([16])),
        ForgedClone(numbers: .json([15, 0, 9e15]), strings: .json([]), buffers: .buffers([16])),
        ForgedClone(numbers: .json([15, 0, "valueOf"]), strings: .json([]), buffers: .buffers([16])),
      ]
    try await withReader(wire) { bridge, errors in
      let heard = try await read(clones, in: bridge, errors)
      #expect(heard == 0)
      #expect(errors.withLock { $0.allSatisfy { $0 == "DataCloneError" } })
    }
  }

  /// Names that mean something elsewhere mean nothing here.
  @Test(arguments: Wire.allCases) func whatIsOddIsData(wire: Wire) async throws {
    let texts: JSONValue = ["__proto__", "constructor", "7", "then"]
    let numbers: [JSONValue] = [
      [7, 1, 0, 7, 0], [7, 1, 1, 17, 0], [8, 0, 0, 1, 0, 17, 0], [8, 4_294_967_295, 0, 0], [8, 1, 0, 1, 2, 1],
      [13, 0, 1, 0, 0, 2],
      [9, 2, 17, 0, 17, 0], [10, 1, 17, 0], [13, 1, 0, 5, 0, 5, 1, 3, 17, 0], [7, 1, 3, 0],
    ]
    let clones = numbers.map { ForgedClone(numbers: .json($0), strings: .json(texts), buffers: .json([])) }
    try await withReader(wire) { bridge, errors in
      let heard = try await read(clones, in: bridge, errors)
      #expect(heard == clones.count)
    }
  }

  /// Depth beyond the stack is an error, and takes no longer than the clone is long, as do counts that all claim what is left.
  @Test(arguments: Wire.allCases) func whatIsDeepOrClaimsMuchEnds(wire: Wire) async throws {
    let deep = Array([[8.0, 1, 1]].joined()) + Array((0..<200_000).map { _ in [8.0, 1, 1] }.joined())
    let greedy = (0..<200_000).flatMap { left in [10.0, Double(2 * (200_000 - left) - 2)] }
    let clones = [deep, greedy].map { ForgedClone(numbers: .doubles($0), strings: .json([]), buffers: .json([])) }
    try await withReader(wire) { bridge, errors in
      let heard = try await read(clones, in: bridge, errors)
      #expect(heard == 0)
    }
  }

  @Test(arguments: Wire.allCases, [1, 2, 3]) func atRandom(wire: Wire, seed: UInt64) async throws {
    var forger = Forger(seed: seed)
    let clones = (0..<1000).map { _ in forger.clone() }
    try await withReader(wire) { bridge, errors in
      let heard = try await read(clones, in: bridge, errors)
      // Else it would test nothing but the first number.
      #expect(heard > 20 && errors.withLock { $0.count } > 100, "\(heard)")
    }
  }

  /// What the writer asks may be a proxy of an array, which answers anything.
  @Test(arguments: ["'constructor'", "-1", "0.5", "2 ** 32", "({ valueOf: () => 1 })", "[1]", "undefined"])
  func aLengthThatIsNoneIsNotSent(_ length: String) async throws {
    let proxy = "new Proxy([], { get: (_, key) => key === 'length' ? \(length) : 17 })"
    let shown = try await ModuleBridge.logged(
      "(() => { try { return structuredClone(\(proxy)); } catch (error) { return error.name + ': ' + error.message; } })()"
    )
    #expect(shown == "DataCloneError: an array without a length cannot be cloned")
  }
}

/// One list of a clone, which need not be one.
private enum ForgedList: BridgeEncodable, Sendable {
  case json(JSONValue)
  case doubles([Double])
  case bytes([UInt8], ElementKind)
  /// So many bytes each.
  case buffers([Int])

  static var bridgeSchema: BridgeSchema { BridgeSchema(.codable(name: "any")) }

  func encode(into writer: inout ValueWriter) throws {
    switch self {
    case .json(let value): try value.encode(into: &writer)
    case .doubles(let values): writer.append(bytes: values.withUnsafeBytes { Array($0) }, elements: .float64)
    case .bytes(let bytes, let kind): writer.append(bytes: bytes, elements: kind)
    case .buffers(let counts):
      writer.append(.array, low: UInt32(counts.count))
      for count in counts { writer.append(bytes: [UInt8](repeating: 7, count: count)) }
    }
  }
}

private struct ForgedClone: BridgeEncodable, Sendable {
  var numbers: ForgedList
  var strings: ForgedList
  var buffers: ForgedList

  static var bridgeSchema: BridgeSchema { BridgeSchema(.codable(name: "any")) }

  func encode(into writer: inout ValueWriter) throws {
    writer.append(.object, low: 3)
    for (name, list) in [("numbers", numbers), ("strings", strings), ("buffers", buffers)] {
      writer.append(name)
      try list.encode(into: &writer)
    }
  }
}

/// What native code tells of a message of worker 1.
private struct MessageWithForgery: BridgeEncodable, Sendable {
  var message: ForgedClone

  static var bridgeSchema: BridgeSchema { BridgeSchema(.codable(name: "any")) }

  func encode(into writer: inout ValueWriter) throws {
    writer.append(.object, low: 2)
    writer.append("worker")
    1.encode(into: &writer)
    writer.append("message")
    try message.encode(into: &writer)
  }
}

/// Clones that begin as right ones, in which some numbers are changed, left out or put in.
private struct Forger {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// SplitMix64.
  private mutating func below(_ count: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
    return Int((word ^ word >> 31) % UInt64(count))
  }

  private mutating func any<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

  private static let texts: [JSONValue] = [
    "constructor", "__proto__", "length", "0", "1", "-7", "Uint8Array", "DataView", "TypeError", "Error", "prototype",
    "toString", "then", "",
    "(", "g", "valueOf", "4294967294",
  ]
  private static let odd: [JSONValue] = [
    -1, 0.5, 2_147_483_648, 4_294_967_295, 4_294_967_296, 9_007_199_254_740_992, .number(1e308), .null, true,
    "constructor", "__proto__",
    "length", "0", [], [17, "constructor"], ["length": 1], -0.0,
  ]

  /// A right value.
  private mutating func value(_ depth: Int, into numbers: inout [JSONValue]) {
    let count = depth > 3 ? 0 : below(4)
    let kind = below(20)
    numbers.append(JSONValue(kind))
    func text(_ forger: inout Forger) -> JSONValue { JSONValue(forger.below(Self.texts.count)) }
    func values(_ forger: inout Forger, _ count: Int) {
      for _ in 0..<count { forger.value(depth + 1, into: &numbers) }
    }
    func members(_ forger: inout Forger, _ count: Int) {
      numbers.append(JSONValue(count))
      for _ in 0..<count {
        numbers.append(text(&forger))
        values(&forger, 1)
      }
    }
    switch kind {
    case 4, 11: numbers.append(JSONValue(below(1000)))
    case 5: numbers.append(text(&self))
    case 6: numbers.append(5)
    case 7: members(&self, count)
    case 8:
      numbers += [JSONValue(count), JSONValue(count)]
      values(&self, count)
      members(&self, below(2))
    case 9:
      numbers.append(JSONValue(2 * count))
      values(&self, 2 * count)
    case 10:
      numbers.append(JSONValue(count))
      values(&self, count)
    case 12: numbers += [text(&self), 15]
    case 13:
      numbers += [text(&self), text(&self), 0, 5, text(&self), 3]
      values(&self, 1)
    case 14: numbers += [4, 1]
    case 15: numbers += [JSONValue(below(2)), JSONValue(below(20) - 1)]
    case 16: numbers += [6, JSONValue(below(4)), JSONValue(below(4)), 15, JSONValue(below(2)), -1]
    case 17: numbers.append(JSONValue(below(4)))
    case 18: numbers += [text(&self), text(&self), 5, text(&self)]
    case 19: numbers += [text(&self), JSONValue(below(2)), 5, text(&self), 4, 7]
    default: break
    }
  }

  mutating func clone() -> ForgedClone {
    var numbers: [JSONValue] = []
    value(0, into: &numbers)
    for _ in 0..<below(3) {
      let place = below(numbers.count)
      switch below(6) {
      case 0: numbers[place] = any(Self.odd)
      case 1: numbers[place] = JSONValue(below(21))
      case 2: numbers.insert(any(Self.odd), at: place)
      case 3 where numbers.count > 1: numbers.remove(at: place)
      case 4 where place > 0: numbers.removeSubrange(place...)
      default: numbers.append(numbers[place])
      }
    }
    var strings = Self.texts
    if below(10) == 0 { strings[below(strings.count)] = any(Self.odd) }
    return ForgedClone(
      numbers: .json(.array(numbers)), strings: .json(.array(strings)),
      buffers: below(10) == 0 ? .json([any(Self.odd)]) : .buffers([8, 16]))
  }
}
