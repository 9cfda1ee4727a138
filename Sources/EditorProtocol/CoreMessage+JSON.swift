import JSON

extension CoreNotification {
  /// The message's `method` and `params`.
  package var encoded: (method: String, params: JSONValue) {
    switch self {
    case .update(let view, let update): ("update", ["update": update.json, "view_id": view.json])
    case .scrollTo(let view, let place):
      ("scroll_to", ["col": JSONValue(place.column), "line": JSONValue(place.line), "view_id": view.json])
    case .defineStyle(let style): ("def_style", style.json)
    case .themeChanged(let name, let theme): ("theme_changed", ["name": .string(name), "theme": .object(theme)])
    case .availableThemes(let names): ("available_themes", ["themes": .strings(names)])
    case .availableLanguages(let names): ("available_languages", ["languages": .strings(names)])
    case .languageChanged(let view, let language):
      ("language_changed", ["language_id": .string(language), "view_id": view.json])
    case .configChanged(let view, let changes):
      ("config_changed", ["changes": .object(changes), "view_id": view.json])
    case .availablePlugins(let view, let plugins):
      ("available_plugins", ["plugins": .array(plugins.map(\.json)), "view_id": view.json])
    case .pluginStarted(let view, let plugin):
      ("plugin_started", ["plugin": .string(plugin), "view_id": view.json])
    case .pluginStopped(let view, let plugin, let code):
      ("plugin_stopped", ["code": JSONValue(code), "plugin": .string(plugin), "view_id": view.json])
    case .updateCommands(let view, let plugin, let commands):
      ("update_cmds", ["cmds": .array(commands), "plugin": .string(plugin), "view_id": view.json])
    case .findStatus(let view, let queries):
      ("find_status", ["queries": .array(queries.map(\.json)), "view_id": view.json])
    case .replaceStatus(let view, let chars, let preserveCase):
      (
        "replace_status",
        ["status": ["chars": .string(chars), "preserve_case": .bool(preserveCase)], "view_id": view.json]
      )
    case .alert(let message): ("alert", ["msg": .string(message)])
    case .addStatusItem(let view, let item): ("add_status_item", item.json(view))
    case .updateStatusItem(let view, let key, let value):
      ("update_status_item", ["key": .string(key), "value": .string(value), "view_id": view.json])
    case .removeStatusItem(let view, let key): ("remove_status_item", ["key": .string(key), "view_id": view.json])
    case .showHover(let view, let requestID, let result):
      ("show_hover", ["request_id": JSONValue(requestID), "result": .string(result), "view_id": view.json])
    case .handshake(let handshake): ("xiedit_core", handshake.json)
    case .fileInformation(let view, let file): ("xiedit_file", file.json(view))
    case .progress(let view, let progress): ("xiedit_progress", progress.json(view))
    case .recoveryFound(let offer): ("xiedit_recovery", offer.json)
    case .fileChanged(let view, let isReloaded):
      ("xiedit_changed", ["reloaded": .bool(isReloaded), "view_id": view.json])
    case .recovered(let view, let edits, let hasSelection, let isLeft, let savedEdits):
      (
        "xiedit_recovered",
        .members(
          ("edits", JSONValue(edits)), ("left", .bool(isLeft)), ("saved", savedEdits.map { JSONValue($0) }),
          ("selection", .bool(hasSelection)), ("view_id", view.json))
      )
    case .keySettings(let settings): ("xiedit_keys", settings.json)
    }
  }

  package init(method: String, params: JSONValue) throws(ProtocolError) {
    let reader = ParamsReader(method, params)
    switch method {
    case "update":
      self = .update(try reader.viewID(), try ViewUpdate(json: try reader.required("update") { $0 }))
    case "scroll_to":
      self = .scrollTo(
        try reader.viewID(), LineColumn(line: try reader.count("line"), column: try reader.count("col")))
    case "def_style": self = .defineStyle(try StyleDefinition(reader))
    case "theme_changed":
      self = .themeChanged(name: try reader.string("name"), theme: try reader.optional("theme", \.object) ?? [:])
    case "available_themes": self = .availableThemes(try reader.strings("themes"))
    case "available_languages": self = .availableLanguages(try reader.strings("languages"))
    case "language_changed":
      self = .languageChanged(try reader.viewID(), languageID: try reader.string("language_id"))
    case "config_changed":
      self = .configChanged(try reader.viewID(), changes: try reader.required("changes", \.object))
    case "find_status":
      self = .findStatus(
        try reader.viewID(),
        try reader.array("queries") { (query) throws(ProtocolError) in try FindStatus(ParamsReader(method, query)) })
    case "replace_status":
      let status = ParamsReader(method, try reader.required("status") { $0 })
      self = .replaceStatus(
        try reader.viewID(), chars: try status.optionalString("chars") ?? "",
        preserveCase: try status.optionalBool("preserve_case") ?? false)
    case "alert": self = .alert(try reader.string("msg"))
    default:
      if let message = try Self(plugin: reader) {
        self = message
      } else if let message = try Self(extension: reader) {
        self = message
      } else {
        throw ProtocolError(.unknownMethod, method: method)
      }
    }
  }

