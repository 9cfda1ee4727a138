import EditorProtocol
import EventLoop
import Rope

/// A view of a document: its selection, the window that is on screen, how lines are broken, the searches, and what the front
/// end has been sent.
final class TextView {
  let id: ViewID
  let document: Document
  /// Tells the views of a document apart in its journal; the first has 0.
  var number = 0
  /// Edits are refused in this view.
  var isReadOnly: Bool { isOnlyToBeRead || document.isReadOnly }
  /// The front end wants it so.
  var isOnlyToBeRead = false
  /// The front end has let go of it; what was asked for before is still done.
  var isClosing = false
  /// The document's, as far as the view has followed it.
  private(set) var text: Rope
  var lines = VisualLines()
  private(set) var selection = Selection.caret(0)
  /// A caret may stand inside a cluster, until something else is done than to type: flags and families of emoji come in parts, and each
  /// goes behind the last.
  private(set) var mayStandInside = false
  /// What was added to the selection last, as long as it is a region of it.
  var newestRegion: SelectionRegion?
  /// What was selected before, since the text changed.
  private var trail = SelectionTrail()
  /// What has grown into what, since the text changed.
  var expansions: [(before: Selection, after: Selection)] = []
  var screen = ViewScreen()
  var size: (width: Double, height: Double) = (0, 0)
  var shadow = LineCacheShadow()
  var search = SearchState()
  var marks = ViewMarks()
  var drag: Drag?
  /// The front end takes parts of long lines.
  var sendsPartialLines = false
  /// The lines were broken anew, and the front end does not know yet where the caret is among them.
  var movedCaretLine = false
  /// Of lines that are sent in part: the byte of the line with which what is sent begins.
  private(set) var firstColumn = 0

  /// Why a command has done nothing, for the user.
  var remark: String?
  /// How much longer a command would have made the text, which was not done.
  var refusedGrowth: Int?

  /// A gesture that goes on while the mouse moves.
  struct Drag {
    /// The regions that stay as they are.
    var kept: Selection
    /// What was selected first.
    var first: Range<ByteOffset>
    var granularity: Gesture.Granularity
  }

  /// Blanks of lines that hold nothing else: Enter has put them in with that change of the text.
  var automaticBlanks: (revision: Int, ranges: [Range<ByteOffset>]) = (0, [])
  /// The line of a word that stands a step to the left since its last letter: it may be the beginning of another one.
  var dedentedLine: (revision: Int, blanks: Range<ByteOffset>, before: [UInt8])?

  /// How many carets, spans and ranges the update that is being made may still take.
  var marksLeft = TextView.mostMarks
  /// Something happened since the last update.
  var needsUpdate = true { didSet { if needsUpdate, !oldValue { onChange() } } }
  /// Called where an update has become needed.
  var onChange: () -> Void = {}
  /// As the front end knows it.
  var toldOrigin: TextOrigin?
  /// How many edits of the front end have come.
  var handledEdits = 0
  /// How many of them this process need not live for: they are in the journal, or in the file.
  var keptEdits = 0
  /// Breaks lines while there is time.
  var wrapping: LoopSource?
  /// More than so many matches are replaced by the worker. Tests shrink it.
  var replacementsAtOnce = 5000

  init(id: ViewID, of document: Document) {
    self.id = id
    self.document = document
    text = document.text
    shadow.invalidateAll(lineCount: text.lineCount)
    number = document.open(self)
    applyWrapping()
  }

  var lineCount: Int { lines.count(text) }
  /// The lines on screen.
  var window: Range<Int> { screen.window }
  /// How far a page goes: the window but for two lines.
  var pageLineCount: Int { max(1, window.count - 2) }

  func line(of offset: ByteOffset) -> Int { lines.line(of: offset, in: text) }
  func offset(of place: LineColumn) -> ByteOffset {
    let column = byteColumn(ofWireColumn: place.column, inLine: place.line)
    return lines.offset(ofLine: place.line, column: column, in: text)
  }

