import EditorProtocol
import Foundation
import JSON
import Testing

@testable import EditorCore

@Suite struct ProtocolTests {
  /// What kills xi-core, or hangs it.
  @Test(arguments: [
    "nonsense", "[]", "7", "{}", #"{"method":"edit"}"#, #"{"method":"edit","params":{"view_id":"view-id-1"}}"#,
    #"{"method":"edit","params":{"view_id":"view-id-1","method":"fly","params":[]}}"#,
    #"{"method":"edit","params":{"view_id":"view-id-1","method":"insert","params":{}}}"#,
    #"{"method":"edit","params":{"view_id":"view-id-1","method":"move_up","params":{"x":1}}}"#,
    #"{"method":"edit","params":{"view_id":"view-id-1","method":"scroll","params":[-5,-9]}}"#,
    #"{"method":"edit","params":{"view_id":"view-id-1","method":"scroll","params":[9223372036854775807,5]}}"#,
    #"{"method":"edit","params":{"view_id":"view-id-1","method":"request_lines","params":[0,9223372036854775807]}}"#,
    #"{"method":"edit","params":{"view_id":"view-id-1","method":"goto_line","params":{"line":9223372036854775807}}}"#,
    #"{"method":"edit","params":{"view_id":"view-id-1","method":"gesture","params":{"line":9223372036854775807,"col":9223372036854775807,"ty":"drag"}}}"#,
    #"{"method":"edit","params":{"view_id":"view-id-1","method":"gesture","params":{"line":0,"col":9223372036854775807,"ty":"point_select"}}}"#,
    #"{"method":"edit","params":{"view_id":"view-id-1","method":"resize","params":{"width":-1e300,"height":1e300}}}"#,
    #"{"method":"edit","params":{"view_id":"view-id-1","method":"multi_find","params":[]}}"#,
    #"{"method":"edit","params":{"view_id":"view-id-9","method":"insert","params":{"chars":"x"}}}"#,
    #"{"method":"insert","params":{"chars":"\ud83d"}}"#, #"{"method":"client_started","params":{}}"#,
    #"{"id":"abc","method":"get_config","params":{}}"#, #"{"id":5,"method":"new_view","params":{"file_path":7}}"#,
    #"{"id":5,"method":"new_view","params":{"file_path":"/"}}"#, #"{"method":"save","params":{"view_id":"x"}}"#,
    #"{"method":"save","params":{"view_id":"view-id-1","file_path":"/nowhere/at/all"}}"#,
    #"{"method":"modify_user_config","params":{"domain":"general","changes":{"tab_size":-3}}}"#,
    #"{"method":"modify_user_config","params":{"domain":"general","changes":{"tab_size":9223372036854775807,"wrap_width":1}}}"#,
    #"{"method":"set_theme","params":{"theme_name":"no such theme"}}"#,
  ])
  func nothingThatComesInEndsTheCore(line: String) throws {
    let driver = CoreDriver()
    driver.open()
    driver.edit("insert", ["chars": "alpha beta\ngamma"])
    driver.send(line: line)
    driver.edit("insert", ["chars": "!"])
    let text = try driver.request("debug_get_contents", ["view_id": .string(driver.view.rawValue)]).get()
    #expect(text.string?.count == 17 && text.string?.filter { $0 != "!" } == "alpha beta\ngamma")
  }

  @Test func messagesBeforeClientStartedAreNotObeyed() {
    let driver = CoreDriver()
    driver.open()
    #expect(driver.view.rawValue == "view-id-1")
    #expect(driver.open().rawValue == "view-id-3")
  }

  @Test func theHandshakeIsForThoseWhoAskedForIt() {
    let isHandshake = { (notification: CoreNotification) in
      if case .handshake = notification { true } else { false }
    }
    #expect(CoreDriver().notifications.contains(where: isHandshake) == false)
    #expect(CoreDriver(handshake: true).notifications.first.map(isHandshake) == true)
  }

  @Test func handledEditsAreCounted() {
    let driver = CoreDriver(handshake: true)
    driver.open()
    for _ in 0..<3 { driver.edit("insert", ["chars": "x"]) }
    _ = driver.request("edit", ["view_id": .string(driver.view.rawValue), "method": "copy", "params": []])
    let counts = driver.notifications.compactMap { notification -> Int? in
      if case .update(_, let update) = notification { update.handledEdits } else { nil }
    }
    #expect(counts == [0, 1, 2, 3, 4])
  }

  @Test func missingViewsAreAnError() {
    let answer = CoreDriver().request("get_config", ["view_id": "view-id-77"])
    #expect(throws: (any Error).self) { try answer.get() }
  }

  @Test func settingsAreMergedAndTold() throws {
    let driver = CoreDriver()
    let first = driver.open()
    let second = driver.open()
    driver.notify(.modifyUserConfig(.general, changes: ["tab_size": 3, "own": "kept"]))
    driver.notify(.modifyUserConfig(.userOverride(first), changes: ["tab_size": 7]))
    let config = { (view: ViewID) in try driver.request("get_config", ["view_id": .string(view.rawValue)]).get() }
    #expect(try config(first)["tab_size"] == 7 && config(second)["tab_size"] == 3)
    #expect(try config(first)["own"] == "kept")
    driver.notify(.modifyUserConfig(.userOverride(first), changes: ["tab_size": .null]))
    #expect(try config(first)["tab_size"] == 3)
    driver.notify(.modifyUserConfig(.general, changes: ["tab_size": "wide"]))
    #expect(try config(first)["tab_size"] == 3)
    #expect(driver.notifications.contains { if case .alert = $0 { true } else { false } })
  }

  @Test func recordingsPlayAgain() {
    let driver = CoreDriver()
    driver.open()
    driver.edit("toggle_recording", ["recording_name": "twice"])
    driver.edit("insert", ["chars": "a"])
    driver.edit("insert_newline")
    driver.edit("toggle_recording", ["recording_name": "twice"])
    driver.edit("play_recording", ["recording_name": "twice"])
    #expect(driver.markedText == "a\na\n‸")
    driver.edit("clear_recording", ["recording_name": "twice"])
    driver.edit("play_recording", ["recording_name": "twice"])
    #expect(driver.markedText == "a\na\n‸")
  }
}
