import Glibc
import JSON
import TestSupport
import Testing

/// The core is killed, and another takes over.
@Suite(.serialized, .offThePool) struct RecoveryTests {
  private let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func core(in folder: String? = nil) throws -> CoreProcess {
    try CoreProcess(state: home.path + "/state", in: folder.map { home.path + "/" + $0 })
  }

  /// Opens a view; its id, and what it takes to recover it.
  private func open(_ core: CoreProcess, _ path: String?, recovering id: String? = nil) throws -> (String, String?) {
    var params: JSONObject = [:]
    if let path { params["file_path"] = .string(path) }
    if let id { params["xiedit"] = ["recover": .string(id)] }
    let view = try core.request("new_view", .object(params)).string ?? ""
    let file = try core.receive { $0["method"] == "xiedit_file" }
    return (view, file["params"]?["recovery_id"]?.string)
  }

  private func contents(_ core: CoreProcess, _ view: String) throws -> String? {
    try core.request("debug_get_contents", ["view_id": .string(view)]).string
  }

  private var recoveryFiles: [String] { TemporaryFolder.names(in: home.path + "/state/xiedit/recovery") }
  private var journals: [String] { recoveryFiles.filter { $0.hasSuffix(".journal") } }

  /// Whenever it is killed, the next core has every edit that an update acknowledged, and knows how many it has.
  @Test(arguments: [1, 2, 7, 40, 90])
  func killedWhileTyping(updates: Int) throws {
    let path = try home.write("text\n", to: "a.txt")
    let first = try core()
    let (view, id) = try open(first, path)
    let typed = (0..<100).map { String(UnicodeScalar(UInt8(97 + $0 % 26))) }
    var acknowledged = 0
    for (number, character) in typed.enumerated() {
      first.insert(character, in: view)
      guard number < updates else { continue }
      let update = try first.receive {
        $0["method"] == "update" && ($0["params"]?["update"]?["edits"]?.int ?? 0) > number
      }
      acknowledged = update["params"]?["update"]?["edits"]?.int ?? 0
    }
    first.end(SIGKILL)

    let second = try core()
    let (again, _) = try open(second, path, recovering: id)
    let text = try #require(try contents(second, again))
    #expect(text.hasSuffix("text\n"))
    let survived = String(text.dropLast(5))
    #expect(typed.joined().hasPrefix(survived))
    #expect(survived.count >= acknowledged)
    // Going on as a front end does: with what the core does not have.
    for character in typed.dropFirst(survived.count) { second.insert(character, in: again) }
    #expect(try contents(second, again) == typed.joined() + "text\n")
    second.end(SIGKILL)

    let third = try core()
    let (last, _) = try open(third, path, recovering: id)
    #expect(try contents(third, last) == typed.joined() + "text\n")
    third.send("close_view", ["view_id": .string(last)])
    third.finish()
    #expect(journals == [])
  }

  /// A core that goes on with a dead one's journal is killed in its turn, and nobody waits for it to be gone: the next start, which
  /// knows of neither, offers all that was acknowledged.
  @Test(arguments: [true, false])
  func killedTwiceInARow(isUntitled: Bool) throws {
    let path = isUntitled ? nil : try home.write("", to: "a.txt")
    for round in 0..<8 {
      var (id, typed): (String?, String) = (nil, "")
      for _ in 0..<2 {
        let core = try core()
        let (view, name) = try open(core, path, recovering: id)
        id = name
        #expect(try contents(core, view) == typed)
        for _ in 0..<Int.random(in: 1...30) {
          core.insert("x", in: view)
          typed += "x"
        }
        #expect(try contents(core, view) == typed)
        core.kill()
      }
      let last = try core()
      last.send("new_view", path.map { ["file_path": .string($0)] } ?? [:], id: 900)
      let offer = try last.receive { $0["method"] == "xiedit_recovery" || $0["method"] == "update" }
      let recovery = try #require(offer["params"]?["recovery_id"]?.string, "round \(round): nothing was offered")
      last.send("xiedit_recover", ["view_id": "view-id-1", "recovery_id": .string(recovery), "choice": "restore"])
      #expect(try contents(last, "view-id-1") == typed, "round \(round)")
      last.send("close_view", ["view_id": "view-id-1"])
      last.finish()
      #expect(journals == [])
    }
  }