  // MARK: Selection

  /// The one that the screen follows: what was added last, else the last of the text.
  var mainRegion: SelectionRegion? {
    guard let newest = newestRegion else { return selection.regions.last }
    let isSelected = selection.regions(touching: newest.lowerBound...newest.upperBound).contains(newest)
    return isSelected ? newest : selection.regions.last
  }

  /// Selects what was selected before: a caret that was added is no more.
  func undoSelection() {
    guard let step = trail.removeLast() else {
      remark = "Nothing else was selected since the text changed"
      return
    }
    let rest = trail
    newestRegion = step.newest
    select(step.selection)
    trail = rest
  }

  /// Selects, and scrolls to the main region.
  func select(_ selection: Selection) {
    setSelection(selection)
    scrollToCaret()
  }

  /// Selects without scrolling. What would stand inside a cluster is moved out of it, whoever wants it there: what a command then puts in
  /// or takes out has whole clusters on both sides.
  func setSelection(_ selection: Selection) {
    let selection = selection.wholeClusters(in: text)
    if selection != self.selection { trail.append(self.selection, newest: newestRegion) }
    invalidateSelection()
    self.selection = selection
    invalidateSelection()
  }

  /// Lines that show a caret or a part of a region will have to say so anew.
  private func invalidateSelection() {
    guard selection.regions.count <= LineChange.preciseCount else {
      return shadow.invalidate(0..<lineCount, [.cursors, .styles])
    }
    for region in selection.regions {
      let first = line(of: min(region.lowerBound, text.endOffset))
      let last = region.isCaret ? first : line(of: min(region.upperBound, text.endOffset))
      shadow.invalidate(first..<(last + 1), region.isCaret ? .cursors : [.cursors, .styles])
    }
  }

  private func scrollToCaret() {
    if let caret = mainRegion?.active { screen.scroll(to: caret, inLine: line(of: caret)) }
  }

  // MARK: Long lines

  /// A longer line is sent in part.
  static let partialByteCount = 16 << 10

  /// Keeps the caret well within what is sent of its line; whoever scrolls sideways follows it.
  func placePartialLines() {
    guard sendsPartialLines, let caret = mainRegion?.active else { return }
    let column = caret - lines.start(ofLine: line(of: caret), in: text)
    let margin = Self.partialByteCount / 4
    let kept = firstColumn + margin..<firstColumn + Self.partialByteCount - margin
    guard !kept.contains(column), firstColumn > 0 || column >= kept.upperBound else { return }
    let first = max(0, column - Self.partialByteCount / 2)
    guard first != firstColumn else { return }
    firstColumn = first
    shadow.invalidate(0..<lineCount, [.text, .styles])
  }

  // MARK: Changes

  /// With many carets a text may be put in so often that no memory holds it.
  static let largestGrowth = 1 << 30

  /// Makes one change of the document. A view that is closed makes none.
  func commit(_ delta: Delta, as kind: EditKind) {
    if mayCommit(delta) { document.commit(delta, as: kind, from: self) }
  }

  func commit(_ outcome: Replacement.Outcome) { if mayCommit(outcome.delta) { document.commit(outcome, from: self) } }

  private func mayCommit(_ delta: Delta) -> Bool {
    let growth = delta.newByteCount - delta.baseByteCount
    if delta.edits.count > 1, growth > Self.largestGrowth {
      refusedGrowth = growth
      return false
    }
    return document.views.contains { $0 === self }
  }

  func replace(_ edits: (inout Delta.Builder) -> Void) -> Delta {
    var builder = Delta.Builder(baseByteCount: text.byteCount)
    edits(&builder)
    return builder.build()
  }

  /// Every region replaced by `replacement`.
  func replaceRegions(_ regions: [SelectionRegion], with replacement: Rope) -> Delta {
    replace { builder in
      for region in regions { builder.replace(region.range, with: replacement) }
    }
  }

