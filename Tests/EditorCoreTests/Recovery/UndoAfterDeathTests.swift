import EditorProtocol
import JSON
import Rope
import Testing

@testable import EditorCore

/// After a core's end undo and redo do what they would have done without it.
@Suite(.offThePool) struct UndoAfterDeathTests {
  /// A session of random edits, the same for each seed, that stops after so many.
  private final class Session {
    let disk = SimulatedDisk(folders: ["/", "/disk", "/disk/recovery"])
    let driver: CoreDriver
    private(set) var log: [String] = []
    private var random: SplitMix64
    private let time = ContinuousClock.now

    init(seed: UInt64, stepCount: Int) {
      random = SplitMix64(state: seed)
      let texts = ["one\ntwo\n", "one\r\ntwo", ""]
      disk.write(Array(texts[Int(seed) % texts.count].utf8), to: "/disk/a")
      if seed % 4 < 2 { Self.makeSteps(on: disk) }
      driver = UndoAfterDeathTests.driver(on: disk, keepsCopies: seed % 2 == 0, writesInPieces: seed % 5 == 0)
      driver.open("/disk/a")
      UndoAfterDeathTests.stopClock(of: driver, at: time)
      for _ in 0..<stepCount { perform() }
    }

    /// Of an earlier run, two of which can be made again.
    private static func makeSteps(on disk: SimulatedDisk) {
      let earlier = UndoAfterDeathTests.driver(on: disk)
      earlier.open("/disk/a")
      for typed in ["1", "2", "3"] {
        earlier.edit("insert", ["chars": .string(typed)])
        earlier.edit("insert_newline")
      }
      for _ in 0..<2 { earlier.edit("undo") }
      earlier.notify(.save(earlier.view, path: "/disk/a"))
      earlier.notify(.closeView(earlier.view))
      earlier.session.finish()
    }

    /// What a new core makes of what is left.
    func successor() -> CoreDriver {
      var noPower: SplitMix64?
      let next = UndoAfterDeathTests.driver(on: disk.afterDeath(losingPower: &noPower))
      let id = driver.fileInformation?.recoveryID ?? ""
      let answer = next.request("new_view", ["file_path": "/disk/a", "xiedit": ["recover": .string(id)]])
      next.view = ViewID((try? answer.get())?.string ?? "")
      UndoAfterDeathTests.stopClock(of: next, at: time)
      // A front end puts the carets back that no journal has.
      let hasSelection = next.notifications.contains {
        if case .recovered(_, _, true, _, _) = $0 { true } else { false }
      }
      if !hasSelection, let selection = driver.textView?.selection { next.textView?.select(selection) }
      return next
    }

    private func perform() {
      switch Int.random(in: 0..<21, using: &random) {
      case 0..<6: edit("insert", ["chars": .string(["a", "b ", "é", "xyz"].randomElement(using: &random) ?? "")])
      case 6: edit("insert_newline")
      case 7: edit("delete_backward")
      case 8: edit("duplicate_line")
      case 9..<12: edit("undo")
      case 12, 13: edit("redo")
      case 14: edit(Bool.random(using: &random) ? "move_right" : "move_to_end_of_document")
      case 15, 16:
        log.append("save")
        driver.notify(.save(driver.view, path: "/disk/a"))
      case 17:
        log.append("another writes, reload")
        disk.write(Array("another's \(Int.random(in: 0..<100, using: &random))\n".utf8), to: "/disk/a")
        driver.notify(.reload(driver.view))
        driver.run { !driver.session.reloads.isReading }
        driver.settle()
      case 18: if Bool.random(using: &random) { play() } else { join() }
      case 19:
        let encoding = [TextEncoding.utf8, .latin1, .utf16LittleEndian].randomElement(using: &random) ?? .utf8
        log.append("choose \(encoding)")
        driver.notify(.setEncoding(driver.view, encoding, readsAgain: false))
      default: edit("select_all")
      }
    }

    private func edit(_ method: String, _ params: JSONValue = []) {
      log.append("\(method) \(params)")
      driver.edit(method, params)
    }

    /// The same, each of them in the journal before the next.
    private func join() {
      edit("xiedit_begin_step")
      for method in ["insert", "insert_newline", "move_left", "insert"] {
        edit(method, method == "insert" ? ["chars": "j"] : [])
      }
      edit("xiedit_end_step")
    }

