import EditorProtocol
import JSON
import Rope
import Testing

@testable import EditorCore

@Suite struct SearchTests {
  private func driver(_ text: String) -> CoreDriver {
    let driver = CoreDriver()
    driver.open()
    driver.edit("insert", ["chars": .string(text)])
    driver.edit("move_to_beginning_of_document")
    return driver
  }

  @Test func aRunawayExpressionIsAMessageAndDelaysNoKey() {
    let driver = driver(String(repeating: "a", count: 5000) + "!\n")
    driver.edit("find", ["chars": "(a|aa|a?)+$", "case_sensitive": true, "regex": true])
    driver.edit("insert", ["chars": "x"])
    #expect(driver.document?.buffer.text[0] == UInt8(ascii: "x"))
    #expect(driver.notifications.contains { if case .alert = $0 { true } else { false } })
  }

  @Test func largeTextsAreSearchedByTheWorker() {
    let line = "the quick brown fox jumps over the lazy dog\n"
    let driver = driver(String(repeating: line, count: 8_000))
    driver.edit("find", ["chars": "LAZY", "case_sensitive": false])
    #expect(driver.textView?.search.queries.first?.matches.count == 8_000)
    driver.edit("find_next", [:])
    #expect(driver.textView?.selection.regions.first?.range == ByteOffset(35)..<ByteOffset(39))
  }

  @Test func theMatchThatIsSelectedIsNumbered() {
    let driver = CoreDriver(handshake: true)
    driver.open()
    var last: FindStatus?
    driver.onNotification = { if case .findStatus(_, let queries) = $0 { last = queries.first } }
    driver.edit("insert", ["chars": "x a x a x"])
    driver.edit("move_to_beginning_of_document")
    driver.edit("find", ["chars": "x", "case_sensitive": false])
    #expect(last?.matches == 3 && last?.current == nil)
    let next: JSONValue = ["wrap_around": true]
    var places: [String] = []
    for method in ["find_next", "find_next", "find_next", "find_next", "find_previous", "find_previous"] {
      driver.edit(method, next)
      places.append("\(last?.current ?? 0)\(last?.hasWrapped == true ? "w" : "")")
    }
    #expect(places == ["1", "2", "3", "1w", "3w", "2"])
    driver.edit("move_right")
    driver.edit("insert", ["chars": "x"])
    #expect(last?.matches == 4 && last?.current == nil, "a caret is no match")
  }

  @Test func aFrontEndWithoutTheHandshakeIsToldOfNoPlace() {
    let driver = driver("x x")
    driver.edit("find", ["chars": "x", "case_sensitive": false])
    driver.edit("find_next", [:])
    let statuses = driver.notifications.compactMap { if case .findStatus(_, let queries) = $0 { queries } else { nil } }
    #expect(statuses.joined().allSatisfy { $0.current == nil && !$0.hasWrapped })
  }

  @Test func aLongSearchShowsHowFarItIs() {
    let driver = CoreDriver(handshake: true)
    driver.open()
    driver.session.searches.worker.reportInterval = .zero
    driver.edit("paste", ["chars": .string(String(repeating: "the quick brown fox\n", count: 60_000))])
    driver.edit("find", ["chars": "fox", "case_sensitive": false])
    let progress = driver.notifications.compactMap { if case .progress(_, let progress) = $0 { progress } else { nil } }
    #expect(progress.count >= 3 && progress.allSatisfy { $0.task == .find && $0.total == 1_200_000 })
    #expect(progress.map(\.done) == progress.map(\.done).sorted() && progress.last?.done == 1_200_000)
    #expect(driver.textView?.search.queries.first?.matches.count == 60_000)
  }

