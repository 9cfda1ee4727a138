/// How much of two texts is compared at most.
struct ComparisonEffort {
  /// Of both texts.
  var byteCount = 64 << 20
  /// See ``LineComparison``; below 0 when they were not enough.
  var steps = 20_000_000

  /// What a key may take.
  static let atOnce = ComparisonEffort(byteCount: 16 << 10, steps: 5000)
  var isUsedUp: Bool { steps < 0 }
}

/// Finds the lines that two texts have in common, in their order. Lines that stand once on each side part the texts (Cohen's patience
/// difference); what is left between them is compared by Myers' greedy algorithm ("An O(ND) Difference Algorithm", 1986), and is
/// another as a whole where that would take long.
struct LineComparison {
  private let old, new: [Int]
  private var isRemoved, isAdded: [Bool]
  private var steps: Int
  private static let mostDifferences = 500
  private static let deepestLevel = 32

  /// - Parameters:
  ///   - old, new: What is equal for lines that are equal.
  ///   - steps: How many are left.
  static func hunks(from old: [Int], to new: [Int], within steps: inout Int) -> [LineHunk] {
    var comparison = LineComparison(old, new, steps)
    comparison.compare(0..<old.count, 0..<new.count, level: 0)
    steps = comparison.steps
    return comparison.hunks
  }

  private init(_ old: [Int], _ new: [Int], _ steps: Int) {
    (self.old, self.new, self.steps) = (old, new, steps)
    isRemoved = Array(repeating: false, count: old.count)
    isAdded = Array(repeating: false, count: new.count)
  }

  private var hunks: [LineHunk] {
    var hunks: [LineHunk] = []
    var (line, newLine) = (0, 0)
    while line < old.count || newLine < new.count {
      let (start, newStart) = (line, newLine)
      while line < old.count, isRemoved[line] { line += 1 }
      while newLine < new.count, isAdded[newLine] { newLine += 1 }
      if line > start || newLine > newStart {
        hunks.append(LineHunk(old: start..<line, new: newStart..<newLine))
      } else {
        (line, newLine) = (line + 1, newLine + 1)
      }
    }
    return hunks
  }

  private mutating func compare(_ lines: Range<Int>, _ newLines: Range<Int>, level: Int) {
    var (start, newStart, end, newEnd) = (
      lines.lowerBound, newLines.lowerBound, lines.upperBound, newLines.upperBound
    )
    while start < end, newStart < newEnd, old[start] == new[newStart] { (start, newStart) = (start + 1, newStart + 1) }
    while start < end, newStart < newEnd, old[end - 1] == new[newEnd - 1] { (end, newEnd) = (end - 1, newEnd - 1) }
    guard start < end, newStart < newEnd else { return replace(start..<end, newStart..<newEnd) }
    let common = level < Self.deepestLevel ? uniqueCommonLines(start..<end, newStart..<newEnd) : []
    guard !common.isEmpty else {
      if !compareGreedily(start..<end, newStart..<newEnd) { replace(start..<end, newStart..<newEnd) }
      return
    }
    for (line, newLine) in common where line >= start && newLine >= newStart {
      compare(start..<line, newStart..<newLine, level: level + 1)
      (start, newStart) = (line + 1, newLine + 1)
    }
    compare(start..<end, newStart..<newEnd, level: level + 1)
  }

  private mutating func replace(_ lines: Range<Int>, _ newLines: Range<Int>) {
    for line in lines { isRemoved[line] = true }
    for line in newLines { isAdded[line] = true }
  }

  /// As many as come in the same order of those that stand once on each side.
  private func uniqueCommonLines(_ lines: Range<Int>, _ newLines: Range<Int>) -> [(old: Int, new: Int)] {
    var places: [Int: (old: Int, new: Int, count: Int, newCount: Int)] = [:]
    for line in lines { places[old[line], default: (line, 0, 0, 0)].count += 1 }
    for line in newLines {
      guard let place = places[new[line]] else { continue }
      places[new[line]] = (place.old, line, place.count, place.newCount + 1)
    }
    let pairs = lines.compactMap { line -> (old: Int, new: Int)? in
      guard let place = places[old[line]], place.count == 1, place.newCount == 1 else { return nil }
      return (place.old, place.new)
    }
    return Self.longestAscending(pairs)
  }

