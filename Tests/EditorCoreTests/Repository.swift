import Foundation
import Testing

/// A folder with a repository, with git as it is without anybody's settings.
final class Repository {
  let folder = FileManager.default.temporaryDirectory.path + "/changes-\(UUID().uuidString)"
  private var environment = ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"]

  /// - Parameters:
  ///   - isGit: False for a folder that git knows nothing of.
  ///   - committed: The text of `f.txt` in its commit.
  ///   - now: What it holds now.
  init(isGit: Bool = true, committed: String? = nil, now: String? = nil) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for name in ["GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"] { environment[name] = "A" }
    for name in ["GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"] { environment[name] = "a@example.org" }
    (environment["GIT_CONFIG_GLOBAL"], environment["GIT_CONFIG_NOSYSTEM"]) = ("/dev/null", "1")
    if isGit { try git("init", "-q", "-b", "main") }
    if let committed { try commit(committed) }
    if let now { try write(now) }
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  @discardableResult
  func git(_ arguments: String..., in subfolder: String = "") throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["git", "-c", "protocol.file.allow=always", "-C", folder + subfolder] + arguments
    process.environment = environment
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "git \(arguments): \(text)")
    return text
  }

  func path(_ name: String) -> String { folder + "/" + name }

  func write(_ text: String, to name: String = "f.txt") throws { try write(Array(text.utf8), to: name) }

  func write(_ bytes: [UInt8], to name: String) throws {
    let path = path(name)
    try FileManager.default.createDirectory(
      atPath: String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]), withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(filePath: path))
  }

  func commit(_ text: String, to name: String = "f.txt") throws {
    try write(text, to: name)
    try git("add", "-A", ".")
    try git("commit", "-q", "-m", "x")
  }
}
