import Glibc

/// Files in a home that goes with this object, and programs that show them.
final class EditorBench {
  static let sizes: [(name: String, byteCount: Int)] = [
    ("1 KB", 1000), ("1 MB", 1_000_000), ("100 MB", 100_000_000), ("1 GB", 1_000_000_000),
  ]
  static let oneLine = "50 MB in one line"
  private static let letterCount = 12
  private static let restOfLine = " the brown fox jumps over the lazy dog and goes on to the end of the line\n"
  private static let lineByteCount = letterCount + restOfLine.utf8.count

  private let home: String
  private var editorCount = 0

  init() throws {
    var template = Array("/var/tmp/xiedit-bench-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw TerminalProcess.Failure(reason: "no folder") }
    home = String(cString: made)
    for size in Self.sizes { try write(size.byteCount, to: size.name) }
    try write(50_000_000, to: Self.oneLine, lineEnd: "")
  }

  /// Waits for its end.
  deinit { _ = try? BenchmarkCore("/bin/rm", arguments: ["-rf", home]) }

  /// Letters that say which line it is.
  private static func letters(_ number: Int) -> String {
    var state = UInt64(number)
    let letters = (0..<letterCount).map { _ in
      state = (state ^ (state >> 29)) &* 0xBF58_476D_1CE4_E5B9 &+ 0x9E37_79B9_7F4A_7C15
      return Character(Unicode.Scalar(UInt8(ascii: "a") + UInt8((state >> 33) % 26)))
    }
    return String(letters)
  }

  /// What is written when a line is shown: without its ends, for cells that show the right letter already are not drawn again.
  static func mark(_ number: Int) -> String { String(letters(number).dropFirst(3).dropLast(3)) }

  static func lines(_ numbers: Range<Int>) -> String { numbers.map { letters($0) + restOfLine }.joined() }

  /// After the first megabyte the lines come again.
  private func write(_ byteCount: Int, to name: String, lineEnd: String = "\n") throws {
    let path = "\(home)/\(name)"
    guard let file = fopen(path, "w") else { throw TerminalProcess.Failure(reason: path) }
    defer { fclose(file) }
    let count = min(byteCount, 1_000_000) / Self.lineByteCount
    let block = Array(Self.lines(1..<count + 1).replacing("\n", with: lineEnd).utf8)
    for _ in 0..<byteCount / (count * Self.lineByteCount) { fwrite(block, 1, block.count, file) }
  }

  /// With its whole first screen.
  func editor(_ name: String) throws -> TerminalProcess {
    // Of its own: what the one before left would be offered to it.
    editorCount += 1
    let ownHome = "\(home)/home-\(editorCount)"
    mkdir(ownHome, 0o700)
    let editor = try TerminalProcess([BenchmarkCore.ownFolder + "xiedit", "\(home)/\(name)"], home: ownHome)
    try editor.awaitOutput(of: Self.mark(name == Self.oneLine ? 1 : name == "1 KB" ? 10 : 37))
    return editor
  }

  /// One that has read all of 100 MB.
  func loadedEditor() throws -> TerminalProcess {
    let editor = try editor("100 MB")
    try editor.type("\u{06}no such word")
    try editor.awaitOutput(of: "0 matches")
    try editor.type("\r")
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
