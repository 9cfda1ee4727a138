import JSON
import Testing

@testable import EditorProtocol

private let view = ViewID("view-id-1")

/// What one side writes the other reads back as the same value.
@Suite struct RoundTripTests {
  @Test(arguments: PlainEdit.allCases)
  func plainEdits(_ edit: PlainEdit) throws {
    let (method, params) = EditCommand.plain(edit).encoded
    #expect(params == nil, "xi-core dies of params that it does not expect")
    #expect(try EditCommand(method: method, params: .null) == .plain(edit))
    #expect(try EditCommand(method: method, params: []) == .plain(edit))
  }

  @Test(arguments: [
    EditCommand.insert("é\n\u{0}"), .paste("a\nb"), .gotoLine(7), .scroll(first: 0, end: 40),
    .requestLines(first: 3, end: 3), .resize(width: 80, height: 24), .highlightFind(visible: true),
    .gesture(LineColumn(line: 1, column: 2), .select(.word, multi: true)),
    .gesture(LineColumn(line: 1, column: 2), .selectExtend(.line)), .gesture(LineColumn(line: 0, column: 0), .drag),
    .click(LineColumn(line: 1, column: 2), flags: 2, count: 1), .drag(LineColumn(line: 1, column: 2), flags: 0),
    .find(FindQuery("x", caseSensitive: false, regex: true, wholeWords: true)),
    .multiFind([FindQuery(id: 3, "x", caseSensitive: true), FindQuery("y", caseSensitive: false)]),
    .findNext(FindMotion()), .findPrevious(FindMotion(wrapAround: true, allowSame: true, selection: .add)),
    .selectionForFind(caseSensitive: true), .replace("r", preserveCase: false), .toggleRecording(name: "m"),
    .toggleRecording(name: nil), .playRecording(name: "m"), .requestHover(requestID: 1, at: nil),
    .requestHover(requestID: 1, at: LineColumn(line: 4, column: 5)), .gotoPosition(line: 9, character: 2),
  ])
  func edits(_ edit: EditCommand) throws {
    let message = FrontEndNotification.edit(view, edit).encoded
    #expect(try FrontEndNotification(method: message.method, params: message.params) == .edit(view, edit))
  }

  @Test(arguments: [
    FrontEndNotification.clientStarted(ClientStarted()),
    .clientStarted(ClientStarted(configDirectory: "/c", handshake: Handshake(unicode: "17.0.0"))),
    .closeView(view), .setEncoding(view, .shiftJIS, readsAgain: true), .save(view, path: "/f"), .setTheme(name: "t"),
    .setLanguage(view, languageID: "Swift"),
    .modifyUserConfig(.general, changes: ["tab_size": 4]), .modifyUserConfig(.language("C"), changes: [:]),
    .modifyUserConfig(.userOverride(view), changes: ["x": .null]), .plugin(view, .start(name: "p")),
    .plugin(view, .stop(name: "p")),
    .plugin(view, .rpc(receiver: "p", method: "m", params: ["a": 1], isRequest: true)),
    .tracingConfig(enabled: true), .saveTrace(destination: "/t", frontEndSamples: [["ts": 1]]), .cancel(view),
    .recover(view, recoveryID: "r", .restore),
  ])
  func frontEndNotifications(_ notification: FrontEndNotification) throws {
    let (method, params) = notification.encoded
    #expect(try FrontEndNotification(method: method, params: params) == notification)
  }

  @Test(arguments: [
    FrontEndRequest.newView(NewView()), .newView(NewView(path: "/f")),
    .newView(NewView(path: "/f", isReadOnly: true, recoveryID: "r")), .getConfig(view), .debugGetContents(view),
    .cut(view), .copy(view), .saveFile(view, path: "/f", .ifNew),
  ])
  func frontEndRequests(_ request: FrontEndRequest) throws {
    let (method, params) = request.encoded
    #expect(try FrontEndRequest(method: method, params: params) == request)
  }

  @Test(arguments: [
    CoreNotification.scrollTo(view, LineColumn(line: 3, column: 4)),
    .defineStyle(StyleDefinition(id: 8, foreground: 0xFF11_2233, weight: 700, isItalic: true, isUnderlined: true)),
    .themeChanged(name: "t", theme: ["caret": .null]), .availableThemes(["a"]), .availableLanguages([]),
    .languageChanged(view, languageID: "C"), .configChanged(view, changes: ["tab_size": 4]),
    .availablePlugins(view, [PluginState(name: "p", isRunning: true)]), .pluginStarted(view, plugin: "p"),
    .pluginStopped(view, plugin: "p", code: 1), .updateCommands(view, plugin: "p", commands: []),
    .findStatus(
      view, [FindStatus(id: 1, chars: nil, matches: 0), FindStatus(id: 2, chars: "x", matches: 1, lines: [1])]),
    .replaceStatus(view, chars: "r", preserveCase: false), .alert("a"),
    .addStatusItem(view, StatusItem(source: "s", key: "k", value: "v", alignment: "right")),
    .updateStatusItem(view, key: "k", value: "v"), .removeStatusItem(view, key: "k"),
    .showHover(view, requestID: 1, result: "r"), .handshake(Handshake(unicode: "17.0.0", extensions: [.progress])),
    .fileInformation(view, FileInformation(path: nil)),
    .fileInformation(view, FileInformation(path: "/f", encoding: .utf16BigEndianWithMark)),
    .fileInformation(
      view,
      FileInformation(
        path: "/f", encoding: nil, lineEnding: .mixed, hasFinalNewline: false, isReadOnly: true, isNew: true,
        usedByProcess: 4, recoveryID: "r")),
    .progress(view, Progress(.find, done: 1, total: 2)),
    .recoveryFound(RecoveryOffer(view: view, recoveryID: "r", time: 5, baseChanged: true)),
    .recovered(view, handledEdits: 12, hasSelection: true),
  ])
  func coreNotifications(_ notification: CoreNotification) throws {
    let (method, params) = notification.encoded
    #expect(try CoreNotification(method: method, params: params) == notification)
  }

  @Test func updates() throws {
    let styles = [StyleSpan(start: 4, length: 3, style: 0), StyleSpan(start: 2, length: 9, style: 8)]
    let update = ViewUpdate(
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
    let (method, params) = CoreNotification.update(view, update).encoded
    #expect(try CoreNotification(method: method, params: params) == .update(view, update))
  }

  @Test func measureWidth() throws {
    let request = CoreRequest.measureWidth([MeasureWidth(style: 8, strings: ["a", ""])])
    let (method, params) = request.encoded
    #expect(try CoreRequest(method: method, params: params) == request)
  }
}
