import JSON

extension FrontEndNotification {
  /// The message's `method` and `params`.
  package var encoded: (method: String, params: JSONValue) {
    switch self {
    case .clientStarted(let started): ("client_started", started.json)
    case .closeView(let view): ("close_view", ["view_id": view.json])
    case .save(let view, let path): ("save", ["view_id": view.json, "file_path": .string(path)])
    case .setTheme(let name): ("set_theme", ["theme_name": .string(name)])
    case .setLanguage(let view, let language):
      ("set_language", ["view_id": view.json, "language_id": .string(language)])
    case .modifyUserConfig(let domain, let changes):
      ("modify_user_config", ["domain": domain.json, "changes": .object(changes)])
    case .edit(let view, let command):
      ("edit", .edit(view, command.encoded.method, command.encoded.params))
    case .plugin(let view, let command): ("plugin", command.json(view))
    case .tracingConfig(let enabled): ("tracing_config", ["enabled": .bool(enabled)])
    case .saveTrace(let destination, let samples):
      ("save_trace", ["destination": .string(destination), "frontend_samples": .array(samples)])
    case .cancel(let view): ("xiedit_cancel", ["view_id": view.json])
    case .endTask(let task): ("xiedit_end_task", ["task": JSONValue(task)])
    case .reload(let view): ("xiedit_reload", ["view_id": view.json])
    case .setEncoding(let view, let encoding, let readsAgain):
      (
        "xiedit_encoding",
        ["view_id": view.json, "encoding": .string(encoding.rawValue), "read_again": .bool(readsAgain)]
      )
    case .recover(let view, let recoveryID, let choice):
      (
        "xiedit_recover",
        ["view_id": view.json, "recovery_id": .string(recoveryID), "choice": .string(choice.rawValue)]
      )
    }
  }

  package init(method: String, params: JSONValue) throws(ProtocolError) {
    let reader = ParamsReader(method, params)
    switch method {
    case "client_started": self = .clientStarted(try ClientStarted(reader))
    case "close_view": self = .closeView(try reader.viewID())
    case "save": self = .save(try reader.viewID(), path: try reader.string("file_path"))
    case "set_theme": self = .setTheme(name: try reader.string("theme_name"))
    case "set_language": self = .setLanguage(try reader.viewID(), languageID: try reader.string("language_id"))
    case "modify_user_config":
      self = .modifyUserConfig(
        try reader.required("domain", ConfigDomain.init(json:)), changes: try reader.required("changes", \.object))
    case "edit":
      self = .edit(
        try reader.viewID(),
        try EditCommand(method: try reader.string("method"), params: params["params"] ?? .null))
    case "plugin": self = .plugin(try reader.viewID(), try PluginCommand(reader))
    case "tracing_config": self = .tracingConfig(enabled: try reader.bool("enabled"))
    case "save_trace":
      self = .saveTrace(
        destination: try reader.string("destination"),
        frontEndSamples: try reader.optional("frontend_samples", \.array) ?? [])
    case "xiedit_cancel": self = .cancel(try reader.viewID())
    case "xiedit_end_task": self = .endTask(try reader.count("task"))
    case "xiedit_reload": self = .reload(try reader.viewID())
    case "xiedit_encoding":
      self = .setEncoding(
        try reader.viewID(), try reader.required("encoding") { TextEncoding(rawValue: $0.string ?? "") },
        readsAgain: try reader.bool("read_again"))
    case "xiedit_recover":
      self = .recover(
        try reader.viewID(), recoveryID: try reader.string("recovery_id"),
        try reader.required("choice") { RecoveryChoice(rawValue: $0.string ?? "") })
    default: throw ProtocolError(.unknownMethod, method: method)
    }
  }
}

extension FrontEndRequest {
  /// The message's `method` and `params`.
  package var encoded: (method: String, params: JSONValue) {
    switch self {
    case .newView(let view): ("new_view", view.json)
    case .getConfig(let view): ("get_config", ["view_id": view.json])
    case .debugGetContents(let view): ("debug_get_contents", ["view_id": view.json])
    case .cut(let view, let limit): ("edit", .edit(view, "cut", limit.map { ["hold_above": JSONValue($0)] }))
    case .copy(let view, let limit): ("edit", .edit(view, "copy", limit.map { ["hold_above": JSONValue($0)] }))
    case .completePath(let path): ("xiedit_paths", ["path": .string(path)])
    case .folder(let number, .list): ("xiedit_list_files", ["task": JSONValue(number)])
    case .folder(let number, .search(let query)):
      (
        "xiedit_search_files",
        [
          "task": JSONValue(number), "chars": .string(query.chars), "case_sensitive": .bool(query.caseSensitive),
          "regex": .bool(query.regex), "whole_words": .bool(query.wholeWords),
        ]
      )
    case .saveFile(let view, let path, let policy, let makesFolders):
      (
        "xiedit_save",
        .members(
          ("view_id", view.json), ("file_path", .string(path)), ("overwrite", .string(policy.rawValue)),
          ("make_folders", makesFolders ? true : nil))
      )
    }
  }