  private init?(plugin reader: ParamsReader) throws(ProtocolError) {
    switch reader.method {
    case "available_plugins":
      self = .availablePlugins(
        try reader.viewID(),
        try reader.array("plugins") { (plugin) throws(ProtocolError) in
          try PluginState(ParamsReader(reader.method, plugin))
        })
    case "plugin_started": self = .pluginStarted(try reader.viewID(), plugin: try reader.string("plugin"))
    case "plugin_stopped":
      self = .pluginStopped(
        try reader.viewID(), plugin: try reader.string("plugin"), code: try reader.optional("code", \.int) ?? 0)
    case "update_cmds":
      self = .updateCommands(
        try reader.viewID(), plugin: try reader.string("plugin"), commands: try reader.required("cmds", \.array))
    case "add_status_item": self = .addStatusItem(try reader.viewID(), try StatusItem(reader))
    case "update_status_item":
      self = .updateStatusItem(
        try reader.viewID(), key: try reader.string("key"), value: try reader.string("value"))
    case "remove_status_item": self = .removeStatusItem(try reader.viewID(), key: try reader.string("key"))
    case "show_hover":
      self = .showHover(
        try reader.viewID(), requestID: try reader.count("request_id"), result: try reader.string("result"))
    default: return nil
    }
  }

  private init?(extension reader: ParamsReader) throws(ProtocolError) {
    switch reader.method {
    case "xiedit_core":
      guard let handshake = Handshake(json: reader.value) else { throw reader.error() }
      self = .handshake(handshake)
    case "xiedit_file": self = .fileInformation(try reader.viewID(), try FileInformation(reader))
    case "xiedit_progress": self = .progress(try reader.viewID(), try Progress(reader))
    case "xiedit_recovery": self = .recoveryFound(try RecoveryOffer(reader))
    case "xiedit_changed":
      self = .fileChanged(try reader.viewID(), isReloaded: try reader.bool("reloaded"))
    case "xiedit_keys": self = .keySettings(try KeySettings(reader))
    case "xiedit_recovered":
      self = .recovered(
        try reader.viewID(), handledEdits: try reader.count("edits"),
        hasSelection: try reader.optionalBool("selection") ?? false,
        isLeft: try reader.optionalBool("left") ?? false, savedEdits: try reader.optionalCount("saved"))
    default: return nil
    }
  }
}

extension CoreRequest {
  package var encoded: (method: String, params: JSONValue) {
    switch self {
    case .measureWidth(let items):
      (
        "measure_width",
        .array(items.map { ["id": JSONValue($0.style), "strings": .strings($0.strings)] })
      )
    }
  }

  package init(method: String, params: JSONValue) throws(ProtocolError) {
    guard method == "measure_width" else { throw ProtocolError(.unknownMethod, method: method) }
    guard let items = params.array else { throw ProtocolError(.invalidParams, method: method) }
    var requests: [MeasureWidth] = []
    for item in items {
      let reader = ParamsReader(method, item)
      requests.append(MeasureWidth(style: try reader.count("id"), strings: try reader.strings("strings")))
    }
    self = .measureWidth(requests)
  }
}

extension JSONValue {
  static func strings(_ strings: [String]) -> JSONValue { .array(strings.map(JSONValue.string)) }
}

extension StyleDefinition {
  fileprivate var json: JSONValue {
    .members(
      ("id", JSONValue(id)), ("fg_color", foreground.map { JSONValue($0) }),
      ("bg_color", background.map { JSONValue($0) }), ("weight", weight.map { JSONValue($0) }),
      ("italic", isItalic ? true : nil), ("underline", isUnderlined ? true : nil))
  }

  fileprivate init(_ reader: ParamsReader) throws(ProtocolError) {
    self.init(
      id: try reader.count("id"), foreground: try reader.optional("fg_color", \.colour),
      background: try reader.optional("bg_color", \.colour), weight: try reader.optionalCount("weight"),
      isItalic: try reader.optionalBool("italic") ?? false,
      isUnderlined: try reader.optionalBool("underline") ?? false)
  }
}

