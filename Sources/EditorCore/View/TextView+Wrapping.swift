import Rope

/// How lines are broken, by the settings and the front end's screen.
extension TextView {
  func applyWrapping() { wrap(wrapMode, tabSize: document.settings.config.tabSize) }

  private var wrapMode: WrapMode {
    let config = document.settings.config
    guard config.wrapsWords else { return config.wrapWidth > 0 ? .bytes(config.wrapWidth) : .off }
    let width = min(screen.size.width, 1e6)
    guard width >= 1 else { return .off }
    return lines.widths == nil ? .cells(Int(width)) : .measured(Int(width * Double(MeasuredWidths.scale)))
  }

  /// Breaks lines anew.
  func wrap(_ mode: WrapMode, tabSize: Int) {
    guard mode != lines.mode || mode != .off else { return }
    let caret = selection.regions.last?.active ?? 0
    movedCaretLine = true
    lines.wrap(text, mode, tabSize: tabSize, around: caret, rowCount: window.count)
    shadow.invalidateAll(lineCount: lineCount)
    // Whether the caret was in sight is the front end's to know, but while there are unbroken lines it will move on.
    if !lines.unbroken.isEmpty { scrollToCaret() }
  }

  /// Breaks the lines of about `byteCount` bytes more. What is on the screen stays there.
  func wrapMore(byteCount: Int) {
    let oldCount = lineCount
    let first = lines.unbroken.first.map { line(of: $0.lowerBound) } ?? 0
    guard let done = lines.breakMore(of: text, byteCount: byteCount) else { return }
    let added = lineCount - oldCount
    guard added > 0 else { return }
    let oldEnd = min(line(of: done.upperBound) - added + 1, oldCount)
    shadow.replace(first..<oldEnd, newCount: oldEnd - first + added)
    screen.add(added, linesAbove: oldEnd)
  }
}
