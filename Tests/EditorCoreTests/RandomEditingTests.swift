import EditorProtocol
import JSON
import Rope
import Testing

@testable import EditorCore

/// Random commands, the same in every run: the front end's cache always shows the text, undo goes back to texts that there were, in
/// their order and to the first, and redo from there to the last.
@Suite struct RandomEditingTests {
  private static let texts = [
    "x", "one\ntwo\nthree",
    "a long line that is wrapped when there is a width for it\n\n\tétude 日本語 👩‍🚀 end\r\nlast\n",
  ]

  @Test(arguments: 0..<12)
  func cacheAndUndoHoldUnderRandomCommands(seed: UInt64) throws {
    var random = SplitMix64(state: seed)
    let driver = CoreDriver()
    driver.open()
    driver.edit("insert", ["chars": .string(Self.texts[Int(seed) % Self.texts.count])])
    driver.edit("scroll", [0, Int64.random(in: 1..<8, using: &random)].jsonNumbers)
    var known = KnownTexts(driver.document?.buffer.text ?? Rope())
    if seed % 3 == 0 { driver.notify(.modifyUserConfig(.userOverride(driver.view), changes: ["wrap_width": 12])) }
    var (edits, clearings) = (0, 0)
    for _ in 0..<80 {
      let before = driver.document?.buffer.commitCount
      let command = randomCommand(&random)
      driver.notify(.edit(driver.view, command))
      let text = try #require(driver.document?.buffer.text)
      let isKnown = known.follow(command, to: text)
      #expect(isKnown, "seed \(seed), \(command)")
      if clearIfLarge(driver) {
        clearings += 1
        known = known.edited(to: Rope())
      }
      if driver.document?.buffer.commitCount != before { edits += 1 }
      try expectCacheShowsText(driver)
    }
    // To where redo ends.
    for _ in 0...edits { driver.edit("redo") }
    let last = driver.document?.buffer.text
    for _ in 0...edits + 2 * clearings { driver.edit("undo") }
    #expect(driver.document?.buffer.text == Rope())
    for _ in 0...edits + 2 * clearings { driver.edit("redo") }
    #expect(driver.document?.buffer.text == last)
    try expectCacheShowsText(driver)
  }

  /// The texts that undo may lead to, and redo, each from the nearest on. A step has one or more of them.
  private struct KnownTexts {
    private var before: [Rope] = [Rope()]
    private var text: Rope
    private var after: [Rope] = []

    init(_ text: Rope) { self.text = text }

    func edited(to text: Rope) -> KnownTexts {
      var known = self
      known.before.append(self.text)
      (known.text, known.after) = (text, [])
      return known
    }

    /// - Returns: Whether it may have led there.
    mutating func follow(_ command: EditCommand, to text: Rope) -> Bool {
      switch command {
      case .plain(.undo): return Self.go(to: text, from: &self.text, through: &before, leaving: &after)
      case .plain(.redo): return Self.go(to: text, from: &self.text, through: &after, leaving: &before)
      default:
        if text != self.text { self = edited(to: text) }
        return true
      }
    }

    private static func go(
      to new: Rope, from text: inout Rope, through ahead: inout [Rope], leaving behind: inout [Rope]
    ) -> Bool {
      if new == text { return true }
      while let next = ahead.popLast() {
        behind.append(text)
        text = next
        if next == new { return true }
      }
      return false
    }
  }

  private func randomCommand(_ random: inout SplitMix64) -> EditCommand {
    let edits = PlainEdit.allCases
    let place = LineColumn(line: Int.random(in: 0..<12, using: &random), column: Int.random(in: 0..<30, using: &random))
    return switch Int.random(in: 0..<12, using: &random) {
    case 0...4: .plain(edits[Int.random(in: 0..<edits.count, using: &random)])
    case 5: .insert(["a", "\n", "é", "  ", "{", "🇩🇪"][Int.random(in: 0..<6, using: &random)])
    case 6: .paste("x\ny\n")
    case 7: .gesture(place, .select(.point, multi: Bool.random(using: &random)))
    case 8: .gesture(place, .select(.word, multi: Bool.random(using: &random)))
    case 9: .gesture(place, .selectExtend(.point))
    case 10: .plain(.undo)
    default: .plain(.redo)
    }
  }

  /// Pages of pasted and doubled text would only take time.
  private func clearIfLarge(_ driver: CoreDriver) -> Bool {
    guard let text = driver.document?.buffer.text, text.byteCount > 4000 else { return false }
    driver.edit("select_all")
    driver.edit("delete_backward")
    return true
  }
}

extension Array where Element == Int64 {
  fileprivate var jsonNumbers: JSONValue { .array(map { JSONValue($0) }) }
}

struct SplitMix64: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
