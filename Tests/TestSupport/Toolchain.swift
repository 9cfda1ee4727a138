import Foundation

/// The compiler, set up to import the modules that were built with the running tests.
public enum Toolchain {
  /// Where the running tests were built.
  static let products = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    .deletingLastPathComponent()

  static let arguments: [String] = {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let maps = moduleMaps(in: products) + moduleMaps(in: root.appending(path: "Sources"))
    return [
      "-swift-version", "6", "-parse-as-library", "-I", products.appending(path: "Modules").path(),
      "-load-plugin-executable", products.appending(path: "TrestleMacros-tool").path() + "#TrestleMacros",
    ]
      + (maps.map { "-fmodule-map-file=\($0)" } + systemLibraries("--cflags-only-I"))
      .flatMap { ["-Xcc", $0] }
  }()

  /// What `pkg-config` says of the libraries that the engine is made of.
  static func systemLibraries(_ question: String) -> [String] {
    let answer = (try? run("pkg-config", [question, "glib-2.0", "javascriptcoregtk-4.1"])) ?? ""
    return answer.split(whereSeparator: \.isWhitespace).map(String.init)
  }

  private static func moduleMaps(in folder: URL) -> [String] {
    let folders = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
    // The tools of the build have module maps of the same modules.
    return folders.filter { !$0.lastPathComponent.hasSuffix("-tool.build") }.map {
      $0.appending(path: "module.modulemap").path()
    }.filter(FileManager.default.fileExists)
  }

  /// - Returns: what it wrote, on either stream.
  @discardableResult
  public static func run(_ program: String, _ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [program] + arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: output, as: UTF8.self)
  }
}
