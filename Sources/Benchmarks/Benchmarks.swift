/// `Benchmarks [--only TEXT] [TRACE.json[.gz] …]`: prints one table.
///
/// Traces are recorded typing in the format of josephg/editing-traces; without any, a synthetic one is replayed.
@main
struct Benchmarks {
  static func main() throws {
    var harness = Harness()
    var traces: [String] = []
    var arguments = CommandLine.arguments.dropFirst()
    while let argument = arguments.popFirst() {
      if argument == "--only" { harness.filter = arguments.popFirst() ?? "" } else { traces.append(argument) }
    }
    try harness.measureBridge()
    try harness.measureRope(traces: traces)
    try harness.measureCore(traces: traces)
    print(harness.table)
  }
}
