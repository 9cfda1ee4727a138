import TestSupport
import Testing

/// Macros, through the real binaries.
@Suite(.serialized, .offThePool) struct MacroSessionTests: EditorSuite {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  /// In another run, too, and as one undo step.
  @Test func aMacroIsRecordedKeptAndPlayed() throws {
    try home.write("one\ntwo\nthree\nfour\n", to: "a.txt")
    let first = try edit("a.txt")
    try first.wait(toSee: "4 four")
    try first.type("\u{1B}K")
    try first.wait(toSee: "[recording]")
    try first.type("<\u{1B}[F>\u{1B}[B\u{1B}[H\u{1B}K")
    try first.wait(for: "the line") { $0.line(0) == "  1 <one>" }
    try first.wait(toSee: "Recorded: 5 steps")
    try first.type("\u{1B}E")
    try first.wait(for: "the next line") { $0.line(1) == "  2 <two>" }
    try save(first)
    try quit(first)
    let second = try edit("a.txt")
    try second.wait(toSee: "4 four")
    try second.type("\u{1B}[1;5H\u{1B}E")
    try second.wait(for: "the play") { $0.line(0) == "  1 <<one>>" }
    try second.type("\u{1A}")
    try second.wait(for: "one step") { $0.line(0) == "  1 <one>" }
    try quit(second)
  }
}
