import EditorProtocol

/// What plugins know of the place of the caret, in whatever view is shown.
final class Hover {
  /// Shown until the next key.
  private(set) var text: String?
  /// The number of the last question; older answers come too late.
  private var request = 0
  private let views: Views

  init(in views: Views) { self.views = views }

  /// Asks the plugins what stands at the caret.
  func askAboutCaret() {
    guard views.current?.plugins.contains(where: \.isRunning) == true else {
      return views.notices.show("No plugin is running")
    }
    request += 1
    views.edit(.requestHover(requestID: request, at: nil))
    views.notices.show("Asking the plugins …")
  }

  func show(_ text: String, _ requestID: Int, in id: ViewID) {
    guard views.current?.id == id, requestID == request else { return }
    show(text)
  }

  func show(_ text: String) {
    views.notices.hide()
    self.text = text
    views.screen.needsDisplay = true
  }

  /// Whatever is typed closes it, and late answers are not wanted any more.
  /// - Returns: Whether the event did only that.
  func close(by event: InputEvent) -> Bool {
    guard text != nil else { return false }
    text = nil
    views.screen.needsDisplay = true
    return event == .key(Key(.escape))
  }
}
