import EditorProtocol
import JSON
import Rope

/// The settings file, the themes and languages, and which settings hold in which view.
final class SettingsCoordinator {
  static let plainText = "Plain Text"
  private static let plainTheme = "InspiredGitHub"
  private static let largestFile = 1 << 20

  var config = ConfigLayers()
  private var themeName = plainTheme
  private var hasAnnouncedThemes = false
  /// Of the file as it was read last, and told.
  private var hasMistakes = false
  /// Files `.editorconfig`: told once each.
  private var toldTooLarge: Set<String> = []
  /// Where settings are when a front end of this project does not say.
  private let userFolder: String?
  private unowned let session: EditorSession
  private var frontEnd: FrontEnd { session.frontEnd }

  init(of session: EditorSession, userFolder: String?) {
    self.session = session
    self.userFolder = userFolder
  }

  /// What a front end is told at the start.
  func announce() {
    config.knowsLanguages = frontEnd.editsCode
    frontEnd.send(.availableLanguages(languages))
    announceThemes()
    setTheme(config.file.theme ?? Self.plainTheme)
    if config.file.keys.isSaid { announceKeys() }
  }

  private func announceKeys() {
    if frontEnd.takesKeys { frontEnd.send(.keySettings(config.file.keys)) }
  }

  // MARK: The settings file

  func folder(of started: ClientStarted) -> String? {
    started.configDirectory ?? (frontEnd.speaksExtensions ? userFolder : nil)
  }

  /// For a front end of this project.
  func path(for started: ClientStarted) -> String? {
    (started.configDirectory ?? userFolder).map(SettingsFolder.file(in:))
  }

  /// Reads the settings, now and after each change of the file.
  func use(_ folder: String) {
    let path = SettingsFolder.file(in: folder)
    read(at: path)
    _ = session.files.watcher.watch(path) { [unowned self] in
      read(at: path)
      session.views.sendUpdates()
    }
  }

  /// A file that is no TOML leaves in force what was; of any other, what cannot be understood is left out.
  private func read(at path: String) {
    let text: String
    do throws(FileError) {
      let reader = try FileReader(path, system: session.files.system)
      guard reader.status.size <= Self.largestFile else {
        return frontEnd.alert("\(path.pathName) is too large for settings")
      }
      let contents = try reader.readAll()
      text = contents.string(in: contents.fullRange)
    } catch  where error.code == .notFound {
      text = ""
    } catch {
      return frontEnd.alert("Settings: \(error.named(path.pathName))")
    }
    guard !text.isEmpty || config.file != Settings() || hasMistakes else { return }
    switch SettingsFile.read(text, at: path) {
    case .success(let file):
      use(file.settings)
      tell(of: file.problems, at: path)
    case .failure(let error): tell(of: [error], at: path)
    }
  }

  private func tell(of problems: [SettingsProblem], at path: String) {
    if !problems.isEmpty {
      var lines = problems.prefix(100).map { "\($0)" }
      if problems.count > lines.count { lines.append("\(problems.count - lines.count) more mistakes") }
      frontEnd.alert(lines.joined(separator: "\n"))
    } else if hasMistakes {
      // Otherwise the last one would stay on the screen.
      frontEnd.alert("\(path.pathName): no mistake is left")
    }
    hasMistakes = !problems.isEmpty
  }

  private func use(_ settings: Settings) {
    let old = config.file
    config.file = settings
    if hasAnnouncedThemes {
      if old.themes.keys != settings.themes.keys { announceThemes() }
      if old.theme != settings.theme || old.themes != settings.themes {
        setTheme(settings.theme ?? (theme(named: themeName) == nil ? Self.plainTheme : themeName))
      }
      if old.keys != settings.keys, old.keys.isSaid || settings.keys.isSaid { announceKeys() }
      apply()
    }
  }

  // MARK: Themes

  private func announceThemes() {
    hasAnnouncedThemes = true
    let own = config.file.themes.keys.sorted().filter { !BuiltInThemes.names.contains($0) }
    frontEnd.send(.availableThemes([Self.plainTheme] + BuiltInThemes.names + own))
  }

  /// The plain theme names no colour: the front end draws with its own.
  func setTheme(_ name: String) {
    guard let theme = theme(named: name) else {
      return frontEnd.log("there is no theme \(name)")
    }
    themeName = name
    frontEnd.send(.themeChanged(name: name, theme: theme))
    session.plugins.defineStylesAgain(theme)
  }

  private func theme(named name: String) -> JSONObject? {
    name == Self.plainTheme ? [:] : config.file.themes[name] ?? BuiltInThemes.theme(name)
  }

