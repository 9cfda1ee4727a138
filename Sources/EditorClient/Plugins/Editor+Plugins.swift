import EditorProtocol
import JSON

/// What plugins know of the place of the caret, in whatever view is shown.
struct Hover {
  /// Shown until the next key.
  var text: String?
  /// The number of the last question; older answers come too late.
  var request = 0
}

/// What plugins say and do.
extension Editor {
  func handlePlugin(_ notification: CoreNotification) {
    switch notification {
    case .availablePlugins(let id, let states):
      for state in states { plugin(state.name, in: id) { $0.isRunning = state.isRunning } }
    case .pluginStarted(let id, let name): noteRunning(true, name, in: id)
    case .pluginStopped(let id, let name, _): noteRunning(false, name, in: id)
    case .updateCommands(let id, let name, let commands):
      plugin(name, in: id) { $0.commands = commands.compactMap(DeclaredCommand.init) }
    case .addStatusItem(let id, let item):
      guard let view = view(id) else { return }
      view.statusItems.removeAll { $0.key == item.key }
      view.statusItems.append(item)
    case .updateStatusItem(let id, let key, let value):
      guard let view = view(id), let index = view.statusItems.firstIndex(where: { $0.key == key }) else { return }
      view.statusItems[index].value = value
    case .removeStatusItem(let id, let key): view(id)?.statusItems.removeAll { $0.key == key }
    case .showHover(let id, let requestID, let text): showHover(text, requestID, in: id)
    default: break
    }
  }

  private func plugin(_ name: String, in id: ViewID, change: (inout PluginInView) -> Void) {
    guard let view = view(id) else { return }
    if let index = view.plugins.firstIndex(where: { $0.name == name }) {
      change(&view.plugins[index])
    } else {
      var plugin = PluginInView(name: name, isRunning: false)
      change(&plugin)
      view.plugins.append(plugin)
    }
  }

  /// Told to the user when it is news: not when all plugins start with the editor, nor beside the reason of an end.
  private func noteRunning(_ isRunning: Bool, _ name: String, in id: ViewID) {
    let before = view(id)?.plugins.first { $0.name == name }?.isRunning
    plugin(name, in: id) {
      $0.isRunning = isRunning
      if !isRunning { $0.commands = [] }
    }
    guard let before, before != isRunning, message?.isAlarm != true else { return }
    show(isRunning ? "The plugin \(name) runs" : "The plugin \(name) has stopped")
  }

  // MARK: Hover

  /// Asks the plugins what stands at the caret.
  func askAboutCaret() {
    guard let view, view.plugins.contains(where: \.isRunning) else { return show("No plugin is running") }
    hover.request += 1
    edit(.requestHover(requestID: hover.request, at: nil))
    show("Asking the plugins …")
  }

  private func showHover(_ text: String, _ requestID: Int, in id: ViewID) {
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