  /// With the query that is wrong, as long as it stands; to others as a message, once.
  @Test(arguments: [true, false]) func aQueryThatMakesNoSenseIsToldOf(speaksExtensions: Bool) {
    let driver = CoreDriver(handshake: speaksExtensions)
    driver.open()
    driver.edit("find", ["chars": "a(", "case_sensitive": true, "regex": true])
    driver.edit("insert", ["chars": "x"])
    let statuses = driver.notifications.compactMap { if case .findStatus(_, let queries) = $0 { queries } else { nil } }
    let isTold = statuses.joined().map { $0.problem?.hasPrefix("Not a regular expression") == true }
    #expect(!isTold.isEmpty && isTold.allSatisfy { $0 == speaksExtensions })
    let alerts = driver.notifications.count { if case .alert = $0 { true } else { false } }
    #expect(alerts == (speaksExtensions ? 0 : 1))
    driver.edit("find", ["chars": "a", "case_sensitive": true, "regex": true])
    #expect(driver.textView?.search.queries.first?.problem == nil)
  }

  @Test(arguments: [true, false]) func aSearchThatTakesTooLongIsToldOf(speaksExtensions: Bool) {
    let driver = CoreDriver(handshake: speaksExtensions)
    driver.open()
    driver.session.searches.worker.timeLimit = .zero
    driver.edit("paste", ["chars": .string(String(repeating: "the quick brown fox\n", count: 60_000))])
    driver.edit("find", ["chars": "fox", "case_sensitive": false])
    let told = driver.notifications.compactMap { notification in
      switch notification {
      case .alert(let text) where !speaksExtensions: text
      case .findStatus(_, let queries): queries.first?.problem
      default: nil
      }
    }
    #expect(!told.isEmpty && told.allSatisfy { $0.contains("the search took too long") })
    #expect(driver.textView?.search.isSearching == false)
    driver.edit("insert", ["chars": "x"])
    #expect(driver.document?.buffer.text.byteCount == 1_200_001)
  }

  private func driverOnItsWayToAMatch() -> CoreDriver {
    let driver = CoreDriver(handshake: true)
    driver.open()
    driver.edit("paste", ["chars": .string(String(repeating: "the quick brown fox\n", count: 60_000))])
    driver.edit("move_to_beginning_of_document")
    driver.perform(driver.view, .find(FindQuery("fox", caseSensitive: false)))
    driver.perform(driver.view, .findNext(FindMotion(wrapAround: true)))
    return driver
  }

  /// A match that is found late does not take the caret away from what is typed, nor is it what the next key replaces.
  @Test(arguments: [
    EditCommand.insert("PIN"), .plain(.moveRight), .plain(.deleteForward),
    .gesture(LineColumn(line: 2, column: 1), .select(.point, multi: false)),
    .gesture(LineColumn(line: 0, column: 0), .select(.point, multi: false)),
  ])
  func whoeverGoesOnIsNotTakenToAMatch(_ command: EditCommand) {
    let driver = driverOnItsWayToAMatch()
    driver.session.views.sendUpdates()
    #expect(driver.textView?.search.isSearching == true)
    driver.perform(driver.view, command)
    let selection = driver.textView?.selection
    driver.settle()
    #expect(driver.textView?.search.isSearching == false)
    #expect(driver.textView?.selection == selection && selection?.regions.first?.isCaret == true)
  }

  /// Those who wait for a match are told when the caret is there, and of one that nobody goes to any more.
  @Test(arguments: [EditCommand.plain(.moveRight), nil])
  func theEndOfMotionsIsTold(_ command: EditCommand?) {
    let driver = driverOnItsWayToAMatch()
    #expect(driver.textView?.search.isSearching == true)
    let answer = driver.request("xiedit_motions_end", ["view_id": .string(driver.view.description)]) {
      if let command { driver.perform(driver.view, command) }
    }
    #expect(answer == .success([:]))
    #expect(driver.textView?.search.isSearching == false)
    #expect(driver.textView?.selection.regions.first?.range == (command == nil ? 16..<19 : 1..<1))
  }

