import Glibc

extension Harness {
  /// The editor as one has it before one, through a pseudo-terminal. The reference is a pair of relays in its place.
  mutating func measureEditor() throws {
    guard filter.isEmpty || filter.hasPrefix("terminal") else { return }
    let bench = try EditorBench()
    let relays = try measureRelays(bench)
    for size in EditorBench.sizes {
      try measure("terminal: exec to first screen, \(size.name)", against: [("relays", relays.start)], setUp: { () }) {
        _ in
        _ = try bench.editor(size.name)
      }
    }
    try measureKeysShown(bench, relays: relays.key)
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
}

/// Files of numbered lines in a home that goes with this object, and programs that show them.
private final class EditorBench {
  static let sizes: [(name: String, byteCount: Int)] = [
    ("1 KB", 1000), ("1 MB", 1_000_000), ("100 MB", 100_000_000),
  ]
  private static let restOfLine = " the brown fox jumps over the lazy dog and goes on to the end of line\n"

  private let home: String
  private var editorCount = 0

  init() throws {
    var template = Array("/var/tmp/xiedit-bench-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw TerminalProcess.Failure(reason: "no folder") }
    home = String(cString: made)
    for size in Self.sizes { try writeLines(Self.lineCount(size.byteCount), to: "\(home)/\(size.name)") }
  }

  /// Waits for its end.
  deinit { _ = try? CoreConnection("/bin/rm", arguments: ["-rf", home]) }

  static func lineCount(_ byteCount: Int) -> Int { byteCount / ("line 00000000".utf8.count + restOfLine.utf8.count) }

  func line(_ number: Int) -> String {
    let digits = String(number)
    return "line " + String(repeating: "0", count: 8 - digits.count) + digits
  }

  private func writeLines(_ count: Int, to path: String) throws {
    guard let file = fopen(path, "w") else { throw TerminalProcess.Failure(reason: path) }
    defer { fclose(file) }
    for number in 1...count { fputs(line(number) + Self.restOfLine, file) }
  }

  /// With its whole first screen.
  func editor(_ name: String) throws -> TerminalProcess {
    // Of its own: what the one before left would be offered to it.
    editorCount += 1
    let ownHome = "\(home)/home-\(editorCount)"
    mkdir(ownHome, 0o700)
    let editor = try TerminalProcess([CoreConnection.ownFolder + "xiedit", "\(home)/\(name)"], home: ownHome)
    try editor.awaitOutput(of: line(name == "1 KB" ? 10 : 37))
    return editor
  }

  func relays() throws -> TerminalProcess {
    let relays = try TerminalProcess(["/proc/self/exe", Relay.argument], home: home)
    try relays.awaitOutput(of: Relay.ready)
    return relays
  }

  /// Letters that nothing else on the screen and no control sequence has.
  func press(_ index: Int, _ terminal: TerminalProcess) throws {
    let letter = index % 2 == 0 ? "Ö" : "Ä"
    try terminal.type(letter)
    try terminal.awaitOutput(of: letter)
  }
}