    /// Some edits as one step, which may cancel each other out, or undo what was there.
    private func play() {
      let kinds = [["insert", "delete_backward"], ["insert", "insert_newline"], ["undo", "insert"]]
      let methods = kinds.randomElement(using: &random) ?? []
      log.append("play \(methods)")
      for method in ["clear_recording", "toggle_recording"] { driver.edit(method, ["recording_name": "r"]) }
      for method in methods { edit(method, method == "insert" ? ["chars": "r"] : []) }
      driver.edit("toggle_recording", ["recording_name": "r"])
      driver.edit("play_recording", ["recording_name": "r"])
    }
  }

  private static func driver(
    on disk: SimulatedDisk, keepsCopies: Bool = true, writesInPieces: Bool = false
  ) -> CoreDriver {
    var folder = RecoveryFolder(at: "/disk/recovery", system: disk)
    if !keepsCopies { folder?.largestBaseCopy = 0 }
    if writesInPieces {
      folder?.largestRecordAtOnce = 1
      folder?.pieceOfLongRecord = 7
    }
    return CoreDriver(handshake: true, system: disk, recoveryFolder: folder)
  }

  /// Nothing is a pause.
  private static func stopClock(of driver: CoreDriver, at time: ContinuousClock.Instant) {
    driver.document?.buffer.now = { time }
    driver.document?.buffer.history.continueStep(at: time)
  }

  /// What is seen of a text as it is edited on, undone to its end, and made again.
  private func texts(_ driver: CoreDriver, typing typed: String?) -> [String] {
    var texts: [String] = []
    func note() {
      let text = driver.document?.buffer.text ?? "none"
      texts.append("\(text.string(in: text.fullRange)) in \(driver.document?.file.image.encoding.rawValue ?? "")")
    }
    note()
    if let typed {
      driver.edit("insert", ["chars": .string(typed)])
      note()
    }
    for method in ["undo", "redo"] {
      for _ in 0..<20 {
        driver.edit(method)
        note()
        if texts.last == texts.dropLast().last, texts.last == texts.dropLast(2).last { break }
      }
      texts.append("that was \(method)")
    }
    return texts
  }

  @Test(arguments: 0..<16)
  func itIsAsWithoutTheDeath(seed: UInt64) {
    for stepCount in stride(from: Int(seed) % 2, to: 16, by: 2) {
      let typed = (stepCount + Int(seed) / 2) / 2 % 2 == 0 ? nil : "q"
      let session = Session(seed: seed, stepCount: stepCount)
      let next = session.successor()
      let expected = texts(session.driver, typing: typed)
      let found = texts(next, typing: typed)
      let what = session.log.joined(separator: "\n")
      #expect(found == expected, "seed \(seed), after \(stepCount):\n\(what)\n\(next.alerts)")
      guard found == expected else { return }
    }
  }

  /// A session of one file, and what a new core makes of it.
  private func session(of text: String, _ body: (CoreDriver) -> Void) -> (CoreDriver, successor: CoreDriver) {
    session(of: ["a": text], body)
  }

  private func session(of files: [String: String], _ body: (CoreDriver) -> Void) -> (CoreDriver, successor: CoreDriver)
  {
    let disk = SimulatedDisk(folders: ["/", "/disk", "/disk/recovery"])
    for (name, text) in files { disk.write(Array(text.utf8), to: "/disk/" + name) }
    let driver = Self.driver(on: disk)
    driver.open("/disk/a")
    let time = ContinuousClock.now
    Self.stopClock(of: driver, at: time)
    body(driver)
    var noPower: SplitMix64?
    let next = Self.driver(on: disk.afterDeath(losingPower: &noPower))
    next.view = resume(driver, in: next)
    Self.stopClock(of: next, at: time)
    return (driver, next)
  }

  private func resume(_ driver: CoreDriver, in next: CoreDriver) -> ViewID {
    // Of the first view, whichever was opened last.
    let id = RecoveryID(driver.fileInformation?.recoveryID ?? "").journal
    let answer = next.request("new_view", ["file_path": "/disk/a", "xiedit": ["recover": .string(id)]])
    return ViewID((try? answer.get())?.string ?? "")
  }

  private func text(_ driver: CoreDriver) -> String? {
    driver.document.map { $0.buffer.text.string(in: $0.buffer.text.fullRange) }
  }

