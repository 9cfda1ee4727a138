import Foundation
import Trestle
import TrestleModules

/// Runs the body of an asynchronous function of a bridge that has files, and a folder of its own; gives what it returns, as text.
///
/// - Parameter names: What stands before the body, of the folder's path.
func guideResult(of body: String, _ modules: ModuleSelection, _ names: (String) -> String) async throws -> String {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("trestle-\(UUID().uuidString)").path
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
  defer { try? FileManager.default.removeItem(atPath: folder) }
  var configuration = BridgeConfiguration()
  configuration.capabilities = [.files]
  let bridge = try await Bridge(modules: .standard + modules, configuration: configuration)
  let text = try await bridge.evaluate("(async () => { \(names(folder)) \(body) })().then(String)", as: String.self)
  await bridge.close()
  return text
}
