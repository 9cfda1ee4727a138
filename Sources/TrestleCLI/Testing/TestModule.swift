import CBundledTest
import Trestle

extension ModuleDefinition {
  /// `trestle:test`, for the file of a run.
  static func test(_ host: TestHost) -> ModuleDefinition {
    ModuleDefinition("Test", make: { _ in host }) {
      Member<TestHost>.constant("namePattern") { $0.options.namePattern }
      Member<TestHost>.constant("updatesSnapshots") { $0.options.updatesSnapshots }
      Member<TestHost>.constant("writesSnapshots") { $0.options.writesSnapshots }
      Member<TestHost>.constant("snapshotPath") { $0.snapshotPath }
      Member<TestHost>.constant("hasSnapshots") { $0.snapshots.areThere }
      Member<TestHost>.sync("readSnapshots") { try $0.snapshots.read() }
      Member<TestHost>.sync("writeSnapshots", "text") { (host, text: String) in try host.snapshots.write(text) }
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

  var snapshots: SnapshotFile { SnapshotFile(test: path, in: options.folders[path]) }
  var snapshotPath: String { snapshots.path }
}
