import EditorProtocol
import JSON

/// Choosing and running what plugins offer.
extension Editor {
  func openPalette() {
    plugins.palette = (view?.plugins ?? []).flatMap(entries)
    if plugins.palette.isEmpty { return show("There are no plugins; xiedit(1) tells where they go") }
    var prompt = Prompt(.command)
    prompt.choices = ChoiceList(plugins.palette.map(\.choice))
    mode = .prompt(prompt)
  }

  /// The commands of a plugin; and its start, or its end.
  private func entries(of plugin: PluginInView) -> [PluginSession.PaletteEntry] {
    let commands = plugin.commands.map { command in
      let choice = ChoiceList.Choice(title: command.title, detail: "\(plugin.name): \(command.description)")
      return PluginSession.PaletteEntry(choice: choice) { [weak self] in
        self?.proceed(with: PluginSession.CommandInProgress(plugin: plugin.name, command: command))
      }
    }
    let control = PluginCommand.control(of: plugin)
    let choice = ChoiceList.Choice(title: "\(plugin.isRunning ? "Stop" : "Start") the plugin \(plugin.name)")
    return commands + [PluginSession.PaletteEntry(choice: choice) { [weak self] in self?.send(control) }]
  }

  func acceptCommand(_ prompt: Prompt) {
    guard let chosen = prompt.choices?.chosen else { return askAgain(prompt, "Nothing is called that") }
    plugins.palette[chosen].run()
    plugins.palette = []
  }

  func acceptArgument(_ prompt: Prompt) {
    guard var progress = plugins.command, let argument = progress.argument else { return }
    guard let value = argument.value(of: prompt.field.string, chosen: prompt.choices?.chosen) else {
      return askAgain(prompt, "not \(argument.expected)")
    }
    progress.command.set(argument, to: value)
    progress.nextArgument += 1
    proceed(with: progress)
  }

  private func askAgain(_ prompt: Prompt, _ reason: String) {
    mode = .prompt(prompt)
    show(reason)
  }

  /// Asks for the next argument, or runs the command when it has all.
  private func proceed(with progress: PluginSession.CommandInProgress) {
    let command = progress.command
    guard let argument = progress.argument else {
      plugins.command = nil
      return send(
        .rpc(
          receiver: progress.plugin, method: command.method, params: command.params, isRequest: command.isRequest))
    }
    plugins.command = progress
    var prompt = Prompt(.argument(argument.title))
    prompt.note = argument.description
    if case .choice(let options) = argument.type {
      prompt.choices = ChoiceList(options.map { ChoiceList.Choice(title: $0.title) })
    }
    mode = .prompt(prompt)
  }

  private func send(_ command: PluginCommand) {
    if let id = view?.id { channel.send(.plugin(id, command)) }
  }
}

extension PluginCommand {
  /// What ends a plugin that runs, and starts one that does not.
  fileprivate static func control(of plugin: PluginInView) -> PluginCommand {
    plugin.isRunning ? .stop(name: plugin.name) : .start(name: plugin.name)
  }
}
