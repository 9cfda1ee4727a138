import EditorProtocol
import JSON
import JSONRPC
import Testing

@testable import EditorClient

/// What was asked of a core that ends before it answers.
@Suite struct CoreDeathTests {
  private func replaceCore(of bench: Bench) {
    bench.core.answer(.failure(.connectionClosed("gone")))
    bench.editor.coreWasReplaced()
    bench.editor.handle(.handshake(Handshake(unicode: "17.0.0")))
    bench.core.answer(.success("view-id-1"))
  }

  private func bench(_ keys: String) -> Bench {
    let bench = Bench()
    bench.editor.handle(.fileInformation(Bench.view, FileInformation(path: "/f.txt", recoveryID: "r")))
    bench.press(keys)
    return bench
  }

  /// The two edits of the start, and `a`, were there before it; `b` came behind.
  @Test(arguments: [(3, 3, true), (4, 3, true), (4, 4, true), (4, 2, false), (3, 2, false), (2, 2, false)])
  func aSaveWithoutAnAnswerIsToldAsItWas(handled: Int, saved: Int, isSaved: Bool) {
    let bench = bench("a{^S}b")
    replaceCore(of: bench)
    bench.editor.handle(.recovered(Bench.view, handledEdits: handled, hasSelection: true, savedEdits: saved))
    #expect(bench.bottom.contains(isSaved ? "Saved f.txt" : "Not saved"), "\(bench.bottom)")
    #expect(bench.editor.views.all.first?.unansweredSave == nil)
  }

  /// Without a journal.
  @Test func whatNobodyKnowsIsNotClaimed() {
    let bench = bench("a{^S}")
    replaceCore(of: bench)
    bench.editor.handle(.recovered(Bench.view, handledEdits: 3, hasSelection: true, savedEdits: nil))
    #expect(bench.told.contains("nobody knows whether"), "\(bench.bottom)")
  }

