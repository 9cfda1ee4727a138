/// The best way to find the letters of a word in a text, among all ways: the one with the fewest and shortest gaps and the most starts of words.
enum FuzzyAlignment {
  private static let letter = 16
  private static let adjacent = 12
  private static let (gap, gapGrowth) = (-5, -1)
  /// What is further behind is not looked at: the cost is the product of both lengths.
  private static let longestText = 1024

  /// - Returns: nil when there is none.
  static func best(of word: [UInt8], in text: [UInt8], bonuses: [Int]) -> FuzzyQuery.Match? {
    let count = min(text.count, Self.longestText)
    guard !word.isEmpty, word.count <= count else { return nil }
    var table = Table(rows: word.count, columns: count)
    for (row, byte) in word.enumerated() {
      // The best score of the row above that a gap leads to from here, and where it is.
      var behindGap: (score: Int, column: Int)?
      for column in row..<count {
        if row > 0, column >= 2, let score = table[row - 1, column - 2] {
          let begun = score + gap
          if begun >= (behindGap?.score ?? .min) { behindGap = (begun, column - 2) }
        }
        if text[column] == byte {
          let worth = letter + bonuses[column]
          if row == 0 {
            table.set(row, column, worth - min(column, 10) / 4, from: -1)
          } else {
            let next =
              column > 0 ? table[row - 1, column - 1].map { $0 + letter + max(bonuses[column], adjacent) } : nil
            let later = behindGap.map { $0.score + worth }
            if let next, next >= (later ?? .min) {
              table.set(row, column, next, from: column - 1)
            } else if let later, let behindGap {
              table.set(row, column, later, from: behindGap.column)
            }
          }
        }
        behindGap?.score += gapGrowth
      }
    }
    return table.best
  }

  private struct Table {
    private let columns: Int
    private let rows: Int
    private var scores: [Int?]
    private var sources: [Int]

    init(rows: Int, columns: Int) {
      (self.rows, self.columns) = (rows, columns)
      scores = Array(repeating: nil, count: rows * columns)
      sources = Array(repeating: -1, count: rows * columns)
    }

    subscript(row: Int, column: Int) -> Int? { scores[row * columns + column] }

    mutating func set(_ row: Int, _ column: Int, _ score: Int, from source: Int) {
      scores[row * columns + column] = score
      sources[row * columns + column] = source
    }

    /// The first of the best ends in the last row, followed back.
    var best: FuzzyQuery.Match? {
      var (end, score) = (-1, Int.min)
      for column in 0..<columns {
        if let found = self[rows - 1, column], found > score { (end, score) = (column, found) }
      }
      guard end >= 0 else { return nil }
      var offsets: [Int] = []
      for row in (0..<rows).reversed() {
        offsets.append(end)
        end = sources[row * columns + end]
      }
      return FuzzyQuery.Match(score: score, offsets: offsets.reversed())
    }
  }
}
