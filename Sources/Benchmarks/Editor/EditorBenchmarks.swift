import Glibc

extension Harness {
  /// The editor as one has it before one, through a pseudo-terminal. The reference is a pair of relays in its place.
  mutating func measureEditor() throws {
    guard filter.isEmpty || filter.hasPrefix("terminal") else { return }
    let bench = try EditorBench()
    let relays = try measureRelays(bench)
    for name in EditorBench.sizes.map(\.name) + [EditorBench.oneLine] {
      try measure("terminal: exec to first screen, \(name)", against: [("relays", relays.start)], setUp: { () }) { _ in
        _ = try bench.editor(name)
      }
    }
    try measureKeysShown(bench, relays: relays.key)
    try measurePages(bench, relays: relays.key)
    try measurePaste(bench)
    try measureSaving(bench)
    try measureMemory(bench)
  }

  private mutating func measureRelays(_ bench: EditorBench) throws -> (start: Double?, key: Double?) {
    let start = try measure("terminal: exec to first word of two relays", setUp: { () }) { _ in _ = try bench.relays() }
    let relays = try bench.relays()
    let key = try measureEach("terminal: a key through two relays", count: 5000) { try bench.press($0, relays) }
    return (start, key)
  }

  private mutating func measureKeysShown(_ bench: EditorBench, relays: Double?) throws {
    for name in ["1 MB", "100 MB"] {
      let editor = try bench.editor(name)
      try measureEach(
        "terminal: key to shown, \(name)", count: 5000, against: [("relays", relays)],
        prepare: { index in
          // A line wider than the screen would scroll sideways. Another letter: what stands there already is not drawn again.
          guard index % 20 == 19 else { return }
          try editor.type("\rÜ")
          try editor.awaitOutput(of: "Ü")
        }
      ) { try bench.press($0, editor) }
    }
  }

  /// From the key to the message that tells of its end.
  private mutating func measureSaving(_ bench: EditorBench) throws {
    let editor = try bench.loadedEditor()
    try measure("terminal: save 100 MB", setUp: { try bench.press(0, editor) }) { _ in
      try editor.type("\u{13}")
      try editor.awaitOutput(of: "Saved ")
    }
  }

  /// Front end and core together, as they stand when the file is there.
  private mutating func measureMemory(_ bench: EditorBench) throws {
    for name in EditorBench.sizes.map(\.name) {
      let editor = try bench.editor(name)
      // Searched is what has been read: the word that is not there is told of behind it.
      try editor.type("\u{06}no such word")
      try editor.awaitOutput(of: "0 matches")
      note("terminal: memory of both processes, \(name)", bytes: editor.memory)
    }
  }

  private mutating func measurePages(_ bench: EditorBench, relays: Double?) throws {
    let editor = try bench.editor("1 MB")
    // The caret goes down by two lines less than the screen shows, and is on its last line from the second page on.
    let page = 36
    try measure("terminal: PageDown to its last line, 1 MB", units: 100, against: [("relays", relays)], setUp: { () }) {
      _ in
      try editor.type("\u{1B}[1;5H\u{1B}[6~")
      for count in 2...101 {
        try editor.type("\u{1B}[6~")
        try editor.awaitOutput(of: EditorBench.mark(count * page + 1))
      }
    }
  }

  private mutating func measurePaste(_ bench: EditorBench) throws {
    let numbers = 50_000_000..<50_011_700
    let paste = Array("\u{1B}[200~\(EditorBench.lines(numbers))\u{1B}[201~".utf8)
    try measure("terminal: 1 MB pasted to its last line, 1 MB", setUp: { try bench.editor("1 MB") }) { editor in
      try editor.type(paste)
      try editor.awaitOutput(of: EditorBench.mark(numbers.upperBound - 1))
    }
  }
}
