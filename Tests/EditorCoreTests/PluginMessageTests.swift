import EditorProtocol
import Foundation
import JSON
import Rope
import Testing

@testable import EditorCore

/// What is said between the core and plugins, message by message.
@Suite(.serialized) struct PluginMessageTests {
  private let plugins = try? PluginFolder()

  private func open(_ script: String, manifest: String = "", path: String? = nil) throws -> CoreDriver {
    let plugins = try #require(plugins)
    try plugins.install("one", PluginFolder.answering(script), manifest: manifest)
    let driver = CoreDriver(handshake: true, settings: plugins.path)
    driver.open(path)
    driver.run { driver.session.plugins.hasStarted }
    return driver
  }

  private func finish(_ driver: CoreDriver) { driver.session.plugins.end() }

  @Test func kindAndAuthorOfEachChangeAreTold() throws {
    let driver = try open(
      #"""
      case $line in *'"edit_type"'*)
        kind=${line#*'"edit_type":"'}; kind=${kind%%'"'*}; author=${line#*'"author":"'}; author=${author%%'"'*}
        say "{\"method\":\"alert\",\"params\":{\"msg\":\"$kind $author\"}}";;
      esac
      """#)
    let methods = [
      "insert", "insert_newline", "indent", "delete_backward", "undo", "redo", "move_left", "transpose", "yank",
    ]
    for method in methods { driver.edit(method, method == "insert" ? ["chars": "ab"] : []) }
    let kinds = ["insert", "newline", "indent", "delete", "undo", "redo", "transpose"]
    driver.run { driver.alerts.count >= kinds.count }
    #expect(driver.alerts == kinds.map { "one: \($0) core" })
    finish(driver)
  }

  /// Whole characters, and no more at once than the wire says.
  @Test func dataComesInPieces() throws {
    let driver = CoreDriver()
    driver.open()
    driver.edit("insert", ["chars": .string("aé" + String(repeating: "x", count: 2 << 20))])
    let document = try #require(driver.document)
    func chunk(_ size: Int) -> String? {
      let query = TextQuery(start: 0, unit: "utf8", byteCount: size, revision: 1)
      return driver.session.plugins.data(of: document, query)["chunk"]?.string
    }
    #expect(chunk(2) == "a")
    #expect(chunk(3) == "aé")
    #expect(chunk(Int.max)?.utf8.count == 1 << 20)
  }

  /// What is too large, or no text, is to be asked for.
  @Test(arguments: [(Rope("x"), true), (Rope([UInt8](repeating: 120, count: 2 << 20)), false), (Rope([0xFF]), false)])
  func aChangeIsToldWhole(_ inserted: Rope, isTold: Bool) throws {
    let driver = CoreDriver()
    driver.open()
    let document = Document()
    let change = try #require(
      document.buffer.commit(Delta(baseByteCount: 0, replacing: 0..<0, with: inserted), as: .insert))
    let told = driver.session.plugins.told(change, in: try #require(driver.document))
    #expect((told.delta != nil) == isTold)
    #expect(told.byteCount == inserted.byteCount)
  }

  @Test func aReadOnlyViewIsNotEdited() throws {
    let plugins = try #require(plugins)
    let edit =
      #"{"rev":0,"priority":1,"after_cursor":false,"author":"one","delta":{"base_len":0,"els":[{"insert":"?"}]}}"#
    try plugins.install(
      "one",
      PluginFolder.answering(
        #"""
        case $line in *'"initialize"'*)
          say '{"method":"edit","params":{"view_id":"view-id-1","plugin_id":3,"edit":\#(edit)}}'
          say '{"method":"alert","params":{"msg":"said"}}';;
        esac
        """#))
    let driver = CoreDriver(handshake: true, settings: plugins.path)
    _ = driver.request("new_view", ["xiedit": ["read_only": true]])
    driver.run { !driver.alerts.isEmpty }
    #expect(driver.alerts == ["one: said"])
    #expect(driver.session.views.documents.first?.buffer.text == "")
    finish(driver)
  }

  @Test func anEditOfTheSameUndoGroupIsUndoneWithIt() throws {
    let driver = try open(
      #"""
      case $line in *'"insert":"!"'*)
        n=${line#*'"new_len":'}; n=${n%%,*}; rev=${line#*'"rev":'}; rev=${rev%%,*}
        group=${line#*'"undo_group":'}; group=${group%%,*}
        say "{\"method\":\"edit\",\"params\":{\"view_id\":\"view-id-1\",\"plugin_id\":3,\"edit\":{\"rev\":$rev,\"priority\":1,\"after_cursor\":false,\"undo_group\":$group,\"author\":\"one\",\"delta\":{\"base_len\":$n,\"els\":[{\"insert\":\"?\"},{\"copy\":[0,$n]}]}}}}";;
      esac
      """#)
    driver.edit("insert", ["chars": "a"])
    driver.edit("move_left")
    driver.edit("insert", ["chars": "!"])
    driver.run { driver.document?.buffer.text == "?!a" }
    driver.edit("insert", ["chars": "b"])
    #expect(driver.markedText == "?!b‸a")
    driver.edit("undo")
    #expect(driver.markedText == "‸a", "what was typed, the answer to it, and what was typed on")
    driver.edit("redo")
    #expect(driver.markedText == "?!b‸a")
    finish(driver)
  }

  @Test(arguments: [(1, "xPusery"), (PluginHistory.Author.core.priority + 1, "xuserPy")] as [(Int, Rope)])
  func thePriorityDecidesWhichOfTwoTextsComesFirst(_ priority: Int, _ expected: Rope) throws {
    var history = PluginHistory()
    let document = Document("xy")
    let change = try #require(
      document.buffer.commit(Delta(baseByteCount: 2, replacing: 1..<1, with: "user"), as: .insert))
    history.note(change, by: .core)
    let delta = Delta(baseByteCount: 2, replacing: 1..<1, with: "P")
    #expect(document.buffer.text.applying(history.upToDate(delta, of: 0, priority: priority)) == expected)
  }

  @Test func hoverIsAskedAndShown() throws {
    let driver = try open(
      #"""
      case $line in *'"get_hover"'*)
        at=${line#*'"position":'}; at=${at%%[,\}]*}
        say "{\"method\":\"show_hover\",\"params\":{\"view_id\":\"view-id-1\",\"request_id\":7,\"result\":{\"Ok\":{\"content\":\"at $at\"}}}}"
        say '{"method":"show_hover","params":{"view_id":"view-id-1","request_id":8,"result":{"Err":{"code":1}}}}';;
      esac
      """#)
    driver.edit("insert", ["chars": "one\ntwo"])
    driver.edit("request_hover", ["request_id": 7, "position": ["line": 1, "column": 2]])
    let answer = CoreNotification.showHover(driver.view, requestID: 7, result: "at 6")
    driver.run { driver.notifications.contains(answer) }
    #expect(driver.notifications.contains(answer))
    driver.edit("request_hover", ["request_id": 7])
    let second = CoreNotification.showHover(driver.view, requestID: 7, result: "at 7")
    driver.run { driver.notifications.contains(second) }
    #expect(driver.notifications.contains(second), "without a place, at the caret")
    finish(driver)
  }

  @Test func selectionsAreTold() throws {
    let driver = try open(
      #"""
      case $line in *'"custom_command"'*) say '{"id":5,"method":"get_selections","params":{"view_id":"view-id-1"}}';;
      *'"id":5'*) say "{\"method\":\"alert\",\"params\":{\"msg\":\"$(printf %s "$line" | tr -d '"\\')\"}}";;
      esac
      """#)
    driver.edit("insert", ["chars": "é\nab"])
    driver.edit("gesture", ["line": 0, "col": 0, "ty": "point_select"])
    driver.edit("gesture", ["line": 1, "col": 2, "ty": ["select": ["granularity": "point", "multi": true]]])
    driver.edit("move_left_and_modify_selection")
    driver.notify(.plugin(driver.view, .rpc(receiver: "one", method: "m", params: [:], isRequest: false)))
    driver.run { !driver.alerts.isEmpty }
    #expect(driver.alerts == ["one: {id:5,result:{rev:1,selections:[[0,0],[5,4]]}}"])
    finish(driver)
  }

  @Test func whatDoesNotRunIsNamed() throws {
    let driver = try open(":")
    for command in [
      PluginCommand.start(name: "two"), .stop(name: "two"),
      .rpc(receiver: "two", method: "m", params: [:], isRequest: false),
    ] { driver.notify(.plugin(driver.view, command)) }
    #expect(driver.alerts == ["There is no plugin two", "The plugin two does not run", "The plugin two does not run"])
    finish(driver)
  }

  private static let commands = """
    [[commands]]
    title = "Sort lines"
    description = "Sorts the selected lines"
    rpc_cmd = { method = "sort", params = { reverse = false }, rpc_type = "notification" }
    """

  @Test func commandsAreListedAndRun() throws {
    let driver = try open(
      #"case $line in *'"custom_command"'*) say "{\"method\":\"alert\",\"params\":{\"msg\":\"$(printf %s "$line" | tr -d '"\\')\"}}";; esac"#,
      manifest: Self.commands)
    driver.run { !driver.commands.isEmpty }
    let command = try #require(driver.commands.first?.cmds.first)
    #expect(command["title"] == "Sort lines")
    #expect(command["rpc_cmd"]?["params"]?["reverse"] == false)
    driver.notify(
      .plugin(driver.view, .rpc(receiver: "one", method: "sort", params: ["reverse": true], isRequest: false)))
    driver.edit("insert", ["chars": "a\nb\nc"])
    driver.edit("select_all")
    driver.edit("reindent")
    driver.edit("debug_toggle_comment")
    driver.run { driver.alerts.count >= 3 }
    #expect(
      driver.alerts == [
        "one: {method:custom_command,params:{view_id:view-id-1,method:sort,params:{reverse:true}}}",
        "one: {method:custom_command,params:{view_id:view-id-1,method:reindent,params:[[0,3]]}}",
        "one: {method:custom_command,params:{view_id:view-id-1,method:toggle_comment,params:[[0,3]]}}",
      ])
    let second = driver.open()
    #expect(driver.notifications.contains(.pluginStarted(second, plugin: "one")))
    #expect(driver.commands.last?.view == second && driver.commands.last?.cmds.count == 1)
    driver.notify(.plugin(second, .stop(name: "one")))
    #expect(driver.commands.suffix(2).map(\.cmds.count) == [0, 0])
    finish(driver)
  }

  @Test func languagesOfManifestsAreThereWithTheirSettings() throws {
    let plugins = try #require(plugins)
    try plugins.write("one/Rust.toml", "tab_size = 2\n")
    let driver = try open(
      #"case $line in *'"new_lang"'*|*'"initialize"'*) say "{\"method\":\"alert\",\"params\":{\"msg\":\"$(printf %s "$line" | tr -d '"\\')\"}}";; esac"#,
      manifest: """
        [[languages]]
        name = "Rust"
        extensions = ["rs"]
        scope = "source.rust"
        [[languages]]
        name = "Remarks"
        extensions = ["py"]
        [[languages]]
        name = "Makefile"
        extensions = ["Makefile"]
        """, path: plugins.path + "/main.rs")
    let languages = driver.notifications.compactMap { notification -> [String]? in
      if case .availableLanguages(let names) = notification { names } else { nil }
    }
    #expect(languages.last.map { $0.first == "Plain Text" && Set($0).isSuperset(of: ["Makefile", "Remarks"]) } == true)
    #expect(driver.notifications.contains(.languageChanged(driver.view, languageID: "Rust")))
    #expect(driver.document?.settings.config.tabSize == 2)
    driver.run { driver.alerts.contains { $0.contains("syntax:Rust") } }
    #expect(driver.alerts.contains { $0.contains("syntax:Rust") })
    driver.notify(.modifyUserConfig(.language("Rust"), changes: ["tab_size": 3]))
    #expect(driver.document?.settings.config.tabSize == 3)
    driver.notify(.setLanguage(driver.view, languageID: "Plain Text"))
    #expect(driver.document?.settings.config.tabSize == 4)
    driver.run { driver.alerts.contains { $0.contains("new_lang:Plain Text") } }
    #expect(driver.alerts.contains { $0.contains("new_lang:Plain Text") })
    for (name, language) in [("Makefile", "Makefile"), ("a.rs.txt", "Plain Text"), ("a.py", "Remarks"), ("a.go", "Go")]
    {
      let view = driver.open(plugins.path + "/" + name)
      #expect(driver.notifications.contains(.languageChanged(view, languageID: language)), "\(name)")
    }
    driver.notify(.save(driver.view, path: plugins.path + "/b.rs"))
    #expect(driver.document?.settings.language == "Rust", "after a save under a name of that language")
    finish(driver)
  }
}

extension CoreDriver {
  fileprivate var commands: [(view: ViewID, cmds: [JSONValue])] {
    notifications.compactMap { if case .updateCommands(let view, _, let cmds) = $0 { (view, cmds) } else { nil } }
  }
}
