import EditorProtocol
import EventLoop
import JSON
import JSONRPC
import Rope

/// Plugins: processes that are told of every change, and may make some.
extension EditorSession {
  private static let largestDelta = 1 << 20

  /// Finds the plugins below the folder of the settings, and starts them when the first screen is out.
  func findPlugins(in folders: [String]) {
    for folder in folders {
      let (found, problems) = PluginManifest.all(inFolder: folder, system: files.system)
      for manifest in found where !manifests.contains(where: { $0.name == manifest.name }) {
        manifests.append(manifest)
      }
      for problem in problems { alert("\(problem)") }
    }
  }

  /// After a view was opened: the plugins start with the first one.
  func tellPlugins(ofNew buffer: Buffer) {
    loop.after(.zero) { [unowned self, weak buffer] in
      guard let buffer, buffers[buffer.view.id] === buffer else { return }
      let running = plugins
      for manifest in manifests where !haveStarted { start(manifest) }
      haveStarted = true
      for plugin in running { plugin.notify("new_buffer", ["buffer_info": [information(of: buffer)]]) }
    }
  }

  private func start(_ manifest: PluginManifest) {
    do throws(FileError) {
      let plugin = try Plugin(manifest, id: nextID(), patience: pluginPatience, on: loop, owner: self)
      plugins.append(plugin)
      plugin.notify(
        "initialize",
        ["plugin_id": JSONValue(plugin.id), "buffer_info": .array(sortedBuffers.map { information(of: $0) })])
      for buffer in sortedBuffers { send(.pluginStarted(buffer.view.id, plugin: plugin.name)) }
    } catch {
      alert("The plugin \(manifest.name) cannot be started: \(error)")
    }
  }

  func obey(_ command: PluginCommand, in view: ViewID) {
    switch command {
    case .start(let name):
      guard let manifest = manifests.first(where: { $0.name == name }) else { return log("there is no plugin \(name)") }
      if !plugins.contains(where: { $0.name == name }) { start(manifest) }
    case .stop(let name):
      guard let plugin = plugins.first(where: { $0.name == name }) else { return log("\(name) does not run") }
      plugin.shutDown()
      forget(plugin)
    case .rpc(let receiver, let method, let params, _):
      guard let plugin = plugins.first(where: { $0.name == receiver }) else { return log("\(receiver) does not run") }
      plugin.notify(
        "custom_command", ["view_id": .string(view.rawValue), "method": .string(method), "params": params])
    }
  }

  private var sortedBuffers: [Buffer] { buffers.values.sorted { $0.view.id.rawValue < $1.view.id.rawValue } }

