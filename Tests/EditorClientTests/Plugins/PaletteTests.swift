import EditorProtocol
import JSON
import Testing

@testable import EditorClient

/// F2: what plugins offer.
@Suite struct PaletteTests {
  static let sort: JSONValue = [
    "title": "Sort lines", "description": "Sorts what is selected",
    "rpc_cmd": ["method": "sort", "params": ["reverse": false], "rpc_type": "notification"],
  ]
  static let fill: JSONValue = [
    "title": "Fill", "description": "Fills the line",
    "rpc_cmd": ["method": "fill", "params": [:], "rpc_type": "request"],
    "args": [
      ["title": "Columns", "description": "how wide", "key": "columns", "arg_type": "PosInt"],
      ["title": "With", "description": "", "key": "text", "arg_type": "String"],
      [
        "title": "Side", "description": "", "key": "side", "arg_type": "Choice",
        "options": [["title": "left", "value": -1], ["title": "right", "value": 1]],
      ],
      ["title": "Again", "description": "", "key": "again", "arg_type": "Bool"],
    ],
  ]

  private func bench(_ commands: [JSONValue] = [sort, fill]) -> Bench {
    let bench = Bench()
    bench.editor.handle(.pluginStarted(Bench.view, plugin: "tidy"))
    bench.editor.handle(.updateCommands(Bench.view, plugin: "tidy", commands: commands))
    bench.editor.handle(.availablePlugins(Bench.view, [PluginState(name: "tidy", isRunning: true)]))
    return bench
  }

  private func run(_ method: String, _ params: JSONValue, isRequest: Bool = false) -> FrontEndNotification {
    .plugin(Bench.view, .rpc(receiver: "tidy", method: method, params: params, isRequest: isRequest))
  }

