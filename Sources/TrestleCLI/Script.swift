import Glibc

/// A script to run: its text and the name that errors give it.
struct Script: Sendable {
  let name: String
  let text: String

  /// Code from the command line.
  init(code: String) {
    name = "[eval]"
    text = code
  }

  /// A file; `-` is standard input.
  init(file: String) throws {
    name = file == "-" ? "[stdin]" : file
    let bytes = try readAll(file)
    guard let text = String(validating: bytes, as: UTF8.self) else { throw ScriptError(file, "not UTF-8 text") }
    self.text = Self.withoutInterpreterLine(text)
  }

  /// A first line `#!…` is no JavaScript. The line itself stays, so that the others keep their numbers.
  private static func withoutInterpreterLine(_ text: String) -> String { text.hasPrefix("#!") ? "//" + text : text }
}

/// A script that cannot be read.
struct ScriptError: Error, CustomStringConvertible {
  let file: String
  let reason: String

  init(_ file: String, _ reason: String) {
    self.file = file
    self.reason = reason
  }

  var description: String { "cannot read \(file): \(reason)" }
}

private func readAll(_ file: String) throws(ScriptError) -> [UInt8] {
  let descriptor = file == "-" ? STDIN_FILENO : open(file, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { throw ScriptError(file, String(cString: strerror(errno))) }
  defer { if descriptor != STDIN_FILENO { close(descriptor) } }
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = read(descriptor, &chunk, chunk.count)
    if count == 0 { return bytes }
    if count > 0 {
      bytes += chunk[..<count]
    } else if errno != EINTR {
      throw ScriptError(file, String(cString: strerror(errno)))
    }
  }
}
