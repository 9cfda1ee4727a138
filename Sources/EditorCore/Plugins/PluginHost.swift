import EditorProtocol
import EventLoop
import JSON
import JSONRPC
import Rope

/// The plugins: processes that are told of every change, and may make some.
final class PluginHost {
  static let largestDelta = 1 << 20
  /// What one edit of a plugin may put in, and of how many pieces it may be: a key must not wait for it.
  static let (largestEdit, mostEditElements) = (4 << 20, 1 << 16)
  /// How long a plugin may leave an update unanswered. Tests shorten it.
  var patience = Duration.seconds(10)
  var running: [Plugin] = []
  private var manifests: [PluginManifest] = []
  private(set) var hasStarted = false
  /// The one whose messages are being answered: that time is taken as a whole.
  var handled: Plugin?
  var scopeStyles = ScopeStyles()
  unowned let session: EditorSession
  var frontEnd: FrontEnd { session.frontEnd }

  init(of session: EditorSession) { self.session = session }

  var languages: [PluginManifest.Language] { manifests.flatMap(\.languages) }

  /// Finds the plugins below the folder of the settings, and starts them when the first screen is out.
  func find(in folder: String) {
    let (found, problems) = PluginManifest.all(inFolder: folder, system: session.files.system)
    for manifest in found where !manifests.contains(where: { $0.name == manifest.name }) {
      manifests.append(manifest)
      for language in manifest.languages { session.settings.config.pluginLanguages[language.name] = language.settings }
    }
    for problem in problems { frontEnd.alert("\(problem)") }
  }

  /// After a view was opened: the plugins start with the first one.
  func tell(ofNew document: Document) {
    guard !manifests.isEmpty else { return }
    document.plugins.areThere = true
    session.loop.after(.zero) { [unowned self, weak document] in
      guard let document, !document.views.isEmpty else { return }
      let running = running
      if !hasStarted { start() }
      for plugin in running { plugin.notify(.newBuffer([introduction(of: document, to: plugin)])) }
    }
  }

  private func start() {
    hasStarted = true
    for manifest in manifests { start(manifest) }
    for view in session.views.all { announceAvailable(in: view.id) }
  }

  func announce(in view: ViewID) {
    for plugin in running { frontEnd.send(.pluginStarted(view, plugin: plugin.name)) }
    if hasStarted || manifests.isEmpty { announceAvailable(in: view) }
    for plugin in running { announceCommands(of: plugin, in: view) }
  }

  private func announceAvailable(in view: ViewID) {
    frontEnd.send(
      .availablePlugins(
        view,
        manifests.map { manifest in
          PluginState(name: manifest.name, isRunning: running.contains { $0.name == manifest.name })
        }))
  }

  private func start(_ manifest: PluginManifest) {
    do throws(FileError) {
      let plugin = try Plugin(manifest, id: session.views.nextID(), patience: patience, on: session.loop, host: self)
      running.append(plugin)
      plugin.notify(
        .initialize(pluginID: plugin.id, session.views.documents.map { introduction(of: $0, to: plugin) }))
      for view in session.views.all {
        frontEnd.send(.pluginStarted(view.id, plugin: plugin.name))
        announceCommands(of: plugin, in: view.id)
      }
    } catch {
      frontEnd.alert("The plugin \(manifest.name) cannot be started: \(error)")
    }
  }

  /// An extension: xi-core has the message, and never sends it.
  private func announceCommands(of plugin: Plugin, in view: ViewID) {
    guard !plugin.manifest.commands.isEmpty else { return }
    frontEnd.send(.updateCommands(view, plugin: plugin.name, commands: plugin.manifest.commands))
  }

  func obey(_ command: PluginCommand, in view: ViewID) {
    switch command {
    case .start(let name):
      guard let manifest = manifests.first(where: { $0.name == name }) else {
        return frontEnd.alert("There is no plugin \(name)")
      }
      if !running.contains(where: { $0.name == name }) { start(manifest) }
    case .stop(let name):
      guard let plugin = running.first(where: { $0.name == name }) else {
        return frontEnd.alert("The plugin \(name) does not run")
      }
      plugin.shutDown()
      forget(plugin)
    case .rpc(let receiver, let method, let params, _):
      guard let plugin = running.first(where: { $0.name == receiver }) else {
        return frontEnd.alert("The plugin \(receiver) does not run")
      }
      let document = session.views[view]?.document
      document?.views.used = session.views[view]
      plugin.notify(.customCommand(document?.id ?? view, method: method, params: params))
    }
  }

  func end() { for plugin in running { plugin.kill() } }

  // MARK: What plugins are told

  private func introduction(of document: Document, to plugin: Plugin) -> BufferDescription {
    plugin.toldRevisions[document.id] = document.buffer.revision
    let number = document.id.rawValue.split(separator: "-").last.flatMap { Int($0) } ?? 0
    return BufferDescription(
      // The buffer of a view has the number after it.
      id: number + 1, views: [document.id], revision: document.buffer.revision,
      byteCount: document.buffer.text.byteCount,
      lineCount: document.buffer.text.lineCount, path: document.file.path, language: document.settings.language,
      config: document.settings.table)
  }

