extension Harness {
  /// The rows as an aligned table: workload, median, spread, ratio to the reference of the same run.
  var table: String {
    let cells =
      [["workload", "median", "spread", "ratio"]]
      + rows.map { row in
        [
          row.workload, row.unit == .bytes ? describe(bytes: row.median) : describe(nanoseconds: row.median),
          row.values.count > 1 ? "±\(Int((row.spread * 100).rounded())) %" : "",
          row.references.map { "\(decimal(row.median / $0.value, places: 2)) × \($0.name)" }
            .joined(separator: ", "),
        ]
      }
    let widths = (0..<4).map { column in cells.map { $0[column].count }.max() ?? 0 }
    return cells.map { row in
      zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }.joined(separator: "  ")
    }.joined(separator: "\n")
  }
}

private func describe(nanoseconds: Double) -> String {
  switch nanoseconds {
  case ..<1e3: "\(decimal(nanoseconds, places: 1)) ns"
  case ..<1e6: "\(decimal(nanoseconds / 1e3, places: 2)) µs"
  default: "\(decimal(nanoseconds / 1e6, places: 2)) ms"
  }
}

private func describe(bytes: Double) -> String { "\(decimal(bytes / 1e6, places: 1)) MB" }

private func decimal(_ value: Double, places: Int) -> String {
  let scale = places == 1 ? 10.0 : 100.0
  let rounded = Int((value * scale).rounded())
  let fraction = String(rounded % Int(scale))
  return "\(rounded / Int(scale))." + String(repeating: "0", count: places - fraction.count) + fraction
}
