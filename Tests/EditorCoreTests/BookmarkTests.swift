import EditorProtocol
import JSON
import Rope
import TestSupport
import Testing

@testable import EditorCore

extension CoreDriver {
  /// The lines in sight that the front end was told last are marked.
  fileprivate var bookmarks: [Int] {
    for notification in notifications.reversed() {
      if case .update(view, let update) = notification { return update.bookmarks }
    }
    return []
  }

  fileprivate func bookmark(_ line: Int) {
    caret(line)
    edit("xiedit_toggle_bookmark")
  }

  fileprivate var caretLines: [Int] {
    (textView?.selection.regions ?? []).compactMap { document?.buffer.text.line(at: $0.active).value }
  }
}

@Suite struct BookmarkTests {
  private let driver = CoreDriver(handshake: true)

  private func open(_ text: String) {
    driver.open()
    driver.edit("insert", ["chars": .string(text)])
    driver.caret(0)
  }

  @Test func linesAreMarkedAndGoneTo() {
    open("a\nb\nc\nd\ne")
    for line in [3, 1] { driver.bookmark(line) }
    #expect(driver.bookmarks == [1, 3])
    driver.caret(2)
    for (command, line) in [("next", 3), ("next", 1), ("previous", 3), ("previous", 1), ("previous", 3)] {
      driver.edit("xiedit_\(command)_bookmark")
      #expect(driver.caretLines == [line], "\(command): \(driver.markedText)")
    }
    driver.edit("xiedit_toggle_bookmark")
    #expect(driver.bookmarks == [1])
    driver.edit("xiedit_clear_bookmarks")
    #expect(driver.bookmarks == [])
  }

  @Test func whereThereIsNothingToGoToThatIsSaid() {
    open("a\nb")
    driver.edit("xiedit_next_bookmark")
    #expect(driver.alerts.last == "No line is marked")
    driver.edit("xiedit_toggle_bookmark")
    driver.edit("xiedit_previous_bookmark")
    #expect(driver.alerts.last == "No other line is marked")
    driver.edit("xiedit_clear_bookmarks")
    driver.edit("xiedit_clear_bookmarks")
    #expect(driver.alerts.last == "No line is marked")
  }

  @Test func marksFollowTheText() {
    open("a\nb\nc\n")
    for line in [0, 2] { driver.bookmark(line) }
    driver.caret(0)
    driver.edit("insert_newline")
    #expect(driver.bookmarks == [1, 3], "the line has moved down")
    driver.edit("insert", ["chars": "x"])
    #expect(driver.bookmarks == [1, 3], "typed at its start")
    driver.edit("undo")
    driver.edit("undo")
    #expect(driver.bookmarks == [0, 2])
    driver.edit("select_all")
    driver.edit("delete_backward")
    #expect(driver.bookmarks == [0], "both lines have gone")
  }

  /// Of a line that is broken the first row is marked, in each view where that is.
  @Test func wrappedLinesAndSeveralViews() throws {
    let folder = try Repository(isGit: false)
    try folder.write(String(repeating: "long ", count: 20) + "\nend\n")
    driver.open(folder.path("f.txt"))
    driver.bookmark(1)
    let first = driver.view
    driver.open(folder.path("f.txt"))
    driver.notify(.modifyUserConfig(.userOverride(driver.view), changes: ["word_wrap": true]))
    driver.edit("resize", ["width": 20, "height": 20])
    driver.caret(0)
    driver.edit("xiedit_toggle_bookmark")
    #expect(driver.bookmarks == [0, 5])
    driver.edit("scroll", [1, 5])
    #expect(driver.bookmarks == [], "not in sight")
    driver.view = first
    #expect(driver.bookmarks == [0, 1])
  }

  @Test func thereIsAnEndToThem() {
    open(String(repeating: "\n", count: 1001))
    for line in 0..<Bookmarks.most { driver.document?.bookmarks.toggle(ByteOffset(line)) }
    driver.caret(1000)
    driver.edit("xiedit_toggle_bookmark")
    #expect(driver.alerts.last == "1000 lines are marked already")
    driver.caret(999)
    driver.edit("xiedit_toggle_bookmark")
    #expect(driver.document?.bookmarks.starts.count == 999)
  }

  /// Each line has a name of its own, which nothing is put into: it is marked as long as its line is.
  @Test(arguments: 0..<200) func marksAreThoseOfTheirLines(seed: UInt64) {
    var random = SplitMix64(state: seed)
    var text = Rope((0..<40).map { "<\($0)> words\n" }.joined())
    var (bookmarks, names) = (Bookmarks(), Set<Int>())
    for line in 0..<40 where Int.random(in: 0..<3, using: &random) == 0 {
      bookmarks.toggle(text.start(ofLine: line))
      names.insert(line)
    }
    for _ in 0..<20 {
      let line = Int.random(in: 0..<text.lineCount, using: &random)
      let start = text.start(ofLine: line)
      let end = text.nextLineStart(after: start) ?? text.endOffset
      let content = text.string(in: start..<end)
      let name = content.utf8.firstIndex(of: UInt8(ascii: ">")).map {
        content.utf8.distance(from: content.startIndex, to: $0) + 1
      }
      let place = Bool.random(using: &random) ? start : start + (name ?? 0)
      let new = ["x", "\n", "y\nz"].randomElement(using: &random) ?? ""
      let delta = Delta(baseByteCount: text.byteCount, replacing: place..<place, with: Rope(new))
      text = text.applying(delta)
      bookmarks.follow(delta, making: text)
    }
    for name in names {
      let marked = bookmarks.starts.map { text.string(in: $0..<(text.nextLineStart(after: $0) ?? text.endOffset)) }
      #expect(marked.contains { $0.contains("<\(name)>") }, "\(name) of \(marked)")
    }
    #expect(bookmarks.starts == Set(bookmarks.starts).sorted())
    #expect(bookmarks.starts.allSatisfy { text.lineStart(of: $0) == $0 })
  }
}
