import EditorProtocol
import Foundation

/// A folder of settings with plugins below it, written in shell. Removed with the object.
final class PluginFolder {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "plugins-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path + "/plugins", withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// A program that answers every update, and does what `then` says with each `$line`; `$id` is that of an update.
  static func answering(_ then: String, first: String = ":") -> String {
    #"""
    say() { printf '%s\n' "$1"; }
    \#(first)
    while read -r line; do
      case $line in
      *'"method":"update"'*) id=${line#*'"id":'}; id=${id%%,*}; say "{\"id\":$id,\"result\":0}";;
      *'"method":"shutdown"'*) exit 0;;
      esac
      \#(then)
    done
    """#
  }

  /// - Parameter manifest: What its manifest says besides the name and the program.
  func install(_ name: String, _ script: String, manifest: String = "") throws {
    try install(
      name, script, wholeManifest: "name = \"\(name)\"\nversion = \"1\"\nexec_path = \"./run\"\n\(manifest)\n")
  }

  func install(_ name: String, _ script: String, wholeManifest: String) throws {
    try write("\(name)/manifest.toml", wholeManifest)
    guard !script.isEmpty else { return }
    try write("\(name)/script", script)
    try FileManager.default.createSymbolicLink(
      atPath: path + "/plugins/\(name)/run", withDestinationPath: Self.runner)
  }

  private static let runner = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Fixtures/Plugin/run").path()

  /// A file below the folder of plugins.
  func write(_ name: String, _ text: String) throws {
    let file = path + "/plugins/" + name
    try FileManager.default.createDirectory(
      atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try text.write(toFile: file, atomically: true, encoding: .utf8)
  }
}

extension CoreDriver {
  var alerts: [String] { notifications.compactMap { if case .alert(let text) = $0 { text } else { nil } } }
}
