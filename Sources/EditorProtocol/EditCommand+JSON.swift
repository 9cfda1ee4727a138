import JSON

extension EditCommand {
  /// The inner `method` and `params` of the `edit` message. No `params` for a plain edit: xi-core refuses them.
  package var encoded: (method: String, params: JSONValue?) {
    switch self {
    case .plain(let edit): (edit.rawValue, nil)
    case .insert(let text): ("insert", ["chars": .string(text)])
    case .paste(let text): ("paste", ["chars": .string(text)])
    case .pasteHeld(let id): ("xiedit_paste", ["held": JSONValue(id)])
    case .pasteLines(let text): ("xiedit_paste_lines", ["chars": .string(text)])
    case .gotoLine(let line): ("goto_line", ["line": JSONValue(line)])
    case .gesture(let place, let gesture):
      ("gesture", ["line": JSONValue(place.line), "col": JSONValue(place.column), "ty": gesture.json])
    case .click(let place, let flags, let count):
      ("click", [JSONValue(place.line), JSONValue(place.column), JSONValue(flags), JSONValue(count)])
    case .drag(let place, let flags): ("drag", [JSONValue(place.line), JSONValue(place.column), JSONValue(flags)])
    case .scroll(let first, let end): ("scroll", [JSONValue(first), JSONValue(end)])
    case .requestLines(let first, let end): ("request_lines", [JSONValue(first), JSONValue(end)])
    case .alsoShown(let ranges):
      ("xiedit_also_shown", ["lines": .array(ranges.map { [JSONValue($0.lowerBound), JSONValue($0.upperBound)] })])
    case .resize(let width, let height): ("resize", ["width": .number(width), "height": .number(height)])
    case .highlightFind(let visible): ("highlight_find", ["visible": .bool(visible)])
    case .find(let query): ("find", query.json)
    case .multiFind(let queries): ("multi_find", ["queries": .array(queries.map(\.json))])
    case .findNext(let motion): ("find_next", motion.json)
    case .findPrevious(let motion): ("find_previous", motion.json)
    case .selectionForFind(let caseSensitive): ("selection_for_find", ["case_sensitive": .bool(caseSensitive)])
    case .replace(let text, let preserveCase):
      ("replace", ["chars": .string(text), "preserve_case": .bool(preserveCase)])
    case .toggleRecording(let name): ("toggle_recording", .members(("recording_name", name.map(JSONValue.string))))
    case .playRecording(let name): ("play_recording", ["recording_name": .string(name)])
    case .clearRecording(let name): ("clear_recording", ["recording_name": .string(name)])
    case .requestHover(let requestID, let place):
      (
        "request_hover",
        .members(
          ("request_id", JSONValue(requestID)),
          ("position", place.map { ["line": JSONValue($0.line), "column": JSONValue($0.column)] }))
      )
    case .gotoPosition(let line, let character):
      ("xiedit_goto", ["line": JSONValue(line), "character": JSONValue(character)])
    }
  }

  /// Reads the inner `method` and `params` of an `edit` notification.
  package init(method: String, params: JSONValue) throws(ProtocolError) {
    if let edit = PlainEdit(rawValue: method) {
      self = .plain(edit)
      return
    }
    let reader = ParamsReader(method, params)
    switch method {
    case "insert": self = .insert(try reader.string("chars"))
    case "paste": self = .paste(try reader.string("chars"))
    case "xiedit_paste": self = .pasteHeld(try reader.count("held"))
    case "xiedit_paste_lines": self = .pasteLines(try reader.string("chars"))
    case "goto_line": self = .gotoLine(try reader.count("line"))
    case "gesture": self = .gesture(try reader.place("col"), try reader.required("ty", Gesture.init(json:)))
    case "click":
      let numbers = try reader.numbers(atLeast: 4)
      self = .click(LineColumn(line: numbers[0], column: numbers[1]), flags: numbers[2], count: numbers[3])
    case "drag":
      let numbers = try reader.numbers(atLeast: 3)
      self = .drag(LineColumn(line: numbers[0], column: numbers[1]), flags: numbers[2])
    case "scroll":
      let (first, end) = try reader.pair()
      self = .scroll(first: first, end: end)
    case "request_lines":
      let (first, end) = try reader.pair()
      self = .requestLines(first: first, end: end)
    case "resize":
      self = .resize(width: try reader.required("width", \.double), height: try reader.required("height", \.double))
    case "highlight_find": self = .highlightFind(visible: try reader.bool("visible"))
    default: try self.init(searchOrRecording: reader)
    }
  }

  /// Each takes its memory, and no front end can show so many.
  private static let mostQueries = 1000

