import EditorProtocol
import JSON
import Rope

/// A text with its history, the file that it is of, and the views that show it.
///
/// Every change of the text, whether typed, undone or made by a plugin, goes through ``apply(_:as:making:from:)``: views, plugins and
/// the journal are told there, before any update is sent.
final class Document {
  /// One change as it happened.
  struct Change {
    let delta: Delta
    /// The text before it, and after.
    let base: Rope
    let text: Rope
    /// Counts the changes since the text was loaded.
    let revision: Int
    /// The undo step that the change belongs to.
    let undoGroup: Int
    /// What it did to the steps.
    let step: JournalEdit.Step
    var kind: EditKind { step.kind }
  }

  /// The name of the view that it was opened with: plugins know it by that, and settings are kept for it, also when that view is closed.
  let id: ViewID
  private(set) var text: Rope
  /// Grows by one with each change.
  private(set) var revision = 0
  /// Grows with each edit, not with undo and redo.
  private(set) var commitCount = 0
  var history = UndoHistory()
  /// The views own it.
  private var places: [ViewPlace] = []
  var file = DocumentFile() { didSet { if !file.isFoundLike(oldValue) { onMove?(oldValue) } } }
  /// Told what its file was when that is found by something else.
  var onMove: ((DocumentFile) -> Void)?
  var recovery = DocumentRecovery()
  var plugins = DocumentPlugins()
  var queue = DocumentQueue()
  /// Nil where no front end asks for it.
  var changes: DocumentChanges?
  var language: String { didSet { rules = rulesOfLanguage() } }
  /// By the front end, and not by the name of the file.
  var languageIsChosen = false
  var config: DocumentConfig { didSet { if config != oldValue { for view in views { view.applyWrapping() } } } }
  /// What xi leaves to plugins, or has not, is done.
  var editsCode = false { didSet { rules = rulesOfLanguage() } }
  /// Those of the language, as a plain text's where they are not known; nil where none are asked for.
  private(set) var rules: Language?
  private func rulesOfLanguage() -> Language? {
    editsCode ? LanguageList.known.language(named: language) ?? .plain(language) : nil
  }
  /// As the front end knows it.
  var configTable: JSONObject
  /// In all its views.
  var isReadOnly = false
  /// Tests set the time.
  var now: () -> ContinuousClock.Instant = { .now }
  /// Called before each change: tests see every text, also one that no update shows.
  var willChange: () -> Void = {}

  init(_ text: Rope = Rope(), id: ViewID = ViewID(""), language: String = "", configTable: JSONObject = [:]) {
    self.id = id
    self.text = text
    self.language = language
    self.configTable = configTable
    config = DocumentConfig(configTable)
    markSaved(saveMark)
  }

  // MARK: Views

  private struct ViewPlace { weak var view: TextView? }

  var views: [TextView] { places.compactMap(\.view) }

  /// - Returns: The number of the view.
  func open(_ view: TextView) -> Int {
    places.append(ViewPlace(view: view))
    defer { nextNumber += 1 }
    return nextNumber
  }

  private var nextNumber = 0

  /// A view has the number that it had under a core that died, if no other has it.
  func number(_ view: TextView, _ number: Int) {
    guard !views.contains(where: { $0.number == number }) else { return }
    view.number = number
    nextNumber = max(nextNumber, number + 1)
  }

  /// In which the user did something last.
  var usedView: TextView? {
    get { views.first { $0 === lastUsed } ?? views.first }
    set { lastUsed = newValue }
  }
  private weak var lastUsed: TextView?

  func close(_ view: TextView) {
    places.removeAll { $0.view === view }
    queue.dropSearches(of: view.id)
    endStep()
  }

  var isOpen: Bool { !views.isEmpty }

  /// Something happened since the last update.
  func needsUpdate() { for view in views { view.needsUpdate = true } }

  // MARK: What is saved

  /// Whether the text is that of the last save.
  var isTextSaved: Bool { history.isAtSavedState }

  /// Whether the file is what a save would make of it, but for a line end at its end.
  var isPristine: Bool { isTextSaved && file.isInWantedEncoding }

  /// The text as it is, for ``markSaved(_:)`` when it has been written.
  var saveMark: UndoHistory.SaveMark { history.saveMark(byteCount: text.byteCount) }

  func markSaved(_ mark: UndoHistory.SaveMark) { history.markSaved(mark) }

  /// How a save lays the text down as it is: with a line end at its end if that is wanted.
  var imageToSave: FileImage {
    var image = file.image
    let isUnended = !text.isEmpty && text[text.endOffset - 1] != 0x0A
    image.addedEnd = config.savesWithNewline && isUnended ? lineEnding : ""
    return image
  }

  // MARK: Changes

  /// What lines that are put in end in: it is shown, and follows the text when that is read again, undone and recovered.
  var lineEnding: String {
    config.chosenLineEnding ?? file.format.lineEnding?.rawValue ?? config.defaultLineEnding
  }

  /// Undo steps are xi-core's, for front ends that know no other.
  var hasUndoStepsOfXi: Bool {
    get { history.isOfXi }
    set { history.isOfXi = newValue }
  }