  // MARK: Languages

  func setLanguage(_ language: String, of document: Document) {
    guard languages.contains(language) else { return frontEnd.log("there is no language \(language)") }
    document.settings.language = language
    document.settings.languageIsChosen = true
    frontEnd.send(toViewsOf: document) { .languageChanged($0, languageID: language) }
    session.plugins.tell(.languageChanged(document.id, languageID: language))
    apply()
  }

  /// The names of all languages: those of plugins, and none.
  private var languages: [String] {
    let names = session.plugins.languages.map(\.name) + (frontEnd.editsCode ? LanguageList.known.names : [])
    return [Self.plainText] + Set(names).subtracting([Self.plainText]).sorted()
  }

  /// What plugins bring comes first: by the extension of the name, or by all of it when it has none.
  private func language(ofFile path: String?, _ text: Rope) -> String {
    if let name = path?.pathName {
      let dot = name.dropFirst().lastIndex(of: ".")
      let ending = dot.map { String(name[name.index(after: $0)...]) } ?? String(name)
      if let language = session.plugins.languages.first(where: { $0.extensions.contains(ending) }) {
        return language.name
      }
    }
    guard frontEnd.editsCode else { return Self.plainText }
    let (first, last) = ModeLine.lines(of: text)
    return LanguageList.known.name(ofFile: path, first: first, last: last) ?? Self.plainText
  }

  // MARK: Views

  /// The language and the settings of a file that is opened.
  func ofNewDocument(
    _ document: ViewID, of path: String?, _ place: FilePlace?, _ text: Rope
  ) -> (language: String, table: JSONObject) {
    let language = language(ofFile: path, text)
    readEditorConfig(of: document, place)
    if path != nil, DocumentConfig(config.table(for: document, language: language, path: path)).detectsWhitespace {
      config.setDetected(document, TextStyleDetection.settings(of: text))
    }
    return (language, config.table(for: document, language: language, path: path))
  }

  /// What the text's own indentation says, as it was opened.
  func found(in document: Document) -> JSONObject { config.detected[document.id] ?? [:] }

  /// A core that died found that, perhaps in another text than the file holds by now. The front end has not been told of the view yet.
  func restore(_ indentation: JSONObject, foundIn document: Document) {
    config.setDetected(document.id, indentation)
    document.settings.table = config.table(
      for: document.id, language: document.settings.language, path: document.file.path)
    document.settings.config = DocumentConfig(document.settings.table)
  }

  private func readEditorConfig(of document: ViewID, _ place: FilePlace?) {
    guard frontEnd.editsCode, let place else { return }
    let settings = EditorConfig.settings(ofFile: place.path, system: session.files.system) { path in
      guard toldTooLarge.insert(path).inserted else { return }
      frontEnd.alert("\(path) is too large to be read: what it says does not hold")
    }
    config.setEditorConfig(document, settings)
  }

  /// It has been saved under another name.
  func follow(nameOf document: Document) {
    if !document.settings.languageIsChosen {
      document.settings.language = language(ofFile: document.file.path, document.buffer.text)
    }
    readEditorConfig(of: document.id, document.file.place)
  }

  func modify(_ domain: ConfigDomain, _ changes: JSONObject) {
    var domain = domain
    if case .userOverride(let id) = domain, let view = session.views[id] { domain = .userOverride(view.document.id) }
    if let problem = config.modify(domain, changes) { return frontEnd.alert(problem) }
    apply()
  }

  /// Tells each view which of its settings have changed.
  func apply() {
    for document in session.views.documents {
      var table = config.table(for: document.id, language: document.settings.language, path: document.file.path)
      document.settings.config = DocumentConfig(table, chosenLineEnding: config.chosenLineEnding(document.id))
      session.changes.configure(document)
      table["line_ending"] = .string(document.lineEnding)
      var changes = JSONObject()
      for member in table where document.settings.table[member.key] != member.value {
        changes[member.key] = member.value
      }
      for key in document.settings.table.keys where table[key] == nil { changes[key] = .null }
      guard !changes.isEmpty else { continue }
      document.settings.table = table
      document.views.needUpdate()
      frontEnd.send(toViewsOf: document) { .configChanged($0, changes: changes) }
      if changes["line_ending"] != nil { session.files.sendInformation(of: document) }
      session.plugins.tell(.configChanged(document.id, changes: changes))
    }
  }
}

extension KeySettings {
  /// Whether the file says anything of keys.
  fileprivate var isSaid: Bool { self.set != nil || !entries.isEmpty }
}
