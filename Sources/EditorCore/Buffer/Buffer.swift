import EditorProtocol
import EventLoop
import JSON
import Rope

/// A document, the view of it, and its settings: what edit commands act on.
final class Buffer {
  let document: Document
  let view: TextView
  var path: String?
  var language: String
  /// By the front end, and not by the name of the file.
  var languageIsChosen = false
  var config: BufferConfig { didSet { if config != oldValue { applyWrapping() } } }
  /// As the front end knows it.
  var configTable: JSONObject
  var isReadOnly = false
  var format = TextFormat()
  /// The file as it was read or written last.
  var file = FileVersion.none
  /// How the next save lays the text down, but for a line end that it adds.
  var image = FileImage()
  /// The file of which only the first part is here, as the rest could not be read.
  var partlyReadPath: String?
  /// The watcher's number of the file.
  var fileWatch: Int?
  /// A later state of the file that the front end has been told of.
  var changedStatus: FileStatus?
  var savesInFlight = 0
  var queue = BufferQueue()
  /// How many edits of the front end have come.
  var handledEdits = 0
  /// How many of these are in the text: what a journal tells.
  var performedEdits: Int { handledEdits - queue.waitingEdits }
  var journal: BufferJournal?
  /// The journal whose edits were made here, as long as they are not on the disk in this view's own.
  var recoveredFrom: RecoveredJournal?
  /// The view holds what a save that was cut short would have written; its copy goes when that is journaled.
  var holdsInterruptedSave = false
  var journalHasFailed = false
  /// What the file held when the view was opened, as long as an offer to restore text stands.
  var openedContents: FileContents?
  /// For plugins, if there are any: the last changes, and those that they have not been told of.
  var keepsHistory = false
  var pluginHistory = PluginHistory()
  var untoldChanges: [(change: Document.Change, author: PluginHistory.Author)] = []
  /// Who makes the changes of the moment.
  private var pluginAuthor = PluginHistory.Author.core
  /// Breaks lines while there is time.
  var wrapping: LoopSource?
  /// Something happened since the last update.
  var needsUpdate = true
  /// More than so many matches are replaced by the worker. Tests shrink it.
  var replacementsAtOnce = 5000

  init(id: ViewID, text: Rope, language: String, configTable: JSONObject) {
    self.language = language
    document = Document(text)
    view = TextView(id: id, text: text)
    config = BufferConfig(configTable)
    self.configTable = configTable
    document.markSaved(document.saveMark)
    applyWrapping()
  }

  var text: Rope { document.text }

  /// Makes one change; the view follows it.
  func commit(_ delta: Delta, as kind: EditKind, inGroup group: Int? = nil) {
    document.commit(delta, as: kind, inGroup: group)
    follow(drift: kind == .transpose ? .inside : kind == .surround ? .outside : .behind)
  }

  func commit(_ replacement: Replacement.Outcome) {
    document.commit(replacement)
    follow(drift: .behind)
  }

  /// Makes a change that a plugin wants.
  func commit(_ delta: Delta, by author: PluginHistory.Author, inGroup group: Int?) {
    pluginAuthor = author
    defer { pluginAuthor = .core }
    commit(delta, as: .other, inGroup: group)
    // What it put in may have joined what stood on both sides of a caret.
    guard view.selection.regions.count <= TextView.preciseCount else { return }
    let selection = view.selection.wholeClusters(in: text)
    if selection != view.selection { view.setSelection(selection) }
  }

  func undo() { if document.undo() { follow(drift: .behind) } }
  func redo() { if document.redo() { follow(drift: .behind) } }

  private func follow(drift: InsertionDrift) {
    for change in document.takeChanges() {
      view.follow(change, drift: drift)
      note(change)
    }
  }

  func applyWrapping() {
    view.wrap(wrapMode, tabSize: config.tabSize)
  }

  private var wrapMode: WrapMode {
    guard config.wrapsWords else { return config.wrapWidth > 0 ? .bytes(config.wrapWidth) : .off }
    let width = min(view.size.width, 1e6)
    guard width >= 1 else { return .off }
    return view.lines.widths == nil ? .cells(Int(width)) : .measured(Int(width * Double(MeasuredWidths.scale)))
  }

  // MARK: Loading

  /// Names the load that runs.
  var loadJob: Int?

  func appendLoaded(_ piece: Rope) {
    document.appendLoaded(piece)
    view.appendLoaded(document.text)
    pluginHistory.removeAll()
    needsUpdate = true
  }

  /// Nothing more comes, and nobody waits for it: what is kept to be done would keep this object.
  func loadCancelled() {
    loadJob = nil
    queue.dropWhatNeedsWholeText()
  }

  private func note(_ change: Document.Change) {
    if keepsHistory, !change.delta.isIdentity {
      pluginHistory.note(change, by: pluginAuthor)
      untoldChanges.append((change, pluginAuthor))
    }
    journal?.note(change, handledEdits: performedEdits)
  }

  func loadEnded() {
    loadJob = nil
    needsUpdate = true
    advanceQueue()
  }

  // MARK: Saving

  /// Whether the file is what a save would make of it, but for a line end at its end.
  var isPristine: Bool { document.isPristine && (file.status == nil || image.encoding == file.image.encoding) }

  /// How a save lays the text down as it is: with a line end at its end if that is wanted.
  var imageToSave: FileImage {
    var image = image
    let isUnended = !text.isEmpty && text[text.endOffset - 1] != 0x0A
    image.addedEnd = config.savesWithNewline && isUnended ? config.lineEnding : ""
    return image
  }

  func saveEnded() {
    savesInFlight -= 1
    advanceQueue()
  }

  // MARK: Building changes

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
}
