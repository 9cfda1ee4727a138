import Testing

@testable import EditorCore

@Suite struct AutomaticIndentationTests {
  private var indentation = AutomaticIndentation()

  @Test mutating func blanksAreOfOneStateOfTheText() {
    indentation.note(blanks: [4..<8], at: 3)
    let known = [3, 4, 3].map { indentation.blanks(at: $0) }
    #expect(known == [[4..<8], [], []], "they do not come back")
    #expect(indentation.blanks.isEmpty)
  }

  @Test mutating func aLineIsIndentedAgainOnce() {
    indentation.note(.init(blanks: 0..<2, before: [0x20, 0x20, 0x20, 0x20]), at: 3)
    let lines = [4, 3, 3].map { indentation.takeDedentedLine(at: $0) }
    #expect(lines.map { $0?.blanks } == [nil, 0..<2, nil])
  }
}
