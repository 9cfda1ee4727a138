import EventLoop
import Trestle

/// Version 14 of the Test Anything Protocol, for programs.
final class TapReporter: TestReporter {
  private let count = Lock(0)

  func begin(fileCount: Int) { Terminal.write("TAP version 14\n", to: .output) }

  func tell(of file: TestFileResult) {
    let output = file.output.split(whereSeparator: \.isNewline).map { "# \(String($0).withVisibleControls)" }
    let text = output + file.results.flatMap { self.lines(of: $0, in: file) }
    if !text.isEmpty { Terminal.write(text.joined(separator: "\n") + "\n", to: .output) }
  }

  private func lines(of result: TestResult, in file: TestFileResult) -> [String] {
    let number = count.withLock { count in
      count += 1
      return count
    }
    let name = Self.escaped(([file.path] + result.path).joined(separator: " > "))
    // SKIP and TODO are words of TAP.
    switch result.status {
    case .passed: return ["ok \(number) - \(name)"]
    case .skipped: return ["ok \(number) - \(name) # SKIP"]
    case .todo: return ["ok \(number) - \(name) # TODO"]
    case .failed: return ["not ok \(number) - \(name)"] + details(of: result, in: file)
    }
  }

  /// As YAML.
  private func details(of result: TestResult, in file: TestFileResult) -> [String] {
    let text = FailureText(file: file, hasColor: false)
    let title = JSONValue(result.failures.first?.title.withVisibleControls ?? "").description
    // Text of a test's own must not stand where a line of the protocol does.
    let lines = result.failures.flatMap(text.lines)
      .flatMap { $0.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) }
      .map { $0.isEmpty ? "" : "    \($0)" }
    return ["  ---", "  message: \(title)", "  stack: |-"] + lines + ["  ..."]
  }

  /// A `#` begins a directive.
  private static func escaped(_ text: String) -> String {
    text.withVisibleControls.replacing("\n", with: " ").replacing("\\", with: "\\\\").replacing("#", with: "\\#")
  }

  func end(_ total: TestTotal) {
    let count = count.withLock { $0 }
    Terminal.write("1..\(count)\(total.isEmpty ? " # no test has run" : "")\n", to: .output)
  }
}
