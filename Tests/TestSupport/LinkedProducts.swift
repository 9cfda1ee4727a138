import Foundation

/// Programs and shared libraries made of sources and of the library `Trestle` as it was built with the running tests, in a
/// folder that lives as long as this object.
public final class LinkedProducts {
  /// A step of the build failed: what it wrote.
  public struct Failure: Error, CustomStringConvertible {
    public let description: String
  }

  private let folder = FileManager.default.temporaryDirectory.appending(path: "products-\(UUID().uuidString)")

  public init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// A file among the tests' fixtures.
  public static func fixture(_ path: String) -> URL {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fixtures/\(path)")
  }

  /// Compiles one source to `module.o`.
  ///
  /// - Returns: the path of the object.
  public func compile(_ source: URL, module: String) throws -> String {
    try make("\(module).o") { path in
      Toolchain.arguments + ["-module-name", module, "-emit-object", "-o", path, source.path()]
    }
  }

  /// Links a program.
  ///
  /// - Parameters:
  ///   - libraries: shared libraries that were linked before, to be loaded with it.
  ///   - exportsSymbols: whether libraries that it loads later find its own symbols.
  public func linkProgram(
    _ name: String, of objects: [String], libraries: [String] = [], exportsSymbols: Bool = false
  ) throws -> String {
    let export = exportsSymbols ? ["-Xlinker", "--export-dynamic"] : []
    return try make(name) { ["-o", $0] + objects + runPath + libraries + Toolchain.systemLibraries("--libs") + export }
  }

  /// Links a shared library.
  public func linkLibrary(_ name: String, of objects: [String], libraries: [String] = []) throws -> String {
    try make(name) { path in
      ["-emit-library", "-o", path, "-Xlinker", "-soname", "-Xlinker", name] + objects + runPath + libraries
        + Toolchain.systemLibraries("--libs")
    }
  }

  /// - Returns: what the program wrote.
  public func run(_ program: String, _ arguments: String...) throws -> String { try Toolchain.run(program, arguments) }

  private var runPath: [String] { ["-Xlinker", "-rpath", "-Xlinker", "$ORIGIN"] }

  private func make(_ name: String, _ arguments: (_ path: String) throws -> [String]) throws -> String {
    let path = folder.appending(path: name).path()
    let output = try Toolchain.run("swiftc", arguments(path))
    guard FileManager.default.fileExists(atPath: path) else { throw Failure(description: output) }
    return path
  }

  /// The objects of the targets that the library `Trestle` consists of.
  public static func objectsOfTrestle() throws -> [String] {
    try [
      "EventLoop", "JSON", "JSEngine", "TrestleCore", "Trestle", "CBundledJS", "CConformances", "CEngineTraps",
      "CLinux",
    ].flatMap {
      try objects(of: $0)
    }
  }

  /// The same with `TrestleModules`, which takes these libraries of the system beside.
  public static func objectsOfTrestleModules() throws -> (objects: [String], libraries: [String]) {
    let own = try ["TrestleModules", "CBundledModules", "CSQLite", "CWebPlatform"].flatMap { try objects(of: $0) }
    return (try objectsOfTrestle() + own, ["-licuuc", "-lz"])
  }

  /// What the map of the last build names; objects of sources that are gone may lie beside them.
  private static func objects(of target: String) throws -> [String] {
    let folder = Toolchain.products.appending(path: "\(target).build")
    let map = folder.appending(path: "output-file-map.json")
    guard let data = try? Data(contentsOf: map) else {
      let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
      return (files?.allObjects as? [URL] ?? []).filter { $0.pathExtension == "o" }.map { $0.path() }
    }
    let entries = try JSONSerialization.jsonObject(with: data) as? [String: [String: String]] ?? [:]
    return entries.values.compactMap { $0["object"] }.filter(FileManager.default.fileExists)
  }
}
