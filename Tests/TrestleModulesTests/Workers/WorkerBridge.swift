import Foundation
import TestSupport
import Testing
import Trestle
import TrestleModules

/// A bridge whose scripts may start workers, from files in a folder of their own.
struct WorkerBridge {
  let modules: ModuleBridge
  let folder: String
  var bridge: Bridge { modules.bridge }

  init(
    files: [String: String] = [:], wire: BridgeConfiguration.Wire = .shared,
    _ configure: (inout WorkerOptions) -> Void = { _ in },
    ofBridge configureBridge: (inout BridgeConfiguration) -> Void = { _ in }
  ) async throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("trestle-\(UUID().uuidString)").path
    for (name, text) in files {
      let path = "\(folder)/\(name)"
      try FileManager.default.createDirectory(
        atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      try text.write(toFile: path, atomically: false, encoding: .utf8)
    }
    var options = WorkerOptions()
    options.modules = .definitions([.timers, .web])
    options.configuration.capabilities = [.files]
    options.folder = folder
    options.timeToEnd = patience
    configure(&options)
    modules = try await ModuleBridge(.workers(options), capabilities: [.files], wire: wire, configureBridge)
  }

  func close() async {
    await bridge.close()
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Runs a script until nothing is left to do, and gives what it wrote, line by line.
  static func lines(
    of script: String, files: [String: String] = [:], uncaught: [String] = [],
    _ configure: (inout WorkerOptions) -> Void = { _ in }
  ) async throws -> [String] {
    let bridge = try await WorkerBridge(files: files, configure)
    try await bridge.modules.run(script)
    #expect(bridge.modules.uncaught == uncaught)
    await bridge.close()
    return bridge.modules.output.split(separator: "\n").map(String.init)
  }

  /// What a script that is run until nothing is left to do must have written.
  static func expect(
    _ expected: [String], of script: String, files: [String: String] = [:], uncaught: [String] = [],
    at place: SourceLocation = #_sourceLocation, _ configure: (inout WorkerOptions) -> Void = { _ in }
  ) async throws {
    let lines = try await lines(of: script, files: files, uncaught: uncaught, configure)
    #expect(lines == expected, sourceLocation: place)
  }
}
