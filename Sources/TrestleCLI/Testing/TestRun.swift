import EventLoop
import Trestle

/// Tells of files as their tests have run, in the order of their paths.
protocol TestReporter: Sendable {
  func begin(fileCount: Int)
  func tell(of file: TestFileResult)
  func end(_ total: TestTotal)
}

/// All files of a run.
struct TestTotal: Sendable {
  var files: [TestFileResult] = []
  var duration = Duration.zero

  var failed: [TestFileResult] { files.filter { !$0.isPassed } }
  func count(_ status: TestResult.Status) -> Int { files.reduce(0) { $0 + $1.count(status) } }
  var snapshots: SnapshotCounts { files.reduce(into: SnapshotCounts()) { $0 += $1.snapshots } }
  /// No test has run, nor failed to.
  var isEmpty: Bool { files.allSatisfy { $0.ranCount == 0 } }
}

/// Runs the tests of files, several at a time.
struct TestRun {
  let paths: [String]
  let options: TestOptions
  let jobs: Int
  let reporter: any TestReporter

  /// - Returns: whether there were tests, and all have passed.
  func run() async -> Bool {
    let start = ContinuousClock.now
    var total = TestTotal()
    reporter.begin(fileCount: paths.count)
    await withTaskGroup(of: (Int, TestFileResult).self) { group in
      var next = paths.indices.makeIterator()
      func startNext() {
        guard let index = next.next() else { return }
        group.addTask { [path = paths[index], options] in (index, await TestFileRun(path, options).run()) }
      }
      for _ in 0..<jobs { startNext() }
      var done: [Int: TestFileResult] = [:]
      for await (index, file) in group {
        startNext()
        done[index] = file
        while let file = done.removeValue(forKey: total.files.count) {
          reporter.tell(of: file)
          total.files.append(file)
        }
      }
    }
    total.duration = .now - start
    reporter.end(total)
    return total.failed.isEmpty && !total.isEmpty
  }
}
