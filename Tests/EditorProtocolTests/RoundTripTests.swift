import JSON
import Testing

@testable import EditorProtocol

private let view = ViewID("view-id-1")

/// What one side writes the other reads back as the same value.
@Suite struct RoundTripTests {
  private func expectReadBack<Message: WireMessage & EncodableMessage & Equatable>(_ message: Message) throws {
    let (method, params) = message.encoded
    let read: Message = try Wire.read(method, params)
    #expect(read == message)
  }

  @Test(arguments: PlainEdit.allCases)
  func plainEdits(_ edit: PlainEdit) throws {
    let (method, params) = FrontEndNotification.edit(view, .plain(edit)).encoded
    #expect(
      params == ["view_id": .string(view.rawValue), "method": .string(edit.rawValue)], "xi-core dies of params of it")
    for others: JSONValue in [.null, []] {
      var params = params.object ?? [:]
      params["params"] = others
      #expect(try FrontEndNotification(method: method, params: .object(params)) == .edit(view, .plain(edit)))
    }
  }

  @Test(arguments: Samples.edits)
  func edits(_ edit: EditCommand) throws {
    let message = FrontEndNotification.edit(view, edit).encoded
    #expect(try FrontEndNotification(method: message.method, params: message.params) == .edit(view, edit))
  }

  @Test(arguments: Samples.frontEndNotifications)
  func frontEndNotifications(_ notification: FrontEndNotification) throws { try expectReadBack(notification) }

  @Test(arguments: Samples.frontEndRequests)
  func frontEndRequests(_ request: FrontEndRequest) throws { try expectReadBack(request) }

  @Test(arguments: Samples.coreNotifications)
  func coreNotifications(_ notification: CoreNotification) throws { try expectReadBack(notification) }

  @Test(arguments: Samples.hostNotifications)
  func hostNotifications(_ notification: HostNotification) throws {
    #expect(notification.encoded.params.object != nil, "xi's plugins take no other")
    try expectReadBack(notification)
  }

  @Test(arguments: Samples.hostRequests)
  func hostRequests(_ request: HostRequest) throws {
    #expect(request.encoded.params.object != nil, "xi's plugins take no other")
    try expectReadBack(request)
  }

  @Test(arguments: Samples.pluginNotifications)
  func pluginNotifications(_ notification: PluginNotification) throws { try expectReadBack(notification) }

  @Test(arguments: Samples.pluginRequests)
  func pluginRequests(_ request: PluginRequest) throws { try expectReadBack(request) }

  @Test func everyKindHasASample() {
    #expect(Set(Samples.hostNotifications.map(\.method)) == Set(HostNotification.kinds.keys))
    #expect(Set(Samples.hostRequests.map(\.method)) == Set(HostRequest.kinds.keys))
    #expect(Set(Samples.pluginNotifications.map(\.method)) == Set(PluginNotification.kinds.keys))
    #expect(Set(Samples.pluginRequests.map(\.method)) == Set(PluginRequest.kinds.keys))
  }

  @Test func updates() throws {
    let styles = [StyleSpan(start: 4, length: 3, style: 0), StyleSpan(start: 2, length: 9, style: 8)]
    var update = ViewUpdate(
      ops: [
        .copy(count: 3, firstNumber: 1), .copy(count: 1, firstNumber: nil), .skip(count: 2), .invalidate(count: 9),
        .insert([
          UpdateLine(text: "a\n", number: 4, cursors: [0, 1], styles: styles), UpdateLine(text: "", styles: []),
          UpdateLine(text: "part", window: UpdateLine.Window(start: 100, lineLength: 5000)),
        ]), .update([UpdateLine(cursors: [2])], firstNumber: 5),
      ], pristine: true,
      annotations: [
        Annotation(type: "selection", ranges: [LineColumn(line: 0, column: 1)..<LineColumn(line: 2, column: 0)]),
        Annotation(type: "lint", ranges: [], payloads: ["x"]),
      ], handledEdits: 4)
    update.caret = LineColumn(line: 8, column: 7)
    let (method, params) = CoreNotification.update(view, update).encoded
    #expect(try CoreNotification(method: method, params: params) == .update(view, update))
  }

  @Test func measureWidth() throws {
    let request = CoreRequest.measureWidth([MeasureWidth(style: 8, strings: ["a", ""])])
    let (method, params) = request.encoded
    #expect(try CoreRequest(method: method, params: params) == request)
  }
}
