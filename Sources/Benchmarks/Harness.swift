/// One row of the table: a workload, measured several times in this run.
struct Measurement {
  enum Unit { case nanoseconds, bytes }

  let workload: String
  var unit = Unit.nanoseconds
  let values: [Double]
  /// What the workload is compared with in the same run: names and medians.
  let references: [(name: String, value: Double)]

  var median: Double { values.sorted()[values.count / 2] }
  /// Half the distance between the quartiles, as a part of the median.
  var spread: Double {
    let sorted = values.sorted()
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
    add(workload, times, references)
    return rows.last?.median
  }

  /// Times `body` `count` times one by one: a row of the median, and one of what 99 of 100 stay below. `prepare` is not timed.
  @discardableResult
  mutating func measureEach(
    _ workload: String, count: Int, against references: [(name: String, nanoseconds: Double?)] = [],
    prepare: (Int) throws -> Void = { _ in }, _ body: (Int) throws -> Void
  ) rethrows -> Double? {
    guard filter.isEmpty || workload.contains(filter) else { return nil }
    let clock = ContinuousClock()
    var times: [Double] = []
    for index in 0..<count {
      try prepare(index)
      let elapsed = try clock.measure { try body(index) }
      times.append(Double(elapsed.components.seconds) * 1e9 + Double(elapsed.components.attoseconds) / 1e9)
    }
    add(workload, times, references)
    let median = rows.last?.median
    // Of each tenth of the run, so that the row has a spread.
    let tenths = (0..<10).map { times[(count * $0 / 10)..<(count * ($0 + 1) / 10)].sorted() }
    add("\(workload), 99 of 100 below", tenths.map { $0[$0.count * 99 / 100] }, references)
    return median
  }

  /// A row of what something takes of memory.
  mutating func note(_ workload: String, bytes: Int, against references: [(name: String, bytes: Double)] = []) {
    rows.append(
      Measurement(
        workload: workload, unit: .bytes, values: [Double(bytes)], references: references.map { ($0.name, $0.bytes) }))
  }

  private mutating func add(
    _ workload: String, _ times: [Double], _ references: [(name: String, nanoseconds: Double?)]
  ) {
    rows.append(
      Measurement(
        workload: workload, values: times,
        references: references.compactMap { reference in reference.nanoseconds.map { (reference.name, $0) } }))
  }
}

/// Keeps the optimizer from dropping what computed `value`.
@inline(never)
func consume<Value>(_ value: Value) {}
