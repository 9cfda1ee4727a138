import EditorProtocol

/// What the last frame showed in each row of text, so that a row that is the same is not drawn again.
struct FrameMemory {
  struct Row: Equatable {
    var text: Text
    var number: Int?
    var change: ChangedLines.Kind?
    var isBookmarked = false
  }

  /// What is shown behind the gutter.
  struct Text: Equatable {
    /// Kept alive, so that no other line can take its identity.
    var line: CachedLine?
    var leftColumn = 0
    var mainCaret: Int?
    var gutter = 0
    var tabSize = 0
    var brackets: [Int] = []
    var decoration = Decoration()
    /// The text ends with it.
    var isLast = false
    /// The cell before which its guides end.
    var guideEnd = 0

    static func == (left: Self, right: Self) -> Bool {
      left.line === right.line && left.leftColumn == right.leftColumn && left.mainCaret == right.mainCaret
        && left.gutter == right.gutter && left.tabSize == right.tabSize && left.brackets == right.brackets
        && left.decoration == right.decoration && left.isLast == right.isLast
        && left.guideEnd == right.guideEnd
    }
  }

  /// What of a row is to be drawn.
  enum Damage {
    case none, gutter, all
  }

  struct Tabs: Equatable {
    var names: [String?]
    var isClean: [Bool]
    var current: Int
    var columns: Int
  }

  /// A pane, and what its rows of text have shown.
  struct Part {
    var area: ScreenArea
    var rows: [Row?]
  }

  private(set) var parts: [Part] = []
  var tabs: Tabs?
  /// The bottom line shows the hints.
  var showsHints = false

  /// - Parameter rowCount: How many rows of text an area has.
  mutating func begin(_ areas: [ScreenArea], rowCount: (ScreenArea) -> Int) {
    guard parts.map(\.area) != areas else { return }
    parts = areas.map { .init(area: $0, rows: Array(repeating: nil, count: rowCount($0))) }
    tabs = nil
  }

  /// - Returns: Where a row shows something else than before.
  mutating func show(_ row: Row, at offset: Int, ofPart part: Int) -> Damage {
    let shown = parts[part].rows[offset]
    guard shown != row else { return .none }
    parts[part].rows[offset] = row
    return shown?.text == row.text ? .gutter : .all
  }

  /// The text of a row was drawn over: it is drawn again when that is gone.
  mutating func forget(row: Int) {
    for index in parts.indices {
      let offset = row - parts[index].area.rows.lowerBound
      if parts[index].rows.indices.contains(offset) { parts[index].rows[offset] = nil }
    }
  }
}
