import EditorProtocol
import EventLoop
import Foundation
import JSON
import Rope
import TestSupport
import Testing

@testable import EditorCore

/// Plugins, in shell: those that do as they should, and those that do not.
@Suite(.serialized, .offThePool) struct PluginTests {
  private let plugins = try? PluginFolder()

  private func install(_ name: String, _ script: String) throws { try #require(plugins).install(name, script) }

  private func open(_ file: String? = nil, patience: Duration = .seconds(60)) throws -> CoreDriver {
    let folder = try #require(plugins).path
    let driver = CoreDriver(handshake: true, settings: folder)
    driver.session.plugins.patience = patience
    driver.open(file.map { folder + "/" + $0 })
    driver.run { driver.session.plugins.hasStarted }
    return driver
  }

  private func finish(_ driver: CoreDriver) { driver.session.plugins.end() }

  @Test func isToldOfChangesAndMakesSome() throws {
    try install(
      "shout",
      PluginFolder.answering(
        #"""
        case $line in *'"insert":"!"'*)
          n=${line#*'"new_len":'}; n=${n%%,*}; rev=${line#*'"rev":'}; rev=${rev%%,*}
          say "{\"method\":\"edit\",\"params\":{\"view_id\":\"view-id-1\",\"plugin_id\":3,\"edit\":{\"rev\":$rev,\"priority\":1,\"after_cursor\":false,\"author\":\"shout\",\"delta\":{\"base_len\":$n,\"els\":[{\"insert\":\"?\"},{\"copy\":[0,$n]}]}}}}";;
        esac
        """#))
    let driver = try open()
    #expect(
      driver.notifications.filter { if case .availablePlugins = $0 { true } else { false } }
        == [.availablePlugins(driver.view, [PluginState(name: "shout", isRunning: true)])])
    #expect(driver.notifications.contains(.pluginStarted(driver.view, plugin: "shout")))
    driver.edit("insert", ["chars": "abc"])
    driver.edit("insert", ["chars": "!"])
    // Made to the text as it was; it comes to the text as it is.
    driver.edit("insert", ["chars": "d"])
    driver.run { driver.document?.buffer.text == "?abc!d" }
    #expect(driver.markedText == "?abc!d‸")
    driver.edit("undo")
    #expect(driver.markedText == "abc!d‸", "an edit of a plugin is a step of its own")
    #expect(driver.alerts == [])
    driver.notify(.plugin(driver.view, .stop(name: "shout")))
    #expect(driver.notifications.contains(.pluginStopped(driver.view, plugin: "shout", code: 0)))
    finish(driver)
  }

  @Test func readsMarksAndShows() throws {
    let marks = [
      #"{"id":1,"method":"get_data","params":{"view_id":"view-id-1","start":0,"unit":"line","max_size":3,"rev":0}}"#,
      #"{"method":"add_scopes","params":{"view_id":"view-id-1","scopes":[["source","comment.line"]]}}"#,
      #"{"method":"update_spans","params":{"view_id":"view-id-1","start":1,"len":5,"rev":0,"spans":[{"start":0,"end":2,"scope_id":0}]}}"#,
      #"{"method":"update_annotations","params":{"view_id":"view-id-1","start":0,"len":5,"rev":0,"annotation_type":{"Other":"lint"},"spans":[{"start":0,"end":1,"data":"bad"}]}}"#,
      #"{"method":"add_status_item","params":{"view_id":"view-id-1","key":"k","value":"v","alignment":"left"}}"#,
    ]
    try plugins?.write("../a.txt", "hello\n")
    let said = marks.map { "say '\($0)'" }.joined(separator: "; ")
    try install(
      "marks",
      PluginFolder.answering(
        #"case $line in *initialize*) \#(said);; *'"chunk":"hel"'*) say '{"method":"alert","params":{"msg":"read"}}';; esac"#
      ))
    let driver = try open("a.txt")
    driver.run { driver.alerts == ["marks: read"] && driver.cache.lines.first??.styles?.isEmpty == false }
    #expect(driver.cache.lines[0]?.styles == [StyleSpan(start: 1, length: 2, style: 8)])
    #expect(driver.notifications.contains { if case .defineStyle(let style) = $0 { style.id == 8 } else { false } })
    driver.edit("insert", ["chars": "xx"])
    #expect(driver.cache.lines[0]?.styles == [StyleSpan(start: 3, length: 2, style: 8)], "marks follow the text")
    let lint = driver.cache.annotations.first { $0.type == "lint" }
    #expect(lint?.ranges == [LineColumn(line: 0, column: 2)..<LineColumn(line: 0, column: 3)])
    #expect(lint?.payloads == ["bad"])
    let item = StatusItem(source: "marks", key: "k", value: "v", alignment: "left")
    #expect(driver.notifications.contains(.addStatusItem(driver.view, item)))
    driver.notify(.plugin(driver.view, .stop(name: "marks")))
    #expect(driver.notifications.contains(.removeStatusItem(driver.view, key: "k")))
    #expect(driver.cache.lines[0]?.styles == [])
    finish(driver)
  }

  @Test(arguments: [
    ("dies", "read -r line\necho 'out of luck' >&2\nexit 3\n", "ended unexpectedly: out of luck"),
    ("hangs", "while :; do sleep 1; done\n", "does not answer; it was ended"),
    ("babbles", "while :; do echo '{nonsense'; done\n", "keeps saying what means nothing"),
    (
      "invents", "while :; do echo '{\"method\":\"fly\",\"params\":{\"view_id\":\"view-id-1\"}}'; done\n",
      "keeps saying what means nothing"
    ),
  ])
  func oneThatMisbehavesIsNamedAndGone(_ name: String, _ script: String, _ reason: String) throws {
    try install(name, script)
    // The others are to be found out by what they do, however long the machine takes to start them.
    let driver = try open(patience: name == "hangs" ? .milliseconds(500) : patience)
    driver.edit("insert", ["chars": "text"])
    driver.run { driver.alerts.contains { $0.hasPrefix("The plugin \(name) \(reason)") } }
    #expect(driver.alerts.contains { $0.hasPrefix("The plugin \(name) \(reason)") }, "\(driver.alerts)")
    #expect(driver.notifications.contains(.pluginStopped(driver.view, plugin: name, code: 0)))
    driver.edit("insert", ["chars": " goes on"])
    #expect(driver.markedText == "text goes on‸")
    #expect(driver.session.plugins.running.isEmpty)
    finish(driver)
  }

  /// With all that it has started.
  @Test(arguments: ["the core ends", "it is stopped", "it hangs"])
  func aPluginEnds(when cause: String) throws {
    let folder = try #require(plugins).path
    try install(
      "stays", "trap '' TERM HUP\nsleep 1000 & echo $$ $! >\(folder)/new; mv \(folder)/new \(folder)/ids\nwait; wait")
    let driver = try open(patience: cause == "it hangs" ? .milliseconds(100) : .seconds(60))
    driver.run { FileManager.default.fileExists(atPath: folder + "/ids") }
    let ids = try String(contentsOfFile: folder + "/ids", encoding: .utf8).split { $0 == " " || $0 == "\n" }
    #expect(ids.count == 2)
    switch cause {
    case "the core ends": driver.session.finish()
    case "it is stopped": driver.notify(.plugin(driver.view, .stop(name: "stays")))
    default: driver.edit("insert", ["chars": "x"])
    }
    for id in ids.compactMap({ pid_t($0) }) {
      driver.run { hasEnded(id) }
      #expect(hasEnded(id))
    }
    finish(driver)
  }

  /// The answers to all that it asks would fill the memory.
  @Test func oneThatAsksAndDoesNotReadIsEnded() throws {
    let wanted = #"{"view_id":"view-id-1","start":0,"unit":"utf8","max_size":1048576,"rev":1}"#
    try install(
      "greedy", "while :; do echo '{\"id\":1,\"method\":\"get_data\",\"params\":\(wanted)}'; done\n")
    let driver = try open()
    driver.edit("insert", ["chars": .string(String(repeating: "x", count: 1 << 20))])
    driver.run { !driver.alerts.isEmpty }
    #expect(driver.alerts == ["The plugin greedy asks, and does not read the answers; it was ended"])
    driver.edit("insert", ["chars": "y"])
    #expect(driver.document?.buffer.text.byteCount == 1 << 20 + 1)
    finish(driver)
  }

  @Test func liesDoNoHarm() throws {
    let lies = [
      #""edit","params":{"view_id":"view-id-1","edit":{"rev":99,"delta":{"base_len":0,"els":[]}}}"#,
      #""edit","params":{"view_id":"view-id-1","edit":{"rev":1,"delta":{"base_len":7,"els":[{"copy":[0,7]}]}}}"#,
      #""edit","params":{"view_id":"view-id-1","edit":{"rev":1,"delta":{"base_len":2,"els":[{"copy":[1,2]}]}}}"#,
      #""edit","params":{"view_id":"view-id-1","edit":{"rev":1,"delta":{"base_len":2,"els":[{"copy":[2,1]},{"copy":[-1,9]}]}}}"#,
      #""update_spans","params":{"view_id":"view-id-1","start":9223372036854775807,"len":9223372036854775807,"rev":1,"spans":[]}"#,
      #""update_spans","params":{"view_id":"view-id-1","start":0,"len":2,"rev":1,"spans":[{"start":2,"end":1,"scope_id":7}]}"#,
      #""update_annotations","params":{"view_id":"view-id-7"}"#,
    ]
    let said = lies.map { "say '{\"method\":\($0)}'" }.joined(separator: "; ")
    try install(
      "lies",
      PluginFolder.answering(
        #"case $line in *'"insert":"é"'*) \#(said); say '{"id":7,"method":"get_data","params":{"view_id":"view-id-1","start":-1,"unit":"utf8","max_size":-1,"rev":1}}';; *'"id":7'*) say '{"method":"alert","params":{"msg":"done"}}';; esac"#
      ))
    let driver = try open()
    driver.edit("insert", ["chars": "é"])
    driver.run { driver.alerts.contains("lies: done") }
    #expect(driver.alerts == ["lies: done"])
    #expect(driver.markedText == "é‸")
    finish(driver)
  }

  @Test func whatCannotBeStartedIsNamed() throws {
    let plugins = try #require(plugins)
    try plugins.install("broken", "", wholeManifest: "name = \"broken\"\nexec_path = \n")
    try plugins.install("nameless", "", wholeManifest: "exec_path = \"./run\"\n")
    try plugins.install("missing", "", wholeManifest: "name = \"missing\"\nexec_path = \"./none\"\n")
    let driver = try open()
    driver.run { driver.alerts.count == 3 }
    #expect(driver.alerts.contains { $0.contains("broken/manifest.toml") && $0.contains("line 2") })
    #expect(driver.alerts.contains { $0.contains("nameless/manifest.toml (it lacks name or exec_path)") })
    #expect(driver.alerts.contains { $0.hasPrefix("The plugin missing cannot be started") })
    driver.edit("insert", ["chars": "x"])
    #expect(driver.markedText == "x‸")
    finish(driver)
  }

  /// One that is slow gets no more than it can take, and the whole text when it has caught up.
  @Test func aSlowOneIsNotBuried() throws {
    let folder = try #require(plugins).path
    try install(
      "slow",
      PluginFolder.answering(
        #"case $line in *'"delta":null'*) say '{"method":"alert","params":{"msg":"caught up"}}';; esac"#,
        first: "while [ ! -e \(folder)/go ]; do sleep 0.1; done"))
    let driver = try open()
    driver.run { !driver.session.plugins.running.isEmpty }
    for _ in 0..<200 { driver.edit("insert", ["chars": "x"]) }
    #expect(driver.document?.buffer.text.byteCount == 200)
    #expect(driver.session.plugins.running.first?.staleDocuments == [driver.view])
    _ = FileManager.default.createFile(atPath: folder + "/go", contents: nil)
    driver.run { !driver.alerts.isEmpty }
    #expect(driver.alerts == ["slow: caught up"])
    finish(driver)
  }

  /// Text so large, or in so many pieces, would keep keys waiting.
  @Test(arguments: [
    (#"{"insert":"'; head -c 5000000 /dev/zero | tr '\0' P; printf '%s' '"}"#, "more than 4194304 bytes"),
    (#"'; yes '{"insert":"P"},' | head -n 70000 | tr -d '\n'; printf '%s' '{"insert":"P"}"#, "more than 65536 pieces"),
  ])
  func anEditThatIsTooLargeIsRefusedAndItsPluginNamed(_ elements: String, _ reason: String) throws {
    let edit = #"{"rev":0,"delta":{"base_len":0,"els":[\#(elements)]},"priority":0,"author":"big"}"#
    try install(
      "big",
      #"""
      for i in 1 2; do
        printf '%s' '{"method":"edit","params":{"view_id":"view-id-1","edit":\#(edit)}}'; echo
      done
      echo '{"method":"alert","params":{"msg":"done"}}'
      sleep 1000
      """#)
    let driver = try open()
    driver.run { driver.alerts.contains("big: done") }
    #expect(driver.alerts.filter { $0.contains("refused") } == ["An edit of the plugin big was refused: \(reason)"])
    #expect(driver.document?.buffer.text.isEmpty == true)
    finish(driver)
  }

  /// Also for what is done for it later than what it said.
  @Test func aPluginThatTakesMuchTimeIsPausedAndNamed() throws {
    try install("busy", "sleep 1000")
    let driver = try open()
    let plugin = try #require(driver.session.plugins.running.first)
    driver.session.plugins.charge([plugin.id + 1], .seconds(1))
    #expect(!plugin.isPaused)
    for _ in 0..<2 { driver.session.plugins.charge([plugin.id], .seconds(1)) }
    #expect(plugin.isPaused)
    driver.edit("insert", ["chars": "x"])
    driver.run { driver.document?.buffer.text.byteCount == 1 }
    #expect(!driver.alerts.contains { $0.contains("keeps the editor busy") }, "that may happen")
    for _ in 0..<2 { driver.session.plugins.charge([plugin.id], .seconds(1)) }
    driver.edit("insert", ["chars": "x"])
    driver.run { driver.alerts.contains("The plugin busy keeps the editor busy; it is slowed down") }
    finish(driver)
  }

  /// Whatever it calls itself.
  @Test func aPluginIsChargedForItsOwnEditsAlone() throws {
    try install("core", "sleep 1000")
    let driver = try open()
    let (plugin, document) = (try #require(driver.session.plugins.running.first), try #require(driver.document))
    driver.edit("insert", ["chars": "x"])
    document.plugins.untold = []
    func insertion() -> Delta {
      let (size, start) = (document.buffer.text.byteCount, ByteOffset(0))
      return Delta(baseByteCount: size, replacing: start..<start, with: "y")
    }
    document.commit(insertion(), as: .insert)
    #expect(document.plugins.untold.map(\.author.name) == ["core"])
    #expect(document.plugins.untoldAuthors == [])
    document.plugins.untold = []
    document.commit(
      insertion(), by: .init(plugin: plugin.id, name: plugin.name, priority: 1), inGroup: nil)
    #expect(document.plugins.untoldAuthors == [plugin.id])
    finish(driver)
  }

  /// It is read again and again, and each time less of it than it has said: never so much that a key waits.
  @Test(arguments: ["add_status_item", "update_status_item", "alert", "nonsense to the log"])
  func aFloodDelaysNoKey(_ method: String) throws {
    let line =
      method.contains(" ")
      ? "echo flood >&2"
      : #"echo '{"method":"\#(method)","params":{"view_id":"view-id-1","key":"k","value":"v","alignment":"left","msg":"m"}}'"#
    try install("flood", "while :; do \(line); done")
    let driver = try open()
    for round in 0..<200 {
      driver.edit("insert", ["chars": "x"])
      #expect(driver.document?.buffer.text.byteCount == round + 1)
      driver.loop.iterate()
    }
    finish(driver)
  }
}

@Suite struct PluginBudgetTests {
  @Test func aBurstIsFreeAndAFloodIsNot() {
    var now = MonotonicTime(nanoseconds: 0)
    var budget = TimeBudget(at: now)
    #expect(budget.spend(.milliseconds(60), at: now) == nil)
    #expect(budget.spend(.milliseconds(60), at: now) == .milliseconds(280))
    now = now + .milliseconds(280)
    #expect(budget.spend(.milliseconds(40), at: now) == nil)
    var (used, paused) = (Duration.zero, Duration.zero)
    for _ in 0..<10_000 {
      used += .milliseconds(1)
      now = now + .milliseconds(1)
      guard let pause = budget.spend(.milliseconds(1), at: now) else { continue }
      paused += pause
      now = now + pause
    }
    #expect(paused > used * 5 / 2, "a quarter of the time")
  }

  @Test func ofEachItemTheLastWordIsTold() {
    let view = ViewID("view-id-1")
    var changes = StatusChanges()
    let item = StatusItem(source: "p", key: "k", value: "0", alignment: "left")
    func note(_ change: StatusChanges.Change, of key: String) {
      changes.note(change, of: .init(document: view, key: key))
    }
    note(.add(item), of: "k")
    for value in 1...1000 { note(.update("\(value)"), of: "k") }
    note(.update("x"), of: "other")
    note(.remove, of: "gone")
    note(.update("x"), of: "gone")
    var last = item
    last.value = "1000"
    #expect(
      changes.takeAll().map { $0.change.notification(to: view, key: $0.item.key) } == [
        .addStatusItem(view, last), .updateStatusItem(view, key: "other", value: "x"),
        .removeStatusItem(view, key: "gone"),
      ])
    #expect(changes.takeAll().isEmpty)
  }
}
