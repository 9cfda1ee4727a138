import JSON

@testable import EditorProtocol

private let view = ViewID("view-id-1")

/// Messages of every kind.
enum Samples {
  static let edits: [EditCommand] = [
    .insert("é\n\u{0}"), .paste("a\nb"), .gotoLine(7), .scroll(first: 0, end: 40),
    .requestLines(first: 3, end: 3), .alsoShown([3..<9, 20..<20]), .resize(width: 80, height: 24),
    .highlightFind(visible: true),
    .gesture(LineColumn(line: 1, column: 2), .select(.word, multi: true)),
    .gesture(LineColumn(line: 1, column: 2), .selectExtend(.line)), .gesture(LineColumn(line: 0, column: 0), .drag),
    .gesture(LineColumn(line: 3, column: 0), .selectColumns(cell: 7, extends: true)),
    .click(LineColumn(line: 1, column: 2), flags: 2, count: 1), .drag(LineColumn(line: 1, column: 2), flags: 0),
    .find(FindQuery("x", caseSensitive: false, regex: true, wholeWords: true)),
    .multiFind([FindQuery(id: 3, "x", caseSensitive: true), FindQuery("y", caseSensitive: false)]),
    .findNext(FindMotion()), .findPrevious(FindMotion(wrapAround: true, allowSame: true, selection: .add)),
    .selectionForFind(caseSensitive: true), .replace("r", preserveCase: false), .toggleRecording(name: "m"),
    .toggleRecording(name: nil), .playRecording(name: "m"), .clearRecording(name: "m"),
    .requestHover(requestID: 1, at: nil),
    .requestHover(requestID: 1, at: LineColumn(line: 4, column: 5)), .gotoPosition(line: 9, character: 2),
    .pasteHeld(3), .pasteLines("a\n"), .insertBytes(RawBytes(Array(0...255))), .completeWord(typed: "é", word: "été"),
  ]

  static let frontEndNotifications: [FrontEndNotification] = [
    .clientStarted(ClientStarted()),
    .clientStarted(ClientStarted(configDirectory: "/c", handshake: Handshake(unicode: "17.0.0"))),
    .closeView(view), .setEncoding(view, .shiftJIS, readsAgain: true), .save(view, path: "/f"), .setTheme(name: "t"),
    .setLanguage(view, languageID: "Swift"),
    .modifyUserConfig(.general, changes: ["tab_size": 4]), .modifyUserConfig(.language("C"), changes: [:]),
    .modifyUserConfig(.userOverride(view), changes: ["x": .null]), .plugin(view, .start(name: "p")),
    .plugin(view, .stop(name: "p")),
    .plugin(view, .rpc(receiver: "p", method: "m", params: ["a": 1], isRequest: true)),
    .tracingConfig(enabled: true), .saveTrace(destination: "/t", frontEndSamples: [["ts": 1]]), .cancel(view),
    .reload(view), .compareWithDisk(view), .endTask(3),
    .recover(view, recoveryID: "r", .restore),
  ]

  static let frontEndRequests: [FrontEndRequest] = [
    .newView(NewView()), .newView(NewView(path: "/f")),
    .newView(NewView(path: "/f", isReadOnly: true, recoveryID: "r")), .getConfig(view), .debugGetContents(view),
    .cut(view), .copy(view), .copy(view, holdAbove: 1 << 20), .saveFile(view, path: "/f", .ifNew),
    .saveFile(view, path: "/f", .always, makesFolders: true), .newView(NewView(path: "/f", reusesView: true)),
    .newView(NewView(path: "/f", mustExist: true)),
    .motionsEnd(view), .change(view), .runCommand(view, "sort -u", .filter), .runCommand(view, "date", .insert),
    .completePath("~/f"), .folder(3, .list), .words(view),
    .folder(4, .search(FindQuery("a", caseSensitive: true, regex: true, wholeWords: true))),
  ]

  static let coreNotifications: [CoreNotification] = [
    .scrollTo(view, LineColumn(line: 3, column: 4)),
    .defineStyle(StyleDefinition(id: 8, foreground: 0xFF11_2233, weight: 700, isItalic: true, isUnderlined: true)),
    .themeChanged(name: "t", theme: ["caret": .null]), .availableThemes(["a"]), .availableLanguages([]),
    .languageChanged(view, languageID: "C"), .configChanged(view, changes: ["tab_size": 4]),
    .availablePlugins(view, [PluginState(name: "p", isRunning: true)]), .pluginStarted(view, plugin: "p"),
    .pluginStopped(view, plugin: "p", code: 1), .updateCommands(view, plugin: "p", commands: []),
    .findStatus(
      view, [FindStatus(id: 1, chars: nil, matches: 0), FindStatus(id: 2, chars: "x", matches: 1, lines: [1])]),
    .findStatus(view, [FindStatus(id: 1, chars: nil, matches: 10, current: 3, hasWrapped: true)]),
    .findStatus(view, [FindStatus(id: 1, chars: "(", isRegex: true, matches: 0, problem: "not closed")]),
    .replaceStatus(view, chars: "r", preserveCase: false), .alert("a"),
    .addStatusItem(view, StatusItem(source: "s", key: "k", value: "v", alignment: "right")),
    .updateStatusItem(view, key: "k", value: "v"), .removeStatusItem(view, key: "k"),
    .showHover(view, requestID: 1, result: "r"), .handshake(Handshake(unicode: "17.0.0", extensions: [.progress])),
    .handshake(Handshake(unicode: "17.0.0", extensions: [], settingsPath: "/s.toml")),
    .fileInformation(view, FileInformation(path: nil)), .keySettings(KeySettings(path: "/s")),
    .keySettings(
      KeySettings(path: "/s", set: "nano", setLine: 3, entries: [.init(keys: "^K ^D", command: "save", line: 5)])),
    .fileInformation(view, FileInformation(path: "/f", encoding: .utf16BigEndianWithMark)),
    .fileInformation(
      view,
      FileInformation(
        path: "/f", encoding: nil, lineEnding: .mixed, hasFinalNewline: false, isReadOnly: true, isNew: true,
        usedByProcess: 4, recoveryID: "r", isGone: true, isInMemoryOnly: true)),
    .progress(view, Progress(.find, done: 1, total: 2)),
    .recoveryFound(RecoveryOffer(view: view, recoveryID: "r", time: 5, baseChanged: true)),
    .fileChanged(view, isReloaded: true), .recovered(view, handledEdits: 12, hasSelection: true),
    .recovered(view, handledEdits: 12, hasSelection: false, savedEdits: 3),
  ]
}
