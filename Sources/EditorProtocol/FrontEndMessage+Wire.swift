import JSON

extension FrontEndNotification: WireMessage, EncodableMessage {
  package var method: String { Wire.name(of: self) }
  package func encodeParams(to writer: inout JSONWriter) { writeParams(to: &writer) }
  package init(method: String, params: JSONValue) throws(ProtocolError) { self = try Wire.read(method, params) }

  static let kinds: [String: Self] = Wire.kinds([
    .clientStarted(.blank), .closeView(.blank), .save(.blank, path: ""), .setTheme(name: ""),
    .setLanguage(.blank, languageID: ""), .modifyUserConfig(.general, changes: [:]), .edit(.blank, .insert("")),
    .plugin(.blank, .start(name: "")), .tracingConfig(enabled: false),
    .saveTrace(destination: "", frontEndSamples: []), .cancel(.blank), .endTask(0), .reload(.blank),
    .compareWithDisk(.blank),
    .setEncoding(.blank, .utf8, readsAgain: false), .recover(.blank, recoveryID: "", .later),
  ])

  func kind(over wire: inout Wire) throws(ProtocolError) -> (name: String, message: Self) {
    switch self {
    case .clientStarted(let started): try ("client_started", .clientStarted(started.passed(over: &wire)))
    case .closeView(let view): try ("close_view", .closeView(wire.view(view)))
    case .save(let view, let path): try ("save", .save(wire.view(view), path: wire("file_path", path)))
    case .setTheme(let name): try ("set_theme", .setTheme(name: wire("theme_name", name)))
    case .setLanguage(let view, let language):
      try ("set_language", .setLanguage(wire.view(view), languageID: wire("language_id", language)))
    case .modifyUserConfig(let domain, let changes):
      try ("modify_user_config", .modifyUserConfig(wire("domain", domain), changes: wire("changes", changes)))
    case .edit(let view, let command): try ("edit", .edit(wire.view(view), wire.message(command)))
    case .plugin(let view, let command):
      try ("plugin", .plugin(wire.view(view), wire.kind("command", command)))
    case .tracingConfig(let enabled): try ("tracing_config", .tracingConfig(enabled: wire("enabled", enabled)))
    case .saveTrace(let destination, let samples):
      try (
        "save_trace",
        .saveTrace(
          destination: wire("destination", destination), frontEndSamples: wire("frontend_samples", samples, or: []))
      )
    case .cancel(let view): try ("xiedit_cancel", .cancel(wire.view(view)))
    case .endTask(let task): try ("xiedit_end_task", .endTask(wire("task", task)))
    case .compareWithDisk(let view): try ("xiedit_compare", .compareWithDisk(wire.view(view)))
    case .reload(let view): try ("xiedit_reload", .reload(wire.view(view)))
    case .setEncoding(let view, let encoding, let readsAgain):
      try (
        "xiedit_encoding",
        .setEncoding(wire.view(view), wire("encoding", encoding), readsAgain: wire("read_again", readsAgain))
      )
    case .recover(let view, let recoveryID, let choice):
      try (
        "xiedit_recover",
        .recover(wire.view(view), recoveryID: wire("recovery_id", recoveryID), wire("choice", choice))
      )
    }
  }
}

extension FrontEndRequest: WireMessage, EncodableMessage {
  package var method: String { Wire.name(of: self) }
  package func encodeParams(to writer: inout JSONWriter) { writeParams(to: &writer) }
  package init(method: String, params: JSONValue) throws(ProtocolError) { self = try Wire.read(method, params) }

  static let kinds: [String: Self] = Wire.kinds([
    .newView(.blank), .getConfig(.blank), .debugGetContents(.blank), .cut(.blank), .motionsEnd(.blank),
    .change(.blank),
    .completePath(""),
    .folder(0, .list), .folder(0, .search(.blank)), .saveFile(.blank, path: "", .ifUnchanged),
    .runCommand(.blank, "", .filter), .words(.blank),
  ])