  /// What was typed ahead is for the file of the new name: nothing is written to the one before.
  @Test(arguments: [0, 1]) func aSaveUnderAnotherNameIsMadeByTheNextCore(deaths: Int) {
    let bench = bench("a{alt s}2{enter}QQ{^S}")
    for _ in 0...deaths {
      replaceCore(of: bench)
      bench.editor.handle(.recovered(Bench.view, handledEdits: 3, hasSelection: true, savedEdits: 3))
      #expect(
        bench.core.requests.map(\.request) == [.saveFile(Bench.view, path: "/f.txt2", .ifNew, makesFolders: false)])
    }
    bench.core.answer(.success(.null))
    #expect(bench.editor.view?.path == "/f.txt2" && bench.core.takeEdits().filter { $0 == .insert("Q") }.count == 2)
    #expect(
      bench.core.requests.map(\.request) == [.saveFile(Bench.view, path: "/f.txt2", .ifUnchanged, makesFolders: false)])
  }

  /// Keys of a prompt that was typed ahead are no text, whatever the core's end took with it.
  @Test(arguments: ["{^E}w", "{^E}v", "{^home}"]) func keysBehindOneThatWaitedAreForTheNextCore(key: String) {
    let bench = bench("")
    bench.core.answersBarriers = false
    bench.press("x" + key + "{^O}QQ")
    replaceCore(of: bench)
    bench.editor.handle(.recovered(Bench.view, handledEdits: 2, hasSelection: true))
    bench.editor.gate.coreWasHeard()
    while !bench.core.requests.isEmpty { bench.core.answer(.success([:])) }
    #expect((bench.editor.mode as? OpenPrompt)?.field.string == "QQ")
    #expect(!bench.core.takeEdits().contains(.insert("Q")))
  }

  /// Standard input, in a view that no core has opened yet.
  @Test func textThatWaitsForItsViewGoesToTheNextCore() {
    let bench = Bench(opening: "/a.txt")
    bench.editor.files.open(path: nil, at: FilePosition(line: 2))
    bench.editor.files.insert(Array("text\n".utf8))
    bench.core.answer(.failure(.connectionClosed("gone")))
    bench.core.answer(.failure(.connectionClosed("gone")))
    bench.editor.coreIsGone(because: "The core keeps ending")
    #expect(bench.editor.files.unkeptNames == "Unnamed")
    bench.editor.coreWasReplaced()
    bench.editor.handle(.handshake(Handshake(unicode: "17.0.0")))
    bench.core.answer(.success("view-id-1"))
    _ = bench.core.takeSent()
    bench.core.answer(.success("view-id-2"))
    let edits: [EditCommand] = [
      .paste("text\n"), .plain(.moveToBeginningOfDocument), .gotoPosition(line: 1, character: 0),
    ]
    #expect(bench.core.takeEdits().filter(edits.contains) == edits)
  }

  @Test(arguments: ["{^O}", "{alt s}"]) func noFolderIsCalledTilde(keys: String) {
    let bench = Bench(path: nil)
    bench.press(keys + "~/x{enter}")
    replaceCore(of: bench)
    bench.editor.gate.coreWasHeard()
    #expect(bench.core.requests.isEmpty && bench.told.contains("did not say what ~ is"), "\(bench.bottom)")
  }

  /// The new core has not said yet what it understands.
  @Test(arguments: ["{^O}", "{alt s}"], [("~/x", "{enter}"), ("l", "{tab}")])
  func aNewCoreIsAskedForPaths(keys: String, typed: (path: String, key: String)) {
    let bench = Bench(path: nil)
    bench.press(keys + typed.path)
    bench.editor.coreWasReplaced()
    bench.press(typed.key)
    bench.editor.handle(.handshake(Handshake(unicode: "17.0.0")))
    bench.core.answer(.success("view-id-1"))
    bench.editor.handle(.recovered(Bench.view, handledEdits: 2, hasSelection: true))
    bench.press(typed.key)
    #expect(bench.core.requests.map(\.request) == [.completePath(typed.path)])
    #expect(!bench.told.contains("No file starts like that"))
  }

  @Test func withoutACoreNothingIsSavedUnderTilde() {
    let bench = Bench(path: nil)
    bench.press("{alt s}~/x")
    bench.editor.coreIsGone(because: "It keeps ending")
    bench.press("{enter}")
    #expect(bench.core.requests.isEmpty && bench.bottom.contains("there is no core"), "\(bench.bottom)")
  }

  /// What is typed on is indented as before, whatever the file has become.
  @Test func indentationStaysAsItWas() {
    let bench = bench("a")
    let (old, new): (JSONObject, JSONObject) = (
      ["tab_size": 2, "translate_tabs_to_spaces": true], ["tab_size": 8, "translate_tabs_to_spaces": true]
    )
    bench.editor.handle(.configChanged(Bench.view, changes: old))
    replaceCore(of: bench)
    bench.editor.handle(.configChanged(Bench.view, changes: new))
    _ = bench.core.takeSent()
    bench.editor.handle(.recovered(Bench.view, handledEdits: 2, hasSelection: true))
    let sent = bench.core.takeSent()
    let told = sent.firstIndex(of: .modifyUserConfig(.userOverride(Bench.view), changes: ["tab_size": 2]))
    let typed = sent.firstIndex(of: .edit(Bench.view, .insert("a")))
    #expect((told ?? .max) < (typed ?? 0))
    // Where it is as it was nothing is said.
    bench.editor.handle(.configChanged(Bench.view, changes: old))
    bench.editor.coreWasReplaced()
    bench.core.answer(.success("view-id-1"))
    bench.editor.handle(.configChanged(Bench.view, changes: old))
    _ = bench.core.takeSent()
    bench.editor.handle(.recovered(Bench.view, handledEdits: 2, hasSelection: true))
    #expect(!bench.core.takeSent().contains { if case .modifyUserConfig = $0 { true } else { false } })
  }
}
