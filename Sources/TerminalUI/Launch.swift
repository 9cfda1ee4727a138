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
  /// A core other than the one beside this program, run by the shell.
  package var core: String?
  package var recordPath: String?

  package init() {}

  /// The usual command line, `[+LINE[:COLUMN]] FILE…`, read without a parser; nil if it is anything more.
  package init?(plainArguments arguments: some Sequence<String>) {
    for argument in arguments where argument.hasPrefix("-") && argument != "-" { return nil }
    self.init()
    guard take(arguments) else { return nil }
  }

  /// Takes files, each after the position it is to be opened at.
  /// - Returns: false for a position that is none.
  package mutating func take(_ arguments: some Sequence<String>) -> Bool {
    var position: FilePosition?
    for argument in arguments {
      if argument.hasPrefix("+") {
        // A bare + is the end of the file, as elsewhere.
        guard let found = argument == "+" ? FilePosition(line: .max / 2) : FilePosition(argument.dropFirst())
        else { return false }
        position = found
      } else {
        files.append(File(path: argument, position: position))
        position = nil
      }
    }
    return position == nil
  }

  /// Runs the editor.
  /// - Returns: The exit code: 0, or 1 with a message on the standard error.
  package func run() -> CInt {
    do {
      for file in files where file.path != "-" && file.isFolder {
        throw ClientError(.cannotOpen, file.path, "is a directory")
      }
      try Terminal.check()
      let loop = Loop()
      let command = core.map { CoreCommand.shell($0) } ?? .besideThisProgram()
      // The core starts up while the terminal is looked at.
      let session = try EditorSession(command, on: loop, columns: 80, rows: 24, recordPath: recordPath)
      let terminal = try Terminal()
      let (columns, rows) = terminal.size
      session.editor.handle(.resize(columns: columns, rows: rows))
      open(in: session.editor)
      let application = TerminalApplication(session, terminal: terminal, on: loop)
      if core != nil { try session.waitForCore() }
      return try application.run()
    } catch {
      complain("\(error)")
      return 1
    }
  }

  private func open(in editor: Editor) {
    if files.isEmpty { editor.open(path: nil) }
    for file in files {
      if file.path == "-" {
        editor.open(path: nil)
        editor.insert(StandardInput.read())
      } else {
        editor.open(path: file.path, isReadOnly: isReadOnly, at: file.position)
      }
    }
    editor.showFirstView()
  }
}

extension Launch.File {
  fileprivate var isFolder: Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}

enum StandardInput {
  /// Everything up to its end.
  static func read() -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(0, &buffer, buffer.count)
      if count > 0 {
        bytes.append(contentsOf: buffer[..<count])
      } else if count == 0 || errno != EINTR {
        return String(decoding: bytes, as: UTF8.self)
      }
    }
  }
}

/// Says why on the standard error.
func complain(_ reason: String) {
  let line = Array("xiedit: \(reason)\n".utf8)
  _ = line.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
}
