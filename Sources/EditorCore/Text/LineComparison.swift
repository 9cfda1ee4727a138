/// Finds the lines that two texts have in common, in their order. Lines that stand once on each side part the texts (Cohen's patience
/// difference); what is left between them is compared by Myers' greedy algorithm ("An O(ND) Difference Algorithm", 1986), and is
/// another as a whole where that would take long.
struct LineComparison {
  private let old, new: [Int]
  private var isRemoved, isAdded: [Bool]
  /// So many steps are left for all.
  private var budget = 20_000_000
  private static let mostDifferences = 500
  private static let deepestLevel = 32

  /// - Parameters: What is equal for lines that are equal.
  static func hunks(from old: [Int], to new: [Int]) -> [LineHunk] {
    var comparison = LineComparison(old, new)
    comparison.compare(0..<old.count, 0..<new.count, level: 0)
    return comparison.hunks
  }

  private init(_ old: [Int], _ new: [Int]) {
    (self.old, self.new) = (old, new)
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

  /// - Returns: False, and nothing is done, where that would take long.
  private mutating func compareGreedily(_ lines: Range<Int>, _ newLines: Range<Int>) -> Bool {
    let (count, newCount) = (lines.count, newLines.count)
    let most = min(count + newCount, Self.mostDifferences)
    // How far each diagonal is reached with so many differences, from the last but one diagonal below to that above.
    var reached = [Int](repeating: 0, count: 2 * most + 3)
    var trace: [ArraySlice<Int>] = []
    let middle = most + 1
    for differences in 0...most {
      trace.append(reached[middle - differences - 1...middle + differences + 1])
      for diagonal in stride(from: -differences, through: differences, by: 2) {
        var line = Self.start(reached[...], middle + diagonal, diagonal, differences).line
        while line < count, line - diagonal < newCount, line >= diagonal,
          old[lines.lowerBound + line] == new[newLines.lowerBound + line - diagonal]
        {
          line += 1
          budget -= 1
        }
        budget -= 1
        reached[middle + diagonal] = line
        if line >= count, line - diagonal >= newCount {
          trackBack(trace, middle, lines, newLines)
          return true
        }
      }
      if budget < 0 { return false }
    }
    return false
  }

  /// Where a diagonal is entered: from the one below a line is removed, from the one above a line is added.
  private static func start(
    _ reached: ArraySlice<Int>, _ index: Int, _ diagonal: Int, _ differences: Int
  ) -> (line: Int, isRemoval: Bool) {
    if diagonal == -differences || diagonal != differences && reached[index - 1] < reached[index + 1] {
      return (reached[index + 1], false)
    }
    return (reached[index - 1] + 1, true)
  }

  private mutating func trackBack(
    _ trace: [ArraySlice<Int>], _ middle: Int, _ lines: Range<Int>, _ newLines: Range<Int>
  ) {
    var diagonal = lines.count - newLines.count
    for differences in stride(from: trace.count - 1, to: 0, by: -1) {
      let (line, isRemoval) = Self.start(trace[differences], middle + diagonal, diagonal, differences)
      if isRemoval {
        isRemoved[lines.lowerBound + line - 1] = true
        diagonal -= 1
      } else {
        isAdded[newLines.lowerBound + line - diagonal - 1] = true
        diagonal += 1
      }
    }
  }
}
