import EditorClient
import EventLoop
import Glibc

/// What the command line asks for.
package struct Launch: Sendable {
  package struct File: Equatable, Sendable {
    package var path: String
    package var position: FilePosition?

    package init(path: String, position: FilePosition? = nil) {
      self.path = path
      self.position = position
    }
  }

  /// `-` is the standard input.
  package var files: [File] = []
  package var isReadOnly = false
  package var opensSettings = false
  /// A core other than the one beside this program, run by the shell.
  package var core: String?
  package var recordPath: String?
  /// What is printed instead.
  var text: String?

  /// Runs the editor, or prints what was asked for.
  /// - Parameters:
  ///   - coreName: The name under which this program is a core.
  ///   - settingsPath: Where that core reads its settings.
  /// - Returns: The exit code: 0, or 1 with a message on the standard error.
  package func run(coreName: String, settingsPath: String?) -> CInt {
    if let text {
      print(text)
      return 0
    }
    return Stack.run { runEditor(coreName, settingsPath) }
  }

  private func runEditor(_ coreName: String, _ settingsPath: String?) -> CInt {
    // A file above the limit is one that cannot be written, and no reason to end.
    signal(SIGXFSZ, SIG_IGN)
    do {
      if opensSettings, settingsPath == nil { throw ClientError(.cannotOpen, "settings", "there is no home folder") }
      let (files, refusals) = try openable()
      try Terminal.check()
      let loop = Loop()
      let command = core.map { CoreCommand.shell($0) } ?? .thisProgram(as: coreName)
      // The core starts up while the terminal is looked at.
      let session = try ClientSession(command, on: loop, columns: 80, rows: 24, recordPath: recordPath)
      session.editor.memory.file = .ofUser
      let terminal = try Terminal()
      let (columns, rows) = terminal.size
      session.editor.handle(.resize(columns: columns, rows: rows))
      let input = try readsStandardInput(files) ? readStandardInput(at: terminal, loop) : nil
      open(files, settingsPath, input, in: session.editor)
      for refusal in refusals { session.editor.notices.alarm("\(refusal)") }
      let application = TerminalApplication(session, terminal: terminal, on: loop)
      if core != nil { try wait(for: session, at: terminal, loop) }
      return try application.run()
    } catch {
      complain("\(error)")
      return 1
    }
  }

  /// The files that can be opened, and why the others cannot.
  /// - Throws: When there is none.
  private func openable() throws -> (files: [File], refusals: [ClientError]) {
    // Another core may be another machine's, with other files.
    guard core == nil else { return (files, []) }
    var (good, refusals): ([File], [ClientError]) = ([], [])
    for file in files {
      do {
        let file = file.withPlaceInName
        if file.path != "-" { try file.check() }
        good.append(file)
      } catch {
        refusals.append(error)
      }
    }
    if good.isEmpty, let refusal = refusals.first { throw refusal }
    return (good, refusals)
  }

  /// The core may be asking for a password: the terminal works by lines as ever, and Ctrl-Q ends the wait.
  private func wait(for session: ClientSession, at terminal: Terminal, _ loop: Loop) throws {
    var isGivenUp = false
    let quit = try loop.onSignal(SIGQUIT) { isGivenUp = true }
    terminal.takeLineByLine()
    defer {
      quit.cancel()
      terminal.giveBack()
    }
    try session.waitForCore {
      complain("waiting for the core (\(core ?? "")); ^Q ends this")
    } isGivenUp: {
      isGivenUp
    }
  }

  private func readsStandardInput(_ files: [File]) -> Bool {
    files.contains { $0.path == "-" } || files.isEmpty && !opensSettings && StandardInput.isPiped
  }

  /// Up to its end, or to Ctrl-Q: what writes it may never end.
  private func readStandardInput(at terminal: Terminal, _ loop: Loop) throws -> StandardInput {
    var input = StandardInput()
    let quit = try loop.onSignal(SIGQUIT) { input.isOver = true }
    terminal.takeLineByLine()
    if isatty(0) == 1 { complain("reading what is typed here, up to a line of nothing but ^D") }
    let delay = loop.after(.seconds(1)) {
      complain("reading the standard input; ^Q ends that, and what has come is shown")
    }
    let source = loop.onReadable(STDIN_FILENO) { input.readMore() }
    defer {
      source.cancel()
      delay.cancel()
      quit.cancel()
      terminal.giveBack()
    }
    while !input.isOver { loop.iterate(waiting: true) }
    return input
  }

  private func open(_ files: [File], _ settingsPath: String?, _ input: StandardInput?, in editor: Editor) {
    editor.files.opensReadOnly = isReadOnly
    if opensSettings, let settingsPath { editor.files.openSettings(at: settingsPath) }
    let files = files.isEmpty && input != nil ? [File(path: "-")] : files
    var input = input ?? StandardInput()
    if files.isEmpty, !opensSettings { editor.files.beginInFolder() }
    for file in files {
      if file.path == "-" {
        editor.files.open(path: nil, at: file.position)
        insert(&input, in: editor)
      } else {
        editor.files.open(path: file.path.isEmpty ? nil : file.path, at: file.position)
      }
    }
    editor.files.showFirst()
  }

  private func insert(_ input: inout StandardInput, in editor: Editor) {
    let (bytes, isCut) = (input.take(), input.isCut)
    let count = editor.files.insert(bytes)
    guard count < bytes.count || isCut && !bytes.isEmpty else { return }
    editor.notices.alarm("Only the first \(count >> 20) MB of the standard input were read: the rest was left out")
  }
}

