import Glibc
import Rope
import Testing

@testable import EditorCore

/// A folder that is removed with the object.
final class TemporaryFolder {
  let path: String

  init() {
    var template = Array("/var/tmp/xiedit-test-XXXXXX".utf8CString)
    path = mkdtemp(&template).map { String(cString: $0) } ?? ""
  }

  deinit { TemporaryFolder.remove(path) }

  func callAsFunction(_ name: String) -> String { path + "/" + name }

  func place(_ name: String) throws -> FilePlace { try LinuxFileSystem().place(of: self(name)) }

  func write(_ text: String, to name: String) { write(Array(text.utf8), to: name) }

  func write(_ bytes: [UInt8], to name: String) {
    guard let file = fopen(self(name), "w") else {
      Issue.record("cannot write \(name): \(String(cString: strerror(errno)))")
      return
    }
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
  }

  func contents(_ name: String) -> String? {
    guard let rope = try? FileReader(self(name), system: LinuxFileSystem()).readAll() else { return nil }
    return rope.string(in: rope.fullRange)
  }

  var names: [String] { (try? LinuxFileSystem().names(inDirectory: path)) ?? [] }

  private static func remove(_ path: String) {
    let system = LinuxFileSystem()
    for name in (try? system.names(inDirectory: path)) ?? [] {
      let entry = path + "/" + name
      if (try? system.status(at: entry, followingLinks: false))?.kind == .directory {
        remove(entry)
      } else {
        unlink(entry)
      }
    }
    rmdir(path)
  }
}

/// Runs `body` and returns the error it throws; records an issue if it throws none.
func failure(_ body: () throws -> Void, sourceLocation: SourceLocation = #_sourceLocation) -> FileError? {
  do { try body() } catch { return error as? FileError }
  Issue.record("no error was thrown", sourceLocation: sourceLocation)
  return nil
}