  /// Killed while a file in another encoding is edited, also one that is being loaded: what is saved then is in that.
  @Test(arguments: [1, 100_000]) func killedWhileAFileInAnotherEncodingIsEdited(lineCount: Int) throws {
    let whole = Array("begin\n".utf8) + Array(repeating: [0x63, 0x61, 0x66, 0xE9, 0x0A], count: lineCount).joined()
    let path = try home.write(whole, to: "latin.txt")
    let first = try core()
    let (view, id) = try open(first, path)
    first.insert("é", in: view)
    _ = try first.receive { $0["method"] == "update" && $0["params"]?["update"]?["edits"]?.int == 1 }
    first.kill()
    let second = try core()
    let (again, _) = try open(second, path, recovering: id)
    let text = try #require(try contents(second, again))
    #expect(text == "ébegin\n" + String(repeating: "café\n", count: lineCount))
    _ = try second.request(
      "xiedit_save", ["view_id": .string(again), "file_path": .string(path), "overwrite": "if_unchanged"])
    #expect(home.bytes(of: "latin.txt") == [0xE9] + whole)
    second.finish()
    #expect(journals == [])
  }

  @Test func tellsHowManyEditsItHas() throws {
    let path = try home.write("", to: "a.txt")
    let first = try core()
    let (view, id) = try open(first, path)
    for _ in 0..<5 { first.insert("x", in: view) }
    first.send("edit", ["view_id": .string(view), "method": "move_left"])
    first.insert("y", in: view)
    #expect(try contents(first, view) == "xxxxyx")
    first.end(SIGKILL)
    let second = try core()
    second.send("new_view", ["file_path": .string(path), "xiedit": ["recover": .string(id ?? "")]], id: 900)
    let recovered = try second.receive { $0["method"] == "xiedit_recovered" }
    #expect(recovered["params"]?["edits"] == 7)
    // The caret is where it was, and undo works.
    second.insert("z", in: "view-id-1")
    #expect(try contents(second, "view-id-1") == "xxxxyzx")
    for _ in 0..<20 { second.send("edit", ["view_id": "view-id-1", "method": "undo"]) }
    #expect(try contents(second, "view-id-1") == "")
  }

  /// Carets and selected ranges that no screen shows are where they were, also where nothing was typed.
  @Test(arguments: [false, true])
  func allThatWasSelectedIsSelectedAgain(afterAnEdit: Bool) throws {
    let path = try home.write((1...500).map { "line \($0)\n" }.joined(), to: "a.txt")
    let first = try core()
    let (view, id) = try open(first, path)
    if afterAnEdit { first.insert("typed ", in: view) }
    func edit(_ method: String, _ params: JSONValue) {
      first.send("edit", ["view_id": .string(view), "method": .string(method), "params": params])
    }
    for (line, isMulti) in [(9, false), (199, true), (399, true)] {
      let kind: JSONValue = ["select": ["granularity": "point", "multi": .bool(isMulti)]]
      edit("gesture", ["line": JSONValue(line), "col": 0, "ty": kind])
    }
    edit("move_word_right_and_modify_selection", [])
    _ = try contents(first, view)
    first.end(SIGKILL)

    let second = try core()
    second.send("new_view", ["file_path": .string(path), "xiedit": ["recover": .string(id ?? "")]], id: 900)
    let recovered = try second.receive { $0["method"] == "xiedit_recovered" }
    #expect(recovered["params"]?["selection"] == true)
    #expect(recovered["params"]?["edits"]?.int == (afterAnEdit ? 5 : 4))
    second.insert("X", in: "view-id-1")
    let lines = try #require(try contents(second, "view-id-1")).split(separator: "\n")
    #expect(lines.indices.filter { lines[$0].hasPrefix("X ") } == [9, 199, 399])
    #expect(lines.first == (afterAnEdit ? "typed line 1" : "line 1"))
    second.send("close_view", ["view_id": "view-id-1"])
    second.finish()
    #expect(journals == [])
  }

