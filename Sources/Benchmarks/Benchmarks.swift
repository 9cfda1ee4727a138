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
    try harness.measureBridge()
    try harness.measureBridgeData()
    try harness.measureBridgeThreads()
    try harness.measureOpening()
    try harness.measureRope(traces: traces)
    try harness.measureCore(traces: traces)
    try harness.measureEditor()
    print(harness.table)
  }
}
