import CJavaScriptCore

// JavaScript strings are UTF-16, Swift strings UTF-8. The loops here are 30 to 200 times as fast as the ways of the
// standard library. An unpaired surrogate becomes U+FFFD on its way to Swift.

/// Makes a string of the engine; the caller releases it. O(n). Of a text that is longer than a string can be, on which the engine aborts,
/// the beginning and an ellipsis.
package func makeJSString(_ string: String, atMost longest: Int = longestString) -> JSStringRef {
  var string = string.utf8.count > longest ? string.beginning(of: longest - 1) + "…" : string
  if string.utf8.count >= shortestNarrowString, string.withUTF8(isNarrow),
    let narrow = string.withCString({ JSStringCreateWithUTF8CString($0) })
  {
    return narrow
  }
  return string.withUTF8 { utf8 in
    withUnsafeTemporaryAllocation(of: UInt16.self, capacity: utf8.count) { units in
      JSStringCreateWithCharacters(units.baseAddress, transcode(utf8, into: units))
    }
  }
}

/// Of UTF-16 code units; a text has no more of them than bytes.
package let longestString = Int(Int32.max)

/// It takes four times as long, and half the memory: only for strings whose memory counts.
private let shortestNarrowString = 8 << 20

/// Whether the engine keeps a byte a unit of what it makes of UTF-8: for ASCII alone, and not with a NUL, which it would take for the end.
private func isNarrow(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
  // A plain loop: vector code.
  var (seen, zeros): (UInt8, UInt8) = (0, 0)
  for byte in utf8 {
    seen |= byte
    zeros |= byte == 0 ? 1 : 0
  }
  return seen < 0x80 && zeros == 0
}

/// Lends a string of the engine.
func withJSString<Result>(_ string: String, _ body: (JSStringRef) -> Result) -> Result {
  let string = makeJSString(string)
  defer { JSStringRelease(string) }
  return body(string)
}

func withOptionalJSString<Result>(_ string: String?, _ body: (JSStringRef?) -> Result) -> Result {
  guard let string else { return body(nil) }
  return withJSString(string) { body($0) }
}

extension String {
  /// O(n).
  package init(_ string: JSStringRef) {
    let units = UnsafeBufferPointer(start: JSStringGetCharactersPtr(string), count: JSStringGetLength(string))
    self.init(utf16: units)
  }

  /// The text of UTF-16 code units. O(n).
  package init(utf16 units: UnsafeBufferPointer<UInt16>) {
    let byteCount = utf8Count(of: units)
    self.init(unsafeUninitializedCapacity: byteCount) { bytes in
      transcode(units, into: bytes, isASCII: byteCount == units.count)
      return byteCount
    }
  }

  /// Takes over a string of the engine.
  init(adopting string: JSStringRef) {
    self.init(string)
    JSStringRelease(string)
  }
}

extension String {
  /// As many whole characters as fit into so many bytes.
  fileprivate func beginning(of byteCount: Int) -> Substring {
    var end = utf8.index(startIndex, offsetBy: byteCount)
    while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
    return self[..<end]
  }

  private static let longestBeginning = 1 << 20

  /// The whole, or the beginning and an ellipsis: what a message says, which may have a text of a script's in it.
  package var asMessage: String {
    utf8.count > Self.longestBeginning ? beginning(of: Self.longestBeginning) + "…" : self
  }

  /// Takes over a string of the engine. Of a longer one the beginning and an ellipsis: the engine makes no copy of all of it.
  init(adoptingBeginningOf string: JSStringRef) {
    guard JSStringGetLength(string) > Self.longestBeginning else {
      self.init(adopting: string)
      return
    }
    defer { JSStringRelease(string) }
    self = String(unsafeUninitializedCapacity: Self.longestBeginning) { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        Swift.max(JSStringGetUTF8CString(string, $0.baseAddress, $0.count), 1) - 1
      }
    }
    self += "…"
  }
}

