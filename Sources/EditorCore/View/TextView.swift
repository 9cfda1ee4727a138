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
  var carets = Carets()
  var screen = ViewScreen()
  var shadow = LineCacheShadow()
  var search = SearchState()
  var marks = ViewMarks()
  var partialLines = PartialLines()
  /// The lines were broken anew, and the front end does not know yet where the caret is among them.
  var movedCaretLine = false

  /// Why a command has done nothing, for the user.
  var remark: String?
  /// How much longer a command would have made the text, which was not done.
  var refusedGrowth: Int?
  var indentation = AutomaticIndentation()

  /// Something happened since the last update.
  var needsUpdate = true { didSet { if needsUpdate, !oldValue { onChange() } } }
  /// Called where an update has become needed.
  var onChange: () -> Void = {}
  /// As the front end knows it.
  var toldOrigin: TextOrigin?
  var edits = EditCount()
  /// Breaks lines while there is time.
  var wrapping: LoopSource?

  init(id: ViewID, of document: Document) {
    self.id = id
    self.document = document
    text = document.buffer.text
    shadow.invalidateAll(lineCount: text.lineCount)
    number = document.views.add(self)
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

  var selection: Selection { carets.selection }

  /// Selects, and scrolls to the main region.
  func select(_ selection: Selection) {
    setSelection(selection)
    scrollToCaret()
  }

  /// Selects without scrolling.
  func setSelection(_ selection: Selection) { changeCarets { $0.select(selection, in: text) } }

  /// Selects what was selected before.
  func undoSelection() {
    guard carets.canGoBack else {
      remark = "Nothing else was selected since the text changed"
      return
    }
    changeCarets { $0.goBack(in: text) }
    scrollToCaret()
  }

  /// Selects the very places, also those inside clusters: see ``Carets/goOnTyping(at:)``.
  func goOnTyping(at places: Selection) {
    changeCarets { $0.goOnTyping(at: places) }
    scrollToCaret()
  }

  /// What was put in may have joined what stands on both sides of a caret.
  func selectWholeClusters() {
    let whole = selection.wholeClusters(in: text)
    if whole == selection { return carets.endTyping(at: whole) }
    changeCarets { $0.endTyping(at: whole) }
  }

  /// The front end shows the lines that have lost something, and those that have got it, anew.
  private func changeCarets(_ change: (inout Carets) -> Void) {
    invalidateSelection()
    change(&carets)
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

  func scrollToCaret() {
    if let caret = carets.main?.active { screen.scroll(to: caret, inLine: line(of: caret)) }
  }

  // MARK: Changes

  /// Follows a change of the text: lines, selection, matches.
  func follow(_ change: TextBuffer.Change) {
    let before = lines.touched(by: change.delta.edits.map(\.range), in: change.base)
    text = change.text
    lines.update(text, by: change.delta)
    let after = lines.touched(by: change.delta.edits.map(\.newRange), in: text)
    for run in LineChange.merge(before, after).reversed() {
      shadow.replace(run.old, newCount: run.new.count)
    }
    moveCarets(by: change.delta, as: change.kind)
    carets.textChanged()
    search.follow(change)
    marks.follow(change.delta)
  }

  func moveCarets(by delta: Delta, as kind: EditKind) {
    needsUpdate = true
    carets.drag = nil
    let moved = selection.transformed(by: delta, kind.drift)
    if kind == .insert { goOnTyping(at: moved) } else { select(moved) }
  }

  /// Follows text put behind the end.
  func appendLoaded(_ text: Rope) {
    let oldEnd = self.text.endOffset
    carets.textGrew()
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
