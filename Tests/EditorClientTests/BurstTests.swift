import EditorProtocol
import Testing

@testable import EditorClient

/// A paste that the terminal does not mark comes as keys: what each costs must not depend on how many are not answered yet.
/// With a cost that grows these tests take many minutes.
@Suite struct BurstTests {
  private static let keyCount = 60_000

  /// The core answers when all is there, or a few at a time.
  @Test func manyKeysAreSentBeforeTheFirstAnswer() {
    let bench = Bench(columns: 60, rows: 12)
    let line = Array(repeating: "x", count: 40).joined() + "{enter}"
    for _ in 0..<Self.keyCount / 41 { bench.press(line) }
    let sent = bench.core.takeEdits().count
    #expect(sent == Self.keyCount / 41 * 41)
    guard let log = bench.editor.view?.log else { return }
    #expect(log.pendingCount == sent && log.hasText && log.nextNumber == 2 + sent)
    for handled in stride(from: sent % 8, through: sent, by: 8) {
      bench.editor.handle(
        .update(
          Bench.view, ViewUpdate(ops: [.copy(count: 2, firstNumber: 1)], pristine: false, handledEdits: 2 + handled)))
    }
    #expect(bench.editor.view?.log.isHandled == true && bench.editor.view?.log.hasText == false)
    #expect(bench.editor.view?.log.pendingCount == 0)
  }

  /// All of these are drawn before the core has answered.
  @Test func manyKeysToAndFroArePredicted() {
    let bench = Bench()
    bench.editor.handle(.fileInformation(Bench.view, FileInformation(path: "/f.txt")))
    for _ in 0..<Self.keyCount / 2 { bench.press("{right}{left}") }
    let sent = bench.core.takeEdits().count
    for handled in stride(from: 0, through: sent, by: 8) {
      bench.editor.handle(
        .update(
          Bench.view, ViewUpdate(ops: [.copy(count: 2, firstNumber: 1)], pristine: false, handledEdits: 2 + handled)))
    }
    #expect(bench.editor.view?.caret == LineColumn(line: 0, column: 0))
  }

  @Test func manyKeysWaitForAnAnswer() {
    let bench = Bench()
    bench.press("{^C}")
    for _ in 0..<Self.keyCount { bench.press("x") }
    #expect(bench.core.takeEdits() == [])
    bench.core.answer(.success("text"))
    let texts = bench.core.takeEdits().map { if case .insert(let text) = $0 { text } else { "" } }
    #expect(texts.joined() == String(repeating: "x", count: Self.keyCount))
    #expect(texts.count == 4)
  }

  /// The core has one message for each stretch of a text that has come at once, and none where a key has a meaning of its own.
  @Test func keysThatComeAtOnceAreOneEdit() {
    let bench = Bench()
    func edits(_ keys: String) -> [EditCommand] {
      bench.editor.handle(Bench.events(keys))
      return bench.core.takeEdits()
    }
    #expect(
      edits("é\u{301} + 漢字, text{enter}second line{left}") == [
        .insert("é\u{301} + 漢字, text"), .plain(.insertNewline), .insert("second line"), .plain(.moveLeft),
      ])
    // A person's are predicted one by one.
    #expect(edits("seven  ") == "seven  ".map { .insert(String($0)) })
    // They are meant for the prompt.
    #expect(edits("{^F}search for this{escape}").allSatisfy { if case .insert = $0 { false } else { true } })
    bench.editor.notices.show("A message", isAlarm: true)
    #expect(edits("behind a message") == [.insert("b"), .insert("ehind a message")])
    #expect(bench.editor.notices.message == nil)
  }

  /// Its counts are those that counting gives.
  @Test func theLogCountsWhatItHolds() {
    var log = EditLog()
    var sent: [EditLog.Entry] = []
    var (handled, kept) = (0, 0)
    let kinds: [EditLog.Entry] = [
      .cut(isAnswered: true), .copy, .edit(.insert("x")), .edit(.plain(.moveLeft)), .edit(.scroll(first: 0, end: 1)),
    ]
    var state: UInt64 = 7
    func random(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    for _ in 0..<5000 {
      if random(3) > 0 {
        let edit = kinds[random(kinds.count)]
        log.append(edit)
        sent.append(edit)
      } else {
        // A core may also take its word back, or know more than there is.
        let (count, kindness) = (handled + random(12) - 2, random(20) - 2)
        log.acknowledge(handled: count, kept: count - kindness)
        handled = max(handled, min(count, sent.count))
        kept = max(kept, min(count - kindness, handled))
      }
      let unhandled = sent.dropFirst(handled)
      let unkept = sent[kept..<handled].filter { $0.changesDocument && $0 != .copy }
      let pending = unhandled.count(where: \.changesDocument)
      #expect(log.pendingCount == pending && log.hasChanges == (pending > 0))
      #expect(log.hasText == sent.dropFirst(kept).contains(where: \.changesText))
      #expect(log.isHandled == unhandled.isEmpty && log.isKept == unkept.isEmpty)
      #expect(log.count == unkept.count + unhandled.count)
      #expect(log.firstNumber == kept && log.unhandledNumber == handled && log.nextNumber == sent.count)
    }
  }
}
