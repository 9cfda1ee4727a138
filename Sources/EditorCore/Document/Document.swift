import EditorProtocol
import Rope

/// A text with its history, the file that it is of, and the views that show it.
///
/// Every change of the text, whether typed, undone or made by a plugin, is made in its ``buffer`` and told in ``tell(of:from:)``:
/// views, plugins and the journal know of it before any update is sent.
final class Document {
  /// The name of the view that it was opened with: plugins know it by that, and settings are kept for it, also when that view is closed.
  let id: ViewID
  let buffer: TextBuffer
  let views = DocumentViews()
  var file = DocumentFile() { didSet { if !file.isFoundLike(oldValue) { onMove?(oldValue) } } }
  /// Called with the former file when its path, its place or its number on the disk has become another.
  var onMove: ((DocumentFile) -> Void)?
  var recovery = DocumentRecovery()
  var plugins = DocumentPlugins()
  var queue = DocumentQueue()
  /// Nil where no front end asks for it.
  var changes: DocumentChanges?
  var settings: DocumentSettings {
    didSet { if settings.config != oldValue.config { for view in views.all { view.applyWrapping() } } }
  }
  var bookmarks = Bookmarks()
  /// In all its views.
  var isReadOnly = false

  init(_ text: Rope = Rope(), id: ViewID = ViewID(""), settings: DocumentSettings = DocumentSettings()) {
    self.id = id
    buffer = TextBuffer(text)
    self.settings = settings
  }

  func close(_ view: TextView) {
    views.remove(view)
    queue.dropSearches(of: view.id)
    buffer.endStep()
  }

  // MARK: What is saved

  /// Whether the file is what a save would make of it, but for a line end at its end.
  var isPristine: Bool { buffer.history.isAtSavedState && file.isInWantedEncoding && !file.isGone }

  /// How a save lays the text down as it is: with a line end at its end if that is wanted.
  var imageToSave: FileImage {
    let text = buffer.text
    var image = file.image
    let isUnended = !text.isEmpty && text[text.endOffset - 1] != 0x0A
    image.addedEnd = settings.config.savesWithNewline && isUnended ? lineEnding : ""
    return image
  }

  // MARK: Changes

  /// What lines that are put in end in: it is shown, and follows the text when that is read again, undone and recovered.
  var lineEnding: String {
    let config = settings.config
    return config.chosenLineEnding ?? file.format.lineEnding?.rawValue ?? config.defaultLineEnding
  }

  /// Makes an edit: see ``TextBuffer/commit(_:as:inGroup:)``. One that puts the same text in its own place moves only the carets to where
  /// that would have put them.
  ///
  /// - Parameter view: The one that shows it: others do not scroll. Nil for what comes from none.
  func commit(_ delta: Delta, as kind: EditKind, inGroup group: Int? = nil, from view: TextView? = nil) {
    guard let change = buffer.commit(delta, as: kind, inGroup: group) else {
      view?.moveCarets(by: delta, as: kind)
      return
    }
    tell(of: change, from: view)
  }

  /// Makes a change that was worked out elsewhere, of this very text, as one undo step.
  func commit(_ replacement: Replacement.Outcome, from view: TextView) {
    guard let change = buffer.commit(replacement) else { return view.moveCarets(by: replacement.delta, as: .other) }
    tell(of: change, from: view)
  }

  /// Makes a change that a plugin wants.
  func commit(_ delta: Delta, by author: PluginHistory.Author, inGroup group: Int?) {
    plugins.author = author
    defer { plugins.author = .core }
    commit(delta, as: .other, inGroup: group)
  }

  /// Makes the text one that was read anew: undo takes both back.
  func commit(_ delta: Delta, of origin: TextOrigin) {
    let (before, known) = (buffer.revision, file.origin)
    buffer.history.closeStep()
    // Before the journal is told of the change.
    file.origin = origin
    commit(delta, as: .other)
    buffer.history.closeStep()
    if buffer.revision != before, known != origin { buffer.history.noteOriginBefore(known) }
  }

  /// The edits that `body` makes are one undo step.
  func asOneStep(_ body: () -> Void) {
    if let group = buffer.asOneStep(body) { recovery.journal?.forgetStep(group) }
  }

  func undo(from view: TextView? = nil) {
    if buffer.history.done.isEmpty { recallUndo() }
    guard let delta = buffer.history.undo(buffer.text, &file.origin) else { return }
    tell(of: buffer.apply(delta, as: .init(.undoes, .undo)), from: view)
  }

  func redo(from view: TextView? = nil) {
    if buffer.history.undone.isEmpty { recallUndo() }
    guard let delta = buffer.history.redo(buffer.text, &file.origin) else { return }
    tell(of: buffer.apply(delta, as: .init(.redoes, .redo)), from: view)
  }

  /// Who shows the text, or keeps what has become of it.
  func tell(of change: TextBuffer.Change, from view: TextView?) {
    changes?.follow(change)
    bookmarks.follow(change.delta, making: change.text)
    views.follow(change, from: view)
    plugins.note(change)
    recovery.follow(change.delta)
    let author = view ?? views.all.first
    recovery.journal?.note(
      change, of: file.journaledOrigin, inView: author?.number ?? 0,
      handledEdits: author.map { performedEdits(in: $0) } ?? 0)
  }

  /// How many edits of the front end in a view are in the text: what a journal tells.
  func performedEdits(in view: TextView) -> Int { view.edits.handled - queue.waitingEdits(of: view.id) }

  /// What was done so far survives the process. The front end is told, also in views that nothing else has happened in.
  func noteKeptEdits() {
    for view in views.all {
      if view.edits.keep(performedEdits(in: view)) { view.needsUpdate = true }
    }
  }

  // MARK: Loading

  /// Puts more of the file behind the text.
  func appendLoaded(_ piece: Rope) {
    buffer.appendLoaded(piece)
    changes?.appendLoaded(piece, making: buffer.text)
    views.appendLoaded(buffer.text)
    plugins.history.removeAll()
    views.needUpdate()
  }

  func loadEnded() {
    file.loadJob = nil
    views.needUpdate()
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
