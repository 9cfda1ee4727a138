import Foundation

/// `Benchmarks [--only TEXT] [TRACE.json[.gz] …]`: prints one table. `Benchmarks --memory`: prints what bridges take of memory.
///
/// Traces are recorded typing in the format of josephg/editing-traces; without any, a synthetic one is replayed.
@main
struct Benchmarks {
  static func main() async throws {
    switch CommandLine.arguments.dropFirst().first {
    case "--memory": return try IdleMemory.printTable()
    case IdleMemory.argument: return try await IdleMemory.serve(CommandLine.arguments.dropFirst(2).first)
    case InterpretingDriver.argument: return try InterpretingDriver.serve()
    case let argument where Relay.isWanted(argument): return try Relay.run(argument)
    default: break
    }
    var harness = Harness()
    var traces: [String] = []
    var arguments = CommandLine.arguments.dropFirst()
    while let argument = arguments.popFirst() {
      if argument == "--only" { harness.filter = arguments.popFirst() ?? "" } else { traces.append(argument) }
    }
    // Journals of the cores that are ended here are not to be among the user's own.
    let state = "/var/tmp/xiedit-bench-state-\(getpid())"
    setenv("XDG_STATE_HOME", state, 1)
    var failures: [any Error] = []
    // What cannot be measured does not take the other rows with it.
    for section: (inout Harness) throws -> Void in [
      { try $0.measureBridge() }, { try $0.measureBridgeData() }, { try $0.measureBridgeThreads() },
      { try $0.measureWorkers() }, { try $0.measureDatabases() }, { try $0.measureScriptCalls() },
      { try $0.measureCallsAtOnce() },
      { $0.measureObservables() },
      { try $0.measureOpening() }, { try $0.measureRope(traces: traces) }, { try $0.measureCore(traces: traces) },
      { try $0.measureFolder() }, { try $0.measureEditor() },
    ] {
      do { try section(&harness) } catch { failures.append(error) }
    }
    try? FileManager.default.removeItem(atPath: state)
    print(harness.table)
    for failure in failures { FileHandle.standardError.write(Data("not measured: \(failure)\n".utf8)) }
    if !failures.isEmpty { exit(1) }
  }
}
