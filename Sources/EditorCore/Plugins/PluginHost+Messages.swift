import EditorProtocol
import JSON
import JSONRPC
import Rope

/// What plugins say.
extension PluginHost {
  /// Of what a plugin has the user told, in characters.
  private static let (longestAlert, longestStatus, longestHover) = (1000, 1000, 64 << 10)

  func handledMessages(of plugin: Plugin) {
    for (item, change) in plugin.statusChanges.takeAll() {
      guard let document = session.views.document(.string(item.document.rawValue)) else { continue }
      frontEnd.send(toViewsOf: document) { change.notification(to: $0, key: item.key) }
    }
    handled = plugin
    session.views.sendUpdates()
    handled = nil
  }

  /// It has caught up after it was behind.
  func caughtUp(_ plugin: Plugin) {
    let documents = plugin.staleDocuments
    plugin.staleDocuments = []
    for document in documents {
      if let document = session.views.document(.string(document.rawValue)) { tell(plugin, of: nil, in: document) }
    }
  }

  // MARK: Requests

  func plugin(_ plugin: Plugin, requests method: String, _ params: JSONValue, _ reply: Reply) {
    guard let document = session.views.document(params["view_id"]) else {
      return reply.fail(ResponseError(code: ErrorCode.viewMissing, message: "missing view"))
    }
    switch method {
    case "get_data": reply.succeed(data(of: document, params))
    case "get_selections": reply.succeed(selections(in: document))
    case "line_count": reply.succeed(JSONValue(document.text.lineCount))
    default: reply.fail(.methodNotFound(method))
    }
  }

  /// An extension (xi-core names the request, and does not answer it): each region from where it was begun to where the caret
  /// is, in bytes of the revision told beside them. Of the view that the user is in.
  private func selections(in document: Document) -> JSONValue {
    let regions = (document.usedView?.selection.regions ?? []).map { region -> JSONValue in
      [JSONValue(region.anchor.value), JSONValue(region.active.value)]
    }
    return ["rev": JSONValue(document.revision), "selections": .array(regions)]
  }

