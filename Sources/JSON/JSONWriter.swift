/// Writes compact JSON text as bytes, from values or piece by piece. Commas are put in by the writer; that arrays and
/// objects are closed, and members have keys, is the caller's business.
package struct JSONWriter: Sendable {
  package private(set) var bytes: [UInt8] = []
  private var needsComma = false

  package init() {}

  /// Forgets what was written and keeps the memory.
  package mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    needsComma = false
  }

  /// Ends the text with a newline, so that the next value starts a line of its own.
  package mutating func endLine() {
    bytes.append(UInt8(ascii: "\n"))
    needsComma = false
  }

  package struct Position {
    fileprivate var count: Int
    fileprivate var needsComma: Bool
  }

  package var position: Position { Position(count: bytes.count, needsComma: needsComma) }

  /// Takes back what was written since.
  package mutating func goBack(to position: Position) {
    bytes.removeSubrange(position.count...)
    needsComma = position.needsComma
  }

  package mutating func beginArray() { open(UInt8(ascii: "[")) }
  package mutating func endArray() { close(UInt8(ascii: "]")) }
  package mutating func beginObject() { open(UInt8(ascii: "{")) }
  package mutating func endObject() { close(UInt8(ascii: "}")) }

  /// The name of the member whose value comes next.
  package mutating func key(_ name: String) {
    write(name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  package mutating func write(_ value: JSONValue) {
    switch value {
    case .null: writeNull()
    case .bool(let value): write(value)
    case .integer(let value): write(value)
    case .unsigned(let value): write(value)
    case .number(let value): write(value)
    case .string(let value): write(value)
    case .array(let elements):
      beginArray()
      for element in elements { write(element) }
      endArray()
    case .object(let members): write(members)
    }
  }

  package mutating func write(_ object: JSONObject) {
    beginObject()
    for member in object {
      key(member.key)
      write(member.value)
    }
    endObject()
  }

  package mutating func writeNull() { writeToken("null") }

  package mutating func write(_ value: Bool) { writeToken(value ? "true" : "false") }

  // For two types: another module's call of a generic function takes ten times as long.
  package mutating func write(_ value: Int64) {
    separate()
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    appendDigits(of: value.magnitude)
  }

  package mutating func write(_ value: UInt64) {
    separate()
    appendDigits(of: value)
  }

  package mutating func write(_ value: Int) { write(Int64(value)) }

  /// The shortest text that reads back as the same double; `null` when it is not finite.
  package mutating func write(_ value: Double) {
    guard value.isFinite else { return writeNull() }
    separate()
    bytes.append(contentsOf: value.description.utf8)
  }

  package mutating func write(_ value: String) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    var value = value
    value.withUTF8 { appendEscaped($0) }
    bytes.append(UInt8(ascii: "\""))
  }

  /// A string given as UTF-8, which is not checked.
  package mutating func write(utf8 text: UnsafeBufferPointer<UInt8>) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    appendEscaped(text)
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func writeToken(_ token: StaticString) {
    separate()
    token.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
  }

  private mutating func open(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
    needsComma = false
  }

  private mutating func close(_ bracket: UInt8) {
    bytes.append(bracket)
    needsComma = true
  }

  private mutating func appendDigits(of magnitude: UInt64) {
    var (divisor, rest): (UInt64, UInt64) = (1, magnitude)
    while rest / divisor >= 10 { divisor *= 10 }
    repeat {
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest / divisor))
      rest %= divisor
      divisor /= 10
    } while divisor > 0
  }

  private mutating func appendEscaped(_ text: UnsafeBufferPointer<UInt8>) {
    var offset = 0
    var isASCII = true
    while true {
      let end = endOfPlainRun(in: text, from: offset, isASCII: &isASCII)
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[offset..<end]))
      guard end < text.count else { return }
      appendEscape(of: text[end])
      offset = end + 1
    }
  }

  private mutating func appendEscape(of byte: UInt8) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
    case 0x08: bytes.append(UInt8(ascii: "b"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0C: bytes.append(UInt8(ascii: "f"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    default:
      bytes.append(contentsOf: "u00".utf8)
      for digit in [byte >> 4, byte & 15] {
        bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
      }
    }
  }
}
