import Foundation
import Testing
import Trestle

@testable import TrestleModules

/// A folder whose parts scripts may use or may not.
final class PermittedFolder {
  /// Without links.
  let path: String

  init() throws {
    let folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
      .appendingPathComponent("trestle-\(UUID().uuidString)")
    path = folder.path
    for name in ["open", "secret/dir/below"] {
      try FileManager.default.createDirectory(
        at: folder.appendingPathComponent(name), withIntermediateDirectories: true)
    }
    for name in ["open/file", "secret/file", "secret/dir/file"] {
      try Data("text of \(name)\n".utf8).write(to: folder.appendingPathComponent(name))
    }
    try link("secret/link", to: "file")
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: "\(path)/\(name)", withDestinationPath: target)
  }

  func text(_ name: String) throws -> String { try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8) }

  /// All that is in a part of it, with texts, permissions and targets.
  func content(of name: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: "\(path)/\(name)").sorted().map { below in
      let place = "\(path)/\(name)/\(below)"
      let attributes = try FileManager.default.attributesOfItem(atPath: place)
      let kind = attributes[.type] as? FileAttributeType
      let modified = (attributes[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
      let text =
        switch kind {
        case .typeRegular?: String(decoding: try Data(contentsOf: URL(fileURLWithPath: place)), as: UTF8.self)
        case .typeSymbolicLink?: try FileManager.default.destinationOfSymbolicLink(atPath: place)
        default: ""
        }
      return "\(below) \(attributes[.posixPermissions] ?? 0) \(modified) \(text)"
    }
  }

  /// What the body of an async function gives as JSON that has the standard modules and `folder`; `code: message` of what it throws.
  func result(
    of body: String, _ permissions: Permissions, _ modules: ModuleSelection = .files,
    configure: (inout BridgeConfiguration) -> Void = { _ in }, before: (Bridge) async throws -> Void = { _ in }
  ) async throws -> String {
    let bridge = try await ModuleBridge(modules, capabilities: [.files, .processes]) { configuration in
      configuration.permissions = permissions
      configure(&configuration)
    }
    let script = """
      (async () => { const { Files, Processes, Process, SQLite } = NativeModules, folder = '\(path)'; \(body) })()
        .then(value => JSON.stringify(value) ?? "undefined", error => `${error.code}: ${error.message}`)
      """
    try await before(bridge.bridge)
    let text = try await bridge.bridge.evaluate(script, as: String.self)
    await bridge.bridge.close()
    return text
  }
}
