import EditorProtocol

/// The keys in force, and chords.
extension Editor {
  /// The first key of a command, as text tells it; where it has none, the command.
  func keys(of action: Command.Action) -> String { keys(of: .action(action)) }

  func keys(of edit: PlainEdit) -> String { keys(of: .edit(edit)) }

  private func keys(of command: Command) -> String {
    keyMap.labels(of: command).first ?? "the command \"\(CommandTable.title(of: command))\""
  }

  /// Leaves without the core; a chord could not be told from what is held, so that there is always one key.
  var leavingKey: Key {
    keyMap.bindings.first { $0.command == .action(.quit) && $0.keys.count == 1 }?.keys.first ?? .control("q")
  }

  /// Whether the key leaves a prompt, a question, or a chord.
  func leaves(_ key: Key) -> Bool {
    key.code == .escape || key == .control("c") || keyMap[key] == .action(.escape)
  }

  /// Whether the key leaves the editor, wherever it is pressed.
  func quits(_ key: Key) -> Bool { keyMap[key] == .action(.quit) || key == leavingKey }

  /// Nothing that has the keys in place of the text keeps the user from leaving: it is cancelled as by Esc, and so is what that goes back to.
  func leaveModes() {
    while let left = mode {
      left.handle(Key(.escape))
      if mode === left { mode = nil }
    }
    quit()
  }

  /// What the settings say of keys is in force from the next key on.
  func use(_ settings: KeySettings) {
    let (map, problems) = KeyMap.reading(settings)
    keyMap = map
    pendingKeys = []
    screen.forgetFrame()
    if !problems.isEmpty { alarm(problems.joined(separator: "\n")) }
  }

  // MARK: Chords

  func continueChord(with key: Key) {
    let keys = pendingKeys + [key]
    pendingKeys = []
    screen.needsDisplay = true
    switch keyMap.meaning(of: keys) {
    case .command(let command): perform(command)
    case .prefix: pendingKeys = keys
    case .nothing where keys.count > 1 && leaves(key): break
    case .nothing: tellThatNothingHappens(at: keys)
    }
  }

  func tellThatNothingHappens(at keys: [Key]) {
    show("\(keys.map(\.canonical).label) does nothing here; \(self.keys(of: .help)) shows the keys")
  }

  /// The keys that were pressed, and as many as there is room for of those that can follow.
  func composePendingKeys(row: Int, into grid: inout CellGrid) {
    let typed = pendingKeys.map(\.canonical).label + " …"
    var column = grid.put(typed, row: row, column: 0, limit: screen.columns, style: .plain)
    for binding in keyMap.continuations(of: pendingKeys) {
      let key = Array(binding.keys.dropFirst(pendingKeys.count)).label
      column = grid.put(key, row: row, column: column + 2, limit: screen.columns, style: .key)
      let title = " " + CommandTable.title(of: binding.command)
      column = grid.put(shortened: title, row: row, column: column, limit: screen.columns, style: .plain)
    }
  }
}