  @Test func commandsAreListedNarrowedAndRun() {
    let bench = bench()
    bench.press("{F2}tidy")
    #expect(bench.bottom == "Command: tidy")
    #expect(
      Array(bench.screen[7...9]) == [
        " Stop the plugin tidy", " Sort lines            tidy: Sorts what is selected",
        " Fill                  tidy: Fills the line",
      ])
    bench.press("{backspace}{backspace}{backspace}{backspace}what is selected tidy")
    #expect(bench.screen[9] == " Sort lines  tidy: Sorts what is selected")
    #expect(bench.screen[8] == "", "the text is seen again")
    #expect(bench.bottom.hasSuffix("tidy: Sort lines"))
    bench.press("{enter}")
    #expect(bench.core.takeSent() == [run("sort", ["reverse": false])])
    #expect(bench.screen[1] == "  2 two" && bench.screen[9] == "" && bench.bottom.contains("^S Save"))
  }

  @Test func argumentsAreAskedForAndChecked() {
    let bench = bench()
    bench.press("{F2}fill{enter}")
    #expect(bench.bottom == "Columns:" + String(repeating: " ", count: 44) + "how wide")
    bench.press("0{enter}")
    #expect(bench.bottom.hasPrefix("Columns: 0") && bench.bottom.hasSuffix("not a whole number above 0"))
    bench.press("{backspace}72{enter}")
    #expect(bench.bottom == "With:")
    bench.press("*{enter}")
    #expect(bench.screen[8...9] == [" left", " right"])
    bench.press("x{enter}")
    #expect(bench.bottom.hasSuffix("not one of these"))
    bench.press("{backspace}ri{enter}{down}{enter}")
    #expect(
      bench.core.takeSent() == [
        run("fill", ["columns": 72, "text": "*", "side": 1, "again": false], isRequest: true)
      ])
  }

  @Test func escapeLeavesEverythingAsItWas() {
    let bench = bench()
    bench.press("{F2}fill{enter}72{esc}")
    #expect(bench.core.takeSent() == [])
    bench.press("x")
    #expect(bench.core.takeEdits() == [.insert("x")])
  }

  @Test func whatMatchesNothingIsNotRun() {
    let bench = bench()
    bench.press("{F2}zqz{enter}")
    #expect(bench.bottom.hasSuffix("Nothing is called that"))
    #expect(bench.core.takeSent() == [])
  }

  @Test func pluginsAreStoppedAndStarted() {
    let bench = bench([])
    bench.press("{F2}stop plug{enter}")
    #expect(bench.core.takeSent() == [.plugin(Bench.view, .stop(name: "tidy"))])
    bench.editor.handle(.pluginStopped(Bench.view, plugin: "tidy", code: 0))
    #expect(bench.bottom == "The plugin tidy has stopped")
    bench.press("{F2}start plug{enter}")
    #expect(bench.core.takeSent() == [.plugin(Bench.view, .start(name: "tidy"))])
    bench.editor.handle(.pluginStarted(Bench.view, plugin: "tidy"))
    #expect(bench.bottom == "The plugin tidy runs")
  }

  @Test func ourCommandsAreAmongThem() {
    let bench = bench()
    bench.press("{F2}duplin")
    #expect(bench.screen[9].hasPrefix(" Duplicate line  Puts a copy") && bench.screen[9].hasSuffix(" ^D"))
    #expect(bench.bottom.hasSuffix(" duplicate_line"), "the name for the settings")
    bench.press("{enter}")
    #expect(bench.core.takeEdits() == [.plain(.duplicateLine)])
  }

  @Test func thoseUsedLastComeFirst() {
    let bench = bench()
    for name in ["uppercase", "sort lines", "upper case", "goto"] { bench.press("{F2}\(name){enter}{esc}") }
    bench.press("{F2}")
    #expect(bench.screen[0].hasPrefix(" Go to a line …"))
    #expect(bench.screen[1].hasPrefix(" Upper case"))
    #expect(bench.screen[2].hasPrefix(" Sort lines"))
    #expect(bench.screen[3].hasPrefix(" Save"))
  }

  @Test func aClickRunsACommandAndTheWheelGoesOn() {
    let bench = bench()
    bench.press("{F2}case")
    let row = bench.screen.firstIndex { $0.hasPrefix(" Upper case") } ?? -1
    bench.editor.handle(.mouse(MouseEvent(.press, column: 3, row: row)))
    #expect(bench.core.takeEdits() == [.plain(.uppercase)])
    bench.press("{F2}")
    bench.editor.handle(.mouse(MouseEvent(.press, column: 3, row: 11)))
    bench.editor.handle(.mouse(MouseEvent(.wheelDown, column: 3, row: 2)))
    bench.editor.handle(.mouse(MouseEvent(.wheelUp, column: 3, row: 2)))
    #expect(bench.bottom.hasSuffix(" uppercase"), "a click beside the list does nothing")
  }

  @Test func onANarrowScreenTheTitleAndTheKeyStay() {
    let bench = bench()
    bench.editor.handle(.resize(columns: 40, rows: 12))
    bench.press("{F2}page down")
    #expect(bench.screen.contains { $0.hasPrefix(" Page down") && $0.hasSuffix(" PageDown") && $0.count <= 40 })
  }

  @Test func theLettersThatWereTypedAreMarked() {
    let bench = bench()
    bench.press("{F2}dln")
    var grid = CellGrid(columns: 0, rows: 0)
    _ = bench.editor.compose(into: &grid)
    let marked = (0..<60).filter { column in
      grid.styles[Int(grid.cells[9 * 60 + column].style)].attributes.contains(.underline)
    }
    let row = Array(grid.text(row: 9))
    #expect(row.count > 20 && String(marked.map { row[$0] }).lowercased() == "dln")
  }

  @Test(
    arguments: [
      ["rpc_cmd": ["method": "m"]], ["title": "t"], ["title": "t", "rpc_cmd": []],
      ["title": "t", "rpc_cmd": ["method": "m"], "args": [["title": "no key", "arg_type": "Int"]]],
      ["title": "t", "rpc_cmd": ["method": "m"], "args": [["key": "k", "arg_type": "Colour"]]],
      ["title": "t", "rpc_cmd": ["method": "m"], "args": [["key": "k", "arg_type": "Choice", "options": []]]],
    ] as [JSONValue])
  func whatCannotBeRunIsNotOffered(_ command: JSONValue) {
    #expect(DeclaredCommand(command) == nil)
  }

  @Test func aLongListScrolls() {
    var list = ChoiceList((0..<30).map { ChoiceList.Choice(title: "choice \($0)") })
    #expect(list.window(of: 10) == 0..<10)
    list.move(by: 12)
    #expect(list.window(of: 10) == 3..<13 && list.chosen == 12)
    list.move(by: 100)
    #expect(list.window(of: 10) == 20..<30 && list.chosen == 29)
    list.narrow(to: "nothing")
    #expect(list.window(of: 10) == 0..<0 && list.chosen == nil)
  }
}
