import JSON
import TOMLKit

/// What a plugin says of itself, in the `manifest.toml` of its folder (XI plugin protocol).
struct PluginManifest: Equatable {
  static let fileName = "manifest.toml"
  private static let sizeLimit = 1 << 20

  var name: String
  /// Of the program: as it is, or below the folder.
  var executablePath: String

  /// - Throws: When there is a manifest that makes no sense.
  /// - Returns: nil when there is none.
  static func read(inFolder folder: String, system: any FileSystem) throws(FileError) -> PluginManifest? {
    let path = folder + "/" + fileName
    guard try system.status(at: path, followingLinks: true) != nil else { return nil }
    let reader = try FileReader(path, system: system)
    guard reader.status.size <= sizeLimit else { throw FileError(.system, "cannot use", path: path) }
    let text = try reader.readAll()
    do {
      let table = try TOMLTable(string: text.string(in: text.fullRange))
      guard let name = table["name"]?.string, let executable = table["exec_path"]?.string, !name.isEmpty else {
        throw FileError(.system, "cannot use", path: path, detail: "it lacks name or exec_path")
      }
      return PluginManifest(
        name: name, executablePath: executable.hasPrefix("/") ? executable : folder + "/" + executable)
    } catch let error as FileError {
      throw error
    } catch let error as TOMLParseError {
      throw FileError(
        .system, "cannot use", path: path, detail: "line \(error.source.begin.line): \(error.description)")
    } catch {
      throw FileError(.system, "cannot use", path: path, detail: "\(error)")
    }
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
