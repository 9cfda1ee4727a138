import JSON

extension UpdateOp: WireMessage, WireObject {
  static let blank = skip(count: 0)
  func passed(over wire: inout Wire) throws(ProtocolError) -> Self { try wire.kind("op", self) }

  static let kinds: [String: Self] = Wire.kinds([
    .copy(count: 0, firstNumber: nil), .skip(count: 0), .invalidate(count: 0), .insert([]),
    .update([], firstNumber: nil),
  ])

  func kind(over wire: inout Wire) throws(ProtocolError) -> (name: String, message: Self) {
    switch self {
    case .copy(let count, let number): try ("copy", .copy(count: wire("n", count), firstNumber: wire("ln", number)))
    case .skip(let count): try ("skip", .skip(count: wire("n", count)))
    case .invalidate(let count): try ("invalidate", .invalidate(count: wire("n", count)))
    case .insert(let lines): try ("ins", .insert(Self.counted(lines, over: &wire)))
    case .update(let lines, let number):
      try ("update", .update(Self.counted(lines, over: &wire), firstNumber: wire("ln", number)))
    }
  }

  private static func counted(_ lines: [UpdateLine], over wire: inout Wire) throws(ProtocolError) -> [UpdateLine] {
    let count = try wire("n", lines.count)
    let lines = try wire("lines", lines)
    guard lines.count == count else { throw wire.error("n") }
    return lines
  }
}

/// The spans as three numbers each, in one array.
struct StyleTriples: WireValue {
  var spans: [StyleSpan]

  func write(to writer: inout JSONWriter) {
    writer.beginArray()
    var end = 0
    for span in spans {
      writer.write(span.start - end)
      writer.write(span.length)
      writer.write(span.style)
      end = span.start + span.length
    }
    writer.endArray()
  }

  /// Spans that make no sense are dropped.
  static func read(_ json: JSONValue, of method: String) -> Self? {
    guard let triples = json.array else { return nil }
    var spans: [StyleSpan] = []
    spans.reserveCapacity(triples.count / 3)
    var end = 0
    for index in stride(from: 0, to: triples.count - 2, by: 3) {
      guard let delta = triples[index].wholeNumber, let length = triples[index + 1].count,
        let style = triples[index + 2].count
      else { break }
      let (start, overflows) = end.addingReportingOverflow(delta)
      let (spanEnd, endOverflows) = start.addingReportingOverflow(length)
      guard !overflows, !endOverflows, start >= 0 else { break }
      spans.append(StyleSpan(start: start, length: length, style: style))
      end = spanEnd
    }
    return Self(spans: spans)
  }
}
