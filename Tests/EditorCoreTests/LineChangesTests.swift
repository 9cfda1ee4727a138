import Rope
import Testing

@testable import EditorCore

@Suite struct LineChangesTests {
  private static let lines = ["a\n", "b\n", "\n", "c", "long line\r\n"]

  private static func text(of count: Int) -> Rope {
    Rope((0..<Int.random(in: 0...count)).map { _ in lines[Int.random(in: 0..<lines.count)] }.joined())
  }

  /// What the hunks say is in the place of what they have replaced.
  private func rebuilt(_ changes: LineChanges, _ text: Rope) -> Rope {
    var delta = Delta.Builder(baseByteCount: changes.base.byteCount)
    for hunk in changes.hunks {
      delta.replace(changes.base.range(ofLines: hunk.old), with: text.slice(text.range(ofLines: hunk.new)))
    }
    return changes.base.applying(delta.build())
  }

  private func isOrdered(_ changes: LineChanges) -> Bool {
    zip(changes.hunks, changes.hunks.dropFirst()).allSatisfy {
      $0.new.upperBound < $1.new.lowerBound && $0.old.upperBound < $1.old.lowerBound
        && $1.new.lowerBound - $0.new.upperBound == $1.old.lowerBound - $0.old.upperBound
    } && changes.hunks.allSatisfy { !$0.old.isEmpty || !$0.new.isEmpty }
  }

  private func hunks(_ old: String, _ new: String) -> [String] {
    (LineDifference.hunks(from: Rope(old), to: Rope(new)) ?? []).map { "\($0.old)→\($0.new)" }
  }

  @Test func linesWithTheirEnds() {
    #expect(hunks("", "x") == ["0..<0→0..<1"])
    #expect(hunks("", "x\n") == ["0..<0→0..<1"])
    #expect(hunks("x\n", "") == ["0..<1→0..<0"])
    #expect(hunks("a\nb", "a\nb\n") == ["1..<2→1..<2"], "the last line has got its end")
    #expect(hunks("a\nb\n", "a\nb\nc\n") == ["2..<2→2..<3"])
    #expect(hunks("a\r\nb\n", "a\nb\n") == ["0..<1→0..<1"])
    #expect(hunks("a\n", "a\n") == [])
    #expect(hunks("a\nb\nc\nd\n", "a\nc\nd\ne\n") == ["1..<2→1..<1", "4..<4→3..<4"])
    // A block that moves is removed once and added once.
    #expect(hunks("1\n2\n3\n4\nx\ny\n", "x\ny\n1\n2\n3\n4\n") == ["0..<0→0..<2", "4..<6→6..<6"])
    // No line stands once: the greedy comparison has to find them.
    #expect(hunks("a\nb\na\nb\na\nb\n", "a\nb\nb\na\nb\nb\n").count <= 2)
  }

