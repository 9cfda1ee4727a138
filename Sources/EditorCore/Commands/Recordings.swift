import EditorProtocol

/// Commands noted under a name, to be played again.
struct Recordings {
  private var active: String?
  private var recorded: [String: [EditCommand]] = [:]

  /// Starts a recording, anew; or ends the running one, whatever the name.
  mutating func toggle(_ name: String?) {
    if active != nil {
      active = nil
    } else if let name {
      active = name
      recorded[name] = []
    }
  }

  mutating func note(_ command: EditCommand) {
    if let active { recorded[active, default: []].append(command) }
  }

  /// Empty while the recording is running: it cannot play itself.
  func commands(named name: String) -> [EditCommand] { name == active ? [] : recorded[name] ?? [] }

  mutating func clear(_ name: String) { recorded[name] = nil }
}