  func pluginStates() -> [PluginState] {
    manifests.map { manifest in
      PluginState(name: manifest.name, isRunning: plugins.contains { $0.name == manifest.name })
    }
  }

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
      for change in changes {
        if plugin.isBehind || !plugin.staleViews.isEmpty {
          plugin.staleViews.insert(buffer.view.id)
        } else {
          plugin.update(parameters(of: change, in: buffer))
        }
      }
    }
  }

  /// The text is another one than what changes made of it.
  func tellPlugins(ofAll buffer: Buffer) {
    for plugin in plugins { plugin.update(parameters(of: nil, in: buffer)) }
  }

  private func parameters(of change: Document.Change?, in buffer: Buffer) -> JSONValue {
    let text = change?.text ?? buffer.text
    return [
      "view_id": .string(buffer.view.id.rawValue), "delta": change.flatMap { json(of: $0.delta) } ?? .null,
      "new_len": JSONValue(text.byteCount), "new_line_count": JSONValue(text.lineCount),
      "rev": JSONValue(change.map { $0.revision + 1 } ?? buffer.document.revision),
      "undo_group": change.map { JSONValue($0.undoGroup) } ?? .null, "edit_type": "other",
      "author": .string(change.flatMap { buffer.pluginAuthors[$0.revision] } ?? "core"),
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

  // MARK: What becomes of them

  private func forget(_ plugin: Plugin) {
    plugins.removeAll { $0 === plugin }
    for buffer in sortedBuffers {
      buffer.view.forgetMarks(of: plugin.id)
      buffer.needsUpdate = true
      for key in (plugin.statusKeys[buffer.view.id] ?? []).sorted() {
        send(.removeStatusItem(buffer.view.id, key: key))
      }
      send(.pluginStopped(buffer.view.id, plugin: plugin.name, code: 0))
    }
    sendUpdates()
  }
}

extension EditorSession: Plugin.Owner {
  func pluginDidHandleMessages(_ plugin: Plugin) { sendUpdates() }

  func pluginIsReady(_ plugin: Plugin) {
    let views = plugin.staleViews
    plugin.staleViews = []
    for view in views {
      if let buffer = buffers[view] { plugin.update(parameters(of: nil, in: buffer)) }
    }
  }

  func plugin(_ plugin: Plugin, didEnd reason: String) {
    alert("The plugin \(plugin.name) \(reason)")
    forget(plugin)
  }

  // MARK: Requests

  func plugin(_ plugin: Plugin, requests method: String, _ params: JSONValue, _ reply: Reply) {
    guard let buffer = params["view_id"]?.string.flatMap({ buffers[ViewID($0)] }) else {
      return reply.fail(ResponseError(code: ErrorCode.viewMissing, message: "missing view"))
    }
    switch method {
    case "get_data": reply.succeed(data(of: buffer, params))
    case "line_count": reply.succeed(JSONValue(buffer.text.lineCount))
    default: reply.fail(.methodNotFound(method))
    }
  }

  /// A piece of the text as it was at a revision; null when that is gone.
  private func data(of buffer: Buffer, _ params: JSONValue) -> JSONValue {
    guard let start = params["start"]?.int, let size = params["max_size"]?.int, size >= 0,
      let revision = params["rev"]?.int,
      let text = buffer.pluginHistory.text(at: revision, now: (buffer.document.revision, buffer.text))
    else { return .null }
    let offset: ByteOffset
    if params["unit"]?.string == "line" {
      guard (0...text.lineCount).contains(start) else { return .null }
      offset = start < text.lineCount ? text.convert(LineNumber(start), to: ByteOffset.self) : text.endOffset
    } else {
      guard (0...text.byteCount).contains(start) else { return .null }
      offset = ByteOffset(start)
    }
    var end = min(offset + min(size, Self.largestDelta), text.endOffset)
    while end < text.endOffset, end > offset, UTF8Sequence.isContinuation(text[end]) { end = end - 1 }
    let line = text.line(at: offset)
    return [
      "chunk": .string(text.string(in: offset..<end)), "offset": JSONValue(offset.value),
      "first_line": JSONValue(line.value),
      "first_line_offset": JSONValue(offset - text.convert(line, to: ByteOffset.self)),
    ]
  }

  // MARK: Notifications

  func plugin(_ plugin: Plugin, notifies method: String, _ params: JSONValue) {
    switch method {
    case "alert": return alert("\(plugin.name): \(params["msg"]?.string ?? "")")
    case "add_scopes":
      let scopes = params["scopes"]?.array ?? []
      plugin.scopes += scopes.map { ($0.array ?? []).compactMap(\.string).joined(separator: " ") }
      return
    default: break
    }
    guard let buffer = params["view_id"]?.string.flatMap({ buffers[ViewID($0)] }) else {
      return plugin.peerNotice("\(method): missing view")
    }
    let view = buffer.view.id
    switch method {
    case "edit": edit(buffer, by: plugin, params["edit"] ?? .null)
    case "update_spans": mark(buffer, by: plugin, params)
    case "update_annotations": annotate(buffer, by: plugin, params)
    case "add_status_item":
      guard let key = params["key"]?.string, let value = params["value"]?.string else {
        return plugin.peerNotice("add_status_item")
      }
      plugin.statusKeys[view, default: []].insert(key)
      let alignment = params["alignment"]?.string ?? "left"
      send(.addStatusItem(view, StatusItem(source: plugin.name, key: key, value: value, alignment: alignment)))
    case "update_status_item":
      guard let key = params["key"]?.string, let value = params["value"]?.string else {
        return plugin.peerNotice("update_status_item")
      }
      send(.updateStatusItem(view, key: key, value: value))
    case "remove_status_item":
      guard let key = params["key"]?.string else { return plugin.peerNotice("remove_status_item") }
      plugin.statusKeys[view]?.remove(key)
      send(.removeStatusItem(view, key: key))
    default: plugin.peerNotice("there is no \(method)")
    }
  }

  /// An edit of the text as it was, made to it as it is.
  private func edit(_ buffer: Buffer, by plugin: Plugin, _ edit: JSONValue) {
    guard let revision = edit["rev"]?.int,
      let base = buffer.pluginHistory.text(at: revision, now: (buffer.document.revision, buffer.text))
    else { return log("\(plugin.name) edits a text that is gone") }
    guard var delta = Delta(pluginDelta: edit["delta"] ?? .null, base: base) else {
      return plugin.peerNotice("edit: the delta does not fit")
    }
    guard !buffer.isReadOnly, buffer.loadJob == nil else { return log("\(plugin.name) may not edit \(buffer.view.id)") }
    for later in buffer.pluginHistory.deltas(since: revision) {
      delta = delta.transformed(over: later, landing: .right)
    }
    buffer.pluginAuthors[buffer.document.revision] = plugin.name
    buffer.commit(delta, as: .other)
    buffer.needsUpdate = true
  }

  private func mark(_ buffer: Buffer, by plugin: Plugin, _ params: JSONValue) {
    guard let marks = PluginMarks(params, in: buffer) else { return plugin.peerNotice("update_spans") }
    let spans = marks.spans.compactMap { span -> (range: Range<ByteOffset>, value: Int)? in
      guard let scope = span.value["scope_id"]?.int, plugin.scopes.indices.contains(scope) else { return nil }
      return scopeStyles.style(for: plugin.scopes[scope]).map { (span.range, $0) }
    }
    for definition in scopeStyles.takeNew() { send(.defineStyle(definition)) }
    buffer.view.setSpans(spans, in: marks.range, by: plugin.id)
    buffer.needsUpdate = true
  }

  private func annotate(_ buffer: Buffer, by plugin: Plugin, _ params: JSONValue) {
    guard let marks = PluginMarks(params, in: buffer),
      let type = params["annotation_type"]?["Other"]?.string ?? params["annotation_type"]?.string
    else { return plugin.peerNotice("update_annotations") }
    buffer.view.setAnnotations(
      marks.spans.map { ($0.range, $0.value["data"] ?? .null) }, ofType: type, in: marks.range, by: plugin.id)
    buffer.needsUpdate = true
  }
}

/// What a plugin says of ranges of a text, where they are now.
private struct PluginMarks {
  var range: Range<ByteOffset>
  var spans: [(range: Range<ByteOffset>, value: JSONValue)] = []

  /// nil when it makes no sense, or is of a text that is gone.
  init?(_ params: JSONValue, in buffer: Buffer) {
    guard let start = params["start"]?.int, let length = params["len"]?.int, let revision = params["rev"]?.int,
      let list = params["spans"]?.array,
      let base = buffer.pluginHistory.text(at: revision, now: (buffer.document.revision, buffer.text)), start >= 0,
      length >= 0, length <= base.byteCount, start <= base.byteCount - length
    else { return nil }
    range = ByteOffset(start)..<ByteOffset(start + length)
    for span in list {
      guard let first = span["start"]?.int, let end = span["end"]?.int, 0 <= first, first <= end, end <= length else {
        return nil
      }
      spans.append((range.lowerBound + first..<range.lowerBound + end, span))
    }
    for delta in buffer.pluginHistory.deltas(since: revision) {
      let move = { (range: Range<ByteOffset>) in
        let start = delta.transform(range.lowerBound, bias: .right)
        return start..<max(start, delta.transform(range.upperBound, bias: .left))
      }
      range = move(range)
      spans = spans.map { (move($0.range), $0.value) }
    }
    spans.removeAll { $0.range.isEmpty }
  }
}

extension Delta {
  /// `{base_len, els: [{copy: [a, b]}, {insert: text}]}`; nil when it is none of `base`, or cuts a character.
  fileprivate init?(pluginDelta json: JSONValue, base: Rope) {
    guard json["base_len"]?.int == base.byteCount, let list = json["els"]?.array else { return nil }
    var elements: [Element] = []
    for element in list {
      if let text = element["insert"]?.string {
        elements.append(.insert(Rope(text)))
      } else if let start = element["copy"]?[0]?.int, let end = element["copy"]?[1]?.int, 0 <= start, start <= end,
        end <= base.byteCount
      {
        for offset in [start, end] where offset < base.byteCount {
          if UTF8Sequence.isContinuation(base[ByteOffset(offset)]) { return nil }
        }
        elements.append(.copy(ByteOffset(start)..<ByteOffset(end)))
      } else {
        return nil
      }
    }
    self.init(baseByteCount: base.byteCount, elements: elements)
  }
}