  /// A piece of the text as it was at a revision; null when that is gone.
  func data(of document: Document, _ params: JSONValue) -> JSONValue {
    guard let start = params["start"]?.int, let size = params["max_size"]?.int, size >= 0,
      let revision = params["rev"]?.int,
      let text = document.plugins.history.text(at: revision, now: (document.revision, document.text))
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
    case "alert": return frontEnd.alert("\(plugin.name): \((params["msg"]?.string ?? "").cut(to: Self.longestAlert))")
    case "add_scopes":
      let scopes = params["scopes"]?.array ?? []
      guard plugin.scopes.count + scopes.count <= Plugin.mostScopes else {
        return plugin.peerNotice("add_scopes: too many")
      }
      plugin.scopes += scopes.map { ($0.array ?? []).compactMap(\.string).joined(separator: " ") }
      return
    default: break
    }
    guard let document = session.views.document(params["view_id"]) else {
      return plugin.peerNotice("\(method): missing view")
    }
    let id = document.id
    switch method {
    case "edit": edit(document, by: plugin, params["edit"] ?? .null)
    case "update_spans": mark(document, by: plugin, params)
    case "update_annotations": annotate(document, by: plugin, params)
    case "add_status_item":
      guard let key = params["key"]?.string, let value = params["value"]?.string else {
        return plugin.peerNotice("add_status_item")
      }
      let items = plugin.statusItems[id] ?? [:]
      guard items.count < Plugin.mostStatusItems || items[key] != nil else {
        return plugin.peerNotice("add_status_item: too many")
      }
      let item = StatusItem(
        source: plugin.name, key: key, value: value.cut(to: Self.longestStatus),
        alignment: params["alignment"]?.string ?? "left")
      plugin.statusItems[id, default: [:]][key] = item
      plugin.statusChanges.note(.add(item), of: .init(document: id, key: key))
    case "update_status_item":
      guard let key = params["key"]?.string, let value = params["value"]?.string else {
        return plugin.peerNotice("update_status_item")
      }
      let cut = value.cut(to: Self.longestStatus)
      plugin.statusItems[id]?[key]?.value = cut
      plugin.statusChanges.note(.update(cut), of: .init(document: id, key: key))
    case "remove_status_item":
      guard let key = params["key"]?.string else { return plugin.peerNotice("remove_status_item") }
      plugin.statusItems[id]?[key] = nil
      plugin.statusChanges.note(.remove, of: .init(document: id, key: key))
    case "show_hover":
      guard let requestID = params["request_id"]?.int, let result = params["result"] else {
        return plugin.peerNotice("show_hover")
      }
      guard let content = result["Ok"]?["content"]?.string else {
        return frontEnd.log("\(plugin.name): nothing to show there")
      }
      guard let view = document.usedView else { return }
      frontEnd.send(.showHover(view.id, requestID: requestID, result: content.cut(to: Self.longestHover)))
    default: plugin.peerNotice("there is no \(method)")
    }
  }

  /// An edit of the text as it was, made to it as it is. It does not spoil a replacement that is being worked out: one that
  /// edits all the time would have it begun anew for ever.
  private func edit(_ document: Document, by plugin: Plugin, _ edit: JSONValue) {
    guard !document.views.allSatisfy(\.isReadOnly), document.file.loadJob == nil else {
      return frontEnd.log("\(plugin.name) may not edit \(document.id)")
    }
    let elements = edit["delta"]?["els"]?.array ?? []
    guard elements.count <= Self.mostEditElements else {
      return plugin.refuseEdit("more than \(Self.mostEditElements) pieces")
    }
    guard elements.reduce(0, { $0 + ($1["insert"]?.string?.utf8.count ?? 0) }) <= Self.largestEdit else {
      return plugin.refuseEdit("more than \(Self.largestEdit) bytes")
    }
    document.enqueue(
      .init(order: .pluginEdit, needs: .replacedText) { [unowned self] in editNow(document, by: plugin, edit) })
  }

  private func editNow(_ document: Document, by plugin: Plugin, _ edit: JSONValue) {
    guard let revision = edit["rev"]?.int,
      let base = document.plugins.history.text(at: revision, now: (document.revision, document.text))
    else { return frontEnd.log("\(plugin.name) edits a text that is gone") }
    guard let delta = Delta(pluginDelta: edit["delta"] ?? .null, base: base) else {
      return plugin.peerNotice("edit: the delta does not fit")
    }
    let author = PluginHistory.Author(
      plugin: plugin.id, name: plugin.name, priority: edit["priority"]?.int ?? 0)
    document.commit(
      document.plugins.history.upToDate(delta, of: revision, priority: author.priority), by: author,
      inGroup: edit["undo_group"]?.int)
    document.needsUpdate()
  }

  private func mark(_ document: Document, by plugin: Plugin, _ params: JSONValue) {
    guard let marks = PluginMarks(params, in: document) else { return plugin.peerNotice("update_spans") }
    let spans = marks.spans.compactMap { span -> Interval? in
      guard let scope = span.value["scope_id"]?.int, plugin.scopes.indices.contains(scope) else { return nil }
      return scopeStyles.style(for: plugin.scopes[scope]).map { Interval(span.range, value: $0) }
    }
    for definition in scopeStyles.takeNew() { frontEnd.send(.defineStyle(definition)) }
    for view in document.views { view.setSpans(spans, in: marks.range, by: plugin.id) }
    document.needsUpdate()
  }

  private func annotate(_ document: Document, by plugin: Plugin, _ params: JSONValue) {
    guard let marks = PluginMarks(params, in: document),
      let type = params["annotation_type"]?["Other"]?.string ?? params["annotation_type"]?.string
    else { return plugin.peerNotice("update_annotations") }
    guard document.views.allSatisfy({ $0.hasRoom(forAnnotationsOfType: type, by: plugin.id) }) else {
      return plugin.peerNotice("update_annotations: too many types")
    }
    let items = marks.spans.map { ($0.range, $0.value["data"] ?? .null) }
    for view in document.views { view.setAnnotations(items, ofType: type, in: marks.range, by: plugin.id) }
    document.needsUpdate()
  }
}
