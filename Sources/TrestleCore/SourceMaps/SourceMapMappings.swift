/// The `mappings` of a source map, decoded: per line of the generated text its segments, by their columns.
struct SourceMapMappings {
  struct Segment {
    /// All from 0, in UTF-16 units. The source is -1 where the text was not in any.
    var column: Int32
    var source: Int32 = -1
    var line: Int32 = 0
    var originalColumn: Int32 = 0
  }

  /// More are no map that somebody needs: 16 bytes each.
  static let greatestCount = 4_000_000

  private var segments: [Segment] = []
  /// Where each line begins in those; one more for the end.
  private var lineStarts: [Int32] = [0]
  /// The first of each line that comes of a source; -1 where none does.
  private var firstOfLines: [Int32] = []

  /// Nil for a text that is none, or is too long.
  init?(_ text: String) {
    var decoder = Decoder()
    var text = text
    let isWhole = text.withUTF8 { bytes -> Bool in
      for byte in bytes {
        switch byte {
        case UInt8(ascii: ";"):
          guard decoder.endSegment(into: &segments), endLine() else { return false }
          decoder.column = 0
        case UInt8(ascii: ","): guard decoder.endSegment(into: &segments) else { return false }
        default: guard decoder.add(byte) else { return false }
        }
      }
      return decoder.endSegment(into: &segments) && endLine()
    }
    guard isWhole else { return nil }
  }

  private mutating func endLine() -> Bool {
    guard segments.count <= Self.greatestCount, lineStarts.count <= Self.greatestCount else { return false }
    let start = Int(lineStarts.last ?? 0)
    // Deltas may be negative.
    if !zip(segments[start...], segments[start...].dropFirst()).allSatisfy({ $0.column <= $1.column }) {
      segments[start...].sort { $0.column < $1.column }
    }
    firstOfLines.append(Int32(segments[start...].firstIndex { $0.source >= 0 } ?? -1))
    lineStarts.append(Int32(segments.count))
    return true
  }

  /// What covers a place; of a line as a whole (`column` nil) the first that comes of a source.
  func segment(line: Int, column: Int?) -> Segment? {
    guard line >= 0, line < lineStarts.count - 1 else { return nil }
    let range = Int(lineStarts[line])..<Int(lineStarts[line + 1])
    guard let column else { return firstOfLines[line] < 0 ? nil : segments[Int(firstOfLines[line])] }
    var (low, high) = (range.lowerBound, range.upperBound)
    while low < high {
      let middle = (low + high) / 2
      if Int(segments[middle].column) <= column { low = middle + 1 } else { high = middle }
    }
    guard low > range.lowerBound, segments[low - 1].source >= 0 else { return nil }
    return segments[low - 1]
  }
}

/// Base 64, five bits a digit, the lowest first; a field is the difference to the one before.
private struct Decoder {
  var column: Int32 = 0
  private var source: Int32 = 0
  private var line: Int32 = 0
  private var originalColumn: Int32 = 0
  private var fields: (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
  private var count = 0
  private var value: UInt64 = 0
  private var shift: UInt64 = 0

  /// Takes a digit; false for what is none, or a number of more than 32 bits.
  mutating func add(_ byte: UInt8) -> Bool {
    guard let digit = Self.value(of: byte), shift < 35 else { return false }
    value |= UInt64(digit & 31) << shift
    shift += 5
    return digit & 32 != 0 || endField()
  }

  private mutating func endField() -> Bool {
    let magnitude = Int64(value >> 1)
    guard let number = Int32(exactly: value & 1 == 0 ? magnitude : -magnitude) else { return false }
    switch count {
    case 0: fields.0 = number
    case 1: fields.1 = number
    case 2: fields.2 = number
    case 3: fields.3 = number
    case 4: break  // a name's number
    default: return false
    }
    (value, shift) = (0, 0)
    count += 1
    return true
  }

  mutating func endSegment(into segments: inout [SourceMapMappings.Segment]) -> Bool {
    defer { count = 0 }
    guard shift == 0 else { return false }
    guard count > 0 else { return true }
    guard advance(&column, by: fields.0) else { return false }
    switch count {
    case 1: segments.append(SourceMapMappings.Segment(column: column))
    case 4, 5:
      guard advance(&source, by: fields.1), advance(&line, by: fields.2), advance(&originalColumn, by: fields.3)
      else { return false }
      segments.append(
        SourceMapMappings.Segment(column: column, source: source, line: line, originalColumn: originalColumn))
    default: return false
    }
    return true
  }

  /// False if that leads below zero, or too far.
  private func advance(_ number: inout Int32, by difference: Int32) -> Bool {
    let (sum, isTooLarge) = number.addingReportingOverflow(difference)
    guard !isTooLarge, sum >= 0 else { return false }
    number = sum
    return true
  }

  private static func value(of byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - 65
    case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - 71
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte + 4
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
