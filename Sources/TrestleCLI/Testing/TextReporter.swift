import Trestle

/// For people.
struct TextReporter: TestReporter {
  let hasColor: Bool

  private enum Style: Int { case good = 32, bad = 31, faint = 2, strong = 1, other = 33 }

  func begin(fileCount: Int) {}

  func tell(of file: TestFileResult) {
    var lines = [heading(of: file)]
    for result in file.results where result.status == .failed || result.status == .todo {
      lines += self.lines(of: result, in: file)
    }
    if !file.isPassed { lines.append("") }
    if !file.output.isEmpty {
      lines.append(styled("  what it wrote:", .faint))
      lines += file.output.split(separator: "\n", omittingEmptySubsequences: false).map { "  │ \($0)" }.dropLast(
        file.output.hasSuffix("\n") ? 1 : 0)
    }
    Terminal.write(lines.joined(separator: "\n") + "\n", to: .output)
  }

  private func heading(of file: TestFileResult) -> String {
    let sign = file.isPassed ? styled("✓", .good) : styled("✗", .bad)
    var counts = [Self.counted(file.ranCount, "test")]
    if file.count(.failed) > 0 { counts.append(styled("\(file.count(.failed)) failed", .bad)) }
    if file.count(.skipped) > 0 { counts.append(styled("\(file.count(.skipped)) skipped", .other)) }
    return
      "\(sign) \(file.path.withVisibleControls)  \(counts.joined(separator: ", "))  \(styled(Self.time(file.duration), .faint))"
  }

  private func lines(of result: TestResult, in file: TestFileResult) -> [String] {
    let name = (result.path.isEmpty ? "the file" : result.name).withVisibleControls
    if result.status == .todo { return ["  " + styled("todo", .other) + " " + name] }
    let text = FailureText(file: file, hasColor: hasColor)
    return ["", "  " + styled("✗ \(name)", .bad)]
      + result.failures.flatMap { text.lines(of: $0).map { $0.isEmpty ? "" : "    \($0)" } }
  }

  func end(_ total: TestTotal) {
    var lines: [String] = [""]
    if total.files.count > 1 {
      let failed = total.failed.flatMap { file in
        file.results.filter { $0.status == .failed }.map { ([file.path] + $0.path).joined(separator: " > ") }
      }
      if !failed.isEmpty { lines += [styled("failed:", .bad)] + failed.map { "  " + $0.withVisibleControls } + [""] }
    }
    lines.append("tests      \(tests(total))")
    lines.append(
      "files      \(Self.counted(total.files.count, "file"))\(total.failed.isEmpty ? "" : ", \(total.failed.count) failed")"
    )
    if let snapshots = snapshots(total.snapshots) { lines.append("snapshots  \(snapshots)") }
    lines.append("time       \(Self.time(total.duration))")
    if total.isEmpty { lines.append(styled("no test has run", .bad)) }
    Terminal.write(lines.joined(separator: "\n") + "\n", to: .output)
  }

  private func tests(_ total: TestTotal) -> String {
    var parts: [String] = []
    if total.count(.failed) > 0 { parts.append(styled("\(total.count(.failed)) failed", .bad)) }
    parts.append(styled("\(total.count(.passed)) passed", total.failed.isEmpty ? .good : .strong))
    if total.count(.skipped) > 0 { parts.append(styled("\(total.count(.skipped)) skipped", .other)) }
    if total.count(.todo) > 0 { parts.append(styled("\(total.count(.todo)) todo", .other)) }
    return parts.joined(separator: ", ")
  }

  private func snapshots(_ counts: SnapshotCounts) -> String? {
    var parts: [String] = []
    if counts.matched > 0 { parts.append("\(counts.matched) matched") }
    if counts.written > 0 { parts.append(styled("\(counts.written) written", .good)) }
    if counts.updated > 0 { parts.append(styled("\(counts.updated) updated", .good)) }
    if counts.obsolete > 0 {
      parts.append(styled("\(counts.obsolete) that no test asks for (--update removes them)", .other))
    }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  private func styled(_ text: String, _ style: Style) -> String {
    hasColor ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
  }

  private static func counted(_ count: Int, _ word: String) -> String { "\(count) \(word)\(count == 1 ? "" : "s")" }

  private static func time(_ duration: Duration) -> String {
    let milliseconds = Int(duration / .milliseconds(1))
    if milliseconds < 1000 { return "\(milliseconds) ms" }
    return "\(milliseconds / 1000).\(milliseconds % 1000 / 100) s"
  }
}
