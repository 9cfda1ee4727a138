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
      guard let document = session.views.document(item.document) else { continue }
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
      if let document = session.views.document(document) { tell(plugin, of: nil, in: document) }
    }
  }

  // MARK: Requests

  func plugin(_ plugin: Plugin, asks request: PluginRequest, _ reply: Reply) {
    guard let document = session.views.document(request.view) else {
      return reply.fail(ResponseError(code: ErrorCode.viewMissing, message: "missing view"))
    }
    switch request {
    case .getData(_, let query): reply.succeed(data(of: document, query))
    case .getSelections: reply.succeed(selections(in: document))
    case .lineCount: reply.succeed(JSONValue(document.buffer.text.lineCount))
    }
  }

  /// An extension (xi-core names the request, and does not answer it): each region from where it was begun to where the caret
  /// is, in bytes of the revision told beside them. Of the view that the user is in.
  private func selections(in document: Document) -> JSONValue {
    let regions = (document.views.used?.selection.regions ?? []).map { region -> JSONValue in
      [JSONValue(region.anchor.value), JSONValue(region.active.value)]
    }
    return ["rev": JSONValue(document.buffer.revision), "selections": .array(regions)]
  }

  /// A piece of the text as it was at a revision; null when that is gone.
  func data(of document: Document, _ query: TextQuery) -> JSONValue {
    let history = document.plugins.history
    guard let text = history.text(at: query.revision, now: (document.buffer.revision, document.buffer.text)) else {
      return .null
    }
    let start = query.start
    let offset: ByteOffset
    if query.unit == "line" {
      guard start <= text.lineCount else { return .null }
      offset = start < text.lineCount ? text.convert(LineNumber(start), to: ByteOffset.self) : text.endOffset
    } else {
      guard start <= text.byteCount else { return .null }
      offset = ByteOffset(start)
    }
    var end = min(offset + min(query.byteCount, Self.largestDelta), text.endOffset)
    while end < text.endOffset, end > offset, UTF8Sequence.isContinuation(text[end]) { end = end - 1 }
    let line = text.line(at: offset)
    return [
      "chunk": .string(text.string(in: offset..<end)), "offset": JSONValue(offset.value),
      "first_line": JSONValue(line.value),
      "first_line_offset": JSONValue(offset - text.convert(line, to: ByteOffset.self)),
    ]
  }

  // MARK: Notifications

  func plugin(_ plugin: Plugin, tells message: PluginNotification) {
    var document: Document?
    if let view = message.view {
      document = session.views.document(view)
      guard document != nil else { return plugin.peerNotice("\(message.method): missing view") }
    }
    switch message {
    case .alert(let text): frontEnd.alert("\(plugin.name): \(text.cut(to: Self.longestAlert))")
    case .addScopes(let scopes):
      guard plugin.scopes.count + scopes.count <= Plugin.mostScopes else {
        return plugin.peerNotice("add_scopes: too many")
      }
      plugin.scopes += scopes.map { $0.joined(separator: " ") }
    default: if let document { self.plugin(plugin, tells: message, of: document) }
    }
  }

  private func plugin(_ plugin: Plugin, tells message: PluginNotification, of document: Document) {
    let id = document.id
    switch message {
    case .alert, .addScopes: break
    case .edit(_, let edit): self.edit(document, by: plugin, edit)
    case .updateSpans(_, let part, let spans): mark(document, by: plugin, part, spans)
    case .updateAnnotations(_, let part, let type, let spans): annotate(document, by: plugin, part, type.name, spans)
    case .addStatusItem(_, let key, let value, let alignment):
      let items = plugin.statusItems[id] ?? [:]
      guard items.count < Plugin.mostStatusItems || items[key] != nil else {
        return plugin.peerNotice("add_status_item: too many")
      }
      let item = StatusItem(
        source: plugin.name, key: key, value: value.cut(to: Self.longestStatus), alignment: alignment)
      plugin.statusItems[id, default: [:]][key] = item
      plugin.statusChanges.note(.add(item), of: .init(document: id, key: key))
    case .updateStatusItem(_, let key, let value):
      let cut = value.cut(to: Self.longestStatus)
      plugin.statusItems[id]?[key]?.value = cut
      plugin.statusChanges.note(.update(cut), of: .init(document: id, key: key))
    case .removeStatusItem(_, let key):
      plugin.statusItems[id]?[key] = nil
      plugin.statusChanges.note(.remove, of: .init(document: id, key: key))
    case .showHover(_, let requestID, let result):
      guard case .content(let content) = result else {
        return frontEnd.log("\(plugin.name): nothing to show there")
      }
      guard let view = document.views.used else { return }
      frontEnd.send(.showHover(view.id, requestID: requestID, result: content.cut(to: Self.longestHover)))
    }
  }

  /// An edit of the text as it was, made to it as it is. It does not spoil a replacement that is being worked out: one that
  /// edits all the time would have it begun anew for ever.
  private func edit(_ document: Document, by plugin: Plugin, _ edit: PluginEdit) {
    guard !document.views.all.allSatisfy(\.isReadOnly), document.file.loadJob == nil else {
      return frontEnd.log("\(plugin.name) may not edit \(document.id)")
    }
    guard edit.delta.elements.count <= Self.mostEditElements else {
      return plugin.refuseEdit("more than \(Self.mostEditElements) pieces")
    }
    guard edit.delta.insertedByteCount <= Self.largestEdit else {
      return plugin.refuseEdit("more than \(Self.largestEdit) bytes")
    }
    document.enqueue(
      .init(order: .pluginEdit, needs: .replacedText) { [unowned self] in editNow(document, by: plugin, edit) })
  }

  private func editNow(_ document: Document, by plugin: Plugin, _ edit: PluginEdit) {
    let history = document.plugins.history
    guard let base = history.text(at: edit.revision, now: (document.buffer.revision, document.buffer.text)) else {
      return frontEnd.log("\(plugin.name) edits a text that is gone")
    }
    guard let delta = Delta(edit.delta, of: base) else { return plugin.peerNotice("edit: the delta does not fit") }
    let author = PluginHistory.Author(
      plugin: plugin.id, name: plugin.name, priority: Int(edit.priority ?? 0))
    document.commit(
      history.upToDate(delta, of: edit.revision, priority: author.priority), by: author,
      inGroup: edit.undoGroup.map { Int($0) })
    document.views.needUpdate()
  }

  private func mark(_ document: Document, by plugin: Plugin, _ part: MarkedPart, _ spans: [ScopeSpan]) {
    let ranges = spans.map { (start: $0.start, end: $0.end, value: $0.scope) }
    guard let marks = PluginMarks(part, ranges, in: document) else { return plugin.peerNotice("update_spans") }
    let spans = marks.spans.compactMap { span -> Interval? in
      guard plugin.scopes.indices.contains(span.value) else { return nil }
      return scopeStyles.style(for: plugin.scopes[span.value]).map { Interval(span.range, value: $0) }
    }
    for definition in scopeStyles.takeNew() { frontEnd.send(.defineStyle(definition)) }
    for view in document.views.all { view.setSpans(spans, in: marks.range, by: plugin.id) }
    document.views.needUpdate()
  }

  private func annotate(
    _ document: Document, by plugin: Plugin, _ part: MarkedPart, _ type: String, _ spans: [AnnotatedSpan]
  ) {
    let ranges = spans.map { (start: $0.start, end: $0.end, value: $0.data ?? .null) }
    guard let marks = PluginMarks(part, ranges, in: document) else { return plugin.peerNotice("update_annotations") }
    guard document.views.all.allSatisfy({ $0.hasRoom(forAnnotationsOfType: type, by: plugin.id) }) else {
      return plugin.peerNotice("update_annotations: too many types")
    }
    let items = marks.spans.map { ($0.range, $0.value) }
    for view in document.views.all { view.setAnnotations(items, ofType: type, in: marks.range, by: plugin.id) }
    document.views.needUpdate()
  }
}
