import Rope
import TestSupport
import Testing

@testable import EditorCore

/// A text with its revisions and undo steps, without a document around it.
@Suite struct TextBufferTests {
  private let buffer = TextBuffer("one\n")
  private var origin = TextOrigin(encoding: .utf8, edition: 0, format: TextFormat())

  private func inserting(_ text: Rope, at offset: ByteOffset) -> Delta {
    Delta(baseByteCount: buffer.text.byteCount, replacing: offset..<offset, with: text)
  }

  @Test func aChangeIsHandedBackAsItHappened() throws {
    let change = try #require(buffer.commit(inserting("two\n", at: 4), as: .insert))
    #expect(change.base == "one\n" && change.text == "one\ntwo\n" && change.revision == 0 && change.kind == .insert)
    #expect(buffer.text == change.text && buffer.revision == 1 && buffer.commitCount == 1)
    #expect(change.undoGroup == buffer.history.currentGroup && !buffer.history.isAtSavedState)
  }

  @Test mutating func undoLeadsBackToTheSavedText() throws {
    _ = buffer.commit(inserting("x", at: 0), as: .insert)
    let delta = try #require(buffer.history.undo(buffer.text, &origin))
    let change = buffer.apply(delta, as: .init(.undoes, .undo))
    #expect(change.text == "one\n" && buffer.revision == 2 && buffer.history.isAtSavedState)
    #expect(buffer.commitCount == 1, "it is no edit")
  }

  /// As an edit it counts all the same: it does not end the undo step.
  @Test func whatPutsTheSameTextInItsPlaceIsNoChange() {
    buffer.history.isOfXi = false
    let same = Delta(baseByteCount: 4, replacing: 0..<3, with: "one")
    #expect(buffer.commit(same, as: .other) == nil)
    #expect(buffer.revision == 0 && buffer.commitCount == 1 && buffer.history.done.isEmpty)
    // In xi it is a step.
    buffer.history.isOfXi = true
    #expect(buffer.commit(same, as: .other) != nil)
    #expect(buffer.history.done.count == 1)
  }

  @Test func editsThatCancelEachOtherOutAreNoStep() {
    buffer.history.isOfXi = false
    let group = buffer.asOneStep {
      _ = buffer.commit(inserting("x", at: 0), as: .insert)
      _ = buffer.commit(Delta(baseByteCount: 5, replacing: 0..<1, with: ""), as: .delete)
    }
    #expect(group != nil && buffer.history.done.isEmpty && buffer.history.isAtSavedState)
    #expect(buffer.asOneStep { _ = buffer.commit(inserting("x", at: 0), as: .insert) } == nil)
    #expect(buffer.history.done.count == 1)
  }

  /// Of a file that is read while it is edited.
  @Test mutating func whatIsLoadedIsNoEdit() throws {
    _ = buffer.commit(inserting("x", at: 0), as: .insert)
    buffer.appendLoaded("two\n")
    #expect(buffer.text == "xone\ntwo\n" && buffer.revision == 1)
    let delta = try #require(buffer.history.undo(buffer.text, &origin))
    #expect(buffer.apply(delta, as: .init(.undoes, .undo)).text == "one\ntwo\n")
  }

  @Test func everyTextIsSeenBeforeItChanges() {
    var seen: [Rope] = []
    buffer.willChange = { [unowned buffer] in seen.append(buffer.text) }
    _ = buffer.commit(inserting("x", at: 0), as: .insert)
    _ = buffer.commit(inserting("y", at: 0), as: .insert)
    #expect(seen == ["one\n", "xone\n"])
  }
}