  /// What was found in a file when it was opened says how one types on, also where what was saved since looks otherwise.
  @Test func oneTypesOnAsTheFileWasWhenItWasOpened() {
    for text in ["a\n", "\tb\n", "if\n  b\n"] {
      let (driver, next) = session(of: text) { driver in
        driver.edit("paste", ["chars": "1\r\n2\r\n3\r\n    4\n    5\n        6\n"])
        driver.notify(.save(driver.view, path: "/disk/a"))
        driver.settle()
        driver.edit("insert", ["chars": "x"])
      }
      for driver in [driver, next] { for method in ["insert_newline", "insert_tab"] { driver.edit(method) } }
      #expect(self.text(next) == self.text(driver))
      #expect(next.fileInformation?.lineEnding == driver.fileInformation?.lineEnding)
      let (settings, expected) = (next.document?.settings.table ?? [:], driver.document?.settings.table ?? [:])
      for key in ["translate_tabs_to_spaces", "tab_size", "line_ending"] {
        #expect(settings[key] == expected[key], "\(key)")
      }
    }
  }

  /// How long a step is counts from its own first edit.
  @Test func aStepThatFollowsACommandWithoutEffectEndsWhereItWould() {
    let typing = { (driver: CoreDriver, typed: String) in driver.edit("insert", ["chars": .string(typed)]) }
    let (driver, next) = session(of: "a\n") { driver in
      typing(driver, "a step of 37 bytes, which may go on b")
      // At once, so that the journal has no more of the first than that the second opens a step.
      let messages = [("move_left", #"[]"#), ("insert", #"{"chars":"x"}"#)].map { method, params in
        #"{"method":"edit","params":{"view_id":"\#(driver.view.rawValue)","method":"\#(method)","params":\#(params)}}"#
      }
      driver.send(line: messages.joined(separator: "\n"))
      typing(driver, "yz")
    }
    for driver in [driver, next] {
      for typed in [" and ", "more"] { typing(driver, typed) }
      driver.edit("undo")
    }
    #expect(text(next) == text(driver))
  }

  /// It is no edit, and undo leaves it alone.
  @Test(arguments: ["", "x"]) func aChosenEncodingStays(typed: String) {
    let (driver, next) = session(of: "a\n") { driver in
      driver.notify(.setEncoding(driver.view, .latin1, readsAgain: false))
      if !typed.isEmpty { driver.edit("insert", ["chars": .string(typed)]) }
    }
    for driver in [driver, next] {
      #expect(driver.fileInformation?.encoding == .latin1 && text(driver) == typed + "a\n")
      driver.edit("undo")
      #expect(driver.fileInformation?.encoding == .latin1 && text(driver) == "a\n")
      #expect(driver.document?.isPristine == false)
    }
  }

  /// Also where nothing was typed, and nothing is to be lost.
  @Test func theLineEndThatASaveAddsIsNotShown() {
    let (driver, next) = session(of: "text") { driver in
      driver.notify(.save(driver.view, path: "/disk/a"))
      driver.settle()
      driver.edit("move_to_end_of_document")
    }
    for driver in [driver, next] {
      #expect(text(driver) == "text" && driver.document?.isPristine == true)
      driver.edit("insert", ["chars": "s"])
      #expect(text(driver) == "texts")
      driver.session.finish()
    }
    #expect(next.alerts == [])
  }

  /// Of a file that is to be made.
  @Test func theEncodingOfTheSettingsStays() {
    let settings = "root = true\n[*]\ncharset = latin1\n"
    let (driver, next) = session(of: [".editorconfig": settings]) { $0.edit("insert", ["chars": "x"]) }
    for driver in [driver, next] {
      driver.edit("undo")
      #expect(driver.fileInformation?.encoding == .latin1 && text(driver) == "")
    }
  }

  /// It would make again what was taken back in another view since.
  @Test func aRedoThatHadNothingToMakeIsNotSentAgain() {
    let (_, next) = session(of: "a\n") { driver in
      let first = driver.view
      driver.edit("insert", ["chars": "x"])
      driver.edit("redo")
      driver.open("/disk/a")
      // Behind the other's caret, which stays where the journal has it.
      driver.edit("move_to_end_of_document")
      driver.edit("insert", ["chars": "y"])
      driver.edit("undo")
      driver.view = first
    }
    let handled = next.notifications.compactMap {
      if case .recovered(_, let edits, _, _, _) = $0 { edits } else { nil }
    }
    #expect(text(next) == "xa\n" && handled == [2])
  }
}