  /// What was selected is no unsaved text.
  @Test func aSelectionAloneIsNotOffered() throws {
    let path = try home.write("text\n", to: "a.txt")
    let first = try core()
    let (view, _) = try open(first, path)
    first.send("edit", ["view_id": .string(view), "method": "select_all"])
    _ = try contents(first, view)
    first.end(SIGKILL)
    #expect(journals.count == 1)

    let second = try core()
    let (again, _) = try open(second, path)
    #expect(journals == [])
    second.insert("x", in: again)
    #expect(try contents(second, again) == "xtext\n", "nor selected by another front end")
    second.finish()
  }

  @Test func aFreshStartOffersWhatWasLost() throws {
    let path = try home.write("text\n", to: "a.txt")
    let first = try core()
    let (view, _) = try open(first, path)
    first.insert("lost ", in: view)
    _ = try contents(first, view)
    first.end(SIGKILL)

    let second = try core()
    second.send("new_view", ["file_path": .string(path)], id: 900)
    let offer = try second.receive { $0["method"] == "xiedit_recovery" }
    #expect(offer["params"]?["base_changed"] == false)
    #expect(try contents(second, "view-id-1") == "text\n")
    let id = offer["params"]?["recovery_id"] ?? .null
    second.send("xiedit_recover", ["view_id": "view-id-1", "recovery_id": id, "choice": "restore"])
    #expect(try contents(second, "view-id-1") == "lost text\n")
    // The text is in a journal of its own, and that is on the disk, before the other goes.
    let deadline = ContinuousClock.now + patience
    while journals.count != 1, ContinuousClock.now < deadline { usleep(1000) }
    #expect(journals.count == 1)
    second.send("close_view", ["view_id": "view-id-1"])
    second.finish()
    #expect(journals == [])
    #expect(home.text(of: "a.txt") == "text\n")
  }

  @Test func aChangedFileIsNotGuessedAt() throws {
    let path = try home.write("text\n", to: "a.txt")
    let first = try core()
    let (view, _) = try open(first, path)
    first.insert("lost ", in: view)
    _ = try contents(first, view)
    first.end(SIGKILL)
    _ = try home.write("another's\n", to: "a.txt")

    let second = try core()
    second.send("new_view", ["file_path": .string(path)], id: 900)
    let offer = try second.receive { $0["method"] == "xiedit_recovery" }
    #expect(offer["params"]?["base_changed"] == true)
    #expect(try contents(second, "view-id-1") == "another's\n")
    let (beside, _) = try open(second, nil, recovering: offer["params"]?["recovery_id"]?.string)
    let text = try contents(second, beside)
    #expect(text == "lost text\n" || text == "lost \n")
  }

  /// What lies there behind a save are undo steps alone: nothing is offered for them, and whoever opens the file takes them away.
  @Test func aSaveEndsTheJournal() throws {
    let path = try home.write("text\n", to: "a.txt")
    let first = try core()
    let (view, _) = try open(first, path)
    first.insert("saved ", in: view)
    _ = try first.request(
      "xiedit_save", ["view_id": .string(view), "file_path": .string(path), "overwrite": "if_unchanged"])
    #expect(home.text(of: "a.txt") == "saved text\n")
    first.end(SIGKILL)
    let second = try core()
    second.send("new_view", ["file_path": .string(path)], id: 900)
    var isOffered = false
    let file = try second.receive { message in
      if message["method"] == "xiedit_recovery" { isOffered = true }
      return message["method"] == "xiedit_file"
    }
    #expect(!isOffered)
    let again = file["params"]?["view_id"]?.string ?? ""
    #expect(try contents(second, again) == "saved text\n")
    #expect(journals == [])
    second.insert("not ", in: again)
    _ = try contents(second, again)
    second.end(SIGKILL)
    let third = try core()
    third.send("new_view", ["file_path": .string(path)], id: 900)
    let offer = try third.receive { $0["method"] == "xiedit_recovery" }
    #expect(offer["params"]?["base_changed"] == false)
  }

