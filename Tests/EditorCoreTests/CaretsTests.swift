import Rope
import Testing

@testable import EditorCore

/// What is selected, without a view around it.
@Suite struct CaretsTests {
  private var carets = Carets()
  private let text: Rope = "one e\u{301} two"

  @Test mutating func noRegionEndsInsideACluster() {
    carets.select(.caret(5), in: text)
    #expect(carets.selection.regions.allSatisfy { text.isBetweenClusters($0.lowerBound) })
    carets.goOnTyping(at: .caret(5))
    #expect(carets.selection == .caret(5) && carets.mayStandInside)
    carets.endTyping(at: carets.selection.wholeClusters(in: text))
    #expect(!carets.mayStandInside && carets.selection != .caret(5))
  }

  @Test mutating func whatWasSelectedBeforeIsSelectedAgain() {
    #expect(!carets.canGoBack)
    carets.select(.caret(3), in: text)
    carets.select(.caret(3), in: text)
    carets.select(.caret(1), in: text)
    carets.goBack(in: text)
    #expect(carets.selection == .caret(3))
    carets.goBack(in: text)
    #expect(carets.selection == .caret(0) && !carets.canGoBack)
  }

  @Test mutating func whatHasGrownShrinksAgain() {
    let (word, line) = (Selection(SelectionRegion(0, 3)), Selection(SelectionRegion(0, text.endOffset)))
    carets.select(word, in: text)
    carets.noteGrowth(from: .caret(0))
    carets.select(line, in: text)
    carets.noteGrowth(from: word)
    var shrunk = carets.takeGrowth()
    #expect(shrunk == word)
    shrunk = carets.takeGrowth()
    #expect(shrunk == nil, "the word is not selected")
    carets.select(word, in: text)
    shrunk = carets.takeGrowth()
    #expect(shrunk == .caret(0))
  }

  @Test mutating func placesOfAnotherTextAreForgotten() {
    carets.select(Selection(SelectionRegion(0, 3)), in: text)
    carets.noteGrowth(from: .caret(0))
    carets.textChanged()
    let shrunk = carets.takeGrowth()
    #expect(!carets.canGoBack && shrunk == nil)
  }

  @Test mutating func theScreenFollowsWhatWasAddedLast() {
    var selection = Selection.caret(1)
    selection.add(.caret(3))
    carets.select(selection, in: text)
    #expect(carets.main == .caret(3))
    carets.newest = .caret(1)
    #expect(carets.main == .caret(1))
    carets.select(.caret(3), in: text)
    #expect(carets.main == .caret(3), "the newest is not selected any more")
  }
}
