import Trestle

extension [OutstandingItem] {
  /// How many lines of it are shown at most.
  private static let longestTable = 30

  /// For people: what came from the same place on one line, the most numerous first.
  var table: String {
    guard !isEmpty else { return "outstanding: nothing\n" }
    let groups = Dictionary(grouping: self, by: \.place).values.map { ($0.count, $0[0]) }
    let sorted = groups.sorted { $0.0 == $1.0 ? $0.1.age > $1.1.age : $0.0 > $1.0 }
    var lines = sorted.prefix(Self.longestTable).map { count, oldest in
      count == 1 ? "  \(oldest)" : "  \(count) × \(oldest) (the oldest)"
    }
    if sorted.count > Self.longestTable { lines.append("  and from \(sorted.count - Self.longestTable) other places") }
    return ("outstanding: \(count)\n" + lines.joined(separator: "\n") + "\n").withVisibleControls
  }
}

extension OutstandingItem {
  fileprivate var place: [String] { [kind.rawValue, module, member, className ?? "", callSite ?? ""] }
}
