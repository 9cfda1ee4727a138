import EditorProtocol

/// What plugins know of the place of the caret, in whatever view is shown.
struct Hover {
  /// Shown until the next key.
  var text: String?
  /// The number of the last question; older answers come too late.
  var request = 0
}

extension Editor {
  /// Asks the plugins what stands at the caret.
  func askAboutCaret() {
    guard let view, view.plugins.contains(where: \.isRunning) else { return notices.show("No plugin is running") }
    hover.request += 1
    views.edit(.requestHover(requestID: hover.request, at: nil))
    notices.show("Asking the plugins …")
  }

  func showHover(_ text: String, _ requestID: Int, in id: ViewID) {
    guard let view, view.id == id, requestID == hover.request, mode == nil else { return }
    notices.hide()
    hover.text = text
  }

  /// Whatever is typed closes it, and late answers are not wanted any more.
  /// - Returns: Whether the event did only that.
  func closeHover(by event: InputEvent) -> Bool {
    guard hover.text != nil else { return false }
    hover.text = nil
    screen.needsDisplay = true
    return event == .key(Key(.escape))
  }
}