extension JSONValue {
  fileprivate var colour: UInt32? { int.flatMap { UInt32(exactly: $0) } }
}

extension PluginState {
  fileprivate var json: JSONValue { ["name": .string(name), "running": .bool(isRunning)] }

  fileprivate init(_ reader: ParamsReader) throws(ProtocolError) {
    self.init(name: try reader.string("name"), isRunning: try reader.bool("running"))
  }
}

extension FindStatus {
  fileprivate var json: JSONValue {
    .members(
      ("id", JSONValue(id)), ("chars", chars.map(JSONValue.string) ?? .null),
      ("case_sensitive", caseSensitive.map(JSONValue.bool) ?? .null),
      ("is_regex", isRegex.map(JSONValue.bool) ?? .null), ("whole_words", wholeWords.map(JSONValue.bool) ?? .null),
      ("matches", JSONValue(matches)), ("lines", .array(lines.map { JSONValue($0) })),
      ("current", current.map { JSONValue($0) }), ("wrapped", hasWrapped ? true : nil))
  }

  fileprivate init(_ reader: ParamsReader) throws(ProtocolError) {
    self.init(
      id: try reader.count("id"), chars: try reader.optionalString("chars"),
      caseSensitive: try reader.optionalBool("case_sensitive"), isRegex: try reader.optionalBool("is_regex"),
      wholeWords: try reader.optionalBool("whole_words"), matches: try reader.count("matches"),
      lines: (reader.value["lines"]?.array ?? []).compactMap(\.count), current: try reader.optionalCount("current"),
      hasWrapped: try reader.optionalBool("wrapped") ?? false)
  }
}

extension StatusItem {
  fileprivate func json(_ view: ViewID) -> JSONValue {
    [
      "view_id": view.json, "source": .string(source), "key": .string(key), "value": .string(value),
      "alignment": .string(alignment),
    ]
  }

  fileprivate init(_ reader: ParamsReader) throws(ProtocolError) {
    self.init(
      source: try reader.optionalString("source") ?? "", key: try reader.string("key"),
      value: try reader.string("value"), alignment: try reader.optionalString("alignment") ?? "left")
  }
}

extension FileInformation {
  fileprivate func json(_ view: ViewID) -> JSONValue {
    .members(
      ("view_id", view.json), ("path", path.map(JSONValue.string)),
      ("encoding", .string(encoding?.rawValue ?? "binary")),
      ("line_ending", .string(lineEnding.rawValue)), ("final_newline", .bool(hasFinalNewline)),
      ("read_only", .bool(isReadOnly)), ("new", .bool(isNew)), ("used_by", usedByProcess.map { JSONValue($0) }),
      ("recovery_id", recoveryID.map(JSONValue.string)))
  }

  fileprivate init(_ reader: ParamsReader) throws(ProtocolError) {
    self.init(
      path: try reader.optionalString("path"),
      encoding: reader.value["encoding"].map { TextEncoding(rawValue: $0.string ?? "") } ?? .utf8,
      lineEnding: try reader.optional("line_ending") { LineEnding(rawValue: $0.string ?? "") } ?? .lineFeed,
      hasFinalNewline: try reader.optionalBool("final_newline") ?? true,
      isReadOnly: try reader.optionalBool("read_only") ?? false, isNew: try reader.optionalBool("new") ?? false,
      usedByProcess: try reader.optionalCount("used_by"), recoveryID: try reader.optionalString("recovery_id"))
  }
}

extension Progress {
  fileprivate func json(_ view: ViewID) -> JSONValue {
    [
      "view_id": view.json, "task": .string(task.rawValue), "done": JSONValue(done), "total": JSONValue(total),
    ]
  }

  fileprivate init(_ reader: ParamsReader) throws(ProtocolError) {
    self.init(
      try reader.required("task") { Task(rawValue: $0.string ?? "") }, done: try reader.count("done"),
      total: try reader.count("total"))
  }
}

extension RecoveryOffer {
  fileprivate var json: JSONValue {
    .members(
      ("view_id", view.json), ("recovery_id", .string(recoveryID)), ("time", JSONValue(time)),
      ("base_changed", .bool(baseChanged)), ("interrupted_save", isInterruptedSave ? true : nil))
  }

  fileprivate init(_ reader: ParamsReader) throws(ProtocolError) {
    self.init(
      view: try reader.viewID(), recoveryID: try reader.string("recovery_id"),
      time: try reader.optionalCount("time") ?? 0, baseChanged: try reader.optionalBool("base_changed") ?? false,
      isInterruptedSave: try reader.optionalBool("interrupted_save") ?? false)
  }
}
