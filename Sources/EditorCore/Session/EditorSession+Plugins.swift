import EditorProtocol
import EventLoop
import JSON
import JSONRPC
import Rope

/// Plugins: processes that are told of every change, and may make some.
extension EditorSession {
  static let largestDelta = 1 << 20

  /// Finds the plugins below the folder of the settings, and starts them when the first screen is out.
  func findPlugins(in folders: [String]) {
    for folder in folders {
      let (found, problems) = PluginManifest.all(inFolder: folder, system: files.system)
      for manifest in found where !manifests.contains(where: { $0.name == manifest.name }) {
        manifests.append(manifest)
        for language in manifest.languages { config.pluginLanguages[language.name] = language.settings }
      }
      for problem in problems { alert("\(problem)") }
    }
  }

  /// After a view was opened: the plugins start with the first one.
  func tellPlugins(ofNew buffer: Buffer) {
    loop.after(.zero) { [unowned self, weak buffer] in
      guard let buffer, buffers[buffer.view.id] === buffer else { return }
      let running = plugins
      if !haveStarted { startPlugins() }
      for plugin in running { plugin.notify("new_buffer", ["buffer_info": [information(of: buffer)]]) }
    }
  }

  private func startPlugins() {
    haveStarted = true
    for manifest in manifests { start(manifest) }
    if !manifests.isEmpty { for buffer in sortedBuffers { announcePlugins(in: buffer.view.id) } }
  }

  func announcePlugins(in view: ViewID) {
    send(
      .availablePlugins(
        view,
        manifests.map { manifest in
          PluginState(name: manifest.name, isRunning: plugins.contains { $0.name == manifest.name })
        }))
  }

  private func start(_ manifest: PluginManifest) {
    do throws(FileError) {
      let plugin = try Plugin(manifest, id: nextID(), patience: pluginPatience, on: loop, owner: self)
      plugins.append(plugin)
      plugin.notify(
        "initialize",
        ["plugin_id": JSONValue(plugin.id), "buffer_info": .array(sortedBuffers.map { information(of: $0) })])
      for buffer in sortedBuffers {
        send(.pluginStarted(buffer.view.id, plugin: plugin.name))
        announceCommands(of: plugin, in: buffer.view.id)
      }
    } catch {
      alert("The plugin \(manifest.name) cannot be started: \(error)")
    }
  }

  /// An extension: xi-core has the message, and never sends it.
  func announceCommands(of plugin: Plugin, in view: ViewID) {
    guard !plugin.manifest.commands.isEmpty else { return }
    send(.updateCommands(view, plugin: plugin.name, commands: plugin.manifest.commands))
  }

  func obey(_ command: PluginCommand, in view: ViewID) {
    switch command {
    case .start(let name):
      guard let manifest = manifests.first(where: { $0.name == name }) else {
        return alert("There is no plugin \(name)")
      }
      if !plugins.contains(where: { $0.name == name }) { start(manifest) }
    case .stop(let name):
      guard let plugin = plugins.first(where: { $0.name == name }) else {
        return alert("The plugin \(name) does not run")
      }
      plugin.shutDown()
      forget(plugin)
    case .rpc(let receiver, let method, let params, _):
      guard let plugin = plugins.first(where: { $0.name == receiver }) else {
        return alert("The plugin \(receiver) does not run")
      }
      plugin.notify(
        "custom_command", ["view_id": .string(view.rawValue), "method": .string(method), "params": params])
    }
  }

  private var sortedBuffers: [Buffer] { buffers.values.sorted { $0.view.id.rawValue < $1.view.id.rawValue } }

  func endPlugins() { for plugin in plugins { plugin.kill() } }

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
  func tellPlugins(ofChangesIn buffer: Buffer) {
    let changes = buffer.untoldChanges
    buffer.untoldChanges = []
    guard !changes.isEmpty else { return }
    for plugin in plugins {
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
  func tellPlugins(ofAll buffer: Buffer) {
    for plugin in plugins { plugin.update(parameters(of: nil, in: buffer)) }
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

  func tellPlugins(_ method: String, _ view: ViewID, _ members: JSONObject = [:]) {
    var params = members
    params["view_id"] = .string(view.rawValue)
    for plugin in plugins { plugin.notify(method, .object(params)) }
  }

  /// Has all plugins do something with the selected lines, as xi-core has its highlighter.
  func askPlugins(_ method: String, in buffer: Buffer) {
    guard !buffer.isReadOnly else { return alert("This view is read-only.") }
    var ranges: [Range<LineNumber>] = []
    for lines in buffer.view.selection.regions.map(buffer.logicalLines) {
      if let last = ranges.last, lines.lowerBound <= last.upperBound {
        ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, lines.upperBound)
      } else {
        ranges.append(lines)
      }
    }
    let params = ranges.map { JSONValue([JSONValue($0.lowerBound.value), JSONValue($0.upperBound.value)]) }
    tellPlugins("custom_command", buffer.view.id, ["method": .string(method), "params": .array(params)])
  }

  /// - Parameter place: The caret's when nil.
  func askPlugins(aboutPlace place: LineColumn?, _ requestID: Int, in buffer: Buffer) {
    guard let offset = place.map(buffer.view.offset) ?? buffer.view.selection.regions.last?.active else { return }
    tellPlugins(
      "get_hover", buffer.view.id, ["request_id": JSONValue(requestID), "position": JSONValue(offset.value)])
  }

  // MARK: What becomes of them

  func forget(_ plugin: Plugin) {
    plugins.removeAll { $0 === plugin }
    for buffer in sortedBuffers {
      buffer.view.forgetMarks(of: plugin.id)
      buffer.needsUpdate = true
      for key in (plugin.statusKeys[buffer.view.id] ?? []).sorted() {
        send(.removeStatusItem(buffer.view.id, key: key))
      }
      if !plugin.manifest.commands.isEmpty {
        send(.updateCommands(buffer.view.id, plugin: plugin.name, commands: []))
      }
      send(.pluginStopped(buffer.view.id, plugin: plugin.name, code: 0))
    }
    sendUpdates()
  }
}