  /// A save ends the last line in the file, not in the text: what is typed after it is of the text.
  @Test(arguments: ["", "text", "one\r\ntext", "text\n"], [true, false])
  func whatIsTypedAfterASaveThatEndsTheLastLine(contents: String, isResumed: Bool) throws {
    let path = try home.write(contents, to: "a.txt")
    let first = try core()
    let (view, id) = try open(first, path)
    first.insert("saved", in: view)
    first.send("edit", ["view_id": .string(view), "method": "move_to_end_of_document"])
    _ = try first.request(
      "xiedit_save", ["view_id": .string(view), "file_path": .string(path), "overwrite": "if_unchanged"])
    #expect(home.text(of: "a.txt")?.utf8.last == 10)
    first.insert(" and more", in: view)
    let typed = try #require(try self.contents(first, view))
    first.end(SIGKILL)

    let second = try core()
    if isResumed {
      let (again, _) = try open(second, path, recovering: id)
      #expect(try self.contents(second, again) == typed)
      second.insert("!", in: again)
      #expect(try self.contents(second, again) == typed + "!")
    } else {
      second.send("new_view", ["file_path": .string(path)], id: 900)
      let offer = try second.receive { $0["method"] == "xiedit_recovery" }
      #expect(offer["params"]?["base_changed"] == false)
      let id = offer["params"]?["recovery_id"] ?? .null
      second.send("xiedit_recover", ["view_id": "view-id-1", "recovery_id": id, "choice": "restore"])
      #expect(try self.contents(second, "view-id-1") == typed)
    }
    second.end(SIGKILL)
    // And what came after that is of the same text.
    let third = try core()
    let (last, _) = try open(third, path, recovering: journals.first)
    #expect(try self.contents(third, last) == (isResumed ? typed + "!" : typed))
  }

  /// A file above the size that is read before the view opens.
  private func writeLargeFile() throws -> (path: String, text: String) {
    let text = "first\n" + String(repeating: "a line of a file that is read in the background\n", count: 200_000)
    return (try home.write(text, to: "a.txt"), text)
  }

  /// What is typed before the whole file is there is in the journal when it is shown.
  @Test(arguments: [true, false])
  func whatIsTypedWhileAFileLoadsComesBack(isResumed: Bool) throws {
    let (path, text) = try writeLargeFile()
    let first = try core()
    let (view, id) = try open(first, path)
    for character in ["a", "b", "c"] { first.insert(character, in: view) }
    _ = try first.receive { $0["method"] == "update" && ($0["params"]?["update"]?["edits"]?.int ?? 0) == 3 }
    first.end(SIGKILL)
    #expect(journals.count == 1)

    let second = try core()
    if isResumed {
      let (again, _) = try open(second, path, recovering: id)
      #expect(try contents(second, again) == "abc" + text)
      second.insert("d", in: again)
    } else {
      second.send("new_view", ["file_path": .string(path)], id: 900)
      let offer = try second.receive { $0["method"] == "xiedit_recovery" }
      #expect(offer["params"]?["base_changed"] == false)
      let id = offer["params"]?["recovery_id"] ?? .null
      second.send("xiedit_recover", ["view_id": "view-id-1", "recovery_id": id, "choice": "restore"])
      second.insert("d", in: "view-id-1")
    }
    #expect(try contents(second, "view-id-1") == "abcd" + text)
  }

  /// The end of the front end, as by HUP or TERM, is no other than the core's own.
  @Test func whatIsTypedWhileAFileLoadsIsKeptAtTheEnd() throws {
    let (path, text) = try writeLargeFile()
    let first = try core()
    let (view, id) = try open(first, path)
    first.insert("typed ", in: view)
    first.finish()
    let second = try core()
    let (again, _) = try open(second, path, recovering: id)
    #expect(try contents(second, again) == "typed " + text)
  }