  func kind(over wire: inout Wire) throws(ProtocolError) -> (name: String, message: Self) {
    switch self {
    case .newView(let view): try ("new_view", .newView(view.passed(over: &wire)))
    case .getConfig(let view): try ("get_config", .getConfig(wire.view(view)))
    case .debugGetContents(let view): try ("debug_get_contents", .debugGetContents(wire.view(view)))
    case .cut(let view, let limit): try ("edit", Self.copy(view, by: "cut", holdAbove: limit, over: &wire))
    case .copy(let view, let limit): try ("edit", Self.copy(view, by: "copy", holdAbove: limit, over: &wire))
    case .motionsEnd(let view): try ("xiedit_motions_end", .motionsEnd(wire.view(view)))
    case .change(let view): try ("xiedit_change", .change(wire.view(view)))
    case .completePath(let path): try ("xiedit_paths", .completePath(wire("path", path)))
    case .folder(let number, .list): try ("xiedit_list_files", .folder(wire("task", number), .list))
    case .folder(let number, .search(let query)):
      try ("xiedit_search_files", .folder(wire("task", number), .search(query.passedWithoutID(over: &wire))))
    case .runCommand(let view, let command, let use):
      try ("xiedit_run_command", .runCommand(wire.view(view), wire("command", command), wire("use", use)))
    case .words(let view): try ("xiedit_words", .words(wire.view(view)))
    case .saveFile(let view, let path, let policy, let makesFolders):
      try (
        "xiedit_save",
        .saveFile(
          wire.view(view), path: wire("file_path", path), wire("overwrite", policy, or: .ifUnchanged),
          makesFolders: wire("make_folders", makesFolders, unless: false))
      )
    }
  }

  private static func copy(
    _ view: ViewID, by method: String, holdAbove limit: Int?, over wire: inout Wire
  ) throws(ProtocolError) -> Self {
    let (view, method) = try (wire.view(view), wire("method", method))
    let limit = try wire.object("params", isOptional: true) { (params) throws(ProtocolError) in
      try? params("hold_above", limit)
    }
    switch method {
    case "cut": return .cut(view, holdAbove: limit)
    case "copy": return .copy(view, holdAbove: limit)
    default: throw ProtocolError(.unknownMethod, method: method)
    }
  }
}

extension ConfigDomain: WireValue {
  func write(to writer: inout JSONWriter) {
    let json: JSONValue =
      switch self {
      case .general: "general"
      case .language(let name): ["language": .string(name)]
      case .userOverride(let view): ["user_override": .string(view.rawValue)]
      }
    writer.write(json)
  }

  /// `syntax` is the old name of `language`.
  static func read(_ json: JSONValue, of method: String) -> Self? {
    if let name = (json["language"] ?? json["syntax"])?.string { return .language(name) }
    if let view = json["user_override"]?.string { return .userOverride(ViewID(view)) }
    return json.string == "general" ? .general : nil
  }
}

extension PluginCommand: WireMessage {
  static let kinds: [String: Self] = Wire.kinds([
    .start(name: ""), .stop(name: ""), .rpc(receiver: "", method: "", params: .null, isRequest: false),
  ])

  func kind(over wire: inout Wire) throws(ProtocolError) -> (name: String, message: Self) {
    switch self {
    case .start(let name): return try ("start", .start(name: wire("plugin_name", name)))
    case .stop(let name): return try ("stop", .stop(name: wire("plugin_name", name)))
    case .rpc(let receiver, let method, let params, let isRequest):
      let receiver = try wire("receiver", receiver)
      return try wire.object("rpc") { (rpc) throws(ProtocolError) in
        let (method, params) = try (rpc("method", method), rpc("params", params, or: .null))
        let type = try rpc("rpc_type", isRequest ? "request" : "notification", or: "notification")
        return ("plugin_rpc", .rpc(receiver: receiver, method: method, params: params, isRequest: type == "request"))
      }
    }
  }
}
