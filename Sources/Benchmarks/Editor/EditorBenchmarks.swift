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
  }

  private mutating func measureRelays(_ bench: EditorBench) throws -> (start: Double?, key: Double?) {
    let start = try measure("terminal: exec to first word of two relays", setUp: { () }) { _ in _ = try bench.relays() }
    let relays = try bench.relays()
    let key = try measure("terminal: a key through two relays", units: 200, setUp: { () }) { _ in
      for index in 0..<200 { try bench.press(index, relays) }
    }
    return (start, key)
  }

  private mutating func measureKeysShown(_ bench: EditorBench, relays: Double?) throws {
    let editor = try bench.editor("1 MB")
    try measure("terminal: key to shown, 1 MB", units: 200, against: [("relays", relays)], setUp: { () }) { _ in
      for index in 0..<200 {
        try bench.press(index, editor)
        // A line wider than the screen would scroll sideways. Another letter: what stands there already is not drawn again.
        if index % 20 == 19 {
          try editor.type("\rÜ")
          try editor.awaitOutput(of: "Ü")
        }
      }
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