  /// The file has changed before all of it had been read: only what was typed is offered.
  @Test func whatIsTypedIntoAnotherFileIsNotGuessedAt() throws {
    let (path, _) = try writeLargeFile()
    let first = try core()
    let (view, _) = try open(first, path)
    first.insert("typed ", in: view)
    _ = try first.receive { $0["method"] == "update" && ($0["params"]?["update"]?["edits"]?.int ?? 0) == 1 }
    first.end(SIGKILL)
    _ = try home.write("another's\n", to: "a.txt")
    let second = try core()
    second.send("new_view", ["file_path": .string(path)], id: 900)
    let offer = try second.receive { $0["method"] == "xiedit_recovery" }
    #expect(offer["params"]?["base_changed"] == true)
  }

  /// Killed at some moment of a save: the file is the old one or the new one, and what was typed comes back.
  @Test(arguments: [0, 200, 1000, 3000, 6000, 12_000, 25_000] as [UInt32])
  func killedWhileSaving(microseconds: UInt32) throws {
    let old = String(repeating: "old line\n", count: 100_000)
    let typed = String(repeating: "new line\n", count: 20_000)
    let path = try home.write(old, to: "a.txt")
    let first = try core()
    let (view, id) = try open(first, path)
    first.insert(typed, in: view)
    _ = try first.receive { $0["method"] == "update" && $0["params"]?["update"]?["edits"] == 1 }
    first.send("save", ["view_id": .string(view), "file_path": .string(path)])
    usleep(microseconds)
    first.end(SIGKILL)
    let saved = home.text(of: "a.txt")
    #expect(saved == old || saved == typed + old)

    let second = try core()
    let (again, _) = try open(second, path, recovering: id)
    #expect(try contents(second, again) == typed + old)
    second.send("save", ["view_id": .string(again), "file_path": .string(path)])
    // Asked for after the save, told after it.
    _ = try second.request("get_config", ["view_id": .string(again)])
    #expect(home.text(of: "a.txt") == typed + old)
    #expect(TemporaryFolder.names(in: home.path).sorted() == ["a.txt", "state"])
  }

  /// A limit on the size of files is an error of the save, and no end of the core.
  @Test func aLimitOnFilesIsTold() throws {
    let path = try home.write("text\n", to: "a.txt")
    let core = try CoreProcess(state: home.path + "/state", fileLimit: 2)
    let (view, _) = try open(core, path)
    core.insert(String(repeating: "x", count: 10_000), in: view)
    _ = try contents(core, view)
    core.send(
      "xiedit_save", ["view_id": .string(view), "file_path": .string(path), "overwrite": "if_unchanged"], id: 900)
    let answer = try core.receive { $0["id"] == 900 && $0["method"] == nil }
    #expect(answer["error"]?["message"]?.string?.contains("File too large") == true)
    #expect(try contents(core, view)?.utf8.count == 10_005)
    #expect(home.text(of: "a.txt") == "text\n")
    #expect(TemporaryFolder.names(in: home.path).sorted() == ["a.txt", "state"])
  }

  /// A front end that vanishes leaves what is not saved, and nothing else.
  @Test func endOfInputKeepsWhatIsNotSaved() throws {
    let path = try home.write("text\n", to: "a.txt")
    let first = try core()
    let (view, _) = try open(first, path)
    first.insert("x", in: view)
    first.send("edit", ["view_id": .string(view), "method": "undo"])
    #expect(try contents(first, view) == "text\n")
    #expect(journals.count == 1)
    first.finish()
    #expect(journals == [])

    let second = try core()
    let (again, _) = try open(second, path)
    second.insert("x", in: again)
    second.finish()
    #expect(journals.count == 1)
  }

  /// What a killed core was writing goes with its journal.
  @Test func whatWasCutShortGoesWithItsJournal() throws {
    let path = try home.write("text\n", to: "a.txt")
    let first = try core()
    let (view, id) = try open(first, path)
    first.insert("x", in: view)
    _ = try contents(first, view)
    first.end(SIGKILL)
    for ending in ["-base.new", ".new"] { _ = try home.write("half", to: "state/xiedit/recovery/\(id ?? "")\(ending)") }
    let second = try core()
    let (again, _) = try open(second, path, recovering: id)
    second.send("close_view", ["view_id": .string(again)])
    second.finish()
    #expect(recoveryFiles == [])
  }

