import EditorProtocol
import Testing

@testable import EditorClient

@Suite struct LineCacheTests {
  private func cache(_ ops: [UpdateOp]...) throws -> LineCache {
    var cache = LineCache()
    for ops in ops { try cache.apply(ops) }
    return cache
  }

  private func lines(_ texts: [String], from number: Int = 1) -> UpdateOp {
    .insert(texts.enumerated().map { UpdateLine(text: $1 + "\n", number: number + $0) })
  }

  private func shown(_ cache: LineCache) -> [String] {
    (0..<cache.count).map { index in
      cache[index].map { "\($0.number ?? 0) \($0.line.text.dropLast())" } ?? "-"
    }
  }

  @Test func insertsAndInvalidates() throws {
    let cache = try cache([.invalidate(count: 2), lines(["c", "d"], from: 3), .invalidate(count: 1)])
    #expect(shown(cache) == ["-", "-", "3 c", "4 d", "-"])
    #expect(cache.hasHole(in: 0..<1))
    #expect(!cache.hasHole(in: 2..<4))
  }

  @Test func aLineInTheMiddleMovesTheNumbersBelow() throws {
    let cache = try cache(
      [lines(["a", "b", "c"])],
      [.copy(count: 1, firstNumber: 1), lines(["x"], from: 2), .copy(count: 2, firstNumber: 3)])
    #expect(shown(cache) == ["1 a", "2 x", "3 b", "4 c"])
  }

  @Test func skippedLinesGo() throws {
    let cache = try cache([lines(["a", "b", "c"])], [.skip(count: 1), .copy(count: 2, firstNumber: 1)])
    #expect(shown(cache) == ["1 b", "2 c"])
  }

  @Test func copyKeepsTheLinesThemselves() throws {
    var cache = try cache([lines(["a", "b"])])
    let line = cache[1]?.line
    try cache.apply([.skip(count: 1), .copy(count: 1, firstNumber: 1)])
    #expect(cache[0]?.line === line)
  }

  @Test func anUpdateMovesCursorsAndKeepsText() throws {
    let cache = try cache(
      [.insert([UpdateLine(text: "a\n", number: 1, cursors: [0], styles: [StyleSpan(start: 0, length: 1, style: 8)])])],
      [.update([UpdateLine(cursors: [1])], firstNumber: nil)])
    #expect(cache[0]?.line.text == "a\n")
    #expect(cache[0]?.line.cursors == [1])
    #expect(cache[0]?.line.styles.count == 1)
    #expect(cache.firstCursor == LineColumn(line: 0, column: 1))
  }

  @Test func numbersGoOnAfterTheTailOfAWrappedLine() throws {
    let wrapped = UpdateOp.insert([
      UpdateLine(text: "a ", number: 1), UpdateLine(text: "b\n"), UpdateLine(text: "c\n", number: 2),
    ])
    let cache = try cache([wrapped], [.skip(count: 1), .copy(count: 2, firstNumber: 7)])
    #expect(cache[0]?.number == nil)
    #expect(cache[1]?.number == 8)
  }

  /// Edits all over a long text leave it in many runs.
  @Test func editsInManyPlacesAreKept() throws {
    var expected = (0..<1000).map { "line \($0)" }
    var cache = try cache([lines(expected)])
    for step in 0..<200 {
      let index = step * 37 % 1000
      expected[index] = "edit \(step)"
      try cache.apply([
        .copy(count: index, firstNumber: 1), lines([expected[index]], from: index + 1), .skip(count: 1),
        .copy(count: 999 - index, firstNumber: index + 2),
      ])
      #expect(cache[index]?.line.text == expected[index] + "\n")
    }
    #expect(shown(cache) == expected.enumerated().map { "\($0 + 1) \($1)" })
  }

  @Test func copiesOverHolesKeepThem() throws {
    let cache = try cache(
      [lines(["a"]), .invalidate(count: 3), lines(["e"], from: 5)], [.copy(count: 5, firstNumber: 1)])
    #expect(shown(cache) == ["1 a", "-", "-", "-", "5 e"])
  }

  @Test(arguments: [
    [UpdateOp.copy(count: 3, firstNumber: 1)], [.skip(count: 3)],
    [.update([UpdateLine(), UpdateLine(), UpdateLine()], firstNumber: 1)],
    [.invalidate(count: .max), .invalidate(count: 1)],
  ])
  func whatDoesNotFitIsAnError(_ ops: [UpdateOp]) throws {
    var cache = try cache([lines(["a", "b"])])
    #expect(throws: LineCacheError.self) { try cache.apply(ops) }
    #expect(shown(cache) == ["1 a", "2 b"])
  }
}
