import EditorProtocol
import JSON

/// Reads settings as TOML.
struct SettingsFile {
  private let path: String
  private let lines: SettingsLines
  private(set) var settings = Settings()
  private(set) var problems: [SettingsProblem] = []

  /// What can be understood of `text`; the reason when it is no TOML.
  static func read(_ text: String, at path: String) -> Result<SettingsFile, SettingsProblem> {
    do throws(TOML.Malformed) {
      return .success(SettingsFile(try TOML.read(text), text: text, path: path))
    } catch {
      return .failure(SettingsProblem(path: path, line: error.line, text: error.text))
    }
  }

  private init(_ table: JSONObject, text: String, path: String) {
    self.path = path
    lines = SettingsLines(text)
    settings.general = members(of: table, in: [], except: Settings.tableNames)
    settings.languages = tables("languages", of: table) { file, names, table in file.members(of: table, in: names) }
    settings.files = tables("files", of: table) { file, names, table in file.members(of: table, in: names) }
    settings.themes = tables("themes", of: table) { file, names, table in file.colours(of: table, in: names) }
    settings.keys = keys(of: table)
    if let theme = settings.general["theme"]?.string, settings.theme == nil {
      let names = BuiltInThemes.names.joined(separator: ", ")
      complain("there is no theme \(theme); there are \(names), and those with a table [themes.…]", ["theme"])
    }
    problems.sort { ($0.line ?? .max, $0.text) < ($1.line ?? .max, $1.text) }
  }

  /// The tables within the table `name`.
  private mutating func tables(
    _ name: String, of table: JSONObject, _ read: (inout SettingsFile, [String], JSONObject) -> JSONObject
  ) -> [String: JSONObject] {
    guard let value = table[name] else { return [:] }
    guard let outer = value.object else {
      complain("\(name) is to be a table of tables, like [\(name).name]", [name])
      return [:]
    }
    var tables: [String: JSONObject] = [:]
    for member in outer {
      if let inner = member.value.object {
        tables[member.key] = read(&self, [name, member.key], inner)
      } else {
        complain("\(name).\(member.key) is to be a table", [name, member.key])
      }
    }
    return tables
  }

  private mutating func members(
    of table: JSONObject, in names: [String], except others: Set<String> = []
  ) -> JSONObject {
    var members = JSONObject()
    for member in table where !others.contains(member.key) { take(member, in: names, into: &members) }
    return members
  }

  private mutating func take(_ member: JSONObject.Member, in names: [String], into members: inout JSONObject) {
    let key = member.key
    if let problem = ConfigLayers.problem(with: member) { return complain(problem, names + [key]) }
    if !ConfigLayers.knownNames.contains(key) { complain("there is no setting \(key)", names + [key]) }
    members[key] = member.value
  }

  /// In the order of their lines: the parser has one of its own.
  private mutating func keys(of table: JSONObject) -> KeySettings {
    var keys = KeySettings(path: path, set: settings.general["key_set"]?.string)
    if keys.set != nil { keys.setLine = lines.line(of: ["key_set"]) }
    settings.general["key_set"] = nil
    guard let value = table["keys"] else { return keys }
    guard let members = value.object else {
      complain("keys is to be a table, like [keys]", ["keys"])
      return keys
    }
    for member in members {
      let line = lines.line(of: ["keys", member.key])
      if let command = member.value.string {
        keys.entries.append(KeySettings.Entry(keys: member.key, command: command, line: line))
      } else {
        complain("\(member.key) is to be the name of a command, like \"save\"", ["keys", member.key])
      }
    }
    keys.entries.sort { ($0.line ?? .max, $0.keys) < ($1.line ?? .max, $1.keys) }
    return keys
  }

  private mutating func colours(of table: JSONObject, in names: [String]) -> JSONObject {
    var colours = JSONObject()
    for member in table {
      let key = member.key
      if !ThemeColour.names.contains(key) {
        complain("there is no colour \(key)", names + [key])
      } else if let colour = member.value.string.flatMap(ThemeColour.json(of:)) {
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