  /// What a core is told of a file, with the text that is offered for it.
  private func look(_ core: CoreProcess, _ path: String) throws -> (text: String?, isUsed: Bool) {
    core.send("new_view", ["file_path": .string(path)], id: 900)
    // An offer comes before.
    var offer: JSONValue?
    let file = try core.receive { message in
      if message["method"] == "xiedit_recovery" { offer = message["params"]?["recovery_id"] }
      return message["method"] == "xiedit_file"
    }
    let view = file["params"]?["view_id"] ?? ""
    if let offer {
      core.send("xiedit_recover", ["view_id": view, "recovery_id": offer, "choice": "restore"])
    }
    return (try contents(core, view.string ?? ""), file["params"]?["used_by"]?.int != nil)
  }

  /// Until it is saved or closed, a text that was opened beside its file is found by that, whatever ends.
  @Test func aTextBesideItsFileIsOfferedWithIt() throws {
    let path = try home.write("text\n", to: "a.txt")
    func offer(_ core: CoreProcess) throws -> String? {
      core.send("new_view", ["file_path": .string(path)], id: 900)
      let told = try core.receive { $0["method"] == "xiedit_recovery" || $0["method"] == "update" }
      return told["params"]?["base_changed"]?.bool == true ? told["params"]?["recovery_id"]?.string : nil
    }
    func beside(_ core: CoreProcess) throws -> String {
      let id = try #require(try offer(core))
      let view = try core.request("new_view", ["xiedit": ["recover": .string(id)]]).string ?? ""
      core.insert("more ", in: view)
      return view
    }
    let first = try core()
    let (view, _) = try open(first, path)
    first.insert("typed ", in: view)
    _ = try contents(first, view)
    while !recoveryFiles.contains(where: { $0.hasSuffix("-base") }) { usleep(1000) }
    first.end(SIGKILL)
    _ = try home.write("another's\n", to: "a.txt")
    for count in 1...3 {
      let core = try core()
      let text = try #require(try contents(core, beside(core)))
      #expect(text.replacing("more ", with: "") == "typed text\n")
      #expect(text.count == "typed text\n".count + count * "more ".count)
      // The one before goes when this one is on the disk.
      while journals.count > 1 { usleep(1000) }
      core.end(SIGKILL)
    }
    // That may not be there to be opened any more.
    let untitled = try core()
    untitled.send("new_view", [:], id: 900)
    _ = try untitled.receive { $0["method"] == "xiedit_recovery" }
    untitled.end(SIGKILL)
    let last = try core()
    last.send("close_view", ["view_id": .string(try beside(last))])
    last.finish()
    #expect(try offer(core()) == nil)
    #expect(journals == [])
  }

  /// Before the save ends, by a front end that ends then. Nothing was typed before it.
  @Test(arguments: ["\n", ""], ["a.txt", "b.txt"]) func whatIsTypedDuringASaveIsOffered(end: String, name: String)
    throws
  {
    let path = try home.write("text" + end, to: "a.txt")
    let first = try core()
    let (view, _) = try open(first, path)
    first.send("save", ["view_id": .string(view), "file_path": .string(home.path + "/" + name)])
    first.insert("x", in: view)
    first.finish()
    #expect(home.text(of: name) == "text\n")
    let second = try core()
    #expect(try look(second, home.path + "/" + name).text?.hasPrefix("xtext") == true)
    second.end(SIGKILL)
  }

