import EditorProtocol

/// The keys in force, and a chord that has begun.
final class Keys {
  private(set) var map: KeyMap
  private var chord: [Key] = []
  private let screen: Screen
  private let notices: Notices

  init(_ map: KeyMap, _ screen: Screen, _ notices: Notices) {
    (self.map, self.screen, self.notices) = (map, screen, notices)
  }

  /// The first key of a command, as text tells it; where it has none, the command.
  func label(of action: Command.Action) -> String { label(of: .action(action)) }

  func label(of edit: PlainEdit) -> String { label(of: .edit(edit)) }

  private func label(of command: Command) -> String {
    map.labels(of: command).first ?? "the command \"\(CommandTable.title(of: command))\""
  }

  /// Leaves without the core; a chord could not be told from what is held, so that there is always one key.
  var leavingKey: Key {
    map.bindings.first { $0.command == .action(.quit) && $0.keys.count == 1 }?.keys.first ?? .control("q")
  }

  /// Whether the key leaves a prompt, a question, or a chord.
  func leaves(_ key: Key) -> Bool {
    key.code == .escape || key == .control("c") || map[key] == .action(.escape)
  }

  /// Whether the key leaves the editor, wherever it is pressed.
  func quits(_ key: Key) -> Bool { map[key] == .action(.quit) || key == leavingKey }

  /// Gives text up. None that leaves, or goes back: pressed twice those ask twice.
  var droppingKey: Key {
    "dxnk".map(Key.control).first { !quits($0) && !leaves($0) } ?? .control("d")
  }

  /// Answers what comes up by itself and may destroy something: no command has it, so that who goes on working does not press it. Nil
  /// where all of these have one.
  var overwritingKey: Key? {
    let keys = "btuoq".map(Key.control) + (5...12).reversed().map { Key(.function($0)) }
    return keys.first { map.meaning(of: [$0]) == .nothing && !quits($0) && !leaves($0) }
  }

  /// What the settings say of keys is in force from the next key on.
  func use(_ settings: KeySettings) {
    let (map, problems) = KeyMap.reading(settings)
    self.map = map
    endChord()
    screen.forgetFrame()
    // Their key may have a command now; the next save asks again.
    notices.offers.removeAll { if case .save = $0.subject { true } else { false } }
    if !problems.isEmpty { notices.alarm(problems.joined(separator: "\n")) }
  }

  // MARK: Chords

  var hasChord: Bool { !chord.isEmpty }

  func endChord() { chord = [] }

  /// Whether the key is one of several that are a command together.
  func isOfChord(_ key: Key) -> Bool { hasChord || map.beginsChord(key) }

  /// - Returns: The command of a chord that is whole.
  func continueChord(with key: Key) -> Command? {
    let keys = chord + [key]
    endChord()
    screen.needsDisplay = true
    switch map.meaning(of: keys) {
    case .command(let command): return command
    case .prefix: chord = keys
    case .nothing where keys.count > 1 && leaves(key): break
    case .nothing: tellThatNothingHappens(at: keys)
    }
    return nil
  }

  func tellThatNothingHappens(at keys: [Key]) {
    notices.show("\(keys.map(\.canonical).label) does nothing here; \(label(of: .help)) shows the keys")
  }

  /// The keys that were pressed, and as many as there is room for of those that can follow.
  func composeChord(row: Int, into grid: inout CellGrid) {
    let typed = chord.map(\.canonical).label + " …"
    var column = grid.put(typed, row: row, column: 0, limit: screen.columns, style: .plain)
    for binding in map.continuations(of: chord) {
      let key = Array(binding.keys.dropFirst(chord.count)).label
      column = grid.put(key, row: row, column: column + 2, limit: screen.columns, style: .key)
      let title = " " + CommandTable.title(of: binding.command)
      column = grid.put(shortened: title, row: row, column: column, limit: screen.columns, style: .plain)
    }
  }
}