  @Test func editsKeepWhatARecomputationFinds() {
    for _ in 0..<3000 {
      var text = Self.text(of: 12)
      var changes = LineChanges(of: text)
      let base = text
      for _ in 0..<Int.random(in: 1...8) {
        var builder = Delta.Builder(baseByteCount: text.byteCount)
        for _ in 0..<Int.random(in: 1...3) {
          let start = Int.random(in: 0...text.byteCount)
          let end = min(text.byteCount, start + Int.random(in: 0...6))
          builder.replace(ByteOffset(start)..<ByteOffset(end), with: Self.text(of: 2))
        }
        let (delta, before) = (builder.build(), text)
        text.apply(delta)
        changes.follow(delta, from: before, to: text)
        #expect(rebuilt(changes, text) == text)
        #expect(isOrdered(changes))
      }
      let found = LineChanges(from: base, to: text)
      #expect(found.map { rebuilt($0, text) } == text)
      #expect(found?.base == base)
      if text == base { #expect(changes.hunks.isEmpty) }
    }
  }

  /// Without anything that is compared at once, and with it later.
  @Test func roughHunksAreRefined() {
    let line = String(repeating: "x", count: 400) + "\n"
    var text = Rope((0..<200).map { "\($0) \(line)" }.joined())
    let base = text
    var changes = LineChanges(of: text)
    var delta = Delta.Builder(baseByteCount: text.byteCount)
    var other = text
    other.replace(5..<6, with: "y")
    delta.replace(0..<text.endOffset, with: other)
    let (whole, before) = (delta.build(), text)
    text.apply(whole)
    changes.follow(whole, from: before, to: text)
    #expect(changes.isRough)
    #expect(changes.hunks == [LineHunk(old: 0..<200, new: 0..<200)])
    let refined = changes.refined(in: text)
    #expect(!refined.isRough)
    #expect(refined.hunks == [LineHunk(old: 0..<1, new: 0..<1)])
    #expect(refined.base == base)
  }

  /// Typing in a long block of changed lines compares them with each key.
  @Test func linesOfOneSideAloneCostNoSteps() {
    var effort = ComparisonEffort(byteCount: 1 << 20, steps: 10)
    let base = Rope("top\n" + String(repeating: "one\n", count: 3000) + "}\n")
    let text = Rope("top\n" + String(repeating: "Xone\n", count: 4000) + "}\n")
    let hunk = LineHunk(old: 0..<3002, new: 0..<4002)
    let hunks = LineDifference.hunks(from: base, to: text, in: hunk, within: &effort)
    #expect(hunks == [LineHunk(old: 1..<3001, new: 1..<4001)])
    #expect(!effort.isUsedUp)
  }

  @Test func whatTakesManyStepsIsRefinedLater() throws {
    // Each line stands on both sides, and none once.
    let base = Rope((0..<1500).map { "\($0 * $0 % 7)\n" }.joined())
    let other = Rope((0..<1500).map { "\($0 * $0 % 11 % 7)\n" }.joined())
    var changes = LineChanges(of: base)
    let delta = Delta(baseByteCount: base.byteCount, replacing: 0..<base.endOffset, with: other)
    changes.follow(delta, from: base, to: other)
    #expect(changes.isRough)
    #expect(rebuilt(changes, other) == other)
    #expect(isOrdered(changes))
    let refined = changes.refined(in: other)
    #expect(!refined.isRough)
    #expect(refined.hunks == LineDifference.hunks(from: base, to: other))
    #expect(rebuilt(refined, other) == other)
  }

  @Test func whatIsTakenBackIsNoChange() {
    var (text, before) = (Rope("one\ntwo\nthree\n"), Rope())
    var changes = LineChanges(of: text)
    func edit(_ range: Range<ByteOffset>, _ new: Rope) -> [LineHunk] {
      let delta = Delta(baseByteCount: text.byteCount, replacing: range, with: new)
      before = text
      text.apply(delta)
      changes.follow(delta, from: before, to: text)
      return changes.hunks
    }
    #expect(edit(4..<4, "x") == [LineHunk(old: 1..<2, new: 1..<2)])
    #expect(edit(4..<5, "") == [])
    #expect(edit(7..<7, "\nmore") == [LineHunk(old: 2..<2, new: 2..<3)])
    #expect(edit(0..<4, "") == [LineHunk(old: 0..<1, new: 0..<0), LineHunk(old: 2..<2, new: 1..<2)])
    #expect(edit(0..<text.endOffset, "") == [LineHunk(old: 0..<3, new: 0..<0)])
    #expect(edit(0..<0, "one\ntwo\nthree\n") == [])
  }

  @Test func aHugeTextThatIsSharedIsNotRead() throws {
    var text = Rope(String(repeating: "0123456789abcde\n", count: 8 << 20))
    let base = text
    text.replace(67_108_864..<67_108_865, with: "y")
    #expect(base.sharedStart(with: text) > 60 << 20)
    #expect(base.sharedEnd(with: text) > 60 << 20)
    let line = 4 << 20..<(4 << 20) + 1
    #expect(LineDifference.hunks(from: base, to: text) == [LineHunk(old: line, new: line)])
  }

  @Test func moreChangesThanThatAreOne() throws {
    let count = 2 * LineChanges.mostHunks
    let base = Rope((0..<count).map { "\($0)\nsame \($0)\n" }.joined())
    let text = Rope((0..<count).map { "\($0) x\nsame \($0)\n" }.joined())
    let changes = try #require(LineChanges(from: base, to: text))
    #expect(changes.hunks.count == LineChanges.mostHunks)
    #expect(changes.hunks.last?.new.upperBound == 2 * count - 1)
    #expect(rebuilt(changes, text) == text)
  }

  @Test func whereHunksAreSeen() throws {
    let changes = try #require(LineChanges(from: "gone\na\nb\nx\ny\nc\n", to: "a\nb\nX\nY\nc\nmore\n"))
    #expect(
      changes.hunks == [
        LineHunk(old: 0..<1, new: 0..<0), LineHunk(old: 3..<5, new: 2..<4), LineHunk(old: 6..<6, new: 5..<6),
      ])
    #expect(changes.hunks(at: 0..<1).count == 1)
    #expect(changes.hunks(at: 1..<2).isEmpty)
    #expect(changes.hunks(at: 3..<4).first?.new == 2..<4)
    #expect(changes.hunks(at: 0..<100).count == 3)
  }
}