/// Valid UTF-8 to UTF-16; returns the number of units.
private func transcode(_ utf8: UnsafeBufferPointer<UInt8>, into units: UnsafeMutableBufferPointer<UInt16>) -> Int {
  // Plain loops over ASCII are vector code.
  var seen: UInt8 = 0
  for byte in utf8 { seen |= byte }
  if seen < 0x80 {
    for index in 0..<utf8.count { units[index] = UInt16(truncatingIfNeeded: utf8[index]) }
    return utf8.count
  }
  var count = 0
  var index = 0
  while index < utf8.count {
    let lead = UInt32(utf8[index])
    func continuation(_ offset: Int) -> UInt32 { UInt32(utf8[index &+ offset]) & 0x3f }
    let scalar: UInt32
    switch lead {
    case ..<0x80: (scalar, index) = (lead, index &+ 1)
    case ..<0xe0: (scalar, index) = ((lead & 0x1f) << 6 | continuation(1), index &+ 2)
    case ..<0xf0: (scalar, index) = ((lead & 0x0f) << 12 | continuation(1) << 6 | continuation(2), index &+ 3)
    default:
      let high = (lead & 0x07) << 18 | continuation(1) << 12
      (scalar, index) = (high | continuation(2) << 6 | continuation(3), index &+ 4)
    }
    if scalar < 0x10000 {
      units[count] = UInt16(truncatingIfNeeded: scalar)
    } else {
      units[count] = UInt16(truncatingIfNeeded: 0xd7c0 &+ (scalar >> 10))
      count &+= 1
      units[count] = UInt16(truncatingIfNeeded: 0xdc00 | (scalar & 0x3ff))
    }
    count &+= 1
  }
  return count
}

@inline(__always)
private func isPair(_ units: UnsafeBufferPointer<UInt16>, at index: Int) -> Bool {
  units[index] & 0xfc00 == 0xd800 && index &+ 1 < units.count && units[index &+ 1] & 0xfc00 == 0xdc00
}

/// Whether each surrogate has its other half. O(n).
package func isWellFormed(_ units: UnsafeBufferPointer<UInt16>) -> Bool {
  // A plain loop: vector code.
  var surrogates = 0
  for unit in units { surrogates &+= unit & 0xf800 == 0xd800 ? 1 : 0 }
  if surrogates == 0 { return true }
  for index in units.indices where units[index] & 0xfc00 == 0xd800 && isPair(units, at: index) { surrogates &-= 2 }
  return surrogates == 0
}

/// How many bytes the units take in UTF-8, unpaired surrogates counted as U+FFFD.
private func utf8Count(of units: UnsafeBufferPointer<UInt16>) -> Int {
  // Three bytes a unit beyond U+07FF; a pair takes four, two for each half. Plain loops: vector code.
  var seen: UInt16 = 0
  for unit in units { seen |= unit }
  var count = units.count
  if seen < 0x80 { return count }
  var surrogates = 0
  for unit in units {
    count &+= (unit > 0x7f ? 1 : 0) &+ (unit > 0x7ff ? 1 : 0)
    surrogates &+= unit & 0xf800 == 0xd800 ? 1 : 0
  }
  if surrogates == 0 { return count }
  for index in units.indices where units[index] & 0xfc00 == 0xd800 && isPair(units, at: index) { count &-= 2 }
  return count
}

private func transcode(
  _ units: UnsafeBufferPointer<UInt16>, into bytes: UnsafeMutableBufferPointer<UInt8>, isASCII: Bool
) {
  if isASCII {
    for index in 0..<units.count { bytes[index] = UInt8(truncatingIfNeeded: units[index]) }
    return
  }
  var count = 0
  func append(_ byte: UInt32) {
    bytes[count] = UInt8(truncatingIfNeeded: byte)
    count &+= 1
  }
  var index = 0
  while index < units.count {
    var scalar = UInt32(units[index])
    if scalar & 0xf800 == 0xd800 {
      if isPair(units, at: index) {
        scalar = 0x10000 &+ ((scalar & 0x3ff) << 10 | UInt32(units[index &+ 1]) & 0x3ff)
        index &+= 1
      } else {
        scalar = 0xfffd
      }
    }
    index &+= 1
    switch scalar {
    case ..<0x80: append(scalar)
    case ..<0x800:
      append(0xc0 | scalar >> 6)
      append(0x80 | scalar & 0x3f)
    case ..<0x10000:
      append(0xe0 | scalar >> 12)
      append(0x80 | scalar >> 6 & 0x3f)
      append(0x80 | scalar & 0x3f)
    default:
      append(0xf0 | scalar >> 18)
      append(0x80 | scalar >> 12 & 0x3f)
      append(0x80 | scalar >> 6 & 0x3f)
      append(0x80 | scalar & 0x3f)
    }
  }
}
