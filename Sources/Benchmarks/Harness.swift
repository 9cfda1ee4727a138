/// One row of the table: a workload, timed several times in this run.
struct Measurement {
  let workload: String
  let nanoseconds: [Double]
  /// What the workload is compared with in the same run: names and medians.
  let references: [(name: String, nanoseconds: Double)]

  var median: Double { nanoseconds.sorted()[nanoseconds.count / 2] }
  /// Half the distance between the quartiles, as a part of the median.
  var spread: Double {
    let sorted = nanoseconds.sorted()
    return (sorted[sorted.count * 3 / 4] - sorted[sorted.count / 4]) / 2 / median
  }
}

/// Times workloads and collects the rows of the one table.
struct Harness {
  private(set) var rows: [Measurement] = []
  /// Only workloads whose name contains this run.
  var filter = ""

  /// Times `body` as often as fits into about a second, at least five times, after one run to warm up; returns the median in ns.
  ///
  /// `body` gets what `setUp` makes anew for each run, which is not timed. `units` divides the time: the calls or bytes in one run.
  @discardableResult
  mutating func measure<Input>(
    _ workload: String, units: Double = 1, against references: [(name: String, nanoseconds: Double?)] = [],
    setUp: () throws -> Input, _ body: (inout Input) throws -> Void
  ) rethrows -> Double? {
    guard filter.isEmpty || workload.contains(filter) else { return nil }
    let clock = ContinuousClock()
    var times: [Double] = []
    var total = 0.0
    var isWarm = false
    while times.count < 5 || (total < 1e9 && times.count < 200) {
      var input = try setUp()
      let elapsed = try clock.measure { try body(&input) }
      let nanoseconds = Double(elapsed.components.seconds) * 1e9 + Double(elapsed.components.attoseconds) / 1e9
      if isWarm { times.append(nanoseconds / units) }
      isWarm = true
      total += nanoseconds
    }
    let resolved = references.compactMap { reference in reference.nanoseconds.map { (reference.name, $0) } }
    rows.append(Measurement(workload: workload, nanoseconds: times, references: resolved))
    return rows.last?.median
  }
}

/// Keeps the optimizer from dropping what computed `value`.
@inline(never)
func consume<Value>(_ value: Value) {}
