import Glibc
import Trestle

/// Runs entries, and what begins with a dot and is for the REPL itself.
struct ReplCommands {
  let session: ReplSession
  let write: (String) -> Void
  /// Those that have thrown nothing, for `.save`.
  private var entries: [String] = []
  /// Whether the last one has thrown nothing.
  private(set) var isFine = true

  init(session: ReplSession, write: @escaping (String) -> Void) {
    (self.session, self.write) = (session, write)
  }

  private static let help = """
    .clear        forgets all that was declared
    .exit         leaves, as Ctrl-D does
    .help         tells this
    .load FILE    runs a file as one entry
    .save FILE    writes the entries of this session that have thrown nothing into a file
    _ is the last value, _error what was thrown last. An entry may await and import, and declare again what is there.
    Tab completes, Up and Down walk through earlier entries, Ctrl-R searches them, Alt-Enter breaks the line,
    Ctrl-C clears the entry, or ends the one that runs, Ctrl-L clears the screen. An entry that begins with a space is not kept.

    """

  /// - Returns: false if it was to leave.
  mutating func run(_ text: String) async -> Bool {
    isFine = true
    let words = text.split(maxSplits: 1, whereSeparator: \.isWhitespace)
    guard let name = words.first else { return true }
    // A number may begin with a dot, too.
    guard name.hasPrefix("."), name.dropFirst().first?.isLetter == true else {
      await runEntry(text)
      return true
    }
    let argument = words.count > 1 ? String(words[1]).trimmed : ""
    switch name {
    case ".exit": return false
    case ".help": write(Self.help)
    case ".clear":
      entries = []
      await session.clear()
    case ".load": await load(argument)
    case ".save": save(argument)
    default: fail("there is no command \(name); .help tells those that there are")
    }
    return true
  }

  private mutating func runEntry(_ text: String) async {
    isFine = await session.run(text)
    if isFine { entries.append(text) }
  }

  private mutating func fail(_ words: String) {
    isFine = false
    write(words.withVisibleControls + "\n")
  }

  private mutating func load(_ path: String) async {
    guard !path.isEmpty else { return fail(".load: name a file") }
    let script: Script
    do throws(BridgeError) { script = try Script(file: path, mustBeFile: true) } catch {
      return fail(".load: \(error.message)")
    }
    await runEntry(script.text)
  }

  private mutating func save(_ path: String) {
    guard !path.isEmpty else { return fail(".save: name a file") }
    // What is there is somebody's work.
    guard let file = fopen(path, "wxe") else {
      return fail(".save: cannot write \(path): \(String(cString: strerror(errno)))")
    }
    let isWritten = fputs(entries.map { $0 + "\n" }.joined(), file) >= 0
    if fclose(file) != 0 || !isWritten { fail(".save: cannot write \(path): \(String(cString: strerror(errno)))") }
  }
}

extension String {
  fileprivate var trimmed: String {
    let start = drop(while: \.isWhitespace)
    return String(start.reversed().drop(while: \.isWhitespace).reversed())
  }
}
