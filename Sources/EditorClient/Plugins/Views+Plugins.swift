import EditorProtocol

/// What plugins say and do.
extension Views {
  func handlePlugin(_ notification: CoreNotification) {
    switch notification {
    case .availablePlugins(let id, let states):
      for state in states { plugin(state.name, in: id) { $0.isRunning = state.isRunning } }
    case .pluginStarted(let id, let name): noteRunning(true, name, in: id)
    case .pluginStopped(let id, let name, _): noteRunning(false, name, in: id)
    case .updateCommands(let id, let name, let commands):
      plugin(name, in: id) { $0.commands = commands.compactMap(DeclaredCommand.init) }
    case .addStatusItem(let id, let item):
      guard let view = self[id] else { return }
      view.statusItems.removeAll { $0.key == item.key }
      view.statusItems.append(item)
    case .updateStatusItem(let id, let key, let value):
      guard let view = self[id], let index = view.statusItems.firstIndex(where: { $0.key == key }) else { return }
      view.statusItems[index].value = value
    case .removeStatusItem(let id, let key): self[id]?.statusItems.removeAll { $0.key == key }
    default: break
    }
  }

  private func plugin(_ name: String, in id: ViewID, change: (inout PluginInView) -> Void) {
    guard let view = self[id] else { return }
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
    let before = self[id]?.plugins.first { $0.name == name }?.isRunning
    plugin(name, in: id) {
      $0.isRunning = isRunning
      if !isRunning { $0.commands = [] }
    }
    guard let before, before != isRunning, notices.message?.isAlarm != true else { return }
    notices.show(isRunning ? "The plugin \(name) runs" : "The plugin \(name) has stopped")
  }
}
