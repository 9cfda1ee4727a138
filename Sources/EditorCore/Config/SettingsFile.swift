import JSON
import TOMLKit

/// Reads settings as TOML.
struct SettingsFile {
  private let path: String
  private let lines: SettingsLines
  private(set) var settings = Settings()
  private(set) var problems: [SettingsProblem] = []

  /// What can be understood of `text`; nil, with the reason, when it is no TOML.
  static func read(_ text: String, at path: String) -> Result<SettingsFile, Malformed> {
    // The parser would take it for the end.
    if let end = text.utf8.firstIndex(of: 0) {
      let line = 1 + text.utf8[..<end].count { $0 == 0x0A }
      return .failure(Malformed(problem: SettingsProblem(path: path, line: line, text: "a null character")))
    }
    do {
      return .success(SettingsFile(try TOMLTable(string: text), text: text, path: path))
    } catch let error as TOMLParseError {
      return .failure(
        Malformed(problem: SettingsProblem(path: path, line: error.source.begin.line, text: error.description)))
    } catch {
      return .failure(Malformed(problem: SettingsProblem(path: path, line: nil, text: "\(error)")))
    }
  }

  struct Malformed: Error {
    let problem: SettingsProblem
  }

  private init(_ table: TOMLTable, text: String, path: String) {
    self.path = path
    lines = SettingsLines(text)
    settings.general = members(of: table, in: [], except: Settings.tableNames)
    settings.languages = tables("languages", of: table) { file, names, table in file.members(of: table, in: names) }
    settings.files = tables("files", of: table) { file, names, table in file.members(of: table, in: names) }
    settings.themes = tables("themes", of: table) { file, names, table in file.colours(of: table, in: names) }
    if let theme = settings.general["theme"]?.string, settings.theme == nil {
      complain("there is no table [themes.\(theme)]", ["theme"])
    }
  }

  /// The tables within the table `name`.
  private mutating func tables(
    _ name: String, of table: TOMLTable, _ read: (inout SettingsFile, [String], TOMLTable) -> JSONObject
  ) -> [String: JSONObject] {
    guard let value = table[name] else { return [:] }
    guard let outer = value.table else {
      complain("\(name) is to be a table of tables, like [\(name).name]", [name])
      return [:]
    }
    var tables: [String: JSONObject] = [:]
    for key in outer.keys.sorted() {
      if let inner = outer[key]?.table {
        tables[key] = read(&self, [name, key], inner)
      } else {
        complain("\(name).\(key) is to be a table", [name, key])
      }
    }
    return tables
  }

  private mutating func members(
    of table: TOMLTable, in names: [String], except others: Set<String> = []
  ) -> JSONObject {
    var members = JSONObject()
    for key in table.keys.sorted() where !others.contains(key) { take(key, table[key], in: names, into: &members) }
    return members
  }

  private mutating func take(
    _ key: String, _ value: (any TOMLValueConvertible)?, in names: [String], into members: inout JSONObject
  ) {
    guard let json = value?.json else { return complain("the setting \(key) is of no known type", names + [key]) }
    let member = JSONObject.Member(key: key, value: json)
    if let problem = ConfigLayers.problem(with: member) { return complain(problem, names + [key]) }
    if !ConfigLayers.knownNames.contains(key) { complain("there is no setting \(key)", names + [key]) }
    members[key] = json
  }

  private mutating func colours(of table: TOMLTable, in names: [String]) -> JSONObject {
    var colours = JSONObject()
    for key in table.keys.sorted() {
      if !ThemeColour.names.contains(key) {
        complain("there is no colour \(key)", names + [key])
      } else if let colour = table[key]?.string.flatMap(ThemeColour.json(of:)) {
        colours[key] = colour
      } else {
        complain("\(key) is to be a colour like \"#ff8000\"", names + [key])
      }
    }
    return colours
  }

  private mutating func complain(_ text: String, _ keys: [String]) {
    problems.append(SettingsProblem(path: path, line: lines.line(of: keys), text: text))
  }
}
