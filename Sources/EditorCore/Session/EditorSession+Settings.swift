import EditorProtocol
import JSON
import Rope

extension EditorSession {
  // MARK: The settings file

  private static let settingsSizeLimit = 1 << 20

  /// Reads the settings, now and after each change of the file.
  func useSettings(in folder: String) {
    let path = folder + "/" + SettingsFolder.fileName
    readSettings(at: path)
    _ = watcher.watch(path) { [unowned self] in
      readSettings(at: path)
      sendUpdates()
    }
  }

  /// A file that is no TOML leaves in force what was; of any other, what cannot be understood is left out.
  private func readSettings(at path: String) {
    let text: String
    do throws(FileError) {
      let reader = try FileReader(path, system: files.system)
      guard reader.status.size <= Self.settingsSizeLimit else { return alert("\(path) is too large for settings") }
      let contents = try reader.readAll()
      text = contents.string(in: contents.fullRange)
    } catch  where error.code == .notFound {
      text = ""
    } catch {
      return alert("Settings: \(error)")
    }
    guard !text.isEmpty || config.file != Settings() else { return }
    switch SettingsFile.read(text, at: path) {
    case .success(let file): use(file.settings, problems: file.problems)
    case .failure(let error): alert("\(error)")
    }
  }

  private func use(_ settings: Settings, problems: [SettingsProblem]) {
    let old = config.file
    config.file = settings
    if hasAnnouncedThemes {
      if old.themes.keys != settings.themes.keys { announceThemes() }
      if old.theme != settings.theme || old.themes != settings.themes {
        setTheme(settings.theme ?? (settings.themes[themeName] == nil ? Self.plainTheme : themeName))
      }
      applyConfig()
    }
    guard let first = problems.first else { return }
    alert(problems.count == 1 ? "\(first)" : "\(first) (and \(problems.count - 1) more)")
  }

  // MARK: Themes

  func announceThemes() {
    hasAnnouncedThemes = true
    send(.availableThemes([Self.plainTheme] + config.file.themes.keys.sorted()))
  }

  /// The plain theme names no colour: the front end draws with its own.
  func setTheme(_ name: String) {
    guard let theme = config.file.themes[name] ?? (name == Self.plainTheme ? [:] : nil) else {
      return log("there is no theme \(name)")
    }
    themeName = name
    send(.themeChanged(name: name, theme: theme))
    scopeStyles.forgetSent()
    for definition in scopeStyles.takeNew() { send(.defineStyle(definition)) }
  }

  func setLanguage(_ language: String, of view: ViewID) {
    guard let buffer = buffers[view] else { return }
    guard languages.contains(language) else { return log("there is no language \(language)") }
    buffer.language = language
    buffer.languageIsChosen = true
    send(.languageChanged(view, languageID: language))
    tellPlugins("language_changed", view, ["new_lang": .string(language)])
    applyConfig()
  }

  // MARK: Languages

  /// The names of all languages: those of plugins, and none.
  var languages: [String] {
    [Self.plainText] + Set(manifests.flatMap(\.languages).map(\.name)).subtracting([Self.plainText]).sorted()
  }

  /// By the extension of the name, or by all of it when it has none.
  func language(ofFile path: String?) -> String {
    guard let name = path?.split(separator: "/").last else { return Self.plainText }
    let dot = name.dropFirst().lastIndex(of: ".")
    let ending = dot.map { String(name[name.index(after: $0)...]) } ?? String(name)
    return manifests.lazy.flatMap(\.languages).first { $0.extensions.contains(ending) }?.name ?? Self.plainText
  }

  func modifyConfig(_ domain: ConfigDomain, _ changes: JSONObject) {
    if let problem = config.modify(domain, changes) { return alert(problem) }
    applyConfig()
  }

  /// Tells each view which of its settings have changed.
  func applyConfig() {
    for (view, buffer) in buffers {
      let table = config.table(for: view, language: buffer.language, path: buffer.path)
      var changes = JSONObject()
      for member in table where buffer.configTable[member.key] != member.value { changes[member.key] = member.value }
      for key in buffer.configTable.keys where table[key] == nil { changes[key] = .null }
      guard !changes.isEmpty else { continue }
      buffer.configTable = table
      buffer.config = BufferConfig(table)
      buffer.needsUpdate = true
      send(.configChanged(view, changes: changes))
      tellPlugins("config_changed", view, ["changes": .object(changes)])
    }
  }
}
