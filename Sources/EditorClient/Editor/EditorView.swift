import EditorProtocol
import JSON
import TextMetrics

/// One open document as the front end knows it.
package final class EditorView {
  /// How far its opening is.
  package enum State: Equatable {
    /// `new_view` has been sent.
    case opening
    case open
  }

  /// The core's name for it; before the answer to `new_view` the one that the first view always gets, or nil.
  package internal(set) var id: ViewID?
  package internal(set) var state = State.opening
  package internal(set) var path: String?
  /// Of the file that a new core could not open: the text goes on without one.
  package internal(set) var lostPath: String?
  package internal(set) var file: FileInformation?
  /// Its file ended without one when it was opened, and is saved so.
  var lacksFinalNewline = false
  /// A new core shows the file, which has changed, in place of the text: that is offered.
  var isLeft = false
  /// Another program has written to the file since, and the text was edited.
  package internal(set) var fileHasChanged = false
  package internal(set) var isPristine = true
  /// Something else than what was opened came from the file, or from a core.
  var hasOtherText = false
  /// No edit was made, and none taken back.
  var isAsOpened: Bool { isPristine && !hasOtherText && !log.hasEverHadText }
  package internal(set) var cache = LineCache()
  package internal(set) var viewport = Viewport()
  /// The pane whose viewport that is.
  weak var pane: Pane?
  /// What `xiedit_also_shown` has told the core: the lines that other panes show.
  var announcedOthers: [Range<Int>] = []
  /// Where the caret is that moved last.
  package internal(set) var caret = LineColumn(line: 0, column: 0)
  package internal(set) var selections: [Range<LineColumn>] = []
  /// Of the whole text, where a core tells it.
  var regionCounts: ViewUpdate.RegionCounts?
  package internal(set) var metrics = CellMetrics(tabSize: 4)
  package internal(set) var wraps = false
  var decoration = Decoration()
  /// As the settings want it.
  var wantedWhitespace = Decoration.Whitespace.none
  /// For how large line numbers there is room.
  var numberDigits = 3
  package internal(set) var find: FindStatus?
  /// Nil where there is nothing to compare the text with.
  package internal(set) var changes: ChangedLines?
  /// Visual lines in sight.
  package internal(set) var bookmarks: Set<Int> = []
  package internal(set) var progress: Progress?
  /// More of the file is to come.
  var isLoading: Bool { progress?.task == .load }
  /// A command of the shell that the core was asked to run for it.
  var shellCommand: String?
  /// The core has been told to end what it is at.
  var isCancelling = false
  package internal(set) var statusItems: [StatusItem] = []
  var plugins: [PluginInView] = []

  var log = EditLog()
  /// What was selected behind the edits since the last one that survives the core, by the number of the next; the newest last.
  private var seenCarets: [(number: Int, carets: Carets)] = []
  /// Behind the last edit that survives it, if that was told.
  var keptCarets: Carets? { seenCarets.last { $0.number == log.firstNumber }?.carets }
  /// What is selected, or the caret.
  struct Carets {
    var ranges: [Range<LineColumn>]
    /// Of one that selects nothing, in a wrapped text: another core may break the lines above it later.
    var position: FilePosition?
  }
  var carets: Carets {
    guard !selections.isEmpty else { return Carets(ranges: [caret..<caret], position: wraps ? caretPosition : nil) }
    let isOne = regionCounts == nil && selections == [caret..<caret]
    return Carets(ranges: selections, position: wraps && isOne ? caretPosition : nil)
  }
  /// What is shown beyond what the core has said.
  var prediction: Prediction?
  var aim = VerticalAim.caret
  /// The core indents and closes pairs (extension `code_editing`).
  var coreEditsCode = false
  /// What `scroll` and `resize` have told the core.
  var announcedLines: Range<Int>?
  var announcedSize: (width: Int, height: Int)?
  /// The caret is to be made visible as soon as its line is known.
  var revealsCaret = true
  /// How many lines are to be seen above and below the caret.
  var scrollMargin = 0
  /// The caret is where someone has seen it to be put, and nothing scrolls for the margin until it is moved.
  var keepsRows = false
  /// A core has been asked for the view; nothing is sent to it before it says where it stands, and what it lacks is sent then.
  enum Recovery { case none, waiting }
  var recovery = Recovery.none
  /// It is none of the editor's any more; in its place is `successor`, if it turned out to be of the same file.
  var isRemoved = false
  weak var successor: EditorView?
  /// What its pane showed before it was opened.
  weak var former: EditorView?
  /// Where there is no such file when it is opened, none is begun.
  var mustExist = false
  /// Whether the core has it, with all that was typed.
  var isReady: Bool { state == .open && recovery == .none }
  /// Whether edits can be sent to it: before it is ready, if its name is known.
  var takesEdits: Bool { id != nil && recovery == .none }
  /// Edits have been sent a second time and are not acknowledged yet: those before this number.
  var resentEnd: Int?
  /// How many cuts have not been answered yet. One whose core dies is made again, and answered by the next.
  var awaitedCuts = 0
  /// Higher than that of all that were shown before it.
  var shownCount = 0
  /// How many saves are on their way, and waited for.
  var awaitedSaves = 0
  /// How many are on their way, waited for or not, that give it another file: until then nobody knows which one it has.
  var renamingSaves = 0
  /// The core has ended in it: the next one knows what became of it.
  var unansweredSave: UnansweredSave?
  /// The file that it is to have and has not yet: a save under that name was refused, and nobody has decided about it. What is saved
  /// then is saved there, and never over the file that the user wanted to leave.
  var wantedPath: String?
  var indentation = KeptIndentation()
  /// All, or the next match, was to be replaced: the core counts that edit as handled before it is done.
  var mayBeReplacing = false
  let isReadOnly: Bool
  /// Where to go when the text is there.
  var initialPosition: FilePosition?
  /// Where it is closed it is opened again.
  var restoresPosition = true
  /// What is put in if there is no such file yet.
  var contentsIfNew: String?

  init(path: String?, isReadOnly: Bool = false, initialPosition: FilePosition? = nil) {
    self.path = path
    self.isReadOnly = isReadOnly
    self.initialPosition = initialPosition
  }

  /// The last part of the path.
  package var name: String { (path ?? lostPath)?.pathName.inOneLine ?? "Unnamed" }

  /// More are not remembered: as many updates as come while a save is on its way.
  private static let mostSeenCarets = 256

  /// The present core has told what is selected.
  private var areCaretsTold = false

  /// Notes what the last update has selected, when the next one comes: the caret follows its update, whose edits may be the last that
  /// survive the core.
  func noteCarets() {
    defer { areCaretsTold = true }
    guard areCaretsTold else { return }
    let number = log.isKept ? log.firstNumber : log.unhandledNumber
    seenCarets.removeAll { $0.number < log.firstNumber || $0.number == number }
    if seenCarets.count >= Self.mostSeenCarets { seenCarets.removeFirst() }
    seenCarets.append((number, carets))
  }

  /// Another core counts anew, and has told nothing yet.
  func forgetCarets() { (seenCarets, areCaretsTold) = ([], false) }

  /// The number of the logical line that holds the visual line `line`, as far as it is known.
  package func logicalNumber(ofLine line: Int) -> Int? {
    for candidate in stride(from: line, through: max(line - 1000, 0), by: -1) {
      guard let entry = cache[candidate] else { break }
      if let number = entry.number { return number }
    }
    // It may begin above what is known: the line that follows it has a number, too.
    for candidate in line..<line + 1000 {
      guard let entry = cache[candidate] else { break }
      if let number = entry.number { return number - 1 }
    }
    return nil
  }

  /// How many characters stand before the caret in its logical line; nil if that begins further above than is known here.
  package var caretCharacter: Int? {
    var count = characters(inLine: caret.line, before: caret.column)
    guard wraps else { return count }
    for line in stride(from: caret.line, through: max(caret.line - 1000, 0), by: -1) {
      guard let entry = cache[line] else { return nil }
      if entry.number != nil { return count }
      count += characters(inLine: line - 1, before: .max)
    }
    return nil
  }

  var caretPosition: FilePosition? {
    guard let number = logicalNumber(ofLine: caret.line), let character = caretCharacter else { return nil }
    return FilePosition(line: number, column: character + 1)
  }

  private func characters(inLine index: Int, before column: Int) -> Int {
    guard let line = cache[index]?.line else { return 0 }
    guard column >= line.startColumn else { return column }
    var count = line.startColumn
    metrics.forEachCluster(in: line.text.utf8Span) { cluster in
      guard line.startColumn + cluster.byteOffset < column else { return false }
      count += 1
      return true
    }
    return count
  }

  /// Where the viewport is to be to show a line.
  func viewport(revealing line: Int) -> Viewport {
    var revealed = viewport
    revealed.reveal(line: line, margin: keepsRows ? 0 : scrollMargin, of: cache.count)
    return revealed
  }

  /// The cell of the caret in its line; nil while the line is unknown.
  var caretCell: Int? {
    guard let line = cache[caret.line]?.line else { return nil }
    return metrics.cell(ofColumn: caret.column, in: line)
  }
}

/// `+LINE[:COL]`, both from 1.
package struct FilePosition: Equatable, Sendable {
  package var line: Int
  package var column: Int

  /// Behind the last character.
  package static let end = FilePosition(line: .max, column: .max)
  /// The largest number that the core is told. No text has so many lines.
  private static let largest = 1 << 53

  package init(line: Int, column: Int = 1) {
    self.line = min(line, Self.largest)
    self.column = min(column, Self.largest)
  }

  /// Reads `12` and `12:3`; nil for anything else.
  package init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let numbers = parts.map { Int($0) ?? 0 }
    guard numbers.allSatisfy({ $0 > 0 }) else { return nil }
    self.init(line: numbers[0], column: numbers.count == 2 ? numbers[1] : 1)
  }
}
