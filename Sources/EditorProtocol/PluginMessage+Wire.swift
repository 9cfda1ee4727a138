import JSON

extension HostNotification: WireMessage, EncodableMessage {
  package var method: String { Wire.name(of: self) }
  package func encodeParams(to writer: inout JSONWriter) { writeParams(to: &writer) }
  package init(method: String, params: JSONValue) throws(ProtocolError) { self = try Wire.read(method, params) }

  static let kinds: [String: Self] = Wire.kinds([
    .initialize(pluginID: 0, []), .newBuffer([]), .didSave(.blank, path: ""), .didClose(.blank),
    .configChanged(.blank, changes: [:]), .languageChanged(.blank, languageID: ""),
    .getHover(.blank, requestID: 0, position: 0), .customCommand(.blank, method: "", params: .null),
    .tracingConfig(enabled: false), .shutDown,
  ])

  func kind(over wire: inout Wire) throws(ProtocolError) -> (name: String, message: Self) {
    switch self {
    case .initialize(let id, let buffers):
      try ("initialize", .initialize(pluginID: wire("plugin_id", id), wire("buffer_info", buffers)))
    case .newBuffer(let buffers): try ("new_buffer", .newBuffer(wire("buffer_info", buffers)))
    case .didSave(let view, let path): try ("did_save", .didSave(wire.view(view), path: wire("path", path)))
    case .didClose(let view): try ("did_close", .didClose(wire.view(view)))
    case .configChanged(let view, let changes):
      try ("config_changed", .configChanged(wire.view(view), changes: wire("changes", changes)))
    case .languageChanged(let view, let language):
      try ("language_changed", .languageChanged(wire.view(view), languageID: wire("new_lang", language)))
    case .getHover(let view, let id, let position):
      try (
        "get_hover",
        .getHover(wire.view(view), requestID: wire("request_id", id), position: wire("position", position))
      )
    case .customCommand(let view, let method, let params):
      try (
        "custom_command",
        .customCommand(wire.view(view), method: wire("method", method), params: wire("params", params, or: .null))
      )
    case .tracingConfig(let enabled): try ("tracing_config", .tracingConfig(enabled: wire("enabled", enabled)))
    case .shutDown: ("shutdown", wire.empty(self))
    }
  }
}

extension HostRequest: WireMessage, EncodableMessage {
  package var method: String { Wire.name(of: self) }
  package func encodeParams(to writer: inout JSONWriter) { writeParams(to: &writer) }
  package init(method: String, params: JSONValue) throws(ProtocolError) { self = try Wire.read(method, params) }

  static let kinds: [String: Self] = Wire.kinds([.update(.blank, .blank), .collectTrace])

  func kind(over wire: inout Wire) throws(ProtocolError) -> (name: String, message: Self) {
    switch self {
    case .update(let view, let change): try ("update", .update(wire.view(view), change.passed(over: &wire)))
    case .collectTrace: ("collect_trace", wire.empty(self))
    }
  }
}

extension PluginNotification: WireMessage, EncodableMessage {
  package var method: String { Wire.name(of: self) }
  package func encodeParams(to writer: inout JSONWriter) { writeParams(to: &writer) }
  package init(method: String, params: JSONValue) throws(ProtocolError) { self = try Wire.read(method, params) }

  static let kinds: [String: Self] = Wire.kinds([
    .edit(.blank, .blank), .addScopes([]), .updateSpans(.blank, .blank, []),
    .updateAnnotations(.blank, .blank, type: AnnotationType(""), []),
    .addStatusItem(.blank, key: "", value: "", alignment: ""), .updateStatusItem(.blank, key: "", value: ""),
    .removeStatusItem(.blank, key: ""), .showHover(.blank, requestID: 0, .content("")), .alert(""),
  ])

  func kind(over wire: inout Wire) throws(ProtocolError) -> (name: String, message: Self) {
    switch self {
    case .edit(let view, let edit): try ("edit", .edit(wire.view(view), wire("edit", edit)))
    case .addScopes(let scopes): try ("add_scopes", .addScopes(wire("scopes", scopes)))
    case .updateSpans(let view, let part, let spans):
      try ("update_spans", .updateSpans(wire.view(view), part.passed(over: &wire), wire("spans", spans)))
    case .updateAnnotations(let view, let part, let type, let spans):
      try (
        "update_annotations",
        .updateAnnotations(
          wire.view(view), part.passed(over: &wire), type: wire("annotation_type", type), wire("spans", spans))
      )
    case .addStatusItem(let view, let key, let value, let alignment):
      try (
        "add_status_item",
        .addStatusItem(
          wire.view(view), key: wire("key", key), value: wire("value", value),
          alignment: wire("alignment", alignment, or: "left"))
      )
    case .updateStatusItem(let view, let key, let value):
      try (
        "update_status_item", .updateStatusItem(wire.view(view), key: wire("key", key), value: wire("value", value))
      )
    case .removeStatusItem(let view, let key):
      try ("remove_status_item", .removeStatusItem(wire.view(view), key: wire("key", key)))
    case .showHover(let view, let id, let result):
      try (
        "show_hover", .showHover(wire.view(view), requestID: wire("request_id", id), wire("result", result))
      )
    case .alert(let message): try ("alert", .alert(wire("msg", message)))
    }
  }
}

extension PluginRequest: WireMessage, EncodableMessage {
  package var method: String { Wire.name(of: self) }
  package func encodeParams(to writer: inout JSONWriter) { writeParams(to: &writer) }
  package init(method: String, params: JSONValue) throws(ProtocolError) { self = try Wire.read(method, params) }

  static let kinds: [String: Self] = Wire.kinds([
    .getData(.blank, .blank), .lineCount(.blank), .getSelections(.blank),
  ])

  func kind(over wire: inout Wire) throws(ProtocolError) -> (name: String, message: Self) {
    switch self {
    case .getData(let view, let query): try ("get_data", .getData(wire.view(view), query.passed(over: &wire)))
    case .lineCount(let view): try ("line_count", .lineCount(wire.view(view)))
    case .getSelections(let view): try ("get_selections", .getSelections(wire.view(view)))
    }
  }
}
