import JSON

/// The `update` member of the `update` notification: how the front end's line cache becomes the core's present view.
///
/// Walk the old lines from the first, starting with an empty list of new ones: each op says what comes next. The counts of
/// all ops but `skip` add up to the visual lines of the view.
package struct ViewUpdate: Equatable, Sendable, WireObject {
  package var ops: [UpdateOp]
  /// The text is that of the last save.
  package var pristine: Bool
  package var annotations: [Annotation]
  /// Extension (member `edits`): how many `edit` messages of this view, notifications and requests, the core has handled.
  /// What they did is in this update. A core that takes over from one that died counts on from
  /// ``CoreNotification/recovered(_:handledEdits:hasSelection:)``.
  package var handledEdits: Int?
  /// Extension (member `kept`), where they are fewer: how many of these survive the core, in its journal or in the file.
  package var keptEdits: Int?
  /// Extension (members `regions` and `selected`), where there is more than one: the carets and selections of the whole text, and how many
  /// of them are selections. The annotation has those in sight.
  package var regionCounts: RegionCounts?
  /// Extension (member `caret`), where lines were broken anew: where the caret is among them. It is kept in sight if it was.
  package var caret: LineColumn?
  /// Extension: which lines differ from the file, or from what git has of it; nil where that is not known.
  package var changes: ChangedLines?
  /// Extension: the visual lines in sight that the user has marked.
  package var bookmarks: [Int] = []

  package struct RegionCounts: Equatable, Sendable {
    package var all: Int
    package var selections: Int

    package init(all: Int, selections: Int) {
      self.all = all
      self.selections = selections
    }
  }

  package init(
    ops: [UpdateOp], pristine: Bool, annotations: [Annotation] = [], handledEdits: Int? = nil,
    regionCounts: RegionCounts? = nil
  ) {
    self.regionCounts = regionCounts
    self.ops = ops
    self.pristine = pristine
    self.annotations = annotations
    self.handledEdits = handledEdits
  }

  static let blank = ViewUpdate(ops: [], pristine: false)
  func passed(over wire: inout Wire) throws(ProtocolError) -> Self {
    let annotations = try wire.lenient("annotations", annotations)
    var update = try Self(
      ops: wire("ops", ops), pristine: wire("pristine", pristine, or: false), annotations: annotations,
      handledEdits: wire("edits", handledEdits))
    update.keptEdits = try wire("kept", keptEdits)
    let (all, selections) = try (wire("regions", regionCounts?.all), wire("selected", regionCounts?.selections))
    update.caret = try wire("caret", caret)
    update.changes = try? wire("changes", changes)
    update.bookmarks = (try? wire("bookmarks", bookmarks, unless: [])) ?? []
    update.regionCounts = all.map { RegionCounts(all: $0, selections: selections ?? 0) }
    return update
  }
}

extension ViewUpdate {
  /// Where a line of the old cache is in the new one; nil when it was not taken over.
  package func newIndex(ofLine line: Int) -> Int? {
    var (old, new) = (0, 0)
    for op in ops {
      switch op {
      case .copy(let count, _):
        if line >= old, line - old < count { return new + line - old }
        (old, new) = (old &+ count, new &+ count)
      case .update(let lines, _):
        if line >= old, line - old < lines.count { return new + line - old }
        (old, new) = (old &+ lines.count, new &+ lines.count)
      case .skip(let count): old = old &+ count
      case .invalidate(let count): new = new &+ count
      case .insert(let lines): new = new &+ lines.count
      }
    }
    return nil
  }
}

package enum UpdateOp: Equatable, Sendable {
  /// Take `count` old lines; `firstNumber` is the logical number, from 1, of the first.
  case copy(count: Int, firstNumber: Int?)
  /// Pass over `count` old lines.
  case skip(count: Int)
  /// `count` lines that the core has not sent.
  case invalidate(count: Int)
  case insert([UpdateLine])
  /// Take as many old lines; keep their text, replace the cursors, and the styles of those lines that bring some.
  case update([UpdateLine], firstNumber: Int?)
}

package struct UpdateLine: Equatable, Sendable, WireObject {
  /// With its line end; nil in ``UpdateOp/update(_:firstNumber:)``.
  package var text: String?
  /// The logical number from 1; nil for the continuation of a wrapped line.
  package var number: Int?
  /// UTF-8 columns of the carets, ascending.
  package var cursors: [Int]
  package var styles: [StyleSpan]?
  /// Extension (members `text_start`, `text_len`): `text` is a part of the line.
  package var window: Window?

  /// The part of a long line that `text` is; `cursors` and `styles` stay columns of the whole line.
  package struct Window: Equatable, Sendable {
    /// The UTF-8 column of the first byte of `text`.
    package var start: Int
    /// The UTF-8 length of the whole line, with its line end.
    package var lineLength: Int

    package init(start: Int, lineLength: Int) {
      self.start = start
      self.lineLength = lineLength
    }
  }

  package init(
    text: String? = nil, number: Int? = nil, cursors: [Int] = [], styles: [StyleSpan]? = nil, window: Window? = nil
  ) {
    self.text = text
    self.number = number
    self.cursors = cursors
    self.styles = styles
    self.window = window
  }

  static let blank = UpdateLine()
  func passed(over wire: inout Wire) throws(ProtocolError) -> Self {
    var line = try Self(
      text: wire("text", text), number: wire("ln", number),
      cursors: (try? wire("cursor", cursors, unless: [])) ?? [],
      styles: wire("styles", styles.map(StyleTriples.init))?.spans)
    let (start, length) = try (wire("text_start", window?.start), wire("text_len", window?.lineLength))
    if let start {
      guard let length else { throw wire.error("text_len") }
      line.window = Window(start: start, lineLength: length)
    }
    return line
  }
}

/// `length` bytes from the UTF-8 column `start` in a style. On the wire `start` is relative to the end of the span before.
package struct StyleSpan: Equatable, Sendable {
  /// The style of a selection; 1 to 7 are those of the find queries, in their order.
  package static let selection = 0
  /// The first id that `def_style` defines.
  package static let firstDefined = 8

  package var start: Int
  package var length: Int
  package var style: Int

  package init(start: Int, length: Int, style: Int) {
    self.start = start
    self.length = length
    self.style = style
  }
}

/// Ranges of one kind in the visible part of the view: `selection` first, then a `find` for each query, then plugins'.
package struct Annotation: Equatable, Sendable, WireObject {
  package var type: String
  /// From, up to: the direction of a selection is not told here.
  package var ranges: [Range<LineColumn>]
  package var payloads: [JSONValue]?

  package init(type: String, ranges: [Range<LineColumn>], payloads: [JSONValue]? = nil) {
    self.type = type
    self.ranges = ranges
    self.payloads = payloads
  }

  static let blank = Annotation(type: "", ranges: [])
  /// A range is `[line, column, line, column]`; one that makes no sense is dropped.
  func passed(over wire: inout Wire) throws(ProtocolError) -> Self {
    let type = try wire("type", type)
    _ = try? wire("n", ranges.count, or: 0)
    let places = ranges.map { [$0.lowerBound.line, $0.lowerBound.column, $0.upperBound.line, $0.upperBound.column] }
    let ranges = try wire.lenient("ranges", places).compactMap { numbers -> Range<LineColumn>? in
      guard numbers.count == 4 else { return nil }
      let start = LineColumn(line: numbers[0], column: numbers[1])
      let end = LineColumn(line: numbers[2], column: numbers[3])
      return start <= end ? start..<end : nil
    }
    return Self(type: type, ranges: ranges, payloads: try? wire.nullable("payloads", payloads))
  }
}
