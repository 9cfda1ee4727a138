import EditorProtocol
import Testing

@testable import EditorClient

/// Keys of the user's own.
@Suite struct KeySettingsTests {
  private func settings(_ keys: [(String, String)], set: String? = nil) -> KeySettings {
    KeySettings(
      path: "s.toml", set: set, setLine: set == nil ? nil : 1,
      entries: keys.enumerated().map { .init(keys: $0.element.0, command: $0.element.1, line: $0.offset + 2) })
  }

  private func problems(_ keys: (String, String)..., set: String? = nil) -> [String] {
    KeyMap.reading(settings(keys, set: set)).problems
  }

  @Test func keysAreBoundAndUnbound() {
    let map = KeyMap.reading(settings([("^S", "quit"), ("alt-j", "duplicate_line"), ("^Q", ""), ("F3", "none")])).map
    #expect(map[.control("s")] == .action(.quit))
    #expect(map[.alt("j")] == .edit(.duplicateLine))
    #expect(map[.control("q")] == nil && map[Key(.function(3))] == nil)
    #expect(map.labels(of: .action(.quit)) == ["^S"])
    #expect(map.labels(of: .edit(.duplicateLine)) == ["Alt-J", "^D"], "the user's own first")
  }

  @Test func chordsTakeTheirFirstKey() {
    let map = KeyMap.reading(settings([("^K ^D", "duplicate_line"), ("^K S", "save")])).map
    #expect(map[.control("k")] == nil && map.beginsChord(.control("k")))
    #expect(map.meaning(of: [.control("k"), .control("d")]) == .command(.edit(.duplicateLine)))
    #expect(map.meaning(of: [.control("k"), Key(.character("s"))]) == .command(.action(.save)))
    #expect(map.meaning(of: [.control("k"), Key(.character("x"))]) == .nothing)
    #expect(map.labels(of: .edit(.deleteToEndOfParagraph)) == [])
    let emacs = KeyMap.reading(settings([("^X", "cut"), ("F9", "quit")], set: "emacs")).map
    #expect(emacs[.control("x")] == .action(.cut))
    #expect(!emacs.beginsChord(.control("x")), "a key of its own ends the chords of the set")
  }

