import EditorProtocol

extension KeyMap {
  /// The keys as the settings have them.
  /// - Returns: Also what makes no sense, a sentence each that names the file and the line; the rest is in force.
  package static func reading(_ settings: KeySettings) -> (map: KeyMap, problems: [String]) {
    var problems: [String] = []
    func complain(_ text: String, _ line: Int?) {
      problems.append("\(settings.path.pathName)\(line.map { ", line \($0)" } ?? ""): \(text)")
    }
    let set = KeySet.all.first { $0.name == settings.set ?? $0.name }
    if set == nil, let name = settings.set {
      let names = KeySet.all.map(\.name).joined(separator: ", ")
      complain("there is no key_set \(name); there are \(names)", settings.setLine)
    }
    var changes: [Change] = []
    for entry in settings.entries {
      do throws(Nonsense) {
        let change = try Change(entry)
        try change.checkBeside(changes)
        changes.append(change)
      } catch {
        complain(error.text, entry.line)
      }
    }
    let base = set.map { KeyMap($0) } ?? .standard
    while true {
      var map = base
      map.bind(changes.map { ($0.keys, $0.command) })
      guard let (lacking, kept) = map.lack(after: base) else { return (map, problems) }
      let names = lacking.map(\.name).joined(separator: " or ")
      for change in changes where kept.ends(by: change.keys, change.command) {
        complain("\(kept.keys.label) stays as it is: there would be no key for \(names)", change.line)
      }
      changes.removeAll { kept.ends(by: $0.keys, $0.command) }
    }
  }

  /// What always has a key, one command of each of these: who has bound all away by mistake could neither leave nor find out how.
  private static let needed: [[Command]] = [[.action(.quit)], [.action(.help), .action(.palette)]]

  /// Commands none of which has a key any more, and the key that one had in `base`.
  private func lack(after base: KeyMap) -> (commands: [Command], kept: Binding)? {
    for commands in Self.needed where !bindings.contains(where: { commands.contains($0.command) }) {
      if let kept = base.bindings.first(where: { commands.contains($0.command) }) { return (commands, kept) }
    }
    return nil
  }
}

/// Why an entry is left out.
private struct Nonsense: Error {
  var text: String
}

/// One entry of `[keys]` that makes sense.
private struct Change {
  static let longestChord = 4

  var keys: [Key]
  var command: Command?
  var line: Int?

  init(_ entry: KeySettings.Entry) throws(Nonsense) {
    let labels = entry.keys.split(separator: " ")
    for label in labels where Key(label: label) == nil {
      throw Nonsense(text: "there is no key \(label); keys are written like ^S, Alt-J, Ctrl-Shift-Left, F5")
    }
    guard let keys = [Key](labels: labels)?.map(\.canonical) else {
      throw Nonsense(text: "a key is missing before the = of \(entry.command)")
    }
    guard keys.count <= Self.longestChord else {
      throw Nonsense(text: "\(entry.keys) has more than \(Self.longestChord) keys")
    }
    (self.keys, line) = (keys, entry.line)
    if !["", "none"].contains(entry.command) {
      command = Command(name: entry.command)
      if command == nil { throw Nonsense(text: "there is no command \(entry.command)\(Self.hint(entry.command))") }
    }
    if keys[0] == Key(.escape) { throw Nonsense(text: "Esc cannot be given another meaning") }
    if command != nil, keys[0].text != nil { throw Nonsense(text: "\(keys[0].label) is a key that types text") }
    if keys.dropFirst().contains(Key(.escape)) { throw Nonsense(text: "Esc leaves a chord, and cannot be in one") }
  }

  /// The command that was probably meant.
  private static func hint(_ name: String) -> String {
    let wanted = FuzzyQuery(name)
    let names = CommandTable.all.map(\.command.name)
    let near = names.compactMap { name in wanted.match(name).map { (name, $0.score) } }.max { $0.1 < $1.1 }
    return near.map { "; \($0.0)?" } ?? ""
  }

  func checkBeside(_ others: [Change]) throws(Nonsense) {
    for other in others {
      let place = other.line.map { " (line \($0))" } ?? ""
      if other.keys == keys { throw Nonsense(text: "\(keys.label) has a command already\(place)") }
      guard command != nil, other.command != nil else { continue }
      if other.keys.starts(with: keys) { throw Nonsense(text: "\(keys.label) begins \(other.keys.label)\(place)") }
      if keys.starts(with: other.keys) {
        throw Nonsense(text: "\(other.keys.label)\(place) has a command already, and begins \(keys.label)")
      }
    }
  }
}
