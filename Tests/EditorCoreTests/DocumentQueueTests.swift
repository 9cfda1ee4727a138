import Dispatch
import EditorProtocol
import JSON
import Rope
import Testing

@testable import EditorCore

/// What happens after what in a document.
@Suite struct DocumentQueueTests {
  private final class Done { var names: [String] = [] }
  private static let view = ViewID("v")

  private func item(
    _ name: String, _ order: DocumentQueue.Order = .text, _ needs: DocumentQueue.Needs = [], _ done: Done
  ) -> DocumentQueue.Item {
    .init(view: Self.view, order: order, needs: needs, giveUp: { done.names.append("no " + name) }) {
      done.names.append(name)
    }
  }

  private func run(_ queue: inout DocumentQueue, _ met: DocumentQueue.Needs) {
    while let item = queue.next({ _ in met }) { item.body() }
  }

  @Test func nothingOvertakesWhatWaitsForTheText() {
    var queue = DocumentQueue()
    let done = Done()
    queue.insert(item("end", .text, .wholeText, done))
    #expect(!queue.canRun(item("key", .text, [], done), []))
    #expect(!queue.canRun(item("look", .lookAtText, [], done), []))
    #expect(queue.canRun(item("status", .file, [], done), []))
    queue.insert(item("key", .text, [], done))
    queue.insert(item("save", .file, .idleFile, done))
    queue.insert(item("look", .lookAtText, [], done))
    run(&queue, .idleFile)
    #expect(done.names == ["save"])
    run(&queue, [.wholeText, .idleFile])
    #expect(done.names == ["save", "end", "key", "look"])
  }

  @Test func whatLooksAtTheTextHoldsNothingUp() {
    var queue = DocumentQueue()
    let done = Done()
    queue.insert(item("look", .lookAtText, .idleFile, done))
    #expect(queue.canRun(item("key", .text, [], done), []))
  }

  /// Keys pass what waits for matches, and it does not hold up the file; what needs all to be replaced waits for what came before.
  @Test func whatWaitsForMatchesIsPassed() {
    var queue = DocumentQueue()
    let done = Done()
    queue.insert(item("before", .file, [.idleFile, .replacedText], done))
    queue.insert(.init(order: .search, needs: [.matches, .replacedText], replaces: true) { done.names.append("all") })
    #expect(queue.canRun(item("key", .text, [], done), []))
    #expect(!queue.canRun(item("copy", .text, .replacedText, done), .matches))
    #expect(!queue.canRun(item("plugin", .pluginEdit, .replacedText, done), .matches))
    queue.insert(item("next", .search, [.matches, .replacedText], done))
    run(&queue, .idleFile)
    #expect(done.names == ["before"])
    run(&queue, .matches)
    #expect(done.names == ["before", "all", "next"])
  }

  @Test func whatAnItemAsksForComesBeforeWhatCameAfterIt() {
    var queue = DocumentQueue()
    let done = Done()
    for name in ["first", "second"] { queue.insert(item(name, .text, .wholeText, done)) }
    while let item = queue.next({ _ in .wholeText }) {
      item.body()
      guard done.names.last == "first" else { continue }
      queue.insert(self.item("its own", .text, [], done))
      queue.insert(self.item("its other", .text, [], done))
    }
    #expect(done.names == ["first", "its own", "its other", "second"])
  }

  @Test func anotherQueryDropsWhatCameBeforeIt() {
    var queue = DocumentQueue()
    let done = Done()
    queue.insert(item("old", .search, .matches, done))
    queue.insert(.init(view: ViewID("w"), order: .search, needs: .matches) { done.names.append("another's") })
    queue.insert(item("find", .search, [], done))
    queue.insert(item("new", .search, .matches, done))
    while let item = queue.next({ _ in [] }) {
      item.body()
      queue.dropEarlierSearches(of: Self.view)
    }
    run(&queue, .matches)
    #expect(done.names == ["find", "another's", "new"])
  }

  @Test func whatIsGivenUpIsToldOnce() {
    var queue = DocumentQueue()
    let done = Done()
    queue.insert(item("end", .text, .wholeText, done))
    queue.insert(.init(order: .file, needs: .wholeText) { done.names.append("nobody's") })
    for item in queue.giveUp() { item.giveUp?() }
    #expect(queue.giveUp().isEmpty && !queue.hasWish)
    run(&queue, .wholeText)
    #expect(done.names == ["no end", "nobody's"])
  }

  /// A save that waits for another is of the text at which it was asked for.
  @Test func aSecondSaveIsOfItsTime() throws {
    let files = TemporaryFolder()
    files.write("text\n", to: "a")
    let driver = CoreDriver(handshake: true)
    driver.open(files("a"))
    let isReleased = DispatchSemaphore(value: 0)
    driver.session.files.service.afterOthers { isReleased.wait() }
    let save: JSONValue = ["view_id": .string(driver.view.rawValue), "file_path": .string(files("a"))]
    driver.edit("insert", ["chars": "1"])
    let outcome = driver.request("xiedit_save", save) {
      driver.start("xiedit_save", save)
      driver.start("edit", ["view_id": .string(driver.view.rawValue), "method": "insert", "params": ["chars": "2"]])
      isReleased.signal()
    }
    #expect(outcome == .success([:]))
    driver.settle()
    #expect(files.contents("a") == "1text\n")
    #expect(driver.document?.buffer.text == "12text\n")
    #expect(driver.document?.buffer.history.isAtSavedState == false)
  }

  /// What is typed after a cut is not cut, however long a save takes.
  @Test func aCutDoesNotWaitForASave() throws {
    let files = TemporaryFolder()
    files.write("text\n", to: "a")
    let driver = CoreDriver(handshake: true)
    driver.open(files("a"))
    let isReleased = DispatchSemaphore(value: 0)
    driver.session.files.service.afterOthers { isReleased.wait() }
    driver.start("xiedit_save", ["view_id": .string(driver.view.rawValue), "file_path": .string(files("a"))])
    driver.start("edit", ["view_id": .string(driver.view.rawValue), "method": "select_all", "params": []])
    let cut = driver.request("edit", ["view_id": .string(driver.view.rawValue), "method": "cut", "params": []])
    #expect(cut == .success("text\n"))
    isReleased.signal()
    driver.settle()
    #expect(driver.document?.buffer.text == "")
    #expect(files.contents("a") == "text\n")
  }
}