  @Test func aSearchThatIsCancelledEnds() {
    let driver = CoreDriver(handshake: true)
    driver.open()
    driver.edit("paste", ["chars": .string(String(repeating: "the quick brown fox\n", count: 60_000))])
    driver.perform(driver.view, .find(FindQuery("fox", caseSensitive: false)))
    driver.session.views.sendUpdates()
    #expect(driver.textView?.search.isSearching == true)
    driver.notify(.cancel(driver.view))
    #expect(driver.textView?.search.isSearching == false)
    #expect(driver.textView?.search.queries.first?.matches.isEmpty == true)
    driver.edit("insert", ["chars": "x"])
    #expect(driver.document?.buffer.text[0] != UInt8(ascii: "x"), "the caret is where it was: at the end")
  }

  /// A front end puts its search away as soon as it has asked for all to be replaced.
  @Test func aReplacementThatWaitsIsOfItsOwnQuery() {
    let driver = CoreDriver(handshake: true)
    driver.open()
    driver.session.searches.worker.reportInterval = .zero
    driver.edit("paste", ["chars": .string(String(repeating: "the quick brown fox\n", count: 60_000))])
    let view = driver.view
    for command in [
      EditCommand.find(FindQuery("fox", caseSensitive: false)), .replace("dog", preserveCase: false),
      .plain(.replaceAll), .replace("cat", preserveCase: false), .find(FindQuery("", caseSensitive: false)),
      .plain(.collapseSelections),
    ] { driver.perform(view, command) }
    driver.session.views.sendUpdates()
    driver.settle()
    #expect(driver.document?.buffer.text == Rope(String(repeating: "the quick brown dog\n", count: 60_000)))
    let progress = driver.notifications.compactMap { if case .progress(_, let progress) = $0 { progress } else { nil } }
    #expect(progress.count >= 2 && progress.allSatisfy { $0.task == .replace })
    #expect(progress.last?.done == 1_200_000)
    driver.edit("find", ["chars": "the", "case_sensitive": true])
    #expect(driver.document?.buffer.text.byteCount == 1_200_000, "nothing waits any more")
  }

  private static let line = "the Quick brown fox\n"

  /// A text in which more is to be replaced than at once.
  private func replacing(_ chars: String, preservingCase: Bool = false) -> CoreDriver {
    let driver = CoreDriver(handshake: true)
    driver.open()
    driver.session.searches.worker.reportInterval = .zero
    driver.edit("paste", ["chars": .string(String(repeating: Self.line, count: 2000))])
    driver.edit("find", ["chars": "quick", "case_sensitive": false])
    driver.edit("replace", ["chars": .string(chars), "preserve_case": .bool(preservingCase)])
    driver.textView?.search.replacementsAtOnce = 1000
    driver.perform(driver.view, .plain(.replaceAll))
    driver.session.views.sendUpdates()
    return driver
  }

  /// Of the replacement: the matches that are shown are found anew meanwhile, and on a busy machine that tells how far it is, too.
  private func progress(_ driver: CoreDriver) -> [Progress] {
    driver.notifications.compactMap { if case .progress(_, let progress) = $0 { progress } else { nil } }
      .filter { $0.task == .replace }
  }

  @Test func aLongReplacementShowsHowFarItIs() throws {
    let driver = replacing("slow", preservingCase: true)
    #expect(driver.document?.buffer.text.byteCount == 40_000, "the worker has it")
    driver.settle()
    let replaced = Rope(String(repeating: "the Slow brown fox\n", count: 2000))
    #expect(driver.document?.buffer.text == replaced)
    #expect(driver.textView?.selection.regions.count == 2000)
    let progress = progress(driver)
    #expect(progress.count >= 3)
    #expect(progress.dropLast().allSatisfy { $0.done < $0.total } && progress.last.map { $0.done == $0.total } == true)
    driver.edit("undo")
    #expect(driver.document?.buffer.text == Rope(String(repeating: Self.line, count: 2000)))
    driver.edit("redo")
    #expect(driver.document?.buffer.text == replaced)
  }

