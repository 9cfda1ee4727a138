import Testing

@testable import EditorCore

@Suite struct EditCountTests {
  @Test func whatIsKeptBecomesMoreOnly() {
    var count = EditCount(keptByOther: 3)
    count.add()
    count.add()
    #expect(count.handled == 5 && count.kept == 3)
    let hasGrown = [4, 2, 4, 5].map { count.keep($0) }
    #expect(hasGrown == [true, false, false, true] && count.kept == 5)
  }
}