  @Test func mistakesAreNamedWithTheirLines() {
    #expect(
      problems(("^S", "sav")) == ["s.toml, line 2: there is no command sav; save?"])
    #expect(problems(("^S", "zzz")) == ["s.toml, line 2: there is no command zzz"])
    #expect(
      problems(("Hyper-X", "save")) == [
        "s.toml, line 2: there is no key Hyper-X; keys are written like ^S, Alt-J, Ctrl-Shift-Left, F5"
      ])
    #expect(problems(("", "save")) == ["s.toml, line 2: a key is missing before the = of save"])
    #expect(problems(("^S", "save"), ("Ctrl-S", "quit")) == ["s.toml, line 3: ^S has a command already (line 2)"])
    #expect(problems(("^K ^D", "save"), ("^K", "quit")) == ["s.toml, line 3: ^K begins ^K ^D (line 2)"])
    #expect(
      problems(("^K", "save"), ("^K ^D", "quit")) == [
        "s.toml, line 3: ^K (line 2) has a command already, and begins ^K ^D"
      ])
    #expect(problems(("x", "save")) == ["s.toml, line 2: X is a key that types text"])
    #expect(problems(("Esc", "save")) == ["s.toml, line 2: Esc cannot be given another meaning"])
    #expect(problems(("Esc x", "save")) == ["s.toml, line 2: Esc cannot be given another meaning"])
    #expect(problems(("^K Esc", "save")) == ["s.toml, line 2: Esc leaves a chord, and cannot be in one"])
    #expect(problems(("^A ^B ^C ^D ^E", "save")) == ["s.toml, line 2: ^A ^B ^C ^D ^E has more than 4 keys"])
    #expect(
      problems(set: "vim") == ["s.toml, line 1: there is no key_set vim; there are default, nano, emacs"])
  }

  /// Nobody is locked in by what stands in the settings.
  @Test func thereIsAlwaysAKeyToLeaveAndOneThatTellsTheKeys() {
    let none = ["^Q", "F1", "F2", "Alt-X", "Ctrl-Shift-P", "^W"].map { ($0, "none") }
    var (map, problems) = KeyMap.reading(settings(none))
    #expect(map[.control("q")] == .action(.quit) && map[Key(.function(1))] == .action(.help))
    #expect(map[Key(.function(2))] == nil && map[.control("w")] == nil)
    #expect(
      problems == [
        "s.toml, line 2: ^Q stays as it is: there would be no key for quit",
        "s.toml, line 3: F1 stays as it is: there would be no key for help or palette",
      ])
    for keys in [[("^Q", "escape")], [("^Q ^S", "save")]] {
      (map, problems) = KeyMap.reading(settings(keys))
      #expect(map.meaning(of: [.control("q")]) == .command(.action(.quit)) && problems.count == 1)
    }
    #expect(self.problems(("^Q", "none"), ("^Q ^X", "quit")).isEmpty, "a chord is a key")
    #expect(self.problems(("F1", "none"), ("F2", "none")).isEmpty)
    #expect(
      self.problems(("^X", "cut"), set: "emacs") == [
        "s.toml, line 2: ^X ^C stays as it is: there would be no key for quit"
      ])
    let nano = [("^X", "cut"), ("^G", "quit")] + ["F1", "F2", "Alt-X", "Ctrl-Shift-P"].map { ($0, "none") }
    (map, problems) = KeyMap.reading(settings(nano, set: "nano"))
    #expect(map[.control("g")] == .action(.help) && map[.control("x")] == .action(.quit))
    #expect(problems.count == 2, "what is kept for one takes the key of the other")
  }

  @Test func mistakesAreNamedWithTheNameOfTheFile() {
    let path = "/a/very/long/way/to/the/folder/of/settings/of/xiedit/settings.toml"
    let settings = KeySettings(path: path, entries: [.init(keys: "^S", command: "sav", line: 12)])
    #expect(KeyMap.reading(settings).problems == ["settings.toml, line 12: there is no command sav; save?"])
  }

  @Test func theRestHolds() {
    let (map, problems) = KeyMap.reading(settings([("^S", "sav"), ("F9", "save")], set: "nano"))
    #expect(problems.count == 1)
    #expect(map[Key(.function(9))] == .action(.save) && map[.control("x")] == .action(.quit))
  }

  @Test(arguments: KeySet.all.map(\.name)) func everyLineOfASetIsABinding(_ name: String) throws {
    let set = try #require(KeySet.all.first { $0.name == name })
    let map = KeyMap(set)
    let lines = set.table.split(separator: "\n").map { $0.split(separator: " ") }
    for line in lines {
      let keys = try #require([Key](labels: line.dropLast()), "\(line)")
      let command = line.last.flatMap { Command(name: String($0)) }
      #expect(command != nil || line.last == "none", "\(line)")
      #expect(map.meaning(of: keys) == command.map(KeyMap.Meaning.command) ?? .nothing, "\(line)")
    }
    for action in [Command.Action.save, .quit, .find, .replace, .open, .help, .palette, .escape] {
      #expect(!map.labels(of: .action(action)).isEmpty, "\(name) has no key for \(action)")
    }
  }

  // MARK: In the editor

  private func bench(_ keys: [(String, String)], set: String? = nil) -> Bench {
    let bench = Bench()
    bench.editor.handle(.keySettings(settings(keys, set: set)))
    return bench
  }

  @Test func aChordShowsItsBeginningAndIsRun() {
    let bench = bench([("^K ^D", "duplicate_line"), ("^K s", "select_all")])
    bench.press("{^K}")
    #expect(bench.bottom == "^K …  ^D Duplicate line  S Select all")
    bench.press("{^D}")
    #expect(bench.bottom.contains("^S Save"))
    bench.press("{^K}sx")
    #expect(bench.core.takeEdits() == [.plain(.duplicateLine), .plain(.selectAll), .insert("x")])
  }

  @Test func escapeLeavesAChordAndDoesNothingElse() {
    let bench = bench([("^K ^D", "duplicate_line")])
    bench.press("{^K}{esc}")
    #expect(bench.core.takeEdits() == [] && bench.bottom.contains("^S Save"))
    bench.press("{^K}zy")
    #expect(bench.bottom.contains("^S Save"), "the next key takes the message away")
    #expect(bench.core.takeEdits() == [.insert("y")])
    bench.press("{^K}z")
    #expect(bench.bottom == "^K Z does nothing here; F1 shows the keys")
    bench.press("{^K}")
    bench.editor.handle(.paste(Array("text".utf8)))
    bench.press("{^D}")
    #expect(bench.core.takeEdits() == [.paste("text")] + [.plain(.duplicateLine)], "^D has a meaning of its own")
  }

  /// Letters that come at once are one edit, but not those of a chord.
  @Test func aChordInABurst() {
    let bench = bench([("^K s", "select_all")])
    bench.editor.handle(Bench.events("{^K}sabcdefghijk"))
    #expect(bench.core.takeEdits() == [.plain(.selectAll), .insert("abcdefghijk")])
  }

  @Test func mistakesAreToldAndTheHintsFollow() {
    let bench = bench([("^S", "none"), ("F9", "save"), ("F10", "nonsense"), ("F11", "")], set: "emacs")
    #expect(bench.bottom.hasPrefix("s.toml, line 4: there is no command nonsense"))
    bench.press("{left}")
    #expect(bench.bottom.hasPrefix("F9 Save  ^X ^C Quit"))
    bench.editor.handle(.keySettings(KeySettings(path: "s.toml")))
    #expect(bench.bottom.hasPrefix("^S Save  ^Q Quit"))
  }

  @Test func theKeyThatEndsMarksLeavesPromptsToo() {
    let bench = bench([], set: "emacs")
    bench.press("{^S}one{^G}x")
    #expect(bench.core.takeEdits().last == .insert("x"))
  }

  @Test func capitalsWithAltAreKeysOfTheirOwn() {
    let bench = bench([("Alt-Shift-J", "select_all"), ("Alt-J", "undo")])
    bench.editor.handle(.key(.alt("J")))
    bench.editor.handle(.key(Key(.character("j"), [.alt, .shift])))
    bench.editor.handle(.key(.alt("j")))
    #expect(bench.core.takeEdits() == [.plain(.selectAll), .plain(.selectAll), .plain(.undo)])
  }
}