  @Test(arguments: ["\n", " "])
  func manyMatchesAreReplacedWithTheirGroups(_ end: String) throws {
    let driver = CoreDriver(handshake: true)
    driver.open()
    driver.edit("paste", ["chars": .string(String(repeating: "key=é" + end, count: 5000))])
    driver.edit("find", ["chars": "(\\w+)=(\\w)", "case_sensitive": true, "regex": true])
    driver.edit("replace", ["chars": "$2=$1"])
    driver.textView?.search.replacementsAtOnce = 1000
    driver.edit("replace_all")
    #expect(driver.document?.buffer.text == Rope(String(repeating: "é=key" + end, count: 5000)))
    driver.edit("undo")
    #expect(driver.document?.buffer.text == Rope(String(repeating: "key=é" + end, count: 5000)))
  }

  /// What is a part of a character is replaced alone: nothing goes that was not found.
  @Test(arguments: 0..<40) func theRestOfAClusterStays(seed: UInt64) throws {
    var random = SplitMix64(state: seed)
    let pieces = ["e", "\u{301}", "n", "क", "ि", "ก", "\u{E33}", "👩", "\u{200D}", "👧", " ", "🇩", "🇪"]
    let pattern = try #require(pieces.randomElement(using: &random))
    let replacement = try #require(["", "X", "\u{302}", pattern + pattern].randomElement(using: &random))
    let parts = (0..<Int.random(in: 1..<30, using: &random)).compactMap { _ in pieces.randomElement(using: &random) }
    let expected = parts.map { $0 == pattern ? replacement : $0 }.joined()
    let count = parts.count { $0 == pattern }
    for isOneByOne in [false, true] {
      let driver = driver(parts.joined())
      driver.edit(
        "find", ["chars": .string(pattern), "case_sensitive": true, "regex": .bool(Bool.random(using: &random))])
      driver.edit("replace", ["chars": .string(replacement)])
      if isOneByOne {
        // Where what was put in holds the pattern, it is found again.
        guard !replacement.contains(pattern) else { continue }
        for _ in 0..<count { driver.edit("replace_next") }
      } else {
        driver.edit("replace_all")
      }
      let text = try #require(driver.document?.buffer.text)
      #expect(
        text.string(in: text.fullRange).unicodeScalars.elementsEqual(expected.unicodeScalars), "\(parts) \(pattern)")
      if count > 0 {
        for _ in 0..<(isOneByOne ? count : 1) { driver.edit("undo") }
        #expect(driver.document?.buffer.text == Rope(parts.joined()))
      }
    }
  }

  /// To find them again a match may take a second, as it may to find it: however few they are, no key waits for that.
  @Test(arguments: [PlainEdit.replaceAll, .replaceNext], [false, true])
  func groupsAreFoundBesideTheKeys(edit: PlainEdit, isTyping: Bool) throws {
    let driver = CoreDriver(handshake: true)
    driver.open()
    driver.edit("paste", ["chars": "key=value\nkey=value\n"])
    driver.edit("find", ["chars": "(\\w+)=(\\w+)", "case_sensitive": true, "regex": true])
    driver.edit("replace", ["chars": "$2=$1"])
    driver.edit("move_to_beginning_of_document")
    driver.perform(driver.view, .plain(edit))
    driver.session.views.sendUpdates()
    #expect(driver.document?.buffer.text == "key=value\nkey=value\n", "the worker has it")
    if isTyping { driver.perform(driver.view, .insert("a ")) }
    driver.settle()
    // What was typed takes the place of what was selected.
    let first = isTyping && edit == .replaceNext ? "a \n" : (isTyping ? "a " : "") + "value=key\n"
    let isSecond = edit == .replaceAll || isTyping
    #expect(driver.document?.buffer.text == Rope(first + (isSecond ? "value=key\n" : "key=value\n")))
    #expect(driver.document?.queue.hasReplacement == false)
    guard !isTyping else { return }
    driver.edit("undo")
    #expect(driver.document?.buffer.text == "key=value\nkey=value\n")
  }

  @Test func aReplacementThatIsCancelledHasReplacedNothing() throws {
    let driver = replacing("slow")
    driver.notify(.cancel(driver.view))
    driver.settle()
    driver.loop.iterate()
    #expect(driver.document?.buffer.text == Rope(String(repeating: Self.line, count: 2000)))
    #expect(driver.textView?.isSearching == false)
    #expect(progress(driver).last.map { $0.done == $0.total } ?? true)
    driver.edit("find", ["chars": "fox", "case_sensitive": true])
    #expect(driver.textView?.search.matchCount == 2000, "nothing waits any more")
  }

  /// What is typed meanwhile is not delayed, and not lost; what is asked for is told, and saved, when all is replaced.
  @Test func aReplacementTakesInWhatIsTypedMeanwhile() throws {
    let folder = TemporaryFolder()
    let driver = replacing("slow")
    driver.perform(driver.view, .insert("typed"))
    #expect(driver.document?.buffer.text.byteCount == 40_005)
    driver.save(to: folder("a"))
    driver.close()
    let document = try #require(driver.document)
    driver.run { driver.document == nil && document.file.savesInFlight == 0 }
    let replaced = String(repeating: "the slow brown fox\n", count: 2000) + "typed"
    #expect(folder.contents("a") == replaced + "\n")
  }

  /// A plugin that edits all the time would have a replacement begun anew for ever.
  @Test func aPluginEditsWhenAllIsReplaced() throws {
    let driver = CoreDriver(handshake: true)
    driver.open()
    driver.document?.plugins.areThere = true
    driver.edit("paste", ["chars": .string(String(repeating: Self.line, count: 2000))])
    let text = try #require(driver.document?.buffer.text)
    let plugin = FuzzPlugin(in: driver.session, number: 1, revision: 1, text: text.bytes(in: text.fullRange))
    driver.edit("find", ["chars": "quick", "case_sensitive": false])
    driver.edit("replace", ["chars": "slow"])
    driver.textView?.search.replacementsAtOnce = 1000
    driver.perform(driver.view, .plain(.replaceAll))
    driver.session.views.sendUpdates()
    plugin.send([
      "method": "edit",
      "params": [
        "view_id": .string(driver.view.rawValue),
        "edit": [
          "rev": 1, "priority": 1, "author": "fuzz",
          "delta": ["base_len": 40_000, "els": [["insert": "!"], ["copy": [0, 40_000]]]],
        ],
      ],
    ])
    #expect(driver.document?.buffer.revision == 1)
    driver.settle()
    #expect(driver.document?.buffer.text == Rope("!" + String(repeating: "the slow brown fox\n", count: 2000)))
    #expect(plugin.hasCaughtUp && plugin.problems == [])
  }

  /// The second finds its query gone.
  @Test(arguments: [true, false])
  func theReplacementIsToldWhenItChanges(handshake: Bool) throws {
    let driver = CoreDriver(handshake: handshake)
    driver.open()
    driver.edit("insert", ["chars": "one two"])
    driver.settle()
    func told() -> [String] {
      driver.notifications.compactMap { if case .replaceStatus(_, let chars, _) = $0 { chars } else { nil } }
    }
    driver.edit("replace", ["chars": "slow"])
    driver.settle()
    #expect(told() == (handshake ? ["slow"] : []), "as in xi, with the next lines")
    driver.edit("move_left")
    driver.edit("insert", ["chars": "x"])
    driver.settle()
    #expect(told() == ["slow"])
  }

  @Test func aSearchOfAQueryThatIsGoneEnds() {
    let driver = CoreDriver(handshake: true)
    driver.open()
    driver.edit("paste", ["chars": .string(String(repeating: "a ab abc\n", count: 120_000))])
    let queries = ["a", "b"].map { FindQuery($0, caseSensitive: false) }
    driver.perform(driver.view, .multiFind(queries))
    driver.session.views.sendUpdates()
    driver.perform(driver.view, .find(FindQuery("abc", caseSensitive: true)))
    driver.settle()
    driver.run { driver.session.searches.worker.isIdle }
    driver.settle()
    #expect(driver.textView?.search.matchCount == 120_000)
  }

  /// As it is when a query is typed letter by letter.
  @Test func motionsThatWaitAreOfTheLastQuery() {
    let driver = CoreDriver(handshake: true)
    driver.open()
    driver.edit("paste", ["chars": .string(String(repeating: "a ab abc\n", count: 120_000))])
    driver.edit("move_to_beginning_of_document")
    for letters in ["a", "ab", "abc"] {
      driver.perform(driver.view, .find(FindQuery(letters, caseSensitive: false)))
      driver.perform(driver.view, .findNext(FindMotion(wrapAround: true, allowSame: true)))
      driver.session.views.sendUpdates()
    }
    driver.settle()
    #expect(driver.textView?.selection.regions.first?.range == ByteOffset(5)..<ByteOffset(8))
  }

  @Test func commandsWaitForTheSearch() {
    let line = "x needle y" + String(repeating: ".", count: 289) + "\n"
    let driver = driver(String(repeating: line, count: 1000))
    driver.edit("find", ["chars": "needle", "case_sensitive": true])
    driver.edit("replace", ["chars": "pin"])
    driver.edit("replace_all")
    #expect(driver.document?.buffer.text.byteCount == 297_000)
    driver.edit("undo")
    #expect(driver.document?.buffer.text.byteCount == 300_000)
  }

  /// Matches that follow random edits are those of a fresh search.
  @Test(arguments: ["ab", "a+b?", "[[:space:]]a", "b\na"])
  func matchesFollowEdits(pattern: String) throws {
    var random = SplitMix64(state: 7)
    let driver = driver("ab aab\nb a\nab\n\na b ab")
    driver.edit("find", ["chars": .string(pattern), "case_sensitive": true, "regex": true])
    for _ in 0..<100 {
      driver.edit(
        "gesture",
        [
          "line": JSONValue(Int.random(in: 0..<6, using: &random)),
          "col": JSONValue(Int.random(in: 0..<8, using: &random)), "ty": "point_select",
        ])
      switch Int.random(in: 0..<3, using: &random) {
      case 0: driver.edit("delete_backward")
      case 1: driver.edit("insert", ["chars": .string(["a", "b", " ", "\n"][Int.random(in: 0..<4, using: &random)])])
      default: driver.edit("delete_forward")
      }
      let document = try #require(driver.document)
      let query = try #require(driver.textView?.search.queries.first)
      let fresh = try #require(query.usablePattern).allMatches(in: document.buffer.text)
      #expect(Array(query.matches) == fresh.map(Array.init))
    }
  }

  @Test func severalQueriesAreFoundAndSelected() {
    let driver = driver("one two three two one")
    driver.edit(
      "multi_find",
      ["queries": [["chars": "one", "case_sensitive": true], ["chars": "two", "case_sensitive": true]]])
    driver.edit("find_all")
    #expect(driver.markedText == "⟦one⟧ ⟦two⟧ three ⟦two⟧ ⟦one⟧")
  }

  @Test func wholeWordsAreThoseOfAllLetters() {
    let driver = driver("straße über übern über")
    driver.edit("find", ["chars": "über", "case_sensitive": true, "whole_words": true])
    driver.edit("find_all")
    #expect(driver.markedText == "straße ⟦über⟧ übern ⟦über⟧")
  }

  private static let runaway = String(repeating: String(repeating: "x", count: 40) + "\n", count: 2000)

  private func search(_ driver: CoreDriver, _ view: ViewID, _ query: FindQuery) {
    driver.perform(view, .find(query))
    driver.session.views.sendUpdates()
  }

  /// In the middle of a line, too.
  @Test(arguments: ["(x+x+)+y", "(x|xx|x?)+y"])
  func aSearchThatRunsAwayIsCancelled(_ pattern: String) {
    let driver = CoreDriver(handshake: true)
    driver.open()
    driver.edit("paste", ["chars": .string(Self.runaway)])
    search(driver, driver.view, FindQuery(pattern, caseSensitive: true, regex: true))
    #expect(driver.textView?.search.isSearching == true)
    driver.notify(.cancel(driver.view))
    #expect(driver.textView?.search.isSearching == false)
    // Nothing is left of it that another search would wait for, nor a thread that goes on.
    search(driver, driver.view, FindQuery("xx", caseSensitive: true, regex: true))
    driver.settle()
    #expect(driver.textView?.search.matchCount == 40_000)
    driver.run { driver.session.searches.worker.isIdle }
  }

  @Test func aSearchThatRunsAwayKeepsNoOtherWaiting() throws {
    let driver = CoreDriver(handshake: true)
    driver.open()
    let first = driver.view
    driver.edit("paste", ["chars": .string(Self.runaway)])
    driver.session.searches.worker.timeLimit = .seconds(1000)
    search(driver, first, FindQuery("(x+x+)+y", caseSensitive: true, regex: true))
    driver.open()
    let (second, view) = (driver.view, try #require(driver.textView))
    driver.perform(second, .paste(String(repeating: "word here\n", count: 60_000)))
    search(driver, second, FindQuery("here", caseSensitive: true))
    driver.run { !view.search.isSearching }
    #expect(view.search.matchCount == 60_000)
    driver.notify(.cancel(first))
    driver.run { driver.session.searches.worker.isIdle }
  }

  /// It is what it undoes; what was typed before stays.
  @Test func anUndoWaitsForTheReplacementBeforeIt() {
    let text = String(repeating: "word here\n", count: 60_000)
    let driver = driver(text)
    driver.edit("insert", ["chars": "typed "])
    driver.edit("replace", ["chars": "there"])
    let find: JSONValue = ["chars": "here", "case_sensitive": true]
    for (method, params) in [("find", find), ("replace_all", []), ("undo", [])] {
      driver.start("edit", ["view_id": .string(driver.view.rawValue), "method": .string(method), "params": params])
    }
    driver.settle()
    #expect(driver.document?.buffer.text == Rope("typed " + text))
    driver.edit("redo")
    #expect(driver.document?.buffer.text == Rope("typed " + text.replacing("here", with: "there")))
  }

  /// As people see lines: the return before a newline is part of the line's end.
  @Test func linesEndBeforeTheirReturns() {
    let driver = driver("foo one\r\nbar foo\r\nbaz\r\n")
    for (pattern, count) in [("foo$", 1), ("baz$", 1), ("^.*$", 3), ("[^x]$", 3)] {
      driver.edit("find", ["chars": .string(pattern), "case_sensitive": true, "regex": true])
      #expect(driver.textView?.search.matchCount == count, "\(pattern)")
    }
    driver.edit("find", ["chars": "(o).*", "case_sensitive": true, "regex": true])
    driver.edit("replace", ["chars": "<$1>"])
    driver.edit("replace_all")
    #expect(driver.document?.buffer.text == "f<o>\r\nbar f<o>\r\nbaz\r\n")
  }

  /// Against one line at a time, as it is seen.
  @Test(arguments: ["o.*", "a$", "^b", "a.", "[^a]", "b*$", "(a|b)+", "é$", "^$|b", "a[^o]*+$", "(?>[^o]+)b"])
  func expressionsAreOfLines(_ pattern: String) throws {
    var random = SplitMix64(state: 11)
    for _ in 0..<40 {
      let letters: [Character] = ["a", "b", "o", "é", " "]
      let lines = (0..<6).map { _ in
        String((0..<Int.random(in: 0..<5, using: &random)).map { _ in letters.randomElement(using: &random) ?? "a" })
      }
      let hasReturns = Bool.random(using: &random)
      let ends = lines.map { _ in hasReturns && Bool.random(using: &random) ? "\r\n" : "\n" }
      let search = try SearchPattern(FindQuery(pattern, caseSensitive: true, regex: true))
      var (text, expected) = ("", [String]())
      for (line, end) in zip(lines, ends) {
        let whole = Rope(line)
        for match in try #require(try search.allMatches(in: whole)) {
          expected.append("\(match.range.lowerBound.value + text.utf8.count)+\(match.range.count)")
        }
        text += line + end
      }
      let rope = Rope(text)
      let found = try #require(try search.allMatches(in: rope))
      #expect(found.map { "\($0.range.lowerBound.value)+\($0.range.count)" } == expected)
    }
  }

  /// In all lines together it takes long, in each it does not.
  @Test func anExpressionThatTakesItsTimeIsFound() throws {
    let text = Rope(String(repeating: String(repeating: "x", count: 10) + "\n", count: 2000) + "xxy\n")
    let search = try SearchPattern(FindQuery("(x+x+)+y", caseSensitive: true, regex: true))
    let found = try #require(try search.allMatches(in: text))
    #expect(found.map(\.range.count) == [3])
  }

  /// PCRE2 has a limit for patterns; what is pasted into a search has none.
  @Test(arguments: [true, false])
  func longTextsAreFound(isCaseSensitive: Bool) {
    let long = String((0..<65_000).map { Character(UnicodeScalar(UInt8(0x61 + $0 * $0 % 25))) })
    let driver = driver("start" + long.dropLast(1) + "." + long + long + "end\n")
    let query = isCaseSensitive ? long : "é" + long.uppercased()
    if !isCaseSensitive {
      driver.edit("insert", ["chars": "É"])
      driver.edit("insert", ["chars": .string(long)])
    }
    driver.edit("find", ["chars": .string(query), "case_sensitive": .bool(isCaseSensitive)])
    #expect(driver.textView?.search.matchCount == (isCaseSensitive ? 2 : 1))
    #expect(!driver.notifications.contains { if case .alert = $0 { true } else { false } })
  }

  @Test func whatWasRefusedIsNotReplacedWithAll() {
    let driver = driver("one two one one one\n")
    driver.edit("find", ["chars": "one", "case_sensitive": true])
    driver.edit("replace", ["chars": "one!one"])
    // The second stays; the third is replaced by itself.
    for _ in 0..<2 { driver.edit("find_next", [:]) }
    driver.edit("xiedit_refuse_match")
    driver.edit("find_next", [:])
    driver.edit("xiedit_refuse_match")
    driver.edit("gesture", ["line": 0, "col": 12, "ty": "point_select"])
    driver.edit("replace_next")
    driver.edit("move_to_beginning_of_document")
    driver.edit("insert", ["chars": "x "])
    driver.edit("replace_all")
    #expect(driver.document?.buffer.text == "x one!one two one one!one one!one\n")
  }

  @Test func theWordsOfASelectionAreFound() {
    let driver = driver("quick quicker quick")
    driver.edit("gesture", ["line": 0, "col": 0, "ty": "point_select"])
    driver.edit("gesture", ["line": 0, "col": 5, "ty": "range_select"])
    driver.edit("selection_for_find", ["case_sensitive": true])
    #expect(driver.textView?.search.matchCount == 2)
  }

  /// The search waits for the worker: until then the last matches are shown, where the text has room for them.
  @Test(arguments: ["b\nc", "zz"], [false, true])
  func matchesStayInTheTextWhileItIsSearchedAgain(pattern: String, manyEdits: Bool) {
    let driver = driver(String(repeating: "a line\n", count: 3000) + "b\nc zz\n" + "b\nc zz")
    driver.edit("find", ["chars": .string(pattern), "case_sensitive": true, "regex": true])
    #expect(driver.textView?.search.matchCount == 2)
    driver.edit(manyEdits ? "select_all" : "move_to_end_of_document")
    for method in manyEdits ? ["selection_into_lines", "move_to_right_end_of_line"] : [] { driver.edit(method) }
    for _ in 0..<3 {
      driver.perform(driver.view, .plain(.deleteBackward))
      driver.session.views.sendUpdates()
      let end = driver.textView?.text.endOffset ?? 0
      #expect(driver.textView?.search.queries[0].matches.allSatisfy { $0.range.upperBound <= end } == true)
    }
    driver.settle()
    #expect(driver.textView?.search.isSearching == false)
  }
}
