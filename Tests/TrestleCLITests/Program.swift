import Foundation
import Testing

/// A program that was built together with the tests.
struct Program {
  /// A path from the built products, or an absolute one.
  let name: String
  /// What it is given as standard input.
  var input = ""
  /// Where it runs.
  let folder: TemporaryFolder

  /// How a run ended, and what it wrote.
  struct Outcome: Equatable {
    /// The exit code, or 128 and the signal's number.
    var code: Int32
    var output: String
    var error: String
  }

  static let trestle = "trestle"

  /// Longer than any run takes on a busy machine.
  static let patience: TimeInterval = 120

  func run(_ arguments: [String]) throws -> Outcome {
    let process = try start(arguments)
    return try finish(process)
  }

  /// Starts it without waiting for anything.
  func start(_ arguments: [String]) throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: name, relativeTo: Self.products)
    process.arguments = arguments
    process.currentDirectoryURL = folder.url
    process.environment = ["PATH": "/usr/bin:/bin", "HOME": folder.url.path]
    folder.write(input, to: ".input")
    process.standardInput = try FileHandle(forReadingFrom: folder.url.appendingPathComponent(".input"))
    process.standardOutput = try folder.fileHandle(writingTo: ".output")
    process.standardError = try folder.fileHandle(writingTo: ".error")
    try process.run()
    return process
  }

  func finish(_ process: Process) throws -> Outcome {
    let deadline = Date(timeIntervalSinceNow: Self.patience)
    while process.isRunning, Date() < deadline { usleep(2000) }
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
    let isSignal = process.terminationReason == .uncaughtSignal
    return Outcome(
      code: process.terminationStatus + (isSignal ? 128 : 0), output: folder.read(".output"),
      error: folder.read(".error"))
  }

  /// The folder of the built products: that of the program that runs the tests.
  static let products = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()

  /// The folder of the package.
  static let package = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
}

/// A folder that lives as long as this value.
final class TemporaryFolder {
  let url = FileManager.default.temporaryDirectory.appendingPathComponent("trestle-\(UUID().uuidString)")

  init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false) }

  deinit { try? FileManager.default.removeItem(at: url) }

  func write(_ text: String, to name: String) {
    _ = FileManager.default.createFile(atPath: url.appendingPathComponent(name).path, contents: Data(text.utf8))
  }

  func read(_ name: String) -> String {
    let data = FileManager.default.contents(atPath: url.appendingPathComponent(name).path)
    return String(decoding: data ?? Data(), as: UTF8.self)
  }

  func fileHandle(writingTo name: String) throws -> FileHandle {
    write("", to: name)
    return try FileHandle(forWritingTo: url.appendingPathComponent(name))
  }
}