  /// What an update costs that shows changes is theirs who made them.
  func charge(_ authors: Set<Int>, _ time: Duration) {
    for plugin in running where plugin !== handled && authors.contains(plugin.id) { plugin.hasUsed(time) }
  }

  /// Tells each plugin of the changes of a text since the last update; one that is behind is told of the whole later.
  func tell(ofChangesIn document: Document) {
    let changes = document.plugins.untold
    document.plugins.untold = []
    for plugin in running {
      // It may have been told of the whole meanwhile.
      for (change, author) in changes where change.revision >= plugin.toldRevisions[document.id] ?? 0 {
        if plugin.isBehind || !plugin.staleDocuments.isEmpty {
          plugin.staleDocuments.insert(document.id)
        } else {
          tell(plugin, of: change, by: author, in: document)
        }
      }
    }
  }

  /// The text is another one than what changes made of it.
  func tell(ofAll document: Document) {
    for plugin in running { tell(plugin, of: nil, in: document) }
  }

  /// - Parameter change: Nil for all of the text.
  func tell(
    _ plugin: Plugin, of change: TextBuffer.Change?, by author: PluginHistory.Author = .core, in document: Document
  ) {
    plugin.toldRevisions[document.id] = change.map { $0.revision + 1 } ?? document.buffer.revision
    plugin.update(document.id, told(change, by: author, in: document))
  }

  func told(
    _ change: TextBuffer.Change?, by author: PluginHistory.Author = .core, in document: Document
  ) -> TextChange {
    let text = change?.text ?? document.buffer.text
    return TextChange(
      delta: change.flatMap { told($0.delta) }, byteCount: text.byteCount, lineCount: text.lineCount,
      revision: change.map { $0.revision + 1 } ?? document.buffer.revision, undoGroup: change?.undoGroup,
      kind: (change?.kind ?? .other).rawValue, author: author.name)
  }

  /// nil when it is too large: then the text is to be asked for.
  private func told(_ delta: Delta) -> TextDelta? {
    var elements: [TextDelta.Element] = []
    var size = 0
    for element in delta.elements {
      size += 10
      guard size <= Self.largestDelta else { return nil }
      switch element {
      case .copy(let range):
        elements.append(.copy(range.lowerBound.value..<range.upperBound.value))
      case .insert(let text):
        size += text.byteCount
        guard size <= Self.largestDelta, text.isValidUTF8 else { return nil }
        elements.append(.insert(text.string(in: text.fullRange)))
      }
    }
    return TextDelta(baseByteCount: delta.baseByteCount, elements: elements)
  }

  func tell(_ message: HostNotification) { for plugin in running { plugin.notify(message) } }

  func documentCloses(_ document: Document) {
    tell(.didClose(document.id))
    for plugin in running {
      plugin.statusItems[document.id] = nil
      plugin.staleDocuments.remove(document.id)
      plugin.toldRevisions[document.id] = nil
    }
  }

  /// What a new view of a document that they know is to show.
  func tellStatus(to view: TextView) {
    for plugin in running {
      for (_, item) in (plugin.statusItems[view.document.id] ?? [:]).sorted(by: { $0.key < $1.key }) {
        frontEnd.send(.addStatusItem(view.id, item))
      }
    }
  }

  /// Has all plugins do something with the selected lines, as xi-core has its highlighter.
  func ask(_ method: String, in view: TextView) {
    guard !view.isReadOnly else { return frontEnd.alert("This view is read-only.") }
    var ranges: [Range<LineNumber>] = []
    for lines in view.selection.regions.map(view.logicalLines) {
      if let last = ranges.last, lines.lowerBound <= last.upperBound {
        ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, lines.upperBound)
      } else {
        ranges.append(lines)
      }
    }
    let params = ranges.map { JSONValue([JSONValue($0.lowerBound.value), JSONValue($0.upperBound.value)]) }
    tell(.customCommand(view.document.id, method: method, params: .array(params)))
  }

  /// - Parameter place: The caret's when nil.
  func ask(aboutPlace place: LineColumn?, _ requestID: Int, in view: TextView) {
    guard let offset = place.map(view.offset) ?? view.selection.regions.last?.active else { return }
    tell(.getHover(view.document.id, requestID: requestID, position: offset.value))
  }

  /// The front end knows no style any more.
  func defineStylesAgain(_ theme: JSONObject) {
    scopeStyles.use(theme)
    for definition in scopeStyles.takeNew() { frontEnd.send(.defineStyle(definition)) }
  }

  // MARK: What becomes of them

  func ended(_ plugin: Plugin, because reason: String) {
    frontEnd.alert("The plugin \(plugin.name) \(reason)")
    forget(plugin)
  }

  private func forget(_ plugin: Plugin) {
    running.removeAll { $0 === plugin }
    for view in session.views.all {
      view.forgetMarks(of: plugin.id)
      view.needsUpdate = true
      for key in (plugin.statusItems[view.document.id] ?? [:]).keys.sorted() {
        frontEnd.send(.removeStatusItem(view.id, key: key))
      }
      if !plugin.manifest.commands.isEmpty {
        frontEnd.send(.updateCommands(view.id, plugin: plugin.name, commands: []))
      }
      frontEnd.send(.pluginStopped(view.id, plugin: plugin.name, code: 0))
    }
    session.views.sendUpdates()
  }
}
