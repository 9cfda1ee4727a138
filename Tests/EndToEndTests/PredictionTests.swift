import EditorProtocol
import EventLoop
import Glibc
import TestSupport
import Testing

@testable import EditorClient

/// Keys that are drawn before the core has answered, in front of the real core.
@Suite(.serialized, .offThePool) struct PredictionTests: EditorSuite {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private static let text = """
    plain text of a few words
    \tand a tab\tin the middle

    func f() {
        indented by four
    }
    日本語 and ünïcödé, e\u{301} 👍🏽 x
    a long line that goes on and on, further than the screen is wide, and then some more of it
    short

    """

  /// One key after the other: the answer changes nothing to be seen.
  @Test(arguments: 0..<8 as Range<UInt64>)
  func theAnswerIsWhatWasDrawn(seed: UInt64) throws {
    let predicting = try DrivenEditor(home, "predicting", text: Self.text)
    let waiting = try DrivenEditor(home, "waiting", text: Self.text, predicts: false)
    var random = MessageMutator(seed: seed)
    var keys: [Key] = []
    for _ in 0..<120 {
      keys.append(Self.key(&random, isPlain: seed % 2 == 0))
      let made = predicting.editor.views.edits.predictions.made
      predicting.editor.handle(.key(keys[keys.count - 1]))
      waiting.editor.handle(.key(keys[keys.count - 1]))
      let drawn = predicting.screen.text
      predicting.settle()
      waiting.settle()
      if predicting.editor.views.edits.predictions.made > made {
        try #require(drawn == predicting.screen.text, "\(keys.map(\.label))")
      }
      try #require(predicting.screen == waiting.screen, "\(keys.map(\.label))")
    }
    #expect(predicting.editor.views.edits.predictions.corrected == 0)
    #expect(predicting.editor.views.edits.predictions.made > (seed % 2 == 0 ? 50 : 0))
    #expect(waiting.editor.views.edits.predictions.made == 0)
  }

  /// Many keys at a time, frames and answers when they like.
  @Test(arguments: 0..<8 as Range<UInt64>)
  func theScreenSettlesAsWithoutPrediction(seed: UInt64) throws {
    let predicting = try DrivenEditor(home, "predicting", text: Self.text)
    let waiting = try DrivenEditor(home, "waiting", text: Self.text, predicts: false)
    var random = MessageMutator(seed: seed)
    for round in 0..<10 {
      var keys = [Key(.escape)]
      for _ in 0..<random.number(below: 25) { keys.append(Self.key(&random, isPlain: seed % 2 == 0)) }
      for key in keys {
        predicting.editor.handle(.key(key))
        waiting.editor.handle(.key(key))
        if random.isOne(in: 2) { _ = predicting.compose() }
        if random.isOne(in: 3) { predicting.loop.iterate() }
        if random.isOne(in: 6) { predicting.settle() }
      }
      for editor in [predicting, waiting] { editor.settleAtTheTop() }
      try #require(predicting.screen == waiting.screen, "round \(round): \(keys.map(\.label))")
      #expect(predicting.editor.view?.prediction == nil)
    }
    #expect(predicting.editor.views.edits.predictions.corrected == 0)
  }

  private static func key(_ random: inout MessageMutator, isPlain: Bool) -> Key {
    if isPlain || !random.isOne(in: 6) {
      switch random.number(below: 12) {
      case 0: return Key(.up)
      case 1, 2: return Key(.down)
      case 3: return Key(.left)
      case 4: return Key(.right)
      case 5, 6: return Key(.backspace)
      default:
        let letters: [Character] = ["a", "b", " ", "é", "日", "x", "(", "9"]
        return Key(.character(letters[random.number(below: letters.count)]))
      }
    }
    let others: [Key] = [
      Key(.enter), Key(.tab), Key(.home), Key(.end), Key(.delete), Key(.right, .shift), Key(.up, .alt), Key(.escape),
      Key(.pageDown), Key(.pageUp), .control("z"), .control("y"), .control("k"), .control("u"), .control("d"),
      .control("t"), Key(.right, .control), Key(.home, .control), Key(.end, .control), Key(.down, .shift),
      .alt("n"), Key(.character("\u{301}")), Key(.character("👍")), Key(.backspace, .control),
    ]
    return others[random.number(below: others.count)]
  }

  /// The core is stopped: what is seen is the front end's own.
  @Test func aKeyIsSeenBeforeTheCoreHasSeenIt() throws {
    try home.write("one\ntwo\n", to: "a.txt")
    let session = try edit("a.txt")
    try session.wait(toSee: "1 one")
    let core = try #require(session.children.first)
    kill(core, SIGSTOP)
    try session.type("abc\u{7F}")
    try session.wait(for: "the letters") { $0.line(0) == "  1 abone" && $0.line(10).contains("a.txt *") }
    kill(core, SIGCONT)
    try save(session)
    #expect(home.text(of: "a.txt") == "abone\ntwo\n")
    try quit(session)
  }
}
