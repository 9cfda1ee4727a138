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
  package init(file: String) throws(BridgeError) {
    name = file == "-" ? "[stdin]" : file
    let bytes = try readAll(file)
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

private func readAll(_ file: String) throws(BridgeError) -> [UInt8] {
  let descriptor = file == "-" ? STDIN_FILENO : open(file, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { throw unreadable(file, String(cString: strerror(errno))) }
  defer { if descriptor != STDIN_FILENO { close(descriptor) } }
  guard let bytes = Reading.toEnd(of: descriptor) else { throw unreadable(file, String(cString: strerror(errno))) }
  return bytes
}
