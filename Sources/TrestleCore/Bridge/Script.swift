import EventLoop
import Glibc

/// A script to run: its text and the name that errors give it.
package struct Script: Sendable {
  package let name: String
  package let text: String

  /// What code is called that has no name.
  package static let nameOfCode = "[eval]"

  /// Code from the command line, or of a script's.
  package init(code: String, name: String = nameOfCode) {
    self.name = name
    text = code
  }

  /// A file; `-` is standard input.
  ///
  /// - Parameters:
  ///   - mustBeFile: anything else is refused, standard input too: a pipe or a device may keep its reader waiting for ever.
  ///   - longest: a longer one is refused, in bytes.
  ///   - isWanted: whether a file may be read that was opened, by its path without links; a folder on the way may have become a link
  ///     meanwhile. None if any may.
  package init(
    file: String, mustBeFile: Bool = false, longest: Int = Script.greatestLength,
    isWanted: ((String) -> Bool)? = nil
  ) throws(BridgeError) {
    let isInput = file == "-" && !mustBeFile
    name = mustBeFile ? file : Self.name(ofFile: file)
    let bytes = try isInput ? Self.readInput() : Self.readFile(file, mustBeFile: mustBeFile, longest, isWanted)
    guard let text = String(validating: bytes, as: UTF8.self) else { throw Self.unreadable(file, "not UTF-8 text") }
    self.text = Self.withoutInterpreterLine(text)
  }

  /// What a file is called; `-` is standard input.
  package static func name(ofFile file: String) -> String { file == "-" ? "[stdin]" : file }

  /// Where the file is; `.` for what is none.
  package var folder: String {
    name.utf8.lastIndex(of: UInt8(ascii: "/")).map { $0 == name.startIndex ? "/" : String(name[..<$0]) } ?? "."
  }

  /// It has what a module alone may have, as far as its words tell: to be asked once it could not be parsed as a script.
  package var mayBeModule: Bool {
    ["import", "export", "await"].contains { has($0) { rest in rest.first.map(Self.endsWord) ?? true } }
  }

  /// It calls `import(…)`, as far as its words tell.
  package var callsImport: Bool {
    has("import") { rest in rest.first { ![32, 9, 10, 13].contains($0) } == UInt8(ascii: "(") }
  }

  /// It has what a script of CommonJS is given, as far as its words tell.
  package var isCommonJS: Bool {
    has("require") { rest in rest.first.map { [40, 46].contains($0) } ?? false }
      || ["module.exports", "exports.", "__filename", "__dirname"].contains { has($0) { _ in true } }
  }

  private static func endsWord(_ byte: UInt8) -> Bool {
    !(byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$") || (48...57).contains(byte) || (65...90).contains(byte)
      || (97...122).contains(byte) || byte >= 0x80)
  }

  /// Whether a word is in it, before something.
  private func has(_ word: String, before isWanted: (UnsafeRawBufferPointer) -> Bool) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      guard let first = word.utf8.first else { return false }
      while let start = rest.baseAddress, let found = memchr(start, CInt(first), rest.count) {
        rest = UnsafeRawBufferPointer(rebasing: rest[(UnsafeRawPointer(found) - start)...])
        if rest.starts(with: word.utf8), isWanted(UnsafeRawBufferPointer(rebasing: rest[word.utf8.count...])) {
          return true
        }
        rest = UnsafeRawBufferPointer(rebasing: rest[1...])
      }
      return false
    }
  }

  /// A first line `#!…` is no JavaScript. The line itself stays, so that the others keep their numbers.
  private static func withoutInterpreterLine(_ text: String) -> String {
    // Behind a byte order mark, too: with it a first line is no interpreter's for the engine.
    let line = text.unicodeScalars.first == "\u{FEFF}" ? text.unicodeScalars.dropFirst() : text.unicodeScalars[...]
    return line.starts(with: "#!".unicodeScalars) ? "//" + String(line) : text
  }

  /// None is longer, in bytes.
  package static let greatestLength = 1 << 29

  private static func readInput() throws(BridgeError) -> [UInt8] {
    try read(STDIN_FILENO, "-", greatestLength, waits: true)
  }

  private static func readFile(
    _ file: String, mustBeFile: Bool, _ longest: Int, _ isWanted: ((String) -> Bool)?
  ) throws(BridgeError) -> [UInt8] {
    guard let path = SystemPath(file) else { throw unreadable(file, SystemPath.problem) }
    let descriptor = path.pass { open($0, O_RDONLY | O_CLOEXEC | (mustBeFile ? O_NONBLOCK : 0)) }
    guard descriptor >= 0 else { throw unreadable(file, String(cString: strerror(errno))) }
    defer { close(descriptor) }
    if let isWanted, OpenPath.real(of: descriptor).map(isWanted) != true {
      throw unreadable(file, "it has gone elsewhere")
    }
    var status = stat()
    if mustBeFile, fstat(descriptor, &status) == 0, ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) {
      throw unreadable(file, "not a file")
    }
    if mustBeFile, KernelFiles.contain(descriptor) { throw unreadable(file, "a file of the kernel's, not of a disk") }
    return try read(descriptor, file, longest, waits: !mustBeFile)
  }

  private static func read(
    _ descriptor: CInt, _ file: String, _ longest: Int, waits: Bool
  ) throws(BridgeError) -> [UInt8] {
    guard let bytes = Reading.toEnd(of: descriptor, atMost: longest, waits: waits) else {
      throw unreadable(file, String(cString: strerror(errno)))
    }
    return bytes
  }

  private static func unreadable(_ file: String, _ reason: String) -> BridgeError {
    BridgeError(.unreadable, "cannot read \(file.isEmpty ? "''" : file): \(reason)")
  }
}
