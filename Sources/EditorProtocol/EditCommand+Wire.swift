import JSON

extension EditCommand: WireMessage {
  static let kinds: [String: Self] = Wire.kinds(
    [
      .insert(""), .paste(""), .pasteHeld(0), .pasteLines(""), .insertBytes(RawBytes([])),
      .completeWord(typed: "", word: ""), .gotoLine(0),
      .gesture(.blank, .drag),
      .click(.blank, flags: 0, count: 0), .drag(.blank, flags: 0), .scroll(first: 0, end: 0),
      .requestLines(first: 0, end: 0), .alsoShown([]), .resize(width: 0, height: 0), .highlightFind(visible: false),
      .find(.blank), .multiFind([]), .findNext(.blank), .findPrevious(.blank),
      .selectionForFind(caseSensitive: false), .replace("", preserveCase: false), .toggleRecording(name: nil),
      .playRecording(name: ""), .clearRecording(name: ""), .requestHover(requestID: 0, at: nil),
      .gotoPosition(line: 0, character: 0),
    ] + PlainEdit.allCases.map(Self.plain))

  /// No screen has room for so many parts, nor can a front end show so many queries, and each takes its memory.
  private static let mostParts = 1000

  func kind(over wire: inout Wire) throws(ProtocolError) -> (name: String, message: Self) {
    switch self {
    case .plain(let edit): (edit.rawValue, .plain(edit))
    case .insert(let text): try ("insert", .insert(wire("chars", text)))
    case .paste(let text): try ("paste", .paste(wire("chars", text)))
    case .pasteHeld(let id): try ("xiedit_paste", .pasteHeld(wire("held", id)))
    case .pasteLines(let text): try ("xiedit_paste_lines", .pasteLines(wire("chars", text)))
    case .insertBytes(let bytes): try ("xiedit_insert_bytes", .insertBytes(wire("bytes", bytes)))
    case .completeWord(let typed, let word):
      try ("xiedit_complete_word", .completeWord(typed: wire("typed", typed), word: wire("word", word)))
    case .gotoLine(let line): try ("goto_line", .gotoLine(wire("line", line)))
    case .gesture(let place, let gesture):
      try ("gesture", .gesture(place.passed(over: &wire, column: "col"), wire("ty", gesture)))
    case .click(let place, let flags, let count):
      try (
        "click",
        wire.numbers(["line", "column", "flags", "count"], [place.line, place.column, flags, count]) {
          .click(LineColumn(line: $0[0], column: $0[1]), flags: $0[2], count: $0[3])
        }
      )
    case .drag(let place, let flags):
      try (
        "drag",
        wire.numbers(["line", "column", "flags"], [place.line, place.column, flags]) {
          .drag(LineColumn(line: $0[0], column: $0[1]), flags: $0[2])
        }
      )
    case .scroll(let first, let end):
      try (
        "scroll", wire.numbers(["first", "end"], [first, end], isExact: true) { .scroll(first: $0[0], end: $0[1]) }
      )
    case .requestLines(let first, let end):
      try (
        "request_lines",
        wire.numbers(["first", "end"], [first, end], isExact: true) { .requestLines(first: $0[0], end: $0[1]) }
      )
    case .alsoShown(let ranges):
      try ("xiedit_also_shown", .alsoShown(wire("lines", ranges, atMost: Self.mostParts)))
    case .resize(let width, let height):
      try ("resize", .resize(width: wire("width", width), height: wire("height", height)))
    case .highlightFind(let visible): try ("highlight_find", .highlightFind(visible: wire("visible", visible)))
    case .find(let query): try ("find", .find(query.passed(over: &wire)))
    case .multiFind(let queries): try ("multi_find", .multiFind(wire("queries", queries, atMost: Self.mostParts)))
    case .findNext(let motion): try ("find_next", .findNext(motion.passed(over: &wire)))
    case .findPrevious(let motion): try ("find_previous", .findPrevious(motion.passed(over: &wire)))
    case .selectionForFind(let caseSensitive):
      try ("selection_for_find", .selectionForFind(caseSensitive: wire("case_sensitive", caseSensitive, or: false)))
    case .replace(let text, let preserveCase):
      try ("replace", .replace(wire("chars", text), preserveCase: wire("preserve_case", preserveCase, or: false)))
    case .toggleRecording(let name): try ("toggle_recording", .toggleRecording(name: wire("recording_name", name)))
    case .playRecording(let name): try ("play_recording", .playRecording(name: wire("recording_name", name)))
    case .clearRecording(let name): try ("clear_recording", .clearRecording(name: wire("recording_name", name)))
    case .requestHover(let requestID, let place):
      try ("request_hover", .requestHover(requestID: wire("request_id", requestID), at: wire("position", place)))
    case .gotoPosition(let line, let character):
      try ("xiedit_goto", .gotoPosition(line: wire("line", line), character: wire("character", character)))
    }
  }
}

extension Gesture: WireValue {
  func write(to writer: inout JSONWriter) {
    let json: JSONValue =
      switch self {
      case .select(let granularity, let multi):
        ["select": ["granularity": .string(granularity.rawValue), "multi": .bool(multi)]]
      case .selectExtend(let granularity): ["select_extend": ["granularity": .string(granularity.rawValue)]]
      case .drag: "drag"
      case .selectColumns(let cell, let extends):
        ["select_columns": ["cell": JSONValue(cell), "extend": .bool(extends)]]
      }
    writer.write(json)
  }

  static func read(_ json: JSONValue, of method: String) -> Self? {
    if let name = json.string { return named[name] }
    if let select = json["select"], let granularity = Granularity(rawValue: select["granularity"]?.string ?? "") {
      return .select(granularity, multi: select["multi"]?.bool ?? false)
    }
    if let columns = json["select_columns"], let cell = columns["cell"]?.count {
      return .selectColumns(cell: cell, extends: columns["extend"]?.bool ?? false)
    }
    return Granularity(rawValue: json["select_extend"]?["granularity"]?.string ?? "").map(Self.selectExtend)
  }

  /// `drag`, and the deprecated names that xi-core still translates.
  private static let named: [String: Gesture] = [
    "drag": .drag, "point_select": .select(.point, multi: false), "toggle_sel": .select(.point, multi: true),
    "range_select": .selectExtend(.point), "line_select": .select(.line, multi: false),
    "word_select": .select(.word, multi: false), "multi_line_select": .select(.line, multi: true),
    "multi_word_select": .select(.word, multi: true),
  ]
}

/// `[first, end]`.
extension Range<Int>: WireValue {
  static func read(_ json: JSONValue, of method: String) -> Range<Int>? {
    let bounds = (json.array ?? []).compactMap(\.count)
    return bounds.count == 2 && bounds[0] <= bounds[1] ? bounds[0]..<bounds[1] : nil
  }

  func write(to writer: inout JSONWriter) { [lowerBound, upperBound].write(to: &writer) }
}
