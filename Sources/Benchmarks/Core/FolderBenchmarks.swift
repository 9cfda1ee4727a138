import Foundation
import JSON

/// Lists of files and searches in them, beside `grep -r`. The files are made for it, and are in the system's cache.
extension Harness {
  mutating func measureFolder() throws {
    guard filter.isEmpty || "core: list 100 000 files, search in files".contains(filter) else { return }
    let folder = "/var/tmp/xiedit-bench-folder-\(getpid())"
    let before = FileManager.default.currentDirectoryPath
    defer {
      _ = FileManager.default.changeCurrentDirectoryPath(before)
      try? FileManager.default.removeItem(atPath: folder)
    }
    try makeFiles(in: folder + "/many", folders: 1000, filesEach: 100, lines: 1)
    try makeFiles(in: folder + "/source", folders: 100, filesEach: 50, lines: 500)
    _ = FileManager.default.changeCurrentDirectoryPath(folder + "/many")
    try measureTask("core: list 100 000 files", "xiedit_list_files", [:])
    _ = FileManager.default.changeCurrentDirectoryPath(folder + "/source")
    for (name, pattern, isRegex) in [("a word", "hippopotamus", false), ("an expression", "hippo[a-z]{6,7}s", true)] {
      let grep = try fastest(of: 5) { try Self.run("/usr/bin/grep", ["-rnIE", pattern, "."]) }
      try measureTask(
        "core: search in files, \(name) in 5000 files of 40 kB", "xiedit_search_files",
        ["chars": .string(pattern), "case_sensitive": true, "regex": .bool(isRegex)], against: [("grep -r", grep)])
    }
  }

  private mutating func measureTask(
    _ name: String, _ method: String, _ params: JSONObject,
    against references: [(name: String, nanoseconds: Double?)] = []
  ) throws {
    let core = try BenchmarkCore()
    core.notify("client_started", ["xiedit": ["version": 1, "unicode": "17.0.0", "extensions": ["folder"]]])
    var number = 0
    try measure(name, against: references, setUp: { number += 1 }) { _ in
      var params = params
      params["task"] = JSONValue(number)
      while try core.request(method, .object(params))["last"]?.bool == false {}
    }
  }

  private func makeFiles(in path: String, folders: Int, filesEach: Int, lines: Int) throws {
    let line = "the quick brown fox jumps over the lazy dog and goes on to the end of the line\n"
    let text = Data(String(repeating: line, count: lines).utf8)
    for folder in 0..<folders {
      let folder = "\(path)/folder\(folder)"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      for file in 0..<filesEach { try text.write(to: URL(filePath: "\(folder)/file\(file).txt")) }
    }
  }

  /// In nanoseconds.
  private func fastest(of count: Int, _ body: () throws -> Void) rethrows -> Double {
    var best = Double.infinity
    for _ in 0..<count {
      let time = try ContinuousClock().measure(body)
      best = min(best, time / .nanoseconds(1))
    }
    return best
  }

  private static func run(_ program: String, _ arguments: [String]) throws {
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
  }
}
