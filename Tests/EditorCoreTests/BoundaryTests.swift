import EditorProtocol
import JSON
import Rope
import Testing

@testable import EditorCore

/// Every edit command at every boundary of an empty, a one-line and a long text: with a caret there, with a range that begins
/// there, and with all selected (but in the large one). The front end shows the outcome, and undo brings back the text.
@Suite struct BoundaryTests {
  /// As the protocol has it.
  private static let farthest = 1 << 53

  @Test(arguments: PlainEdit.allCases.filter { ![.undo, .redo].contains($0) })
  func plainCommands(_ edit: PlainEdit) throws {
    for text in Self.texts { try perform(.plain(edit), in: open(text)) }
  }

  private static let commands: [EditCommand] = [
    EditCommand.insert("é"), .insert("{"), .insert(""), .paste("a\nb\n"), .paste(""), .gotoLine(0), .gotoLine(farthest),
    .gotoPosition(line: farthest, character: farthest), .scroll(first: 0, end: 1),
    .requestLines(first: 0, end: farthest),
    .alsoShown([0..<3, farthest - 1..<farthest]),
    .gesture(LineColumn(line: 0, column: 0), .selectExtend(.word)), .gesture(LineColumn(line: 0, column: 0), .drag),
    .gesture(LineColumn(line: farthest, column: 0), .selectColumns(cell: farthest, extends: true)),
    .gesture(LineColumn(line: 0, column: farthest), .selectColumns(cell: 0, extends: true)),
    .gesture(LineColumn(line: farthest, column: farthest), .select(.line, multi: true)),
    .find(FindQuery("o", caseSensitive: false)), .find(FindQuery("^|$", caseSensitive: false, regex: true)),
    .findNext(FindMotion(wrapAround: true)), .findPrevious(FindMotion(selection: .addRemovingCurrent)),
    .selectionForFind(caseSensitive: true), .replace("r", preserveCase: true), .resize(width: 20, height: 10),
    .click(LineColumn(line: 0, column: 0), flags: 2, count: 1), .drag(LineColumn(line: 0, column: 0), flags: 0),
  ]

  @Test(arguments: commands)
  func commandsWithParameters(_ command: EditCommand) throws {
    for text in Self.texts { try perform(command, in: open(text)) }
  }

  /// Ten thousand lines, the last but one of 100 kB, of which front ends see a part. Searches have tests of their own.
  @Test func aLargeText() throws {
    let driver = try open(Self.lines(10_000, longest: 100_000), handshake: true)
    for edit in PlainEdit.allCases where !Self.wholeText.contains(edit) { try perform(.plain(edit), in: driver) }
    for command in Self.commands {
      switch command {
      case .find, .findNext, .findPrevious, .selectionForFind: break
      default: try perform(command, in: driver)
      }
    }
  }

  /// They would take long there, or are no edits.
  private static let wholeText: [PlainEdit] = [.undo, .redo, .selectAll, .findAll, .replaceAll]

  /// Lines of all lengths, one of them long, and no newline at the end.
  private static let texts: [Rope] = [
    "", "aé 日\te\u{301}👩‍🚀",
    lines(300, longest: 4800),
  ]

  private static func lines(_ count: Int, longest: Int) -> Rope {
    let some = (0..<300).map { String(repeating: "word ", count: $0 % 23) + ($0 % 7 == 0 ? "\r\n" : "\n") }.joined()
    let long = "ein langes Wort "
    return Rope(
      String(repeating: some, count: count / 300) + String(repeating: long, count: longest / long.utf8.count) + "\nlast"
    )
  }

  /// In a short text each boundary of a character; in a long one its ends and those of some lines.
  private static func boundaries(of text: Rope) -> [ByteOffset] {
    var offsets: [ByteOffset] = [0]
    if text.byteCount < 1000 {
      while let last = offsets.last, let next = text.graphemeEnd(after: last) { offsets.append(next) }
      return offsets
    }
    let middle: ByteOffset = text.convert(LineNumber(text.lineCount / 2))
    let last: ByteOffset = text.convert(LineNumber(text.lineCount - 2))
    return [0, middle - 1, middle, last, last + 4000, text.endOffset]
  }

  private func open(_ text: Rope, handshake: Bool = false) throws -> CoreDriver {
    let driver = CoreDriver(handshake: handshake)
    driver.open()
    driver.edit("scroll", [0, 20])
    driver.document?.commit(Delta(baseByteCount: 0, replacing: 0..<0, with: text), as: .other)
    driver.session.views.sendUpdates()
    return driver
  }

  private func perform(_ command: EditCommand, in driver: CoreDriver) throws {
    let view = try #require(driver.textView)
    let document = view.document
    let original = document.buffer.text
    for offset in Self.boundaries(of: original) {
      let next = original.graphemeEnd(after: offset) ?? offset
      for region in [
        SelectionRegion.caret(offset), SelectionRegion(next, offset), SelectionRegion(0, original.endOffset),
      ] where region.range.count < 100_000 {
        let revision = document.buffer.revision
        view.select(Selection(region))
        driver.notify(.edit(driver.view, command))
        if let problem = problem(driver, view) {
          Issue.record("\(command) at \(region) of \(original.byteCount) bytes: \(problem)")
          return
        }
        guard document.buffer.revision == revision || isUndone(original, driver, document) else {
          Issue.record("\(command) at \(region) of \(original.byteCount) bytes is not undone")
          return
        }
      }
    }
  }

  private func isUndone(_ original: Rope, _ driver: CoreDriver, _ document: Document) -> Bool {
    driver.edit("undo")
    return document.buffer.text == original
  }

  /// What is wrong with what the front end sees.
  private func problem(_ driver: CoreDriver, _ view: TextView) -> String? {
    let cache = driver.cache
    if let problem = cache.problems.first ?? driver.log.first { return problem }
    if cache.lines.count != view.lineCount { return "\(cache.lines.count) lines for \(view.lineCount)" }
    var end: ByteOffset = 0
    for region in view.selection.regions {
      guard region.lowerBound >= end, region.upperBound <= view.text.endOffset else { return "a region at \(region)" }
      end = region.upperBound
    }
    let lines = view.window.clamped(to: 0..<view.lineCount)
    var renderer = LineRenderer(view)
    for (line, fresh) in zip(lines, renderer.lines(lines, withText: true)) where cache.lines[line] != fresh {
      return "line \(line): \(String(describing: cache.lines[line])) for \(fresh)"
    }
    return view.selection.isEmpty ? "nothing is selected" : nil
  }
}
