import JSON
import Testing

@testable import EditorProtocol

/// Messages as the real xi-core and its front ends write them.
@Suite struct WireTests {
  private func core(_ text: String) throws -> CoreNotification {
    let message = try JSONValue(parsing: text)
    return try CoreNotification(method: message["method"]?.string ?? "", params: message["params"] ?? .null)
  }

  private func frontEnd(_ text: String) throws -> FrontEndNotification {
    let message = try JSONValue(parsing: text)
    return try FrontEndNotification(method: message["method"]?.string ?? "", params: message["params"] ?? .null)
  }

  @Test func stylesAreRelativeToTheEndOfTheSpanBefore() throws {
    let text = """
      {"method":"update","params":{"update":{"annotations":[],"ops":[{"op":"ins","n":1,"lines":[
      {"text":"hello\\n","ln":1,"cursor":[2],"styles":[1,2,0,-1,3,8]}]}],"pristine":true},"view_id":"view-id-1"}}
      """
    guard case .update(_, let update) = try core(text), case .insert(let lines) = update.ops[0] else {
      Issue.record("not an update")
      return
    }
    #expect(lines[0].styles == [StyleSpan(start: 1, length: 2, style: 0), StyleSpan(start: 2, length: 3, style: 8)])
    #expect(lines[0].cursors == [2])
    #expect(update.handledEdits == nil)
  }

  @Test(arguments: [
    #"{"method":"update","params":{"view_id":"v"}}"#,
    #"{"method":"update","params":{"view_id":"v","update":{"ops":[{"op":"copy","n":-1}]}}}"#,
    #"{"method":"update","params":{"view_id":"v","update":{"ops":[{"op":"invalidate","n":9223372036854775807}]}}}"#,
    #"{"method":"scroll_to","params":{"view_id":"v","line":9007199254740993,"col":0}}"#,
    #"{"method":"update","params":{"view_id":"v","update":{"ops":[{"op":"ins","n":2,"lines":[{}]}]}}}"#,
    #"{"method":"update","params":{"view_id":"v","update":{"ops":[{"op":"melt","n":2}]}}}"#,
    #"{"method":"scroll_to","params":{"view_id":"v","line":1}}"#,
    #"{"method":"scroll_to","params":[1,2]}"#, #"{"method":"alert","params":{"msg":1}}"#, #"{"method":"alert"}"#,
  ])
  func damagedMessagesAreErrors(_ text: String) {
    #expect { try core(text) } throws: { ($0 as? ProtocolError)?.code == .invalidParams }
  }

  @Test func unknownMethodsAreErrors() {
    #expect { try core(#"{"method":"new_thing","params":{}}"#) } throws: {
      $0 as? ProtocolError == ProtocolError(.unknownMethod, method: "new_thing")
    }
    #expect { try frontEnd(#"{"method":"edit","params":{"view_id":"v","method":"fly"}}"#) } throws: {
      $0 as? ProtocolError == ProtocolError(.unknownMethod, method: "fly")
    }
  }

  @Test func unknownMembersAreIgnored() throws {
    #expect(
      try frontEnd(#"{"method":"close_view","params":{"view_id":"v","more":[1]}}"#) == .closeView(ViewID("v")))
  }

  @Test func deprecatedGesturesAreTranslated() throws {
    let text =
      #"{"method":"edit","params":{"view_id":"v","method":"gesture","params":{"line":1,"col":2,"ty":"word_select"}}}"#
    #expect(
      try frontEnd(text)
        == .edit(ViewID("v"), .gesture(LineColumn(line: 1, column: 2), .select(.word, multi: false))))
  }

  @Test func aMultiFindIsAnObjectAndItsNewQueriesHaveNoID() {
    let params = JSONValue(writtenBy: EditCommand.multiFind([FindQuery("x", caseSensitive: false)]).writeParams)
    #expect(
      params == ["queries": [["chars": "x", "case_sensitive": false, "regex": false, "whole_words": false]]])
  }

  @Test func tooManyQueriesAreNoMessage() {
    let query = FindQuery("x", caseSensitive: false)
    for (count, isMessage) in [(1000, true), (1001, false)] {
      let command = EditCommand.multiFind(Array(repeating: query, count: count))
      let message = FrontEndNotification.edit(ViewID("v"), command).encoded
      #expect(((try? FrontEndNotification(method: message.method, params: message.params)) != nil) == isMessage)
    }
  }

  @Test func stylesThatOverflowAreDropped() throws {
    let text = """
      {"method":"update","params":{"view_id":"v","update":{"ops":[{"op":"ins","n":1,"lines":[
      {"text":"a","styles":[0,1,0,9223372036854775807,1,0]}]}]}}}
      """
    guard case .update(_, let update) = try core(text), case .insert(let lines) = update.ops[0] else {
      Issue.record("not an update")
      return
    }
    #expect(lines[0].styles == [StyleSpan(start: 0, length: 1, style: 0)])
  }
}
