import JSON

/// How a document is edited: its language, and what is set for it.
struct DocumentSettings {
  var language: String { didSet { findRules() } }
  /// By the front end, and not by the name of the file.
  var languageIsChosen = false
  /// What the core itself obeys.
  var config: DocumentConfig
  /// All of it, as the front end knows it.
  var table: JSONObject
  /// What xi leaves to plugins, or has not, is done.
  var editsCode = false { didSet { findRules() } }
  /// Those of the language, as a plain text's where they are not known; nil where none are asked for.
  private(set) var rules: Language?

  init(language: String = "", table: JSONObject = [:]) {
    self.language = language
    self.table = table
    config = DocumentConfig(table)
  }

  private mutating func findRules() {
    rules = editsCode ? LanguageList.known.language(named: language) ?? .plain(language) : nil
  }
}
