import EditorProtocol
import JSON

extension EditorSession {
  func setTheme(_ name: String) {
    guard name == Self.themeName else { return log("there is no theme \(name)") }
    send(.themeChanged(name: name, theme: [:]))
  }

  func setLanguage(_ language: String, of view: ViewID) {
    guard let buffer = buffers[view] else { return }
    guard language == Self.plainText else { return log("there is no language \(language)") }
    buffer.language = language
    send(.languageChanged(view, languageID: language))
  }

  func modifyConfig(_ domain: ConfigDomain, _ changes: JSONObject) {
    if let problem = config.modify(domain, changes) { return alert(problem) }
    applyConfig()
  }

  /// Tells each view which of its settings have changed.
  func applyConfig() {
    for (view, buffer) in buffers {
      let table = config.table(for: view, language: buffer.language)
      var changes = JSONObject()
      for member in table where buffer.configTable[member.key] != member.value { changes[member.key] = member.value }
      for key in buffer.configTable.keys where table[key] == nil { changes[key] = .null }
      guard !changes.isEmpty else { continue }
      buffer.configTable = table
      buffer.config = BufferConfig(table)
      buffer.needsUpdate = true
      send(.configChanged(view, changes: changes))
    }
  }
}
