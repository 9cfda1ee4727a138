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
  /// - Parameter mustBeFile: anything else is refused: a pipe or a device may keep its reader waiting for ever.
  package init(file: String, mustBeFile: Bool = false) throws(BridgeError) {
    name = file == "-" ? "[stdin]" : file
    let bytes = try readAll(file, mustBeFile: mustBeFile)
    guard let text = String(validating: bytes, as: UTF8.self) else { throw unreadable(file, "not UTF-8 text") }
    self.text = Self.withoutInterpreterLine(text)
  }

  /// Where the file is; `.` for what is none.
  package var folder: String {
    name.lastIndex(of: "/").map { $0 == name.startIndex ? "/" : String(name[..<$0]) } ?? "."
  }

  /// A first line `#!…` is no JavaScript. The line itself stays, so that the others keep their numbers.
  private static func withoutInterpreterLine(_ text: String) -> String { text.hasPrefix("#!") ? "//" + text : text }
}

private func unreadable(_ file: String, _ reason: String) -> BridgeError {
  BridgeError(.unreadable, "cannot read \(file): \(reason)")
}

/// No script is longer, in bytes.
private let longestScript = 1 << 29

private func readAll(_ file: String, mustBeFile: Bool) throws(BridgeError) -> [UInt8] {
  guard let path = SystemPath(file) else { throw unreadable(file, SystemPath.problem) }
  let isInput = file == "-" && !mustBeFile
  let flags = O_RDONLY | O_CLOEXEC | (mustBeFile ? O_NONBLOCK : 0)
  let descriptor = isInput ? STDIN_FILENO : path.pass { open($0, flags) }
  guard descriptor >= 0 else { throw unreadable(file, String(cString: strerror(errno))) }
  defer { if !isInput { close(descriptor) } }
  var status = stat()
  if mustBeFile, fstat(descriptor, &status) == 0, ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) {
    throw unreadable(file, "not a file")
  }
  guard let bytes = Reading.toEnd(of: descriptor, atMost: longestScript) else {
    throw unreadable(file, String(cString: strerror(errno)))
  }
  return bytes
}
