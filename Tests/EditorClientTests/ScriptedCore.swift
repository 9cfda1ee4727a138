import EditorProtocol
import JSON
import JSONRPC

@testable import EditorClient

/// A core that says what the test says, and remembers what it was told.
final class ScriptedCore: CoreChannel {
  private(set) var sent: [FrontEndNotification] = []
  private(set) var requests: [(request: FrontEndRequest, completion: (Result<JSONValue, ResponseError>) -> Void)] = []

  /// Questions that only ask whether all is done are answered at once.
  var answersBarriers = true

  func send(_ notification: FrontEndNotification) { sent.append(notification) }

  func send(_ request: FrontEndRequest, completion: @escaping (Result<JSONValue, ResponseError>) -> Void) {
    if answersBarriers {
      switch request {
      case .getConfig, .motionsEnd: return completion(.success([:]))
      default: break
      }
    }
    requests.append((request, completion))
  }

  /// Answers the oldest request that waits.
  func answer(_ result: Result<JSONValue, ResponseError>) {
    guard !requests.isEmpty else { return }
    requests.removeFirst().completion(result)
  }

  /// What was sent since the last call.
  func takeSent() -> [FrontEndNotification] {
    defer { sent = [] }
    return sent
  }

  /// The edits among it.
  func takeEdits() -> [EditCommand] {
    takeSent().compactMap { if case .edit(_, let command) = $0 { command } else { nil } }
  }
}

/// An editor in front of a scripted core, with one view open.
struct Bench {
  static let view = ViewID("view-id-1")
  let core = ScriptedCore()
  let editor: Editor

  init(
    _ text: [String] = ["one", "two"], path: String? = "/f.txt", isOurCore: Bool = true, columns: Int = 60,
    rows: Int = 12
  ) {
    self.init(opening: path, isOurCore: isOurCore, columns: columns, rows: rows)
    core.answer(.success("view-id-1"))
    show(text, handledEdits: isOurCore ? 2 : nil)
    _ = core.takeSent()
  }

  /// The core has not answered yet.
  init(opening path: String?, isOurCore: Bool = true, columns: Int = 60, rows: Int = 12) {
    editor = Editor(channel: core, columns: columns, rows: rows)
    editor.core.start()
    editor.files.open(path: path)
    if isOurCore { editor.handle(.handshake(Handshake(unicode: "17.0.0"))) }
    _ = core.takeSent()
  }

  /// The core sends the whole text, with the caret at its start.
  func show(
    _ text: [String], pristine: Bool = true, handledEdits: Int? = nil, keptEdits: Int? = nil,
    selecting range: Range<LineColumn>? = nil
  ) {
    let lines = text.enumerated().map { index, line in
      UpdateLine(text: line + "\n", number: index + 1, cursors: index == 0 ? [0] : [], styles: [])
    }
    var update = ViewUpdate(ops: [.insert(lines)], pristine: pristine)
    update.handledEdits = handledEdits
    update.keptEdits = keptEdits
    if let range { update.annotations = [Annotation(type: "selection", ranges: [range])] }
    editor.handle(.update(Self.view, update))
    editor.handle(.scrollTo(Self.view, LineColumn(line: 0, column: 0)))
  }

  /// Presses keys: characters, or named ones between braces such as `{enter}`, `{^F}`, `{alt c}`.
  /// What is offered has been seen before each.
  func press(_ keys: String) {
    for event in Self.events(keys) {
      editor.noteSeenOffer()
      editor.handle(event)
    }
  }

  static func events(_ keys: String) -> [InputEvent] {
    var events: [InputEvent] = []
    var rest = keys[...]
    while let first = rest.popFirst() {
      guard first == "{", let end = rest.firstIndex(of: "}") else {
        events.append(.key(Key(.character(first))))
        continue
      }
      events.append(.key(key(String(rest[..<end]))))
      rest = rest[rest.index(after: end)...]
    }
    return events
  }

  private static func key(_ name: String) -> Key {
    if name.hasPrefix("^"), name.count == 2, let letter = name.last { return .control(Character(letter.lowercased())) }
    if name.hasPrefix("alt "), let letter = name.last { return .alt(letter) }
    let named: [String: Key] = [
      "enter": Key(.enter), "esc": Key(.escape), "up": Key(.up), "down": Key(.down), "left": Key(.left),
      "right": Key(.right),
      "backspace": Key(.backspace), "F1": Key(.function(1)), "F2": Key(.function(2)), "F3": Key(.function(3)),
      "shift F3": Key(.function(3), .shift), "alt-right": Key(.right, .alt), "tab": Key(.tab), "home": Key(.home),
      "^home": Key(.home, .control),
    ]
    return named[name] ?? Key(.escape)
  }

  /// The rows of the screen as they would be drawn.
  var screen: [String] {
    var grid = CellGrid(columns: 0, rows: 0)
    editor.screen.forgetFrame()
    _ = editor.compose(into: &grid)
    return (0..<grid.rows).map { grid.text(row: $0) }
  }

  var bottom: String { screen.last ?? "" }
  /// What the bottom line tells, also where it has no room for all.
  var told: String { editor.notices.message?.text ?? "" }

  var cursor: CursorPlace? {
    var grid = CellGrid(columns: 0, rows: 0)
    editor.screen.forgetFrame()
    return editor.compose(into: &grid)
  }
}