  package init(method: String, params: JSONValue) throws(ProtocolError) {
    let reader = ParamsReader(method, params)
    switch method {
    case "new_view": self = .newView(try NewView(reader))
    case "get_config": self = .getConfig(try reader.viewID())
    case "debug_get_contents": self = .debugGetContents(try reader.viewID())
    case "edit":
      switch try reader.string("method") {
      case "cut": self = .cut(try reader.viewID(), holdAbove: params["params"]?["hold_above"]?.int)
      case "copy": self = .copy(try reader.viewID(), holdAbove: params["params"]?["hold_above"]?.int)
      case let inner: throw ProtocolError(.unknownMethod, method: inner)
      }
    case "xiedit_paths": self = .completePath(try reader.string("path"))
    case "xiedit_list_files": self = .folder(try reader.count("task"), .list)
    case "xiedit_search_files":
      let query = FindQuery(
        try reader.string("chars"), caseSensitive: try reader.bool("case_sensitive"),
        regex: try reader.optionalBool("regex") ?? false, wholeWords: try reader.optionalBool("whole_words") ?? false)
      self = .folder(try reader.count("task"), .search(query))
    case "xiedit_save":
      self = .saveFile(
        try reader.viewID(), path: try reader.string("file_path"),
        try reader.optional("overwrite") { OverwritePolicy(rawValue: $0.string ?? "") } ?? .ifUnchanged,
        makesFolders: try reader.optionalBool("make_folders") ?? false)
    default: throw ProtocolError(.unknownMethod, method: method)
    }
  }
}

extension ViewID {
  var json: JSONValue { .string(rawValue) }
}

extension JSONValue {
  fileprivate static func edit(_ view: ViewID, _ method: String, _ params: JSONValue?) -> JSONValue {
    .members(("view_id", view.json), ("method", .string(method)), ("params", params))
  }
}

extension ClientStarted {
  fileprivate var json: JSONValue {
    .members(
      ("config_dir", configDirectory.map(JSONValue.string)),
      ("client_extras_dir", clientExtrasDirectory.map(JSONValue.string)), ("xiedit", handshake?.json))
  }

  fileprivate init(_ reader: ParamsReader) throws(ProtocolError) {
    self.init(
      configDirectory: try reader.optionalString("config_dir"),
      clientExtrasDirectory: try reader.optionalString("client_extras_dir"),
      handshake: reader.value["xiedit"].flatMap(Handshake.init(json:)))
  }
}

extension NewView {
  fileprivate var json: JSONValue {
    let isPlain = !isReadOnly && recoveryID == nil && !reusesView && !mustExist
    let extras = JSONValue.members(
      ("read_only", isReadOnly ? true : nil), ("recover", recoveryID.map(JSONValue.string)),
      ("reuse", reusesView ? true : nil), ("existing", mustExist ? true : nil))
    return .members(("file_path", path.map(JSONValue.string)), ("xiedit", isPlain ? nil : extras))
  }

  fileprivate init(_ reader: ParamsReader) throws(ProtocolError) {
    let extras = ParamsReader(reader.method, reader.value["xiedit"] ?? .null)
    self.init(
      path: try reader.optionalString("file_path"), isReadOnly: try extras.optionalBool("read_only") ?? false,
      recoveryID: try extras.optionalString("recover"), reusesView: try extras.optionalBool("reuse") ?? false,
      mustExist: try extras.optionalBool("existing") ?? false)
  }
}

extension ConfigDomain {
  fileprivate var json: JSONValue {
    switch self {
    case .general: "general"
    case .language(let name): ["language": .string(name)]
    case .userOverride(let view): ["user_override": view.json]
    }
  }

  /// `syntax` is the old name of `language`.
  fileprivate init?(json: JSONValue) {
    if json.string == "general" {
      self = .general
    } else if let name = (json["language"] ?? json["syntax"])?.string {
      self = .language(name)
    } else if let view = json["user_override"]?.string {
      self = .userOverride(ViewID(view))
    } else {
      return nil
    }
  }
}

extension PluginCommand {
  fileprivate func json(_ view: ViewID) -> JSONValue {
    switch self {
    case .start(let name): ["command": "start", "view_id": view.json, "plugin_name": .string(name)]
    case .stop(let name): ["command": "stop", "view_id": view.json, "plugin_name": .string(name)]
    case .rpc(let receiver, let method, let params, let isRequest):
      [
        "command": "plugin_rpc", "view_id": view.json, "receiver": .string(receiver),
        "rpc": [
          "method": .string(method), "params": params,
          "rpc_type": .string(isRequest ? "request" : "notification"),
        ],
      ]
    }
  }

  fileprivate init(_ reader: ParamsReader) throws(ProtocolError) {
    switch try reader.string("command") {
    case "start": self = .start(name: try reader.string("plugin_name"))
    case "stop": self = .stop(name: try reader.string("plugin_name"))
    case "plugin_rpc":
      let rpc = ParamsReader(reader.method, try reader.required("rpc") { $0 })
      self = .rpc(
        receiver: try reader.string("receiver"), method: try rpc.string("method"),
        params: rpc.value["params"] ?? .null, isRequest: try rpc.optionalString("rpc_type") == "request")
    default: throw reader.error("command")
    }
  }
}
