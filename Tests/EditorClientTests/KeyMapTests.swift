import EditorProtocol
import Testing

@testable import EditorClient

@Suite struct KeyMapTests {
  @Test func everyLineOfTheTableIsABinding() {
    let lines = KeyMap.standardTable.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    #expect(Set(lines.map { $0.dropLast() }).count == lines.count, "each key once")
    for line in lines {
      let keys = line.dropLast().compactMap(Key.init(label:))
      #expect(keys.map(\.label) == line.dropLast())
      #expect(Command(name: line[line.count - 1]).map { .command($0) } == KeyMap.standard.meaning(of: keys), "\(line)")
    }
  }

  @Test func keysAreReadAsTheyAreWritten() {
    #expect(Key(label: "^S") == .control("s"))
    #expect(Key(label: "Ctrl-Alt-Shift-PageUp") == Key(.pageUp, [.control, .alt, .shift]))
    #expect(Key(label: "Alt--") == .alt("-"))
    #expect(Key(label: "F12") == Key(.function(12)))
    #expect(Key(label: "^]")?.label == "^]")
    #expect(Key(label: "shift-ALT-f5") == Key(.function(5), [.alt, .shift]))
    #expect(Key(label: "Ctrl-Space")?.label == "Ctrl-Space" && Key(label: "^Space") == nil)
    #expect(Key(label: "Alt-Shift-J") == Key(.character("j"), [.alt, .shift]))
    for nonsense in ["", "Ctrl-", "Hyper-X", "^SS", "Fx", "F0", "F999", "Nowhere"] {
      #expect(Key(label: nonsense) == nil, "\(nonsense)")
    }
  }

  @Test func everyCommandHasAName() {
    let commands = Command.Action.allCases.map { Command.action($0) } + PlainEdit.allCases.map { Command.edit($0) }
    for command in commands { #expect(Command(name: command.name) == command) }
    #expect(Command(name: "no_such_thing") == nil)
  }

  @Test func aTableOfOnesOwn() {
    let map = KeyMap("^S  quit\nnonsense\n\nAlt-X  no_such_thing\nF9  undo")
    #expect(map[.control("s")] == .action(.quit))
    #expect(map[Key(.function(9))] == .edit(.undo))
    #expect(map[.alt("x")] == nil)
  }
}
