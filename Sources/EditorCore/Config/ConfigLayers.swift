import EditorProtocol
import JSON

/// The tables of settings, from the weakest: defaults, general, the language's (first what its community does, then what a plugin says of
/// it), `.editorconfig`, those for the file's name, what was found in the text where `.editorconfig` does not say, the view's own. What the
/// settings file says of each comes before what a front end has changed.
struct ConfigLayers {
  static let defaults: JSONObject = [
    "auto_indent": true, "autodetect_whitespace": true, "font_face": "monospace", "font_size": 14.0,
    "line_ending": "\n", "plugin_search_path": [], "save_with_newline": true, "scroll_past_end": false,
    "surrounding_pairs": [["\"", "\""], ["'", "'"], ["{", "}"], ["[", "]"]], "tab_size": 4,
    "translate_tabs_to_spaces": true, "unified_titlebar": true, "use_tab_stops": true, "word_wrap": false,
    "wrap_width": 0,
  ]

  /// What settings may be called: those of the core, and those of the terminal's front end.
  static let knownNames = Set(defaults.keys + otherDefaults.keys)
  /// Those of the terminal's front end, and those that xi does not know.
  private static let otherDefaults: JSONObject = [
    "key_set": "", "line_numbers": "absolute", "show_whitespace": "none", "theme": "", "auto_close": true,
    "trim_trailing_whitespace": false, "insert_final_newline": false, "charset": "UTF-8", "restore_position": true,
    "change_marks": "head", "text_width": 80, "rulers": [], "scroll_margin": 0, "indent_guides": false,
    "keep_undo": true,
  ]

  /// The front end has asked for what the core itself knows of languages.
  var knowsLanguages = false
  var file = Settings()
  /// What plugins say of the languages that they bring.
  var pluginLanguages: [String: JSONObject] = [:]
  private var general = JSONObject()
  private var languages: [String: JSONObject] = [:]
  private(set) var detected: [ViewID: JSONObject] = [:]
  private var editorConfigs: [ViewID: JSONObject] = [:]
  private var overrides: [ViewID: JSONObject] = [:]

  /// - Parameters:
  ///   - view: That the document is named after.
  ///   - path: Of its file.
  func table(for view: ViewID, language: String, path: String?) -> JSONObject {
    var table = Self.defaults
    let known = knowsLanguages ? LanguageList.known.language(named: language) : nil
    let layers = [
      file.general, general, known?.settings, pluginLanguages[language], file.languages[language], languages[language],
      editorConfigs[view], file.settings(ofFile: path), found(in: view, of: known),
      overrides[view],
    ]
    for layer in layers.compactMap({ $0 }) {
      for member in layer { table[member.key] = member.value }
    }
    return table
  }

  /// What a project or a language is strict about is no matter of what a text looks like.
  private func found(in view: ViewID, of language: Language?) -> JSONObject? {
    guard var found = detected[view] else { return nil }
    for member in editorConfigs[view] ?? [:] { found[member.key] = nil }
    if language?.indentation == .tabsAlone { found["translate_tabs_to_spaces"] = nil }
    return found
  }

  mutating func setDetected(_ view: ViewID, _ table: JSONObject) { detected[view] = table }

  mutating func setEditorConfig(_ view: ViewID, _ table: JSONObject) { editorConfigs[view] = table }

  func chosenLineEnding(_ view: ViewID) -> String? { overrides[view]?["line_ending"]?.string }

  mutating func forget(_ view: ViewID) {
    detected[view] = nil
    editorConfigs[view] = nil
    overrides[view] = nil
  }

  /// Merges `changes` into a layer; `null` takes a setting out of it.
  /// - Returns: A sentence that names a value of the wrong type; then nothing is changed.
  mutating func modify(_ domain: ConfigDomain, _ changes: JSONObject) -> String? {
    for member in changes {
      if let problem = Self.problem(with: member) { return problem }
    }
    switch domain {
    case .general: Self.merge(changes, into: &general)
    case .language(let name): Self.merge(changes, into: &languages[name, default: JSONObject()])
    case .userOverride(let view): Self.merge(changes, into: &overrides[view, default: JSONObject()])
    }
    return nil
  }

  private static func merge(_ changes: JSONObject, into layer: inout JSONObject) {
    for member in changes { layer[member.key] = member.value.isNull ? nil : member.value }
  }

  /// The settings that are one of some words.
  private static let words = [
    "change_marks": DocumentConfig.ChangeMarks.allCases.map(\.rawValue),
    // Those of the terminal's front end.
    "line_numbers": ["absolute", "relative", "off"], "show_whitespace": ["none", "selection", "trailing", "all"],
  ]

  /// A known setting has the type of its default; those that are not known are a front end's own.
  static func problem(with member: JSONObject.Member) -> String? {
    guard let standard = defaults[member.key] ?? otherDefaults[member.key], !member.value.isNull else { return nil }
    let fits: Bool
    switch standard {
    case .bool: fits = member.value.bool != nil
    case .integer where ranges[member.key] != nil:
      if let number = member.value.int, let range = ranges[member.key], !range.contains(number) {
        return "the setting \(member.key) cannot be \(number), only \(range.lowerBound) to \(range.upperBound)"
      }
      fits = member.value.int != nil
    case .integer: fits = (member.value.int ?? -1) >= 0
    case .number: fits = member.value.double != nil
    case .string where member.key == "charset":
      if let name = member.value.string, TextEncoding(rawValue: name) == nil {
        let names = TextEncoding.allCases.map(\.rawValue).joined(separator: ", ")
        return "the setting charset cannot be \(JSONValue.string(name)), only one of \(names)"
      }
      fits = member.value.string != nil
    case .string where member.key == "line_ending":
      if let ending = member.value.string, ending != "\n", ending != "\r\n" {
        return "the setting line_ending cannot be \(JSONValue.string(ending)), only \"\\n\" or \"\\r\\n\""
      }
      fits = member.value.string != nil
    case .string where words[member.key] != nil:
      // Before there was more than one way to show them.
      if member.key == "line_numbers", member.value.bool != nil { return nil }
      let words = words[member.key, default: []]
      if let word = member.value.string, words.contains(word) { return nil }
      let names = words.map { JSONValue.string($0).description }
      let list = names.dropLast().joined(separator: ", ")
      return "the setting \(member.key) cannot be \(member.value), only \(list) or \(names.last ?? "")"
    case .string: fits = member.value.string != nil
    case .array where member.key == "surrounding_pairs":
      guard member.value.array?.allSatisfy(isPair) == true else {
        return "the setting surrounding_pairs is to be pairs of one visible character each, like [[\"(\", \")\"]]"
      }
      fits = true
    case .array where member.key == "rulers":
      guard let columns = member.value.array, columns.allSatisfy({ ($0.int ?? 0) > 0 }) else {
        return "the setting rulers is to be columns from 1, like [80, 120]"
      }
      fits = true
    case .array: fits = member.value.array != nil
    default: fits = true
    }
    return fits ? nil : "the setting \(member.key) cannot be \(member.value)"
  }

  static let tabSizes = 1...1000
  private static let ranges = ["tab_size": tabSizes, "scroll_margin": 0...1000]

  private static func isPair(_ value: JSONValue) -> Bool {
    guard let sides = value.array, sides.count == 2 else { return false }
    return sides.allSatisfy { side in
      guard let text = side.string, text.count == 1, let scalar = text.unicodeScalars.first else { return false }
      return !scalar.properties.isWhitespace
        && ![.control, .format, .unassigned, .nonspacingMark, .enclosingMark].contains(
          scalar.properties.generalCategory)
    }
  }
}