  /// By patience sorting: each pile has on its top the lowest end of an ascending row of its length.
  private static func longestAscending(_ pairs: [(old: Int, new: Int)]) -> [(old: Int, new: Int)] {
    var tops: [Int] = []
    var before = [Int](repeating: -1, count: pairs.count)
    for index in pairs.indices {
      let pile = tops.partitioningIndex { pairs[$0].new >= pairs[index].new }
      before[index] = pile > 0 ? tops[pile - 1] : -1
      if pile == tops.count { tops.append(index) } else { tops[pile] = index }
    }
    var row: [(old: Int, new: Int)] = []
    var next = tops.last ?? -1
    while next >= 0 {
      row.append(pairs[next])
      next = before[next]
    }
    return row.reversed()
  }

  /// Those that stand on one side alone are others in any case, and cost no steps.
  ///
  /// - Returns: False, and nothing is done, where that would take long.
  private mutating func compareGreedily(_ lines: Range<Int>, _ newLines: Range<Int>) -> Bool {
    let (known, newKnown) = (Set(old[lines]), Set(new[newLines]))
    let shared = lines.filter { newKnown.contains(old[$0]) }
    let newShared = newLines.filter { known.contains(new[$0]) }
    guard let trace = trace(shared, newShared) else { return false }
    for line in lines where !newKnown.contains(old[line]) { isRemoved[line] = true }
    for line in newLines where !known.contains(new[line]) { isAdded[line] = true }
    trackBack(trace, shared, newShared)
    return true
  }

  /// How far each diagonal is reached before each further difference, from the last but one diagonal below to that above.
  private mutating func trace(_ lines: [Int], _ newLines: [Int]) -> [[Int]]? {
    let most = min(lines.count + newLines.count, Self.mostDifferences)
    var reached = [Int](repeating: 0, count: 2 * most + 3)
    var trace: [[Int]] = []
    let middle = most + 1
    for differences in 0...most {
      trace.append(Array(reached[middle - differences - 1...middle + differences + 1]))
      for diagonal in stride(from: -differences, through: differences, by: 2) {
        var line = Self.start(reached, middle + diagonal, diagonal, differences).line
        while line < lines.count, line - diagonal < newLines.count, line >= diagonal,
          old[lines[line]] == new[newLines[line - diagonal]]
        {
          line += 1
          steps -= 1
        }
        steps -= 1
        reached[middle + diagonal] = line
        if line >= lines.count, line - diagonal >= newLines.count { return trace }
      }
      if steps < 0 { return nil }
    }
    return nil
  }

  /// Where a diagonal is entered: from the one below a line is removed, from the one above a line is added.
  private static func start(
    _ reached: [Int], _ index: Int, _ diagonal: Int, _ differences: Int
  ) -> (line: Int, isRemoval: Bool) {
    if diagonal == -differences || diagonal != differences && reached[index - 1] < reached[index + 1] {
      return (reached[index + 1], false)
    }
    return (reached[index - 1] + 1, true)
  }

  private mutating func trackBack(_ trace: [[Int]], _ lines: [Int], _ newLines: [Int]) {
    var diagonal = lines.count - newLines.count
    for differences in stride(from: trace.count - 1, to: 0, by: -1) {
      let (line, isRemoval) = Self.start(trace[differences], differences + 1 + diagonal, diagonal, differences)
      if isRemoval {
        isRemoved[lines[line - 1]] = true
        diagonal -= 1
      } else {
        isAdded[newLines[line - diagonal - 1]] = true
        diagonal += 1
      }
    }
  }
}
