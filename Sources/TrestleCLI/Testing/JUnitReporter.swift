import Trestle

/// The XML that programs for continuous integration read; all at once, at the end.
struct JUnitReporter: TestReporter {
  func begin(fileCount: Int) {}
  func tell(of file: TestFileResult) {}

  func end(_ total: TestTotal) {
    let counts = "tests=\"\(total.files.reduce(0) { $0 + $1.results.count })\" failures=\"\(total.count(.failed))\""
    var lines = [
      #"<?xml version="1.0" encoding="UTF-8"?>"#, "<testsuites \(counts) time=\"\(Self.seconds(total.duration))\">",
    ]
    lines += total.files.flatMap(suite)
    Terminal.write((lines + ["</testsuites>"]).joined(separator: "\n") + "\n", to: .output)
  }

  private func suite(_ file: TestFileResult) -> [String] {
    let counts =
      "tests=\"\(file.results.count)\" failures=\"\(file.count(.failed))\" skipped=\"\(file.count(.skipped) + file.count(.todo))\""
    var lines = ["  <testsuite name=\"\(Self.escaped(file.path))\" \(counts) time=\"\(Self.seconds(file.duration))\">"]
    for result in file.results { lines += testCase(result, in: file) }
    if !file.output.isEmpty { lines.append("    <system-out>\(Self.escaped(file.output))</system-out>") }
    return lines + ["  </testsuite>"]
  }

  private func testCase(_ result: TestResult, in file: TestFileResult) -> [String] {
    let name = result.path.isEmpty ? "(the file)" : result.name
    let start =
      "    <testcase classname=\"\(Self.escaped(file.path))\" name=\"\(Self.escaped(name))\" time=\"\(Self.seconds(result.duration))\""
    switch result.status {
    case .passed: return [start + "/>"]
    case .skipped, .todo: return [start + "><skipped/></testcase>"]
    case .failed: break
    }
    let text = FailureText(file: file, hasColor: false)
    let failures = result.failures.map { failure in
      let lines = text.lines(of: failure).joined(separator: "\n")
      return "      <failure message=\"\(Self.escaped(failure.title))\">\(Self.escaped(lines))</failure>"
    }
    return [start + ">"] + failures + ["    </testcase>"]
  }

  private static func seconds(_ duration: Duration) -> String {
    let milliseconds = Int(duration / .milliseconds(1)), rest = milliseconds % 1000
    return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - "\(rest)".count) + "\(rest)"
  }

  /// Controls are no characters of XML.
  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.withVisibleControls.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
