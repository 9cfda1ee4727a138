import EditorProtocol
import Rope
import TestSupport
import Testing

@testable import EditorCore

/// Views of one document.
@Suite struct DocumentTests {
  private let document = Document("one two\nthree 日本\n👩‍🚀 four\n")

  /// Whatever is done in one, all show the same text, and the others keep their place, and no caret within a cluster.
  @Test(arguments: 0..<10 as Range<UInt64>)
  func viewsFollowEachOther(seed: UInt64) {
    var random = SplitMix64(state: seed)
    var shared = SharedState()
    let views = ["a", "b", "c"].map { TextView(id: ViewID($0), of: document) }
    views[1].perform(.resize(width: 9, height: 5), &shared)
    document.settings.config.wrapsWords = true
    let commands: [EditCommand] = [
      .insert("x "), .insert("é"), .insert("\u{301}"), .insert("🚀"), .plain(.insertNewline), .plain(.deleteBackward),
      .plain(.deleteWordForward), .plain(.undo), .plain(.redo), .plain(.moveDown), .plain(.moveRight),
      .plain(.addSelectionBelow), .plain(.duplicateLine), .plain(.moveToEndOfDocument), .plain(.transpose),
      .plain(.collapseSelections), .find(FindQuery("o", caseSensitive: true)),
    ]
    for _ in 0..<100 {
      let view = views[Int.random(in: 0..<views.count, using: &random)]
      let revision = document.buffer.revision
      let windows = views.map(\.window)
      let command = commands.randomElement(using: &random) ?? .plain(.undo)
      view.perform(command, &shared)
      for (index, other) in views.enumerated() {
        #expect(other.text == document.buffer.text)
        #expect(other.shadow.lineCount == other.lineCount)
        guard other !== view else { continue }
        #expect(other.window == windows[index], "what another does scrolls nothing")
        guard document.buffer.revision > revision else { continue }
        #expect(other.selection == other.selection.wholeClusters(in: document.buffer.text), "after \(command)")
      }
      if document.buffer.text.byteCount > 500 {
        view.perform(.plain(.selectAll), &shared)
        view.perform(.plain(.deleteBackward), &shared)
      }
    }
  }

  @Test func undoIsTheDocuments() {
    var shared = SharedState()
    let (first, second) = (TextView(id: ViewID("a"), of: document), TextView(id: ViewID("b"), of: document))
    let text = document.buffer.text
    first.perform(.insert("typed"), &shared)
    #expect(!document.isPristine)
    second.perform(.plain(.undo), &shared)
    #expect(document.buffer.text == text && first.text == text && document.isPristine)
  }

  /// What waits in a view goes with it; the document stays with the other.
  @Test func aViewIsClosed() {
    var shared = SharedState()
    let (first, second) = (TextView(id: ViewID("a"), of: document), TextView(id: ViewID("b"), of: document))
    document.queue.insert(.init(view: first.id, order: .search, needs: .matches) { Issue.record("it was closed") })
    document.close(first)
    document.advanceQueue()
    #expect(!document.views.isEmpty && document.views.all.count == 1)
    let text = document.buffer.text
    first.perform(.insert("too late"), &shared)
    first.perform(.plain(.undo), &shared)
    #expect(document.buffer.text == text)
    second.perform(.insert("x"), &shared)
    #expect(second.text == document.buffer.text && document.buffer.text != text)
    #expect(first.text == text)
  }
}