  private init(searchOrRecording reader: ParamsReader) throws(ProtocolError) {
    switch reader.method {
    case "find": self = .find(try FindQuery(reader))
    case "multi_find":
      guard try reader.required("queries", \.array).count <= Self.mostQueries else { throw reader.error("queries") }
      self = .multiFind(
        try reader.array("queries") { (query) throws(ProtocolError) in
          try FindQuery(ParamsReader(reader.method, query))
        })
    case "find_next": self = .findNext(try FindMotion(reader))
    case "find_previous": self = .findPrevious(try FindMotion(reader))
    case "selection_for_find":
      self = .selectionForFind(caseSensitive: try reader.optionalBool("case_sensitive") ?? false)
    case "replace":
      self = .replace(try reader.string("chars"), preserveCase: try reader.optionalBool("preserve_case") ?? false)
    case "toggle_recording": self = .toggleRecording(name: try reader.optionalString("recording_name"))
    case "play_recording": self = .playRecording(name: try reader.string("recording_name"))
    case "clear_recording": self = .clearRecording(name: try reader.string("recording_name"))
    case "request_hover":
      let place = try reader.optional("position") { $0 }
      self = .requestHover(
        requestID: try reader.count("request_id"),
        at: place == nil ? nil : try ParamsReader("request_hover", place ?? .null).place("column"))
    case "xiedit_also_shown": self = .alsoShown(try reader.lineRanges("lines"))
    case "xiedit_goto": self = .gotoPosition(line: try reader.count("line"), character: try reader.count("character"))
    default: throw ProtocolError(.unknownMethod, method: reader.method)
    }
  }
}

extension ParamsReader {
  fileprivate func place(_ column: String) throws(ProtocolError) -> LineColumn {
    LineColumn(line: try count("line"), column: try count(column))
  }

  /// No screen has room for so many parts.
  private static let mostRanges = 1000

  fileprivate func lineRanges(_ key: String) throws(ProtocolError) -> [Range<Int>] {
    guard try required(key, \.array).count <= Self.mostRanges else { throw error(key) }
    return try array(key) { (value) throws(ProtocolError) in
      let bounds = (value.array ?? []).compactMap(\.count)
      guard bounds.count == 2, bounds[0] <= bounds[1] else { throw error(key) }
      return bounds[0]..<bounds[1]
    }
  }

  fileprivate func numbers(atLeast wanted: Int) throws(ProtocolError) -> [Int] {
    let numbers = (value.array ?? []).compactMap(\.count)
    guard numbers.count >= wanted else { throw error() }
    return numbers
  }
}

extension Gesture {
  fileprivate var json: JSONValue {
    switch self {
    case .select(let granularity, let multi):
      ["select": ["granularity": .string(granularity.rawValue), "multi": .bool(multi)]]
    case .selectExtend(let granularity): ["select_extend": ["granularity": .string(granularity.rawValue)]]
    case .drag: "drag"
    }
  }

  fileprivate init?(json: JSONValue) {
    if let name = json.string {
      guard let gesture = Self.named[name] else { return nil }
      self = gesture
    } else if let select = json["select"], let granularity = Granularity(json: select) {
      self = .select(granularity, multi: select["multi"]?.bool ?? false)
    } else if let extend = json["select_extend"], let granularity = Granularity(json: extend) {
      self = .selectExtend(granularity)
    } else {
      return nil
    }
  }

  /// `drag`, and the deprecated names that xi-core still translates.
  private static let named: [String: Gesture] = [
    "drag": .drag, "point_select": .select(.point, multi: false), "toggle_sel": .select(.point, multi: true),
    "range_select": .selectExtend(.point), "line_select": .select(.line, multi: false),
    "word_select": .select(.word, multi: false), "multi_line_select": .select(.line, multi: true),
    "multi_word_select": .select(.word, multi: true),
  ]
}

extension Gesture.Granularity {
  fileprivate init?(json: JSONValue) {
    self.init(rawValue: json["granularity"]?.string ?? "")
  }
}

extension FindQuery {
  fileprivate var json: JSONValue {
    .members(
      ("id", id.map { JSONValue($0) }), ("chars", .string(chars)), ("case_sensitive", .bool(caseSensitive)),
      ("regex", .bool(regex)), ("whole_words", .bool(wholeWords)))
  }

  fileprivate init(_ reader: ParamsReader) throws(ProtocolError) {
    self.init(
      id: try reader.optionalCount("id"), try reader.string("chars"),
      caseSensitive: try reader.bool("case_sensitive"), regex: try reader.optionalBool("regex") ?? false,
      wholeWords: try reader.optionalBool("whole_words") ?? false)
  }
}

extension FindMotion {
  fileprivate var json: JSONValue {
    [
      "wrap_around": .bool(wrapAround), "allow_same": .bool(allowSame),
      "modify_selection": .string(selection.rawValue),
    ]
  }

  fileprivate init(_ reader: ParamsReader) throws(ProtocolError) {
    self.init(
      wrapAround: try reader.optionalBool("wrap_around") ?? false,
      allowSame: try reader.optionalBool("allow_same") ?? false,
      selection: try reader.optional("modify_selection") { SelectionChange(rawValue: $0.string ?? "") } ?? .set)
  }
}
