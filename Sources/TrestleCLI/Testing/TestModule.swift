import CBundledTest
import Glibc
import Trestle

extension ModuleDefinition {
  /// `trestle:test`, for the file of a run.
  static func test(_ host: TestHost) -> ModuleDefinition {
    ModuleDefinition("Test", make: { _ in host }) {
      Member<TestHost>.constant("namePattern") { $0.options.namePattern }
      Member<TestHost>.constant("updatesSnapshots") { $0.options.updatesSnapshots }
      Member<TestHost>.constant("writesSnapshots") { $0.options.writesSnapshots }
      Member<TestHost>.constant("snapshotPath") { $0.snapshotPath }
      Member<TestHost>.constant("hasSnapshots") { access($0.snapshotPath, F_OK) == 0 }
      Member<TestHost>.sync("readSnapshots") { try $0.readSnapshots() }
      Member<TestHost>.sync("writeSnapshots", "text") { (host, text: String) in try host.writeSnapshots(text) }
    }
    .with(script: script)
  }

  private static var script: ModuleScript {
    var script = ModuleScript(sourceURL: "trestle:test.js") { String(cString: bundled_test_script()) }
    script.realm = .new
    return script
  }
}

/// What the tests of one file have of the runner.
struct TestHost: Sendable {
  let path: String
  let options: TestOptions

  private var folder: String { Script(code: "", name: path).folder + "/__snapshots__" }

  var snapshotPath: String {
    let name = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[path.utf8.index(after: $0)...]) } ?? path
    return "\(folder)/\(name).snap"
  }

  /// - Returns: nil if there is no file of them.
  func readSnapshots() throws -> String? {
    guard access(snapshotPath, F_OK) == 0 else { return nil }
    return try Script(file: snapshotPath, mustBeFile: true).text
  }

  /// Written beside and put in its place, so that half of it is nobody's snapshots. Without any the file goes.
  func writeSnapshots(_ text: String) throws {
    if text.isEmpty {
      guard unlink(snapshotPath) == 0 || errno == ENOENT else { throw unwritable }
      _ = rmdir(folder)
      return
    }
    guard mkdir(folder, 0o777) == 0 || errno == EEXIST else { throw unwritable }
    let temporary = "\(snapshotPath).\(getpid())"
    guard let file = fopen(temporary, "wxe") else { throw unwritable }
    // Not as a C string: it may have a zero in it.
    let bytes = Array(text.utf8)
    let isWritten = fwrite(bytes, 1, bytes.count, file) == bytes.count
    guard fclose(file) == 0, isWritten, rename(temporary, snapshotPath) == 0 else {
      let error = unwritable
      _ = unlink(temporary)
      throw error
    }
  }

  private var unwritable: BridgeError {
    BridgeError(.unwritable, "cannot write \(snapshotPath): \(String(cString: strerror(errno)))")
  }
}
