import Rope

extension TextView {
  private var caretLine: ByteOffset? { carets.main.map { text.lineStart(of: $0.active) } }

  func toggleBookmark() {
    guard let line = caretLine else { return }
    guard document.bookmarks.contains(line) || !document.bookmarks.isFull else {
      remark = "\(Bookmarks.most) lines are marked already"
      return
    }
    document.bookmarks.toggle(line)
    document.views.needUpdate()
  }

  func clearBookmarks() {
    guard !document.bookmarks.starts.isEmpty else { return remark = "No line is marked" }
    document.bookmarks.removeAll()
    document.views.needUpdate()
  }

  /// Goes on at the other end of the text, as a search does.
  func moveToBookmark(forward: Bool) {
    guard let line = caretLine else { return }
    let marked = document.bookmarks.starts
    let next = forward ? marked.first { $0 > line } ?? marked.first : marked.last { $0 < line } ?? marked.last
    guard let next else { return remark = "No line is marked" }
    if next == line { remark = "No other line is marked" } else { select(.caret(next)) }
  }

  /// The visual lines on the screen that begin a line that is marked.
  func bookmarkedLines() -> [Int] {
    let starts = document.bookmarks.starts
    guard !starts.isEmpty else { return [] }
    let windows = [window] + screen.alsoShown
    return starts.map { line(of: $0) }.filter { line in windows.contains { $0.contains(line) } }
  }
}
