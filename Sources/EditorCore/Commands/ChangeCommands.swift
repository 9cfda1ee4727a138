import EditorProtocol
import Rope

/// What can be done with the lines that are not what they were.
extension TextView {
  private var changedSince: LineChanges? {
    if document.changes?.lines == nil { remark = "There is nothing to compare the text with" }
    return document.changes?.lines
  }

  func moveToChange(forward: Bool) {
    guard let hunks = changedSince?.hunks, let caret = carets.main?.active else { return }
    let line = text.line(at: caret).value
    let next =
      forward ? hunks.first { $0.marked.lowerBound > line } : hunks.last { $0.marked.lowerBound < line }
    guard let next else {
      remark = hunks.isEmpty ? "No line has changed" : "No line has changed \(forward ? "below" : "above")"
      return
    }
    select(.caret(text.start(ofLine: next.marked.lowerBound)))
  }

  /// Puts what stood there in the place of the changes at the carets, and of those that are selected, as one step; or above them.
  func revertChanges(keepingNew: Bool = false) {
    guard let changes = changedSince else { return }
    var reverted: [LineHunk] = []
    for region in selection.regions {
      let lines = selectedLines(of: region)
      for hunk in changes.hunks(at: lines) where hunk.new.lowerBound > reverted.last?.new.lowerBound ?? -1 {
        reverted.append(hunk)
      }
    }
    guard !reverted.isEmpty else {
      remark = "No line has changed here"
      return
    }
    let delta = replace { builder in
      for hunk in reverted {
        let (old, range) = (changes.oldText(of: hunk), text.range(ofLines: hunk.new))
        if keepingNew, !range.isEmpty {
          builder.replace(range.lowerBound..<range.lowerBound, with: old.ended(by: document.lineEnding))
        } else {
          builder.replace(range, with: old)
        }
      }
    }
    let revision = document.buffer.revision
    commit(delta, as: .other)
    guard document.buffer.revision != revision else { return }
    var selection = Selection()
    for edit in delta.edits { selection.add(.init(edit.newStart, edit.newStart)) }
    select(selection)
  }

  /// A region that ends at the start of a line has nothing of it.
  private func selectedLines(of region: SelectionRegion) -> Range<Int> {
    let (first, last) = (text.line(at: region.lowerBound).value, text.line(at: region.upperBound).value)
    let endsBefore = last > first && text.start(ofLine: last) == region.upperBound
    return first..<(endsBefore ? last : last + 1)
  }

  /// Of the change at the caret.
  func earlierLines() -> EarlierLines? {
    guard let changes = document.changes, let lines = changes.lines, let caret = carets.main?.active else { return nil }
    let line = text.line(at: caret).value
    guard let hunk = lines.hunks(at: line..<line + 1).first else { return nil }
    let old = lines.base.range(ofLines: hunk.old)
    let shown = old.lowerBound..<lines.base.graphemeBoundary(atOrBefore: min(old.upperBound, old.lowerBound + 0x4000))
    return EarlierLines(
      base: changes.base, line: hunk.new.lowerBound, count: hunk.new.count, earlierCount: hunk.old.count,
      text: lines.base.string(in: shown))
  }

  /// The lines on the screen that have changed. O(changes).
  func changedLines() -> ChangedLines? {
    guard let changes = document.changes, let lines = changes.lines else { return nil }
    var changed = ChangedLines(base: changes.base, added: 0, modified: 0, removed: 0, runs: [])
    for hunk in lines.hunks {
      let both = min(hunk.old.count, hunk.new.count)
      changed.modified += both
      changed.added += hunk.new.count - both
      changed.removed += hunk.old.count - both
    }
    var shown = 0
    for window in ([window] + screen.alsoShown).sorted(by: { $0.lowerBound < $1.lowerBound }) {
      let (first, end) = (max(window.lowerBound, shown), min(window.upperBound, lineCount))
      guard first < end else { continue }
      shown = end
      changed.runs += runs(of: lines, in: first..<end)
    }
    return changed
  }

  private func runs(of changes: LineChanges, in window: Range<Int>) -> [ChangedLines.Run] {
    let first = text.line(at: lines.start(ofLine: window.lowerBound, in: text)).value
    let last = text.line(at: lines.start(ofLine: window.upperBound - 1, in: text)).value
    return changes.hunks(at: first..<last + 1).compactMap { hunk in
      let marked = hunk.marked
      let start = line(of: text.start(ofLine: marked.lowerBound))
      let end = hunk.new.isEmpty ? start + 1 : visualEnd(ofLine: marked.upperBound - 1)
      let seen = (start..<max(start, end)).clamped(to: window)
      guard !seen.isEmpty else { return nil }
      let kind = hunk.old.isEmpty ? ChangedLines.Kind.added : hunk.new.isEmpty ? .removed : .modified
      return .init(kind, line: seen.lowerBound, count: seen.count)
    }
  }

  /// Behind the last visual line of a logical one.
  private func visualEnd(ofLine line: Int) -> Int {
    line + 1 < text.lineCount ? self.line(of: text.start(ofLine: line + 1)) : lineCount
  }
}

extension Rope {
  /// With a line end at its end, if it holds anything.
  fileprivate func ended(by lineEnding: String) -> Rope {
    guard !isEmpty, self[endOffset - 1] != 0x0A else { return self }
    var ended = self
    ended.append(Rope(lineEnding))
    return ended
  }
}
