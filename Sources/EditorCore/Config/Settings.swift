import EditorProtocol
import JSON

/// What a settings file says.
struct Settings: Equatable {
  /// The tables by which a file says more than what holds for every text.
  static let tableNames: Set = ["languages", "files", "themes", "keys"]

  var general = JSONObject()
  /// By the name of the language.
  var languages: [String: JSONObject] = [:]
  /// By a pattern for the names of files, as the shell has them.
  var files: [String: JSONObject] = [:]
  /// Colours by their name, of each theme; as `theme_changed` has them.
  var themes: [String: JSONObject] = [:]

  /// What is said of keys; its path is that of the file.
  var keys = KeySettings(path: "")

  /// The theme that is wanted, if there is such a one.
  var theme: String? {
    general["theme"]?.string.flatMap { themes[$0] == nil && !BuiltInThemes.names.contains($0) ? nil : $0 }
  }

  /// The settings for the file at `path`: where several patterns fit, those of the longer one win.
  func settings(ofFile path: String?) -> JSONObject {
    guard let path else { return JSONObject() }
    var table = JSONObject()
    for (pattern, settings) in files.sorted(by: { ($0.key.utf8.count, $0.key) < ($1.key.utf8.count, $1.key) })
    where FilePattern(pattern).matches(path) {
      for member in settings { table[member.key] = member.value }
    }
    return table
  }
}

/// Something of a settings file that is not in force.
struct SettingsProblem: Error, Equatable, CustomStringConvertible {
  var path: String
  /// From 1; nil when it cannot be told.
  var line: Int?
  var text: String

  /// Begins with the name alone: behind a long path nothing would be seen of the rest.
  var description: String { "\(path.pathName)\(line.map { ", line \($0)" } ?? ""): \(text)" }
}
