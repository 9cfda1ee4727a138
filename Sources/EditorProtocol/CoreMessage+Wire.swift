import JSON

extension CoreNotification: WireMessage, EncodableMessage {
  package var method: String { Wire.name(of: self) }
  package func encodeParams(to writer: inout JSONWriter) { writeParams(to: &writer) }
  package init(method: String, params: JSONValue) throws(ProtocolError) { self = try Wire.read(method, params) }

  static let kinds: [String: Self] = Wire.kinds([
    .update(.blank, .blank), .scrollTo(.blank, .blank), .defineStyle(.blank), .themeChanged(name: "", theme: [:]),
    .availableThemes([]), .availableLanguages([]), .languageChanged(.blank, languageID: ""),
    .configChanged(.blank, changes: [:]), .availablePlugins(.blank, []), .pluginStarted(.blank, plugin: ""),
    .pluginStopped(.blank, plugin: "", code: 0), .updateCommands(.blank, plugin: "", commands: []),
    .findStatus(.blank, []), .replaceStatus(.blank, chars: "", preserveCase: false), .alert(""),
    .addStatusItem(.blank, .blank), .updateStatusItem(.blank, key: "", value: ""),
    .removeStatusItem(.blank, key: ""), .showHover(.blank, requestID: 0, result: ""), .handshake(.blank),
    .fileInformation(.blank, .blank), .progress(.blank, .blank), .recoveryFound(.blank),
    .fileChanged(.blank, isReloaded: false), .recovered(.blank, handledEdits: 0, hasSelection: false),
    .keySettings(.blank),
  ])

  func kind(over wire: inout Wire) throws(ProtocolError) -> (name: String, message: Self) {
    switch self {
    case .update(let view, let update): try ("update", .update(wire.view(view), wire("update", update)))
    case .scrollTo(let view, let place):
      try ("scroll_to", .scrollTo(wire.view(view), place.passed(over: &wire, column: "col")))
    case .defineStyle(let style): try ("def_style", .defineStyle(style.passed(over: &wire)))
    case .themeChanged(let name, let theme):
      try ("theme_changed", .themeChanged(name: wire("name", name), theme: wire("theme", theme, or: [:])))
    case .availableThemes(let names): try ("available_themes", .availableThemes(wire("themes", names)))
    case .availableLanguages(let names): try ("available_languages", .availableLanguages(wire("languages", names)))
    case .languageChanged(let view, let language):
      try ("language_changed", .languageChanged(wire.view(view), languageID: wire("language_id", language)))
    case .configChanged(let view, let changes):
      try ("config_changed", .configChanged(wire.view(view), changes: wire("changes", changes)))
    case .availablePlugins(let view, let plugins):
      try ("available_plugins", .availablePlugins(wire.view(view), wire("plugins", plugins)))
    case .pluginStarted(let view, let plugin):
      try ("plugin_started", .pluginStarted(wire.view(view), plugin: wire("plugin", plugin)))
    case .pluginStopped(let view, let plugin, let code):
      try (
        "plugin_stopped",
        .pluginStopped(wire.view(view), plugin: wire("plugin", plugin), code: Int(wire("code", Int64(code), or: 0)))
      )
    case .updateCommands(let view, let plugin, let commands):
      try (
        "update_cmds",
        .updateCommands(wire.view(view), plugin: wire("plugin", plugin), commands: wire("cmds", commands))
      )
    case .findStatus(let view, let queries):
      try ("find_status", .findStatus(wire.view(view), wire("queries", queries)))
    case .replaceStatus(let view, let chars, let preserveCase):
      try ("replace_status", Self.replaceStatus(view, chars, preserveCase, over: &wire))
    case .alert(let message): try ("alert", .alert(wire("msg", message)))
    case .addStatusItem(let view, let item):
      try ("add_status_item", .addStatusItem(wire.view(view), item.passed(over: &wire)))
    case .updateStatusItem(let view, let key, let value):
      try (
        "update_status_item", .updateStatusItem(wire.view(view), key: wire("key", key), value: wire("value", value))
      )
    case .removeStatusItem(let view, let key):
      try ("remove_status_item", .removeStatusItem(wire.view(view), key: wire("key", key)))
    case .showHover(let view, let requestID, let result):
      try (
        "show_hover",
        .showHover(wire.view(view), requestID: wire("request_id", requestID), result: wire("result", result))
      )
    case .handshake(let handshake): try ("xiedit_core", .handshake(handshake.passed(over: &wire)))
    case .fileInformation(let view, let file):
      try ("xiedit_file", .fileInformation(wire.view(view), file.passed(over: &wire)))
    case .progress(let view, let progress):
      try ("xiedit_progress", .progress(wire.view(view), progress.passed(over: &wire)))
    case .recoveryFound(let offer): try ("xiedit_recovery", .recoveryFound(offer.passed(over: &wire)))
    case .fileChanged(let view, let isReloaded):
      try ("xiedit_changed", .fileChanged(wire.view(view), isReloaded: wire("reloaded", isReloaded)))
    case .recovered(let view, let edits, let hasSelection, let isLeft, let savedEdits):
      try (
        "xiedit_recovered",
        .recovered(
          wire.view(view), handledEdits: wire("edits", edits), hasSelection: wire("selection", hasSelection, or: false),
          isLeft: wire("left", isLeft, or: false), savedEdits: wire("saved", savedEdits))
      )
    case .keySettings(let settings): try ("xiedit_keys", .keySettings(settings.passed(over: &wire)))
    }
  }

  private static func replaceStatus(
    _ view: ViewID, _ chars: String, _ preserveCase: Bool, over wire: inout Wire
  ) throws(ProtocolError) -> Self {
    let view = try wire.view(view)
    return try wire.object("status") { (status) throws(ProtocolError) in
      try .replaceStatus(
        view, chars: status("chars", chars, or: ""), preserveCase: status("preserve_case", preserveCase, or: false))
    }
  }
}

extension CoreRequest: WireMessage, EncodableMessage {
  package var method: String { Wire.name(of: self) }
  package func encodeParams(to writer: inout JSONWriter) { writeParams(to: &writer) }
  package init(method: String, params: JSONValue) throws(ProtocolError) { self = try Wire.read(method, params) }

  static let kinds: [String: Self] = Wire.kinds([.measureWidth([])])

  func kind(over wire: inout Wire) throws(ProtocolError) -> (name: String, message: Self) {
    switch self {
    case .measureWidth(let items): try ("measure_width", .measureWidth(wire.whole(items)))
    }
  }
}