extension Launch.File {
  /// `FILE:LINE` and `FILE:LINE:COLUMN`, as compilers name a place, where there is no file of that name but one without the numbers.
  fileprivate var withPlaceInName: Launch.File {
    guard position == nil, access(path, F_OK) != 0 else { return self }
    let name = path.hasSuffix(":") ? path.dropLast() : path[...]
    let parts = name.split(separator: ":", omittingEmptySubsequences: false)
    for count in [2, 1] where parts.count > count {
      let path = parts.dropLast(count).joined(separator: ":")
      if let position = FilePosition(parts.suffix(count).joined(separator: ":")), access(path, F_OK) == 0 {
        return Launch.File(path: path, position: position)
      }
    }
    return self
  }

  /// - Throws: For what is there and can be no text.
  fileprivate func check() throws(ClientError) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      if errno != ENOENT { throw ClientError(.cannotOpen, path, String(cString: strerror(errno))) }
      // Bytes of a name that are no text came here as this sign: a new file would be another than the one that was meant.
      if path.contains("\u{FFFD}") { throw ClientError(.cannotOpen, path, "the name is not UTF-8") }
      return
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG where access(path, R_OK) == 0: return
    case S_IFREG: throw ClientError(.cannotOpen, path, String(cString: strerror(errno)))
    case S_IFDIR: throw ClientError(.cannotOpen, path, "is a directory")
    default: throw ClientError(.cannotOpen, path, "is not a regular file")
    }
  }
}

struct StandardInput {
  /// A text is in memory six times until the core has it, which has it three times then: less where there is little of that.
  static let longest = min(1 << 28, max(SystemMemory.limit / 16, 1 << 20))

  private var bytes: [UInt8] = []
  /// It has come to its end, or nobody waits for that.
  var isOver = false
  private(set) var isCut = false

  /// Whether it comes from another program or a file, and so is meant to be read.
  static var isPiped: Bool {
    var status = stat()
    return fstat(STDIN_FILENO, &status) == 0 && [S_IFIFO, S_IFREG].contains(status.st_mode & S_IFMT)
  }

  /// What there is, where there is something.
  mutating func readMore() {
    let chunk = Reading.chunk(from: STDIN_FILENO, waits: false)
    if chunk == nil, errno == EAGAIN { return }
    bytes += chunk ?? []
    isCut = bytes.count >= Self.longest
    isOver = isCut || chunk?.isEmpty != false
  }

  /// What was read: once.
  mutating func take() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }
}

/// Says why on the standard error. Names in it may hold what terminals obey.
func complain(_ reason: String) {
  let line = Array("xiedit: \(reason)\n".withVisibleControls.utf8)
  _ = line.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
}
