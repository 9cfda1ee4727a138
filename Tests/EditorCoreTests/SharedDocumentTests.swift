import Dispatch
import EditorProtocol
import Glibc
import JSON
import JSONRPC
import Rope
import TestSupport
import Testing

@testable import EditorCore

/// A file that is opened more than once: views of one document, for front ends that know of it.
@Suite struct SharedDocumentTests {
  private let files = TemporaryFolder()

  private var recoveryFolder: RecoveryFolder {
    get throws { try #require(RecoveryFolder(at: files("recovery"), system: LinuxFileSystem())) }
  }

  private func driver(handshake: Bool = true) throws -> CoreDriver {
    files.write("one\ntwo\n", to: "a")
    return CoreDriver(handshake: handshake, recoveryFolder: try recoveryFolder)
  }

  private func contents(_ driver: CoreDriver, _ view: ViewID) -> String {
    (driver.views[view]?.lines ?? []).compactMap { $0?.text }.joined()
  }

  @Test func viewsAreInTheOrderOfTheirNumbers() {
    let driver = CoreDriver()
    let opened = (0..<12).map { _ in driver.open() }
    #expect(driver.session.views.all.map(\.id) == opened)
  }

  @Test func oneFileIsOneDocumentByAnyName() throws {
    let driver = try driver()
    symlink(files("a"), files("b"))
    link(files("a"), files("c"))
    let views = [files("a"), files("a"), files("b"), files("c")].map { driver.open($0) }
    #expect(driver.session.views.documents.count == 1)
    for (index, view) in views.enumerated() {
      driver.notify(.edit(view, .insert("\(index)")))
      for view in views { #expect(contents(driver, view) == driver.document?.buffer.text.string) }
    }
    #expect(driver.document?.buffer.text.string == "0123one\ntwo\n")
    #expect(views.map { driver.session.views[$0]?.edits.handled } == [1, 1, 1, 1])
    #expect(driver.alerts == [])
    driver.notify(.save(views[2], path: files("a")))
    #expect(files.contents("c") == "0123one\ntwo\n")
    for view in views { #expect(driver.views[view]?.isPristine == true) }
  }

  /// By its old name and its old number it is not found any more.
  @Test func aDocumentIsFoundByWhatItsFileIsNow() throws {
    let driver = try driver()
    let views = driver.session.views
    driver.open(files("a"))
    let document = driver.document
    #expect(views.document(ofFile: files("a")) === document && views.document(ofFile: files("b")) == nil)
    driver.notify(.save(driver.view, path: files("b")))
    #expect(views.document(ofFile: files("a")) == nil && views.document(ofFile: files("b")) === document)
    // Each save gives it another number.
    driver.edit("insert", ["chars": "x"])
    driver.notify(.save(driver.view, path: files("b")))
    link(files("b"), files("c"))
    #expect(views.document(ofFile: files("c")) === document)
    let other = driver.open(files("new"))
    symlink(files("new"), files("link"))
    #expect(views.document(ofFile: files("link")) === driver.document)
    driver.notify(.closeView(other))
    #expect(views.document(ofFile: files("new")) == nil && views.document(ofFile: files("link")) == nil)
  }

  /// Whether two names lead to one file only the core can tell: its file system need not be the front end's.
  @Test func aViewOfTheFileIsGivenForAnotherName() throws {
    let driver = try driver()
    symlink(files("a"), files("b"))
    files.write("other\n", to: "c")
    let view = driver.open(files("a"))
    func ask(_ name: String) -> Result<JSONValue, ResponseError>? {
      driver.request("new_view", ["file_path": .string(files(name)), "xiedit": ["reuse": true]])
    }
    for name in ["a", "b"] { #expect(ask(name) == .success(.string(view.rawValue))) }
    #expect(driver.session.views.all.count == 1)
    guard case .success(let other)? = ask("c") else {
      Issue.record("it was not opened")
      return
    }
    #expect(other.string != view.rawValue && driver.session.views.documents.count == 2)
  }

  /// What was found in a file is in no new one of its name. The text of one that is open is there, whatever became of the file.
  @Test func aFileThatMustExistIsNoNewOne() throws {
    let driver = try driver()
    func ask(_ name: String) -> Result<JSONValue, ResponseError>? {
      driver.request("new_view", ["file_path": .string(files(name)), "xiedit": ["existing": true]])
    }
    for name in ["gone", "gone/too"] {
      guard case .failure(let error)? = ask(name) else {
        Issue.record("\(name) was opened")
        continue
      }
      #expect(error.code == ErrorCode.vanished && error.message == "cannot open \(files(name)): it is gone")
    }
    #expect(driver.session.views.all.isEmpty)
    guard case .success? = ask("a") else { return #expect(Bool(false), "it was not opened") }
    unlink(files("a"))
    guard case .success? = ask("a") else { return #expect(Bool(false), "its text was not shown") }
    #expect(driver.session.views.documents.count == 1)
  }

  /// It waits for a save, and would be gone behind it.
  @Test func aViewThatIsClosingIsNotGiven() throws {
    let driver = try driver()
    let view = driver.open(files("a"))
    driver.notify(.edit(view, .insert("x")))
    let isAsked = DispatchSemaphore(value: 0)
    driver.session.files.service.afterOthers { isAsked.wait() }
    driver.save(to: files("a"))
    driver.close()
    let answer = driver.request("new_view", ["file_path": .string(files("a")), "xiedit": ["reuse": true]])
    isAsked.signal()
    driver.settle()
    guard case .success(let other) = answer else {
      Issue.record("it was not opened")
      return
    }
    #expect(other.string != view.rawValue && driver.session.views[ViewID(other.string ?? "")] != nil)
  }

  /// Their bytes tell names apart, and no string does.
  @Test func namesThatLookAlikeAreTwoFiles() throws {
    let driver = try driver()
    let (composed, decomposed) = ("\u{E9}.txt", "e\u{301}.txt")
    files.write("composed", to: composed)
    files.write("decomposed", to: decomposed)
    for name in [composed, decomposed, "none-\u{E9}", "none-e\u{301}"] { driver.open(files(name)) }
    let documents = driver.session.views.documents
    #expect(documents.map(\.buffer.text) == ["composed", "decomposed", "", ""])
    driver.edit("insert", ["chars": "x"])
    driver.notify(.save(driver.view, path: files("none-e\u{301}")))
    #expect(files.contents("none-e\u{301}") == "x\n")
    #expect(access(files("none-\u{E9}"), F_OK) != 0)
    // It is not open under that name.
    driver.view = try #require(documents.first?.views.all.first?.id)
    driver.notify(.save(driver.view, path: files("e\u{301}.txt")))
    #expect(files.contents(decomposed) == "decomposed", "it is open, and is another")
  }

  /// The slash before it is a part of no character of the file system.
  @Test func aNameThatBeginsWithAnAccentHasAFolder() throws {
    let driver = try driver()
    let name = "\u{301}x"
    driver.open(files(name))
    driver.edit("insert", ["chars": "text"])
    #expect(driver.alerts == [])
    #expect(try LinuxFileSystem().names(inDirectory: files("recovery")).contains { $0.hasSuffix(".journal") })
    driver.notify(.save(driver.view, path: files(name)))
    #expect(files.contents(name) == "text\n")
    #expect(driver.alerts == [])
  }

  /// What another program wrote is noticed by whatever name the file is saved.
  @Test(arguments: [true, false]) func aChangedFileIsRefusedByAnyName(isReplaced: Bool) throws {
    let driver = try driver()
    symlink("a", files("b"))
    link(files("a"), files("c"))
    let view = driver.open(files("a"))
    driver.notify(.edit(view, .insert("typed ")))
    files.write("another's\n", to: isReplaced ? "new" : "a")
    if isReplaced { rename(files("new"), files("a")) }
    for name in isReplaced ? ["a", "b"] : ["a", "b", "c"] {
      let answer = driver.request(
        "xiedit_save",
        ["view_id": .string(view.rawValue), "file_path": .string(files(name)), "overwrite": "if_unchanged"])
      guard case .failure(let error) = answer else {
        Issue.record("it was written over as \(name)")
        return
      }
      #expect(error.code == ErrorCode.changedOnDisk)
      #expect(files.contents("a") == "another's\n")
    }
  }

  /// As with xi-core.
  @Test func otherFrontEndsGetTwoDocuments() throws {
    let driver = try driver(handshake: false)
    let views = [driver.open(files("a")), driver.open(files("a"))]
    driver.notify(.edit(views[0], .insert("x")))
    #expect(driver.session.views.documents.count == 2)
    #expect(contents(driver, views[1]) == "one\ntwo\n")
  }

  /// Its number says nothing when it is gone.
  @Test func aFileInThePlaceOfOneThatIsGoneIsAnother() throws {
    let driver = try driver()
    driver.open(files("a"))
    for _ in 0..<20 {
      unlink(files("a"))
      files.write("other\n", to: "b")
      driver.open(files("b"))
      #expect(driver.document?.buffer.text == "other\n")
      driver.close()
      driver.settle()
      unlink(files("b"))
    }
  }

  @Test func theDocumentStaysUntilItsLastViewIsClosed() throws {
    let driver = try driver()
    let views = [driver.open(files("a")), driver.open(files("a"))]
    driver.notify(.modifyUserConfig(.userOverride(views[1]), changes: ["tab_size": 7]))
    driver.notify(.edit(views[0], .insert("x")))
    driver.notify(.closeView(views[0]))
    #expect(driver.session.views.documents.count == 1)
    #expect(driver.document?.settings.config.tabSize == 7)
    driver.notify(.edit(views[1], .plain(.undo)))
    #expect(contents(driver, views[1]) == "one\ntwo\n")
    driver.notify(.edit(views[1], .insert("y")))
    #expect(try files.journal(in: recoveryFolder) != nil)
    let third = driver.open(files("a"))
    #expect(contents(driver, third) == "yone\ntwo\n")
    #expect(driver.document?.settings.config.tabSize == 7)
    for view in [views[1], third] { driver.notify(.closeView(view)) }
    #expect(driver.session.views.documents.isEmpty)
    driver.session.finish()
    #expect(try files.journal(in: recoveryFolder) == nil)
  }

  /// Messages that come together: where one view is to scroll to is not in what the other leaves of the text.
  @Test func whatOneViewDeletesTheOtherDoesNotScrollTo() throws {
    let driver = try driver()
    let views = [driver.open(files("a")), driver.open(files("a"))]
    driver.perform(views[1], .plain(.moveToEndOfDocument))
    for edit in [PlainEdit.selectAll, .deleteBackward] { driver.perform(views[0], .plain(edit)) }
    driver.session.views.sendUpdates()
    driver.settle()
    for view in views { #expect(contents(driver, view) == "") }
    #expect(driver.notifications.last == .scrollTo(views[1], LineColumn(line: 0, column: 0)))
  }

  @Test func aSearchBeginsThatWaitedForAnotherView() throws {
    let driver = try driver()
    let ids = [driver.open(files("a")), driver.open(files("a"))]
    let views = try ids.map { try #require(driver.session.views[$0]) }
    views[1].search.set([FindQuery("o", caseSensitive: true)])
    views[1].document.enqueue(.init(view: ids[1], order: .search, needs: .matches, replaces: true) {})
    driver.perform(ids[0], .find(FindQuery("e", caseSensitive: true)))
    views[1].needsUpdate = true
    driver.session.views.sendUpdates()
    driver.run { !views[0].isSearching }
    #expect(views[0].search.matchCount == 1)
  }

  /// A span that goes may reach out of the lines that are marked.
  @Test func marksThatGoAreSentAnew() throws {
    let driver = try driver()
    let view = driver.open(files("a"))
    driver.document?.plugins.areThere = true
    let plugin = FuzzPlugin(in: driver.session, number: 0, revision: 0, text: Array("one\ntwo\n".utf8))
    plugin.send(["method": "add_scopes", "params": ["view_id": .string(view.rawValue), "scopes": [["comment"]]]])
    for range in [0..<7, 1..<2] {
      plugin.mark(range, in: view)
      driver.settle()
      try expectCacheShowsText(driver)
    }
  }

  @Test func aViewMayBeReadOnly() throws {
    let driver = try driver()
    let view = driver.open(files("a"))
    let params: JSONValue = ["file_path": .string(files("a")), "xiedit": ["read_only": true]]
    let other = ViewID((try? driver.request("new_view", params).get())?.string ?? "")
    for view in [other, view] { driver.notify(.edit(view, .insert(view == other ? "no" : "x"))) }
    #expect(contents(driver, other) == "xone\ntwo\n")
    #expect(driver.alerts == ["This view is read-only."])
  }

  @Test func aTextIsNotSavedOverOneThatIsOpen() throws {
    let driver = try driver()
    driver.open(files("a"))
    let view = driver.open()
    driver.edit("insert", ["chars": "other"])
    for policy in ["if_unchanged", "if_new", "always"] {
      let answer = driver.request(
        "xiedit_save",
        ["view_id": .string(view.rawValue), "file_path": .string(files("a")), "overwrite": .string(policy)])
      #expect(throws: ResponseError.self) { try answer.get() }
    }
    #expect(files.contents("a") == "one\ntwo\n")
  }

  @Test func aReloadIsInAllViews() throws {
    let driver = try driver()
    let views = [driver.open(files("a")), driver.open(files("a"))]
    files.write("new\n", to: "a")
    driver.notify(.reload(views[1]))
    driver.run { !driver.session.reloads.isReading }
    for view in views { #expect(contents(driver, view) == "new\n") }
  }

  /// Plugins know the document by its first view, and until the last is closed.
  @Test func pluginsKnowOneView() throws {
    let driver = try driver()
    let views = [driver.open(files("a")), driver.open(files("a"))]
    driver.document?.plugins.areThere = true
    let plugin = FuzzPlugin(in: driver.session, number: 0, revision: 0, text: Array("one\ntwo\n".utf8))
    let status: JSONValue = ["view_id": .string(views[0].rawValue), "key": "k", "value": "v"]
    plugin.send(["method": "add_status_item", "params": status])
    driver.settle()
    let item = StatusItem(source: "fuzz 0", key: "k", value: "v", alignment: "left")
    for view in views { #expect(driver.notifications.contains(.addStatusItem(view, item))) }
    driver.notify(.closeView(views[0]))
    let third = driver.open(files("a"))
    #expect(driver.notifications.contains(.addStatusItem(third, item)))
    driver.notify(.edit(third, .insert("x")))
    driver.run { plugin.hasCaughtUp }
    #expect(plugin.text == Array("xone\ntwo\n".utf8) && plugin.problems == [])
    plugin.edit(1, of: 9, at: 0, upTo: 9, inserting: "y", priority: 0, in: views[0])
    driver.settle()
    #expect(contents(driver, third) == "yxone\ntwo\n" || contents(driver, third) == "xyone\ntwo\n")
    plugin.request("get_selections", ["view_id": .string(views[0].rawValue)])
    driver.settle()
    #expect(plugin.lastAnswer?["result"]?["rev"]?.int == 2)
    #expect(driver.alerts == [])
  }

  /// A journal is given the carets of all views with each key: not once more for each of them.
  @Test func aKeyIsWrittenDownOnceHoweverManyViewsThereAre() throws {
    let driver = try driver()
    let views = (0..<40).map { _ in driver.open(files("a")) }
    let journal = try #require(driver.document?.recovery.journal)
    let known = journal.writeCount
    driver.notify(.edit(views[7], .insert("x")))
    #expect((1...5).contains(journal.writeCount - known))
    for view in views { #expect(contents(driver, view) == "xone\ntwo\n") }
  }

  // MARK: At random

  /// Edits in views that come and go, beside a plain model; then the core dies, and the views come back in any order.
  @Test(arguments: 0..<40 as Range<UInt64>)
  func viewsShowOneText(seed: UInt64) throws {
    var random = SplitMix64(state: seed)
    let disk = SimulatedDisk(folders: ["/", "/files", "/recovery"])
    disk.write(Array("one\ntwo\n".utf8), to: Self.path)
    let driver = Self.driver(on: disk)
    var model = Model(text: Array("one\ntwo\n".utf8))
    for _ in 0..<60 { try doSomething(driver, &model, disk, &random) }
    if model.views.isEmpty { try doSomething(driver, &model, disk, &random) }
    model.change(driver, .insert("!"), in: try #require(model.ids.randomElement(using: &random)))
    try check(driver, model)
    var power: SplitMix64?
    try comeBack(driver, model, on: disk.afterDeath(losingPower: &power), &random)
  }

  private static let path = "/files/a"

  private static func driver(on disk: SimulatedDisk) -> CoreDriver {
    CoreDriver(handshake: true, system: disk, recoveryFolder: RecoveryFolder(at: "/recovery", system: disk))
  }

  private struct Model {
    struct View {
      var caret = 0
      var edits = 0
      /// How many there were with the last that changed the text.
      var changes = 0
    }

    var text: [UInt8]
    var views: [ViewID: View] = [:]

    var ids: [ViewID] { views.keys.sorted { $0.rawValue < $1.rawValue } }

    mutating func change(_ driver: CoreDriver, _ command: EditCommand, in view: ViewID) {
      driver.notify(.edit(view, command))
      guard let caret = views[view]?.caret else { return }
      views[view]?.edits += 1
      switch command {
      case .insert(let chars): replace(caret..<caret, by: Array(chars.utf8), in: view)
      case .plain(.deleteBackward): if caret > 0 { replace(caret - 1..<caret, by: [], in: view) }
      case .plain(.moveLeft): views[view]?.caret = max(0, caret - 1)
      case .plain(.moveRight): views[view]?.caret = min(text.count, caret + 1)
      default: views[view]?.caret = text.count
      }
    }

    private mutating func replace(_ range: Range<Int>, by new: [UInt8], in view: ViewID) {
      text.replaceSubrange(range, with: new)
      views = views.mapValues { view in
        var view = view
        if view.caret >= range.upperBound { view.caret += new.count - range.count }
        return view
      }
      let edits = views[view]?.edits ?? 0
      views[view]?.changes = edits
    }
  }

  private func doSomething(
    _ driver: CoreDriver, _ model: inout Model, _ disk: SimulatedDisk, _ random: inout SplitMix64
  ) throws {
    let commands: [EditCommand] = [
      .insert("x"), .insert("yz\n"), .plain(.deleteBackward), .plain(.moveLeft), .plain(.moveRight),
      .plain(.moveToEndOfDocument),
    ]
    let view = model.ids.randomElement(using: &random)
    switch (Int.random(in: 0..<20, using: &random), view) {
    case (_, nil), (0, _):
      // What was not saved is gone with the last view.
      if model.views.isEmpty { model.text = disk.contents(Self.path) ?? [] }
      model.views[driver.open(Self.path)] = .init()
    case (1, let view?):
      driver.notify(.closeView(view))
      model.views[view] = nil
    case (2, let view?):
      driver.notify(.save(view, path: Self.path))
      let isEnded = model.text.last == 10 || model.text.isEmpty
      #expect(disk.contents(Self.path) == model.text + (isEnded ? [] : [10]))
    case (_, let view?): model.change(driver, commands.randomElement(using: &random) ?? .plain(.undo), in: view)
    }
    try check(driver, model)
  }

  private func check(_ driver: CoreDriver, _ model: Model) throws {
    #expect(driver.alerts == [])
    #expect(driver.session.views.documents.count == min(1, model.views.count))
    for (id, state) in model.views {
      let view = try #require(driver.session.views[id])
      #expect(view.text.string.utf8.elementsEqual(model.text))
      #expect(view.selection == .caret(ByteOffset(state.caret)))
      #expect(driver.views[id]?.lines.compactMap { $0?.text }.joined() == view.text.string)
      #expect(driver.views[id]?.problems == [])
    }
  }

  private func comeBack(
    _ driver: CoreDriver, _ model: Model, on disk: SimulatedDisk, _ random: inout SplitMix64
  ) throws {
    let next = Self.driver(on: disk)
    for id in model.ids.shuffled(using: &random) {
      let recoveryID = try #require(driver.recoveryID(of: id))
      let params: JSONValue = ["file_path": .string(Self.path), "xiedit": ["recover": .string(recoveryID)]]
      let new = ViewID(try next.request("new_view", params).get().string ?? "")
      let view = try #require(next.session.views[new])
      #expect(view.text.string.utf8.elementsEqual(model.text))
      let state = try #require(model.views[id])
      #expect(view.selection == .caret(ByteOffset(state.caret)))
      #expect((state.changes...state.edits).contains(view.edits.handled))
      #expect(next.recoveryID(of: new) == recoveryID)
    }
    #expect(next.session.views.documents.count == 1 && next.alerts == [])
  }
}

extension CoreDriver {
  fileprivate func recoveryID(of view: ViewID) -> String? {
    notifications.reversed().lazy.compactMap {
      if case .fileInformation(view, let file) = $0 { file.recoveryID } else { nil }
    }.first
  }
}

extension Rope {
  fileprivate var string: String { string(in: fullRange) }
}
