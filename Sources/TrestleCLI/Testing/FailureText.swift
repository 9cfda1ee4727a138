import Trestle

/// A failure as people read it: what, the difference, the line, the stack.
struct FailureText {
  let file: TestFileResult
  let hasColor: Bool

  /// Without line breaks at the ends.
  func lines(of failure: TestFailure) -> [String] {
    let prefix = failure.label.isEmpty ? "" : "\(failure.label): "
    var lines = Bridge.reportLines(of: failure.plainError, after: prefix, hasColor: hasColor) { file.sources[$0] }
    if let diff = failure.diff, let title = lines.first {
      lines = [title] + difference(diff.expected, diff.actual) + lines.dropFirst()
    }
    return lines.map(Self.withRelativePaths)
  }

  private func difference(_ expected: String, _ actual: String) -> [String] {
    let heading = "  " + styled("- expected", .expected) + "  " + styled("+ received", .actual)
    return [heading]
      + LineDifference.lines(expected, actual).map { kind, text in
        let text = text.withVisibleControls
        switch kind {
        case .same: return "    \(text)"
        case .expected: return styled("  - \(text)", kind)
        case .actual: return styled("  + \(text)", kind)
        case .gap: return "    …"
        }
      } + [""]
  }

  private func styled(_ text: String, _ kind: LineDifference.Kind) -> String {
    hasColor ? "\u{1B}[\(kind == .expected ? 32 : 31)m\(text)\u{1B}[0m" : text
  }

  /// Those below this folder.
  private static func withRelativePaths(_ line: String) -> String {
    guard workingFolder != "//", line.utf8.count < 10_000 else { return line }
    return line.replacing(workingFolder, with: "")
  }

  private static let workingFolder =
    ((try? FileModuleLoader.main(Script(code: "", name: "."), isFile: false).key) ?? "/") + "/"
}
