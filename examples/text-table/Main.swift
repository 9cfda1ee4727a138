import Foundation
import TextStatistics
import Trestle
import TrestleModules

/// Runs a script over text files: `TextTable script.js [files…]`.
@main
struct TextTable {
  static func main() async throws {
    guard CommandLine.arguments.count > 1 else {
      print("usage: TextTable script.js [files…]")
      exit(2)
    }
    let paths = Array(CommandLine.arguments.dropFirst(2))
    var configuration = BridgeConfiguration()
    configuration.onError = { error in
      print(error)
      exit(1)
    }
    let bridge = try await Bridge(
      modules: .standard + .instance(Texts(paths: paths.isEmpty ? licenses() : paths)), configuration: configuration)
    try await bridge.evaluate(file: CommandLine.arguments[1])
    await bridge.waitUntilIdle()
    await bridge.close()
  }

  /// The texts that every Debian system has.
  private static func licenses() throws -> [String] {
    let directory = URL(fileURLWithPath: "/usr/share/common-licenses")
    let files = try FileManager.default.contentsOfDirectory(
      at: directory, includingPropertiesForKeys: [.isSymbolicLinkKey])
    return try files.filter { try $0.resourceValues(forKeys: [.isSymbolicLinkKey]).isSymbolicLink == false }.map(\.path)
      .sorted()
  }
}
