import Foundation
import Trestle
import TrestleModules

/// Prints the lines of a log that the function `keep` of a script wants: `LogQuery filter.js FILE`.
@main
struct LogQuery {
  static func main() async {
    let arguments = CommandLine.arguments
    do {
      guard arguments.count == 3 else { throw Usage() }
      try await run(script: arguments[1], log: arguments[2])
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      exit(error is Usage ? 2 : 1)
    }
  }

  private struct Usage: Error, CustomStringConvertible {
    var description: String { "usage: LogQuery filter.js FILE" }
  }

  private static func run(script: String, log: String) async throws {
    var batches = try LineBatches(path: log)
    var configuration = BridgeConfiguration()
    // For each batch: a filter that never comes back ends the run.
    configuration.limits = ExecutionLimits(time: .seconds(10), residentMemory: 1 << 30)
    let bridge = try await Bridge(modules: .standard, configuration: configuration)
    try await bridge.evaluate(file: script)
    try await bridge.evaluate(select)
    var next = try batches.next()
    while let batch = next {
      // The next is read while the script looks at this one.
      async let chosen = bridge.call("select", batch.text, as: [Int32].self)
      next = try batches.next()
      try FileHandle.standardOutput.write(contentsOf: batch.lines(at: try await chosen))
    }
    await bridge.close()
  }

  /// A batch crosses as one text, and comes back as the numbers of its lines: a call for each line would cost more than most filters.
  private static let select = """
    globalThis.select = (text) => {
      const lines = text.split('\\n'), chosen = [];
      for (let index = 0; index < lines.length; index++) if (keep(lines[index])) chosen.push(index);
      return Int32Array.from(chosen);
    };
    """
}
