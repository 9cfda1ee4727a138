import EditorProtocol
import EventLoop
import JSON
import JSONRPC
import Rope

/// The plugins: processes that are told of every change, and may make some.
final class PluginHost {
  static let largestDelta = 1 << 20
  /// How long a plugin may leave an update unanswered. Tests shorten it.
  var patience = Duration.seconds(10)
  var running: [Plugin] = []
  private var manifests: [PluginManifest] = []
  private(set) var hasStarted = false
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
  func tell(ofNew buffer: Buffer) {
    guard !manifests.isEmpty else { return }
    buffer.keepsHistory = true
    session.loop.after(.zero) { [unowned self, weak buffer] in
      guard let buffer, session.views.isOpen(buffer) else { return }
      let running = running
      if !hasStarted { start() }
      for plugin in running { plugin.notify("new_buffer", ["buffer_info": [information(of: buffer)]]) }
    }
  }

  private func start() {
    hasStarted = true
    for manifest in manifests { start(manifest) }
    for buffer in session.views.sorted { announceAvailable(in: buffer.view.id) }
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
        "initialize",
        ["plugin_id": JSONValue(plugin.id), "buffer_info": .array(session.views.sorted.map { information(of: $0) })])
      for buffer in session.views.sorted {
        frontEnd.send(.pluginStarted(buffer.view.id, plugin: plugin.name))
        announceCommands(of: plugin, in: buffer.view.id)
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
      plugin.notify(
        "custom_command", ["view_id": .string(view.rawValue), "method": .string(method), "params": params])
    }
  }

  func end() { for plugin in running { plugin.kill() } }

  // MARK: What plugins are told

  private func information(of buffer: Buffer) -> JSONValue {
    let view = buffer.view.id.rawValue
    let number = view.split(separator: "-").last.flatMap { Int($0) } ?? 0
    return [
      // The buffer of a view has the number after it.
      "buffer_id": JSONValue(number + 1), "views": [.string(view)], "rev": JSONValue(buffer.document.revision),
      "buf_size": JSONValue(buffer.text.byteCount), "nb_lines": JSONValue(buffer.text.lineCount),
      "path": buffer.path.map(JSONValue.string) ?? .null, "syntax": .string(buffer.language),
      "config": .object(buffer.configTable),
    ]
  }

  /// Tells each plugin of the changes of a text since the last update; one that is behind is told of the whole later.
  func tell(ofChangesIn buffer: Buffer) {
    let changes = buffer.untoldChanges
    buffer.untoldChanges = []
    guard !changes.isEmpty else { return }
    for plugin in running {
      for (change, author) in changes {
        if plugin.isBehind || !plugin.staleViews.isEmpty {
          plugin.staleViews.insert(buffer.view.id)
        } else {
          plugin.update(parameters(of: change, by: author, in: buffer))
        }
      }
    }
  }

  /// The text is another one than what changes made of it.
  func tell(ofAll buffer: Buffer) {
    for plugin in running { plugin.update(parameters(of: nil, in: buffer)) }
  }

  func parameters(
    of change: Document.Change?, by author: PluginHistory.Author = .core, in buffer: Buffer
  ) -> JSONValue {
    let text = change?.text ?? buffer.text
    return [
      "view_id": .string(buffer.view.id.rawValue), "delta": change.flatMap { json(of: $0.delta) } ?? .null,
      "new_len": JSONValue(text.byteCount), "new_line_count": JSONValue(text.lineCount),
      "rev": JSONValue(change.map { $0.revision + 1 } ?? buffer.document.revision),
      "undo_group": change.map { JSONValue($0.undoGroup) } ?? .null,
      "edit_type": .string((change?.kind ?? .other).rawValue), "author": .string(author.name),
    ]
  }

  /// nil when it is too large: then the text is to be asked for.
  private func json(of delta: Delta) -> JSONValue? {
    var elements: [JSONValue] = []
    var size = 0
    for element in delta.elements {
      switch element {
      case .copy(let range):
        elements.append(["copy": [JSONValue(range.lowerBound.value), JSONValue(range.upperBound.value)]])
      case .insert(let text):
        size += text.byteCount
        guard size <= Self.largestDelta, text.isValidUTF8 else { return nil }
        elements.append(["insert": .string(text.string(in: text.fullRange))])
      }
      size += 10
    }
    return size <= Self.largestDelta
      ? ["base_len": JSONValue(delta.baseByteCount), "els": .array(elements)] : nil
  }

  func tell(_ method: String, _ view: ViewID, _ members: JSONObject = [:]) {
    var params = members
    params["view_id"] = .string(view.rawValue)
    for plugin in running { plugin.notify(method, .object(params)) }
  }

  /// Has all plugins do something with the selected lines, as xi-core has its highlighter.
  func ask(_ method: String, in buffer: Buffer) {
    guard !buffer.isReadOnly else { return frontEnd.alert("This view is read-only.") }
    var ranges: [Range<LineNumber>] = []
    for lines in buffer.view.selection.regions.map(buffer.logicalLines) {
      if let last = ranges.last, lines.lowerBound <= last.upperBound {
        ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, lines.upperBound)
      } else {
        ranges.append(lines)
      }
    }
    let params = ranges.map { JSONValue([JSONValue($0.lowerBound.value), JSONValue($0.upperBound.value)]) }
    tell("custom_command", buffer.view.id, ["method": .string(method), "params": .array(params)])
  }

  /// - Parameter place: The caret's when nil.
  func ask(aboutPlace place: LineColumn?, _ requestID: Int, in buffer: Buffer) {
    guard let offset = place.map(buffer.view.offset) ?? buffer.view.selection.regions.last?.active else { return }
    tell("get_hover", buffer.view.id, ["request_id": JSONValue(requestID), "position": JSONValue(offset.value)])
  }

  /// The front end knows no style any more.
  func defineStylesAgain() {
    scopeStyles.forgetSent()
    for definition in scopeStyles.takeNew() { frontEnd.send(.defineStyle(definition)) }
  }

  // MARK: What becomes of them

  func ended(_ plugin: Plugin, because reason: String) {
    frontEnd.alert("The plugin \(plugin.name) \(reason)")
    forget(plugin)
  }

  private func forget(_ plugin: Plugin) {
    running.removeAll { $0 === plugin }
    for buffer in session.views.sorted {
      buffer.view.forgetMarks(of: plugin.id)
      buffer.needsUpdate = true
      for key in (plugin.statusKeys[buffer.view.id] ?? []).sorted() {
        frontEnd.send(.removeStatusItem(buffer.view.id, key: key))
      }
      if !plugin.manifest.commands.isEmpty {
        frontEnd.send(.updateCommands(buffer.view.id, plugin: plugin.name, commands: []))
      }
      frontEnd.send(.pluginStopped(buffer.view.id, plugin: plugin.name, code: 0))
    }
    session.views.sendUpdates()
  }
}
