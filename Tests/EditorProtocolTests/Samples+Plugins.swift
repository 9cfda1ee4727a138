import JSON

@testable import EditorProtocol

private let view = ViewID("view-id-1")

extension Samples {
  private static let buffer = BufferDescription(
    id: 2, views: [view], revision: 3, byteCount: 4, lineCount: 1, path: nil, language: "Swift",
    config: ["tab_size": 4])
  private static let delta = TextDelta(baseByteCount: 3, elements: [.copy(0..<2), .insert("é\n"), .copy(2..<3)])

  static let hostNotifications: [HostNotification] = [
    .initialize(pluginID: 7, [buffer]), .newBuffer([buffer]), .didSave(view, path: "/a"), .didClose(view),
    .configChanged(view, changes: ["tab_size": 2]), .languageChanged(view, languageID: "Rust"),
    .getHover(view, requestID: 1, position: 9), .customCommand(view, method: "sort", params: [[0, 3]]),
    .tracingConfig(enabled: true), .shutDown,
  ]
  static let hostRequests: [HostRequest] = [
    .update(
      view,
      TextChange(
        delta: delta, byteCount: 6, lineCount: 2, revision: 4, undoGroup: 1, kind: "insert", author: "core")),
    .update(
      view,
      TextChange(delta: nil, byteCount: 0, lineCount: 1, revision: 4, undoGroup: nil, kind: "other", author: "one")),
    .collectTrace,
  ]
  static let pluginNotifications: [PluginNotification] = [
    .edit(view, PluginEdit(revision: 1, delta: delta, priority: -3, undoGroup: 8)),
    .edit(view, PluginEdit(revision: 1, delta: delta)), .addScopes([["comment"], ["source", "string"]]),
    .updateSpans(view, MarkedPart(start: 1, length: 8, revision: 2), [ScopeSpan(start: 0, end: 2, scope: 1)]),
    .updateAnnotations(
      view, MarkedPart(start: 1, length: 8, revision: 2), type: AnnotationType("lint"),
      [AnnotatedSpan(start: 0, end: 2, data: ["x": 1]), AnnotatedSpan(start: 2, end: 3, data: nil)]),
    .addStatusItem(view, key: "k", value: "v", alignment: "right"), .updateStatusItem(view, key: "k", value: "w"),
    .removeStatusItem(view, key: "k"), .showHover(view, requestID: 1, .content("text")),
    .showHover(view, requestID: 1, .failed(["code": 1])), .alert("told"),
  ]
  static let pluginRequests: [PluginRequest] = [
    .getData(view, TextQuery(start: 1, unit: "line", byteCount: 100, revision: 2)),
    .getData(view, TextQuery(start: 1, unit: nil, byteCount: 100, revision: 2)), .lineCount(view),
    .getSelections(view),
  ]
}
