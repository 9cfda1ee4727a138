import JSON

extension ViewUpdate {
  package var json: JSONValue {
    .members(
      ("annotations", .array(annotations.map(\.json))), ("ops", .array(ops.map(\.json))),
      ("pristine", .bool(pristine)), ("edits", handledEdits.map { JSONValue($0) }),
      ("kept", keptEdits.map { JSONValue($0) }), ("regions", regionCounts.map { JSONValue($0.all) }),
      ("selected", regionCounts.map { JSONValue($0.selections) }))
  }

  package init(json: JSONValue) throws(ProtocolError) {
    let reader = ParamsReader("update", json)
    self.init(
      ops: try reader.array("ops", UpdateOp.init(json:)), pristine: try reader.optionalBool("pristine") ?? false,
      annotations: (json["annotations"]?.array ?? []).compactMap(Annotation.init(json:)),
      handledEdits: try reader.optionalCount("edits"), regionCounts: try Self.regionCounts(reader))
    keptEdits = try reader.optionalCount("kept")
  }

  private static func regionCounts(_ reader: ParamsReader) throws(ProtocolError) -> RegionCounts? {
    guard let all = try reader.optionalCount("regions") else { return nil }
    return RegionCounts(all: all, selections: try reader.optionalCount("selected") ?? 0)
  }
}

extension UpdateOp {
  fileprivate var json: JSONValue {
    switch self {
    case .copy(let count, let number):
      .members(("op", "copy"), ("n", JSONValue(count)), ("ln", number.map { JSONValue($0) }))
    case .skip(let count): ["op": "skip", "n": JSONValue(count)]
    case .invalidate(let count): ["op": "invalidate", "n": JSONValue(count)]
    case .insert(let lines): ["op": "ins", "n": JSONValue(lines.count), "lines": .array(lines.map(\.json))]
    case .update(let lines, let number):
      .members(
        ("op", "update"), ("n", JSONValue(lines.count)), ("lines", .array(lines.map(\.json))),
        ("ln", number.map { JSONValue($0) }))
    }
  }

  fileprivate init(json: JSONValue) throws(ProtocolError) {
    let reader = ParamsReader("update", json)
    let count = try reader.count("n")
    switch try reader.string("op") {
    case "copy": self = .copy(count: count, firstNumber: try reader.optionalCount("ln"))
    case "skip": self = .skip(count: count)
    case "invalidate": self = .invalidate(count: count)
    case "ins": self = .insert(try reader.lines(count))
    case "update": self = .update(try reader.lines(count), firstNumber: try reader.optionalCount("ln"))
    default: throw reader.error("op")
    }
  }
}

extension ParamsReader {
  fileprivate func lines(_ count: Int) throws(ProtocolError) -> [UpdateLine] {
    let lines = try array("lines", UpdateLine.init(json:))
    guard lines.count == count else { throw error("n") }
    return lines
  }
}

extension UpdateLine {
  fileprivate var json: JSONValue {
    .members(
      ("text", text.map(JSONValue.string)), ("ln", number.map { JSONValue($0) }),
      ("cursor", cursors.isEmpty ? nil : .array(cursors.map { JSONValue($0) })),
      ("styles", styles.map(StyleSpan.json)), ("text_start", window.map { JSONValue($0.start) }),
      ("text_len", window.map { JSONValue($0.lineLength) }))
  }

  fileprivate init(json: JSONValue) throws(ProtocolError) {
    let reader = ParamsReader("update", json)
    var window: Window?
    if let start = try reader.optionalCount("text_start") {
      window = Window(start: start, lineLength: try reader.count("text_len"))
    }
    self.init(
      text: try reader.optionalString("text"), number: try reader.optionalCount("ln"),
      cursors: (json["cursor"]?.array ?? []).compactMap(\.count),
      styles: try reader.optional("styles", \.array).map(StyleSpan.spans), window: window)
  }
}

extension StyleSpan {
  fileprivate static func json(_ spans: [StyleSpan]) -> JSONValue {
    var triples: [JSONValue] = []
    triples.reserveCapacity(3 * spans.count)
    var end = 0
    for span in spans {
      triples.append(JSONValue(span.start - end))
      triples.append(JSONValue(span.length))
      triples.append(JSONValue(span.style))
      end = span.start + span.length
    }
    return .array(triples)
  }

  /// Spans that make no sense are dropped.
  fileprivate static func spans(_ triples: [JSONValue]) -> [StyleSpan] {
    var spans: [StyleSpan] = []
    var end = 0
    for index in stride(from: 0, to: triples.count - 2, by: 3) {
      guard let delta = triples[index].int, let length = triples[index + 1].count, let style = triples[index + 2].count
      else { break }
      let (start, overflows) = end.addingReportingOverflow(delta)
      let (spanEnd, endOverflows) = start.addingReportingOverflow(length)
      guard !overflows, !endOverflows, start >= 0 else { break }
      spans.append(StyleSpan(start: start, length: length, style: style))
      end = spanEnd
    }
    return spans
  }
}

extension Annotation {
  fileprivate var json: JSONValue {
    [
      "type": .string(type), "n": JSONValue(ranges.count),
      "ranges": .array(
        ranges.map { range in
          [
            JSONValue(range.lowerBound.line), JSONValue(range.lowerBound.column), JSONValue(range.upperBound.line),
            JSONValue(range.upperBound.column),
          ]
        }), "payloads": payloads.map(JSONValue.array) ?? .null,
    ]
  }

  fileprivate init?(json: JSONValue) {
    guard let type = json["type"]?.string else { return nil }
    let ranges = (json["ranges"]?.array ?? []).compactMap { range -> Range<LineColumn>? in
      let numbers = (range.array ?? []).compactMap(\.count)
      guard numbers.count == 4 else { return nil }
      let start = LineColumn(line: numbers[0], column: numbers[1])
      let end = LineColumn(line: numbers[2], column: numbers[3])
      return start <= end ? start..<end : nil
    }
    self.init(type: type, ranges: ranges, payloads: json["payloads"]?.array)
  }
}
