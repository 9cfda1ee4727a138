import EditorProtocol
import JSON
import TestSupport
import Testing

@testable import EditorClient

/// A core that has lost its mind: whatever it says, the screen is drawn and keys are taken.
@Suite struct ProtocolFuzzTests {
  private static let view = Bench.view

  private static let notifications: [CoreNotification] = [
    .update(
      view,
      ViewUpdate(
        ops: [
          .invalidate(count: 3),
          .insert([
            UpdateLine(
              text: "one two\n", number: 4, cursors: [0, 3], styles: [StyleSpan(start: 1, length: 3, style: 0)]),
            UpdateLine(text: "日本\u{202E}\t👩‍🚀e\u{301}", styles: []),
            UpdateLine(text: "part", window: UpdateLine.Window(start: 100, lineLength: 5000)),
          ]),
        ], pristine: false,
        annotations: [
          Annotation(type: "selection", ranges: [LineColumn(line: 3, column: 1)..<LineColumn(line: 4, column: 2)])
        ],
        handledEdits: 3)),
    .update(
      view,
      ViewUpdate(
        ops: [
          .copy(count: 2, firstNumber: 1), .skip(count: 1),
          .update([UpdateLine(number: 2, cursors: [2])], firstNumber: 2),
        ],
        pristine: true)),
    .scrollTo(view, LineColumn(line: 4, column: 5)), .defineStyle(StyleDefinition(id: 8, foreground: 0xFF00_FF00)),
    .themeChanged(name: "t", theme: ["background": ["r": 1, "g": 2, "b": 3, "a": 255]]),
    .configChanged(view, changes: ["tab_size": 8, "word_wrap": true, "line_numbers": false]),
    .findStatus(view, [FindStatus(id: 1, chars: "x", matches: 7, lines: [1, 2])]), .alert("a\u{1B}[2Jb"),
    .addStatusItem(view, StatusItem(source: "s", key: "k", value: "v\u{7}", alignment: "right")),
    .updateStatusItem(view, key: "k", value: "w"), .removeStatusItem(view, key: "k"),
    .fileInformation(
      view, FileInformation(path: "/f", encoding: nil, lineEnding: .mixed, usedByProcess: 4, recoveryID: "r")),
    .progress(view, Progress(.find, done: 1, total: 2)),
    .recoveryFound(RecoveryOffer(view: view, recoveryID: "r", time: 5, baseChanged: true)),
    .recovered(view, handledEdits: 12, hasSelection: true), .fileChanged(view, isReloaded: false),
    .handshake(Handshake(unicode: "17.0.0")), .updateCommands(view, plugin: "p", commands: [["title": "t"]]),
    .showHover(view, requestID: 1, result: "r"),
    .keySettings(KeySettings(path: "s", set: "emacs", entries: [.init(keys: "^K ^D", command: "save", line: 1)])),
  ]
  private static let keys: [Key] = [
    Key(.character("a")), Key(.enter), Key(.escape), Key(.down), Key(.pageDown), Key(.end, .control), .control("f"),
    .control("a"), .control("x"), .control("s"), .alt("w"), Key(.function(1)), .control("w"), .control("q"),
    Key(.function(2)), .control("k"),
  ]

  @Test(arguments: 0..<60 as Range<UInt64>)
  func theScreenIsDrawnWhateverComes(seed: UInt64) {
    var mutator = MessageMutator(seed: seed)
    let bench = Bench(isOurCore: seed % 2 == 0)
    var grid = CellGrid(columns: 0, rows: 0)
    for _ in 0..<200 {
      let (method, params) = Self.notifications[mutator.number(below: Self.notifications.count)].encoded
      let isGood = mutator.isOne(in: 3)
      if let notification = try? CoreNotification(method: method, params: isGood ? params : mutator.mutated(params)) {
        bench.editor.handle(notification)
      }
      if mutator.isOne(in: 4) { bench.editor.handle(.key(Self.keys[mutator.number(below: Self.keys.count)])) }
      if mutator.isOne(in: 10) { bench.core.answer(.success(mutator.value())) }
      if mutator.isOne(in: 30) {
        bench.editor.handle(.resize(columns: mutator.number(below: 100), rows: mutator.number(below: 40)))
      }
      _ = bench.editor.compose(into: &grid)
      #expect(!(0..<grid.rows).contains { grid.text(row: $0).unicodeScalars.contains { $0.value < 0x20 } })
    }
  }
}