  /// A journal that a front end asks for is gone on with or offered, wherever the file is by now, and whatever is there.
  @Test(arguments: ["renamed folder", "link", "link to another", "dangling link", "changed", "removed"])
  func aJournalThatIsAskedForIsNeverPassedOver(change: String) throws {
    try #require(mkdir(home.path + "/one", 0o700) == 0)
    let path = try home.write("text\n", to: "one/a.txt")
    let first = try core(in: "one")
    let (view, id) = try open(first, "a.txt")
    for text in ["typed ", "here "] { first.insert(text, in: view) }
    _ = try contents(first, view)
    while !recoveryFiles.contains(where: { $0.hasSuffix("-base") }) { usleep(1000) }
    let other = home.path + "/other.txt"
    switch change {
    case "renamed folder": try #require(rename(home.path + "/one", home.path + "/two") == 0)
    case "link": try #require(rename(path, other) == 0 && symlink(other, path) == 0)
    case "link to another":
      _ = try home.write("of another\n", to: "other.txt")
      try #require(unlink(path) == 0 && symlink(other, path) == 0)
    case "dangling link": try #require(unlink(path) == 0 && symlink(other, path) == 0)
    case "changed": _ = try home.write("of another\n", to: "one/a.txt")
    default: try #require(unlink(path) == 0)
    }
    first.end(SIGKILL)
    let second = try core(in: change == "renamed folder" ? "two" : "one")
    second.send("new_view", ["file_path": "a.txt", "xiedit": ["recover": .string(id ?? "")]], id: 900)
    var offer: JSONValue?
    let recovered = try second.receive { message in
      if message["method"] == "xiedit_recovery" { offer = message["params"] }
      return message["method"] == "xiedit_recovered" && message["params"]?["view_id"] != nil
    }
    // None of it is made a second time.
    #expect(recovered["params"]?["edits"]?.int == 2)
    if ["renamed folder", "link"].contains(change) {
      #expect(try contents(second, "view-id-1") == "typed here text\n")
      second.end(SIGKILL)
      // By who starts anew.
      #expect(
        try look(core(), home.path + (change == "link" ? "/other.txt" : "/two/a.txt")).text == "typed here text\n")
      return
    }
    let told = try offer ?? second.receive { $0["method"] == "xiedit_recovery" }["params"] ?? [:]
    #expect(try contents(second, "view-id-1") != "typed here text\n")
    #expect(told["base_changed"]?.bool == true)
    let beside = try second.request("new_view", ["xiedit": ["recover": told["recovery_id"] ?? ""]]).string ?? ""
    #expect(beside != "view-id-1")
    let counted = try second.receive {
      $0["method"] == "xiedit_recovered" && $0["params"]?["view_id"]?.string == beside
    }
    #expect(counted["params"]?["edits"]?.int == 2)
    #expect(try contents(second, beside) == "typed here text\n")
    second.insert("more ", in: beside)
    #expect(try contents(second, "view-id-1")?.contains("more") == false)
    second.end(SIGKILL)
  }

  /// A folder is renamed, or a file, while no editor runs.
  @Test(arguments: ["one/b.txt", "two/a.txt"]) func aFileIsKnownUnderAnotherName(name: String) throws {
    try #require(mkdir(home.path + "/one", 0o700) == 0)
    let path = try home.write("text\n", to: "one/a.txt")
    let first = try core()
    let (view, _) = try open(first, path)
    first.insert("typed ", in: view)
    _ = try contents(first, view)
    first.end(SIGKILL)
    if name.hasPrefix("two") {
      try #require(rename(home.path + "/one", home.path + "/two") == 0)
    } else {
      try #require(rename(path, home.path + "/" + name) == 0)
    }
    _ = try home.write("text\n", to: "c.txt")
    #expect(try look(core(), home.path + "/c.txt").text == "text\n", "that is another")
    let second = try core()
    #expect(try look(second, home.path + "/" + name).text == "typed text\n")
    second.insert("more ", in: "view-id-1")
    _ = try contents(second, "view-id-1")
    second.end(SIGKILL)
    #expect(try look(core(), home.path + "/" + name).text == "typed more text\n")
    #expect(journals.count == 1)
  }

  /// "notes.txt" is another file in each folder.
  @Test(arguments: [true, false]) func aRelativeNameIsOfItsFolder(isNew: Bool) throws {
    for name in ["one", "two"] {
      mkdir(home.path + "/" + name, 0o755)
      if !isNew { _ = try home.write("same\n", to: name + "/notes.txt") }
    }
    let end = isNew ? "" : "same\n"
    let first = try core(in: "one")
    let (view, _) = try open(first, "notes.txt")
    first.insert("of one ", in: view)
    _ = try contents(first, view)
    let beside = try core(in: "two")
    #expect(try look(beside, "notes.txt") == (end, false))
    beside.finish()
    let same = try core(in: "two")
    #expect(try look(same, home.path + "/one/notes.txt") == (end, true))
    same.finish()
    first.end(SIGKILL)
    let second = try core(in: "two")
    #expect(try look(second, "notes.txt") == (end, false))
    second.finish()
    symlink(home.path + "/one", home.path + "/link")
    for name in [home.path + "/one/notes.txt", "../one/notes.txt", "../link/../link/./notes.txt", "../one/link"] {
      symlink(home.path + "/one/notes.txt", home.path + "/one/link")
      let third = try core(in: "two")
      #expect(try look(third, name) == ("of one " + end, false), "\(name)")
      third.end(SIGKILL)
    }
  }

  /// Nothing tells then what "notes.txt" is: what was typed is kept as that of a text without a file.
  @Test func aWorkingFolderThatIsRemovedLosesNothing() throws {
    mkdir(home.path + "/gone", 0o755)
    let first = try core(in: "gone")
    _ = try open(first, nil)
    #expect(rmdir(home.path + "/gone") == 0)
    let (view, id) = try open(first, "notes.txt")
    first.insert("typed", in: view)
    _ = try contents(first, view)
    first.end(SIGKILL)
    #expect(id?.hasPrefix("untitled.") == true)
    let second = try core()
    let (again, _) = try open(second, nil, recovering: id)
    #expect(try contents(second, again) == "typed")
    second.end(SIGKILL)
  }

  /// The copy of a save in place that was cut short is offered for its own file only.
  @Test func theCopyOfACutSaveIsOfItsFolder() throws {
    for name in ["one", "two"] {
      mkdir(home.path + "/" + name, 0o755)
      _ = try home.write("old\n", to: name + "/notes.txt")
    }
    let first = try core(in: "one")
    _ = try open(first, "notes.txt")
    let lock = try #require(recoveryFiles.first { $0.hasSuffix(".lock") })
    first.end(SIGKILL)
    _ = try home.write("of one\n", to: "state/xiedit/recovery/" + lock.dropLast("lock".count) + "saving")
    for (name, isOffered) in [("two", false), ("one", true)] {
      let core = try core(in: name)
      core.send("new_view", ["file_path": "notes.txt"], id: 900)
      let told = try core.receive { $0["method"] == "xiedit_recovery" || $0["method"] == "update" }
      #expect((told["params"]?["interrupted_save"]?.bool == true) == isOffered, "\(name)")
      core.end(SIGKILL)
    }
  }

  @Test func aSaveElsewhereMovesTheLock() throws {
    let path = try home.write("text\n", to: "a.txt")
    let first = try core()
    let (view, _) = try open(first, path)
    _ = try first.request("xiedit_save", ["view_id": .string(view), "file_path": .string(home.path + "/b.txt")])
    let second = try core()
    for (name, isUsed) in [("a.txt", false), ("b.txt", true)] {
      second.send("new_view", ["file_path": .string(home.path + "/" + name)], id: 900)
      let file = try second.receive { $0["method"] == "xiedit_file" }
      #expect((file["params"]?["used_by"]?.int != nil) == isUsed, "\(name)")
    }
    first.finish()
  }

  @Test func aSecondEditorIsTold() throws {
    let path = try home.write("text\n", to: "a.txt")
    let first = try core()
    _ = try open(first, path)
    let second = try core()
    second.send("new_view", ["file_path": .string(path)], id: 900)
    let file = try second.receive { $0["method"] == "xiedit_file" }
    #expect(file["params"]?["used_by"]?.int ?? 0 > 0)
    first.finish()
  }
}
