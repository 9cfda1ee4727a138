import EditorClient
import Testing

@testable import TerminalUI

@Suite struct FrameWriterTests {
  private func grid(_ lines: [String], columns: Int = 20) -> CellGrid {
    var grid = CellGrid(columns: columns, rows: lines.count)
    // The same number in all of them.
    for cluster in ["❤️", "👍🏽"] { grid.put(cluster: cluster, width: 2, row: 0, column: 0, style: 0) }
    grid.clear(row: 0)
    for (row, line) in lines.enumerated() {
      var column = 0
      for character in line {
        let width = character.utf8.count >= 3 ? 2 : 1
        grid.put(cluster: String(character), width: width, row: row, column: column, style: 0)
        column += width
      }
    }
    return grid
  }

  private func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self).replacing("\u{1B}", with: "␛")
  }

  @Test func theFirstFrameStartsFromAClearedScreen() {
    var writer = FrameWriter(palette: Palette(depth: .indexed))
    let first = text(writer.frame(grid(["ab", ""]), cursor: CursorPlace(row: 0, column: 2)))
    #expect(first == "␛[0m␛[H␛[2J␛[1;1H␛[0mab␛[1;3H␛[?25h")
  }

  /// Numbers of clusters mean others then.
  @Test func aGridThatHasForgottenIsDrawnFromTheStart() {
    var writer = FrameWriter(palette: Palette(depth: .indexed))
    var grid = CellGrid(columns: 2, rows: 1)
    grid.put(cluster: "e\u{301}", width: 1, row: 0, column: 0, style: 0)
    _ = writer.frame(grid, cursor: nil)
    grid.resize(columns: 2, rows: 1)
    grid.put(cluster: "a\u{301}", width: 1, row: 0, column: 0, style: 0)
    #expect(text(writer.frame(grid, cursor: nil)).contains("a\u{301}"))
  }

  @Test func theSameFrameWritesNothing() {
    var writer = FrameWriter(palette: Palette(depth: .indexed))
    _ = writer.frame(grid(["ab"]), cursor: nil)
    #expect(writer.frame(grid(["ab"]), cursor: nil) == [])
  }

  @Test func aMovedCursorIsAllThatIsWritten() {
    var writer = FrameWriter(palette: Palette(depth: .indexed))
    _ = writer.frame(grid(["ab"]), cursor: CursorPlace(row: 0, column: 0))
    #expect(text(writer.frame(grid(["ab"]), cursor: CursorPlace(row: 0, column: 1))) == "␛[1;2H␛[?25h")
  }

  @Test func oneCellIsWrittenAlone() {
    var writer = FrameWriter(palette: Palette(depth: .indexed))
    _ = writer.frame(grid(["abcdef", "x"]), cursor: nil)
    #expect(text(writer.frame(grid(["abcXef", "x"]), cursor: nil)).contains("␛[1;4H␛[0mX"))
  }

  @Test func theCursorIsPlacedAfterWideCharacters() {
    var writer = FrameWriter(palette: Palette(depth: .indexed))
    #expect(text(writer.frame(grid(["日x"]), cursor: nil)).contains("日␛[1;3Hx"))
  }

  @Test func halfOfAWideCharacterIsNeverLeft() {
    var writer = FrameWriter(palette: Palette(depth: .indexed))
    _ = writer.frame(grid(["日本"]), cursor: nil)
    let bytes = text(writer.frame(grid(["a本b"]), cursor: nil))
    #expect(bytes.contains("a本"))
  }

  @Test func plainTextIsDrawnInTheColoursOfATheme() {
    var writer = FrameWriter(palette: Palette(depth: .trueColour))
    writer.setColours(foreground: .rgb(0xFF8000), background: .rgb(0x102030))
    let first = text(writer.frame(grid(["ab", ""], columns: 6), cursor: nil))
    #expect(first.contains("␛[1;1H␛[0;38;2;255;128;0;48;2;16;32;48mab    "), "blanks have the background too")
    #expect(first.contains("␛[2;1H      "))
    #expect(writer.frame(grid(["ab", ""], columns: 6), cursor: nil) == [])
  }

  @Test func withoutColoursAThemeIsNone() {
    var writer = FrameWriter(palette: Palette(depth: .none))
    writer.setColours(foreground: .rgb(0xFF8000), background: .rgb(0x102030))
    #expect(text(writer.frame(grid(["ab"]), cursor: nil)).contains("␛[0mab"))
  }

  /// What is tinted is not taken for what is selected.
  @Test func withoutColoursAGroundIsReversedOrUnderlined() {
    func written(_ style: TextStyle, _ depth: Palette.Depth) -> String {
      var bytes: [UInt8] = []
      Palette(depth: depth).append(style, to: &bytes)
      return text(bytes)
    }
    let (ground, tint) = (TextStyle(background: .ansi(8)), TextStyle(background: .ansi(8), attributes: .tint))
    #expect(written(ground, .none) == "␛[0;7m")
    #expect(written(tint, .none) == "␛[0;4m")
    #expect(written(tint, .sixteen) == written(ground, .sixteen))
    #expect(written(tint.under(TextStyle(attributes: .reverse)), .none) == "␛[0;4;7m")
  }

  @Test func blankRestsAreErased() {
    var writer = FrameWriter(palette: Palette(depth: .indexed))
    _ = writer.frame(grid(["abcdefghijkl"]), cursor: nil)
    #expect(text(writer.frame(grid(["ab"]), cursor: nil)).contains("␛[1;3H␛[0m␛[K"))
  }

  @Test func afterForgettingEverythingIsWritten() {
    var writer = FrameWriter(palette: Palette(depth: .indexed))
    _ = writer.frame(grid(["ab"]), cursor: nil)
    writer.forget()
    #expect(text(writer.frame(grid(["ab"]), cursor: nil)).contains("␛[2J"))
  }

  @Test(arguments: [
    (Palette.Depth.trueColour, "␛[0;1;38;2;255;128;0;44m"), (.indexed, "␛[0;1;38;5;208;44m"),
    (.sixteen, "␛[0;1;33;44m"), (.none, "␛[0;1;7m"),
  ])
  func coloursFitTheTerminal(_ depth: Palette.Depth, _ expected: String) {
    var bytes: [UInt8] = []
    let style = TextStyle(foreground: .rgb(0xFF8000), background: .ansi(4), attributes: .bold)
    Palette(depth: depth).append(style, to: &bytes)
    #expect(text(bytes) == expected)
  }

  @Test func greysAreGrey() {
    #expect(Palette.nearestIndex(0x808080) == 244)
    #expect(Palette.nearestIndex(0x000000) == 16)
    #expect(Palette.nearestIndex(0xFFFFFF) == 231)
    #expect(Palette.nearestANSI(0xFFFFFF) == 15)
  }

  /// Terminals disagree about what stands behind a cluster, not before it.
  @Test func whatStandsBeforeAClusterIsWrittenAlone() {
    var writer = FrameWriter(palette: Palette(depth: .indexed))
    _ = writer.frame(grid(["1 a❤️b"]), cursor: nil)
    let number = text(writer.frame(grid(["2 a❤️b"]), cursor: nil))
    #expect(number.contains("2"))
    #expect(!number.contains("a") && !number.contains("❤️"))
    #expect(text(writer.frame(grid(["2 a❤️c"]), cursor: nil)).contains("❤️"))
    #expect(text(writer.frame(grid(["2 a👍🏽c"]), cursor: nil)).contains("a"))
  }

  @Test func clipboardIsBase64() {
    #expect(Clipboard.base64(Array("Man".utf8)) == Array("TWFu".utf8))
    #expect(Clipboard.base64(Array("Ma".utf8)) == Array("TWE=".utf8))
    #expect(Clipboard.base64(Array("M".utf8)) == Array("TQ==".utf8))
    #expect(Clipboard.base64([]) == [])
    #expect(Clipboard.sequence(for: String(repeating: "x", count: 100_000)) == [])
  }

  /// Whatever follows whatever, what the bytes draw is what the grid says, however wide the terminal takes a cluster to be.
  @Test(arguments: [1, 2, 3]) func randomFramesAreDrawnAsTheyAre(clusterWidth: Int) {
    var writer = FrameWriter(palette: Palette(depth: .indexed))
    var shown = MiniScreen(columns: 12, rows: 3, clusterWidth: clusterWidth)
    var state: UInt64 = 3
    func random(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    var lines = ["", "", ""]
    for _ in 0..<1000 {
      lines = lines.map { line in
        // Like the number of a line before it.
        if random(2) == 0 { return ["a", "b", " "][random(3)] + line.dropFirst() }
        return String((0..<random(7)).map { _ in ["a", "b", " ", "日", "本", "❤️", "👍🏽"][random(7)] as Character })
      }
      let next = grid(lines, columns: 12)
      shown.write(writer.frame(next, cursor: nil))
      #expect(shown.shows(next))
    }
  }
}

