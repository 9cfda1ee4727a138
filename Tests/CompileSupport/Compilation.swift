import Foundation

/// A source text put through the compiler, against the modules that were built with the running tests.
///
/// Goes as far as SIL, as only its passes refuse a value that leaves its isolation.
public struct Compilation {
  public struct Message: Hashable, CustomStringConvertible {
    /// In the source; for a message about code that a macro wrote, where the macro is used.
    public let line: Int
    public let text: String

    public var description: String { "\(line): \(text)" }
  }

  public private(set) var errors: [Message] = []
  public private(set) var fixes: [Message] = []
  /// All that the compiler said.
  public let output: String

  public init(of source: String) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "compilation-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "Source.swift")
    try Data(source.utf8).write(to: file)
    output = try run("swiftc", Self.arguments + [file.path()])
    collect(file: file.path())
  }

  /// What stands in the source after `// error: `, by line; several on one line are told apart by ` | `.
  public static func expectations(in source: String) -> [Message] {
    source.split(separator: "\n", omittingEmptySubsequences: false).enumerated().flatMap { index, line in
      guard let marker = line.range(of: "// error: ") else { return [Message]() }
      return line[marker.upperBound...].components(separatedBy: " | ").map { Message(line: index + 1, text: $0) }
    }
  }

  private mutating func collect(file: String) {
    let place =
      "^(\(NSRegularExpression.escapedPattern(for: file))|[^ ]*@__swiftmacro_[^:]*):(\\d+):\\d+: (error|note): (.*)$"
    guard let pattern = try? NSRegularExpression(pattern: place) else { return }
    var expanded: String?
    for line in output.split(separator: "\n").map(String.init) {
      guard let match = pattern.firstMatch(in: line, range: NSRange(line.startIndex..., in: line)) else { continue }
      let part = { (index: Int) in Range(match.range(at: index), in: line).map { String(line[$0]) } ?? "" }
      let (isSource, number, text) = (part(1) == file, Int(part(2)) ?? 0, part(4))
      switch (part(3), isSource) {
      case ("error", true): errors.append(Message(line: number, text: text))
      case ("error", false): expanded = text
      case (_, true) where text.hasPrefix("in expansion of macro"):
        if let text = expanded.take() { errors.append(Message(line: number, text: text)) }
      case (_, true): fixes.append(Message(line: number, text: text))
      default: break
      }
    }
  }

  /// Where the running tests were built.
  private static let products = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    .deletingLastPathComponent()

  private static let arguments: [String] = {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let maps = moduleMaps(in: products) + moduleMaps(in: root.appending(path: "Sources"))
    let libraries = (try? run("pkg-config", ["--cflags-only-I", "glib-2.0", "javascriptcoregtk-4.1"])) ?? ""
    return [
      "-swift-version", "6", "-parse-as-library", "-module-name", "Source", "-diagnostic-style", "llvm", "-emit-sil",
      "-o", "/dev/null", "-I", products.appending(path: "Modules").path(),
      "-load-plugin-executable", products.appending(path: "TrestleMacros-tool").path() + "#TrestleMacros",
    ]
      + (maps.map { "-fmodule-map-file=\($0)" } + libraries.split(whereSeparator: \.isWhitespace).map(String.init))
      .flatMap { ["-Xcc", $0] }
  }()

  private static func moduleMaps(in folder: URL) -> [String] {
    let folders = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
    // The tools of the build have module maps of the same modules.
    return folders.filter { !$0.lastPathComponent.hasSuffix("-tool.build") }.map {
      $0.appending(path: "module.modulemap").path()
    }.filter(FileManager.default.fileExists)
  }
}

/// - Returns: what it wrote, on either stream.
private func run(_ program: String, _ arguments: [String]) throws -> String {
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