  /// What was put in may have joined what stands on both sides of a caret.
  func selectWholeClusters() {
    mayStandInside = false
    let whole = selection.wholeClusters(in: text)
    guard whole != selection else { return }
    invalidateSelection()
    selection = whole
    invalidateSelection()
  }

  func applyWrapping() { wrap(wrapMode, tabSize: document.config.tabSize) }

  private var wrapMode: WrapMode {
    let config = document.config
    guard config.wrapsWords else { return config.wrapWidth > 0 ? .bytes(config.wrapWidth) : .off }
    let width = min(size.width, 1e6)
    guard width >= 1 else { return .off }
    return lines.widths == nil ? .cells(Int(width)) : .measured(Int(width * Double(MeasuredWidths.scale)))
  }

  /// Breaks lines anew.
  func wrap(_ mode: WrapMode, tabSize: Int) {
    guard mode != lines.mode || mode != .off else { return }
    let caret = selection.regions.last?.active ?? 0
    movedCaretLine = true
    lines.wrap(text, mode, tabSize: tabSize, around: caret, rowCount: window.count)
    shadow.invalidateAll(lineCount: lineCount)
    // Whether the caret was in sight is the front end's to know, but while there are unbroken lines it will move on.
    if !lines.unbroken.isEmpty { scrollToCaret() }
  }

  /// Breaks the lines of about `byteCount` bytes more. What is on the screen stays there.
  func wrapMore(byteCount: Int) {
    let oldCount = lineCount
    let first = lines.unbroken.first.map { line(of: $0.lowerBound) } ?? 0
    guard let done = lines.breakMore(of: text, byteCount: byteCount) else { return }
    let added = lineCount - oldCount
    guard added > 0 else { return }
    let oldEnd = min(line(of: done.upperBound) - added + 1, oldCount)
    shadow.replace(first..<oldEnd, newCount: oldEnd - first + added)
    screen.add(added, linesAbove: oldEnd)
  }

  /// Follows a change of the text: lines, selection, matches.
  func follow(_ change: Document.Change) {
    let before = lines.touched(by: change.delta.edits.map(\.range), in: change.base)
    text = change.text
    lines.update(text, by: change.delta)
    let after = lines.touched(by: change.delta.edits.map(\.newRange), in: text)
    for run in LineChange.merge(before, after).reversed() {
      shadow.replace(run.old, newCount: run.new.count)
    }
    moveCarets(by: change.delta, as: change.kind)
    trail.removeAll()
    expansions = []
    search.follow(change)
    marks.follow(change.delta)
  }

  func moveCarets(by delta: Delta, as kind: EditKind) {
    needsUpdate = true
    drag = nil
    let moved = selection.transformed(by: delta, kind.drift)
    if kind == .insert { goOnTyping(at: moved) } else { select(moved) }
  }

  /// Selects the very places, also those inside clusters: where what was typed has ended, and what is typed next begins.
  func goOnTyping(at places: Selection) {
    invalidateSelection()
    (selection, mayStandInside) = (places, true)
    invalidateSelection()
    scrollToCaret()
  }

  /// Follows text put behind the end.
  func appendLoaded(_ text: Rope) {
    let oldEnd = self.text.endOffset
    mayStandInside = true
    let old = lines.touched(by: [oldEnd..<oldEnd], in: self.text)
    self.text = text
    lines.grow(text, from: oldEnd)
    let new = lines.touched(by: [oldEnd..<text.endOffset], in: text)
    for run in LineChange.merge(old, new) { shadow.replace(run.old, newCount: run.new.count) }
  }
}

extension EditKind {
  /// Where a caret goes when text is put in where it stands.
  fileprivate var drift: InsertionDrift {
    switch self {
    case .transpose: .inside
    case .surround: .outside
    default: .behind
    }
  }
}