/// Draws what the writer writes: moves, erasures, text of one and two cells.
private struct MiniScreen {
  private var cells: [[String]]
  private var row = 0
  private var column = 0

  private let clusterWidth: Int

  init(columns: Int, rows: Int, clusterWidth: Int) {
    self.clusterWidth = clusterWidth
    cells = Array(repeating: Array(repeating: " ", count: columns), count: rows)
  }

  /// Whether each cell has what it is to have, and the right half of a wide character nothing else.
  func shows(_ grid: CellGrid) -> Bool {
    grid.cells.enumerated().allSatisfy { index, cell in
      let drawn = cells[index / grid.columns][index % grid.columns]
      return grid.text(of: cell).map { $0 == drawn } ?? ["", " "].contains(drawn)
    }
  }

  mutating func write(_ bytes: [UInt8]) {
    var rest = Array(String(decoding: bytes, as: UTF8.self))[...]
    while let character = rest.popFirst() {
      guard character == "\u{1B}" else {
        put(character)
        continue
      }
      let end = rest.firstIndex { $0.isLetter } ?? rest.endIndex
      let numbers = rest[..<end].split { !$0.isNumber }.compactMap { Int(String($0)) }
      switch rest[end] {
      case "H": (row, column) = numbers.count == 2 ? (numbers[0] - 1, numbers[1] - 1) : (0, 0)
      case "J": cells = cells.map { $0.map { _ in " " } }
      case "K": for index in column..<cells[row].count { cells[row][index] = " " }
      default: break
      }
      rest = rest[(end + 1)...]
    }
  }

  private mutating func put(_ character: Character) {
    let isCluster = character.unicodeScalars.count > 1
    let width = min(isCluster ? clusterWidth : character.utf8.count >= 3 ? 2 : 1, cells[row].count - column)
    // As terminals do: what is left of a wide character that is half overwritten is a blank.
    if cells[row][column] == "", column > 0 { cells[row][column - 1] = " " }
    let last = column + width - 1
    if last + 1 < cells[row].count, cells[row][last + 1] == "" { cells[row][last + 1] = " " }
    cells[row][column] = String(character)
    for right in 1..<max(width, 1) { cells[row][column + right] = "" }
    column += width
  }
}