  /// Makes a change as one undo step, or as part of the running one when `kind` continues it, or of the step `group` when
  /// that is the last.
  ///
  /// - Parameter view: The one that shows it: others do not scroll. Nil for what comes from none.
  @discardableResult
  func commit(_ delta: Delta, as kind: EditKind, inGroup group: Int? = nil, from view: TextView? = nil) -> Change {
    commitCount += 1
    guard hasUndoStepsOfXi || delta.changes(text) else { return moveCarets(by: delta, as: kind, from: view) }
    let effect = history.record(delta, base: text, as: kind, inGroup: group, at: now())
    return apply(delta, as: .init(effect, kind), from: view)
  }

  /// Makes a change that was worked out elsewhere, of this very text, as one undo step.
  func commit(_ replacement: Replacement.Outcome, from view: TextView) {
    commitCount += 1
    guard hasUndoStepsOfXi || replacement.hasEffect else {
      moveCarets(by: replacement.delta, as: .other, from: view)
      return
    }
    let effect = history.record(
      replacement.delta, inverse: replacement.inverse, base: text, as: .other, at: now())
    apply(replacement.delta, as: .init(effect, .other), making: replacement.text, from: view)
  }

  /// Makes a change that a plugin wants.
  func commit(_ delta: Delta, by author: PluginHistory.Author, inGroup group: Int?) {
    plugins.author = author
    defer { plugins.author = .core }
    commit(delta, as: .other, inGroup: group)
  }

  /// The edits that `body` makes are one undo step.
  func asOneStep(_ body: () -> Void) {
    history.beginJointStep()
    body()
    if let group = history.endJointStep(text) { recovery.journal?.forgetStep(group) }
  }

  /// From here to ``endStep()`` all edits are one step, whoever makes them.
  func beginStep() { if !history.isJoint { history.beginJointStep() } }

  /// Its journal may have the first of its edits: it stays a step, also where they cancel each other out.
  func endStep() { if history.isJoint { history.endJointStep() } }

  func undo(from view: TextView? = nil) {
    if let delta = history.undo(text, &file.origin) { apply(delta, as: .init(.undoes, .undo), from: view) }
  }

  func redo(from view: TextView? = nil) {
    if let delta = history.redo(text, &file.origin) { apply(delta, as: .init(.redoes, .redo), from: view) }
  }

  /// Makes the text one that was read anew: undo takes both back.
  func commit(_ delta: Delta, of origin: TextOrigin) {
    let (before, known) = (revision, file.origin)
    closeUndoStep()
    // Before the journal is told of the change.
    file.origin = origin
    commit(delta, as: .other)
    closeUndoStep()
    if revision != before, known != origin { history.noteOriginBefore(known) }
  }

  /// The next edit opens an undo step of its own.
  func closeUndoStep() { history.closeStep() }

  /// What puts the same text in its own place is no change: only carets go where it would have put them.
  @discardableResult
  private func moveCarets(by delta: Delta, as kind: EditKind, from view: TextView?) -> Change {
    history.recordNothing(as: kind)
    view?.moveCarets(by: delta, as: kind)
    return Change(
      delta: Delta(identityOf: text.byteCount), base: text, text: text, revision: revision,
      undoGroup: history.currentGroup, step: .init(.joinsStep, kind))
  }

  /// The steps know of it already.
  @discardableResult
  func apply(
    _ delta: Delta, as step: JournalEdit.Step, making result: Rope? = nil, from view: TextView?
  ) -> Change {
    willChange()
    let base = text
    if let result { text = result } else { text.apply(delta) }
    let change = Change(
      delta: delta, base: base, text: text, revision: revision, undoGroup: history.currentGroup, step: step)
    if !delta.isIdentity { revision += 1 }
    changes?.follow(change)
    if let view {
      if places.count == 1 {
        view.screen.stay(over: delta)
      } else {
        withoutScrolling(over: delta) {
          for other in views where other !== view {
            other.follow(change)
            other.selectWholeClusters()
          }
        }
      }
      view.follow(change)
    } else {
      for view in views { view.follow(change) }
    }
    plugins.note(change)
    recovery.follow(delta)
    let author = view ?? views.first
    recovery.journal?.note(
      change, of: file.journaledOrigin, inView: author?.number ?? 0,
      handledEdits: author.map { performedEdits(in: $0) } ?? 0)
    return change
  }

  /// How many edits of the front end in a view are in the text: what a journal tells.
  func performedEdits(in view: TextView) -> Int { view.handledEdits - queue.waitingEdits(of: view.id) }

  /// What was done so far survives the process. The front end is told, also in views that nothing else has happened in.
  func noteKeptEdits() {
    for view in views {
      let count = performedEdits(in: view)
      guard view.keptEdits < count else { continue }
      (view.keptEdits, view.needsUpdate) = (count, true)
    }
  }

  // MARK: Loading

  /// Puts more of the file behind the text.
  func appendLoaded(_ piece: Rope) {
    text.append(piece)
    history.grow(by: piece.byteCount)
    changes?.appendLoaded(piece, making: text)
    for view in views { view.appendLoaded(text) }
    plugins.history.removeAll()
    needsUpdate()
  }

  func loadEnded() {
    file.loadJob = nil
    needsUpdate()
    advanceQueue()
  }

  /// Nothing more comes, and nobody waits for it: what is kept to be done would keep this object.
  func loadCancelled() {
    file.loadJob = nil
    queue.dropWhatNeedsWholeText()
  }

  func saveEnded() {
    file.savesInFlight -= 1
    advanceQueue()
  }
}
