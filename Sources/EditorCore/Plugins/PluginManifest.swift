import JSON

/// What a plugin says of itself, in the `manifest.toml` of its folder (XI plugin protocol).
struct PluginManifest: Equatable {
  static let fileName = "manifest.toml"
  private static let sizeLimit = 1 << 20

  var name: String
  /// The path of the program: absolute, or from the plugin's folder.
  var executablePath: String
  /// As front ends get them: each with a `title` and the `rpc_cmd` that runs it.
  var commands: [JSONValue] = []
  var languages: [Language] = []

  /// A language that the plugin adds.
  struct Language: Equatable {
    var name: String
    /// Files are in it whose names have one of these extensions, or are one of these.
    var extensions: [String]
    /// The settings for its files, from `<name>.toml` beside the manifest.
    var settings = JSONObject()
  }

  /// - Throws: When there is a manifest that makes no sense.
  /// - Returns: nil when there is none.
  static func read(inFolder folder: String, system: any FileSystem) throws(FileError) -> PluginManifest? {
    let path = folder + "/" + fileName
    guard try system.status(at: path, followingLinks: true) != nil else { return nil }
    let text = try text(ofFile: path, system: system)
    let table: JSONObject
    do throws(TOML.Malformed) { table = try TOML.read(text) } catch {
      throw FileError(.system, "cannot use", path: path, detail: error.description)
    }
    guard let name = table["name"]?.string, let executable = table["exec_path"]?.string, !name.isEmpty else {
      throw FileError(.system, "cannot use", path: path, detail: "it lacks name or exec_path")
    }
    return PluginManifest(
      name: name, executablePath: executable.hasPrefix("/") ? executable : folder + "/" + executable,
      commands: (table["commands"]?.array ?? []).filter { $0["title"]?.string != nil },
      languages: try languages(of: table, inFolder: folder, system: system))
  }

  private static func languages(
    of table: JSONObject, inFolder folder: String, system: any FileSystem
  ) throws(FileError) -> [Language] {
    var languages: [Language] = []
    for entry in table["languages"]?.array ?? [] {
      guard let name = entry["name"]?.string, !name.isEmpty else { continue }
      languages.append(
        Language(
          name: name, extensions: (entry["extensions"]?.array ?? []).compactMap(\.string),
          settings: try settings(ofLanguage: name, inFolder: folder, system: system)))
    }
    return languages
  }

  private static func settings(
    ofLanguage name: String, inFolder folder: String, system: any FileSystem
  ) throws(FileError) -> JSONObject {
    let path = "\(folder)/\(name).toml"
    guard !name.contains("/"), try system.status(at: path, followingLinks: true) != nil else { return JSONObject() }
    switch SettingsFile.read(try text(ofFile: path, system: system), at: path) {
    case .success(let file): return file.settings.general
    case .failure(let error): throw FileError(.system, "cannot use", path: path, detail: "\(error)")
    }
  }

  private static func text(ofFile path: String, system: any FileSystem) throws(FileError) -> String {
    let reader = try FileReader(path, system: system)
    guard reader.status.size <= sizeLimit else { throw FileError(.system, "cannot use", path: path) }
    let text = try reader.readAll()
    return text.string(in: text.fullRange)
  }

  /// The plugins of a folder: each in a folder of its own there, or the folder itself is one.
  static func all(inFolder folder: String, system: any FileSystem) -> (found: [PluginManifest], problems: [FileError]) {
    let names = (try? system.names(inDirectory: folder)) ?? []
    var (found, problems): ([PluginManifest], [FileError]) = ([], [])
    for path in [folder] + names.sorted().map({ folder + "/" + $0 }) {
      do throws(FileError) {
        if let manifest = try read(inFolder: path, system: system) { found.append(manifest) }
      } catch {
        if error.code != .notFound { problems.append(error) }
      }
    }
    return (found, problems)
  }
}
