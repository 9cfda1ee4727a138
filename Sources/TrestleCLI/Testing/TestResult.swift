import Trestle

/// What has become of one test; or of the hooks of a group, or the loading of a file, where they failed.
struct TestResult: Sendable {
  enum Status: Sendable { case passed, failed, skipped, todo }

  /// The names of the groups, and its own; empty for the file.
  var path: [String]
  var status: Status
  var failures: [TestFailure] = []
  var duration = Duration.zero

  var name: String { path.joined(separator: " > ") }
}

/// What is wrong with a test, where no script has said so.
struct TestProblem: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// Why a test has failed.
struct TestFailure: Sendable {
  /// The hook in which it did; empty for the test itself.
  var label = ""
  var error: any Error

  /// The texts that were compared.
  var diff: (expected: String, actual: String)? {
    guard let diff = (error as? JavaScriptError)?.properties["diff"], let expected = diff["expected"]?.string,
      let actual = diff["actual"]?.string
    else { return nil }
    return (expected, actual)
  }

  /// Without that.
  var plainError: any Error {
    guard var error = error as? JavaScriptError, diff != nil else { return error }
    error.properties["diff"] = nil
    return error
  }

  /// On one line.
  var title: String {
    let text = (error as? JavaScriptError).map { $0.name.isEmpty ? $0.message : "\($0.name): \($0.message)" }
    return (label.isEmpty ? "" : "\(label): ") + (text ?? (error as? BridgeError)?.message ?? "\(error)")
  }
}

/// What has become of a file.
struct TestFileResult: Sendable {
  let path: String
  var results: [TestResult] = []
  /// What its scripts have written.
  var output = ""
  var duration = Duration.zero
  var snapshots = SnapshotCounts()
  /// The texts of what it has loaded, by name, for reports.
  var sources: [String: String] = [:]

  var isPassed: Bool { !results.contains { $0.status == .failed } }
  func count(_ status: TestResult.Status) -> Int { results.count { $0.status == status } }
  /// How many are tests that were run.
  var ranCount: Int { count(.passed) + count(.failed) }
}

struct SnapshotCounts: Sendable {
  var matched = 0, written = 0, updated = 0, obsolete = 0

  init() {}

  /// As `js/test/snapshots.js` tells.
  init(_ value: JSONValue) {
    func count(_ name: String) -> Int { value[name]?.int ?? 0 }
    (matched, written) = (count("matched"), count("written"))
    (updated, obsolete) = (count("updated"), count("obsolete"))
  }

  static func += (counts: inout SnapshotCounts, other: SnapshotCounts) {
    counts.matched += other.matched
    counts.written += other.written
    counts.updated += other.updated
    counts.obsolete += other.obsolete
  }
}
