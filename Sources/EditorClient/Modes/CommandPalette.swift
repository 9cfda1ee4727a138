import EditorProtocol

/// A command in the list of all: one of ours, or one of a plugin's.
struct PaletteEntry {
  /// What is remembered of it.
  let id: String
  /// What is shown beside the prompt while it is selected: for one of ours, the name that settings know.
  let label: String
  let title: String
  let summary: String
  var key = ""
  let run: (Editor) -> Void
}

/// F2: every command with its keys, those used last first.
final class CommandPalette: ChoicePrompt {
  private let entries: [PaletteEntry]

  init(_ editor: Editor, _ entries: [PaletteEntry]) {
    self.entries = entries
    super.init(
      editor, "Command",
      choices: entries.map { ChoiceList.Choice(title: $0.title, detail: $0.summary, key: $0.key, name: $0.label) })
  }

  override var note: String { choices.chosen.map { entries[$0].label } ?? "" }

  override func accept(choice index: Int) {
    let entry = entries[index]
    editor.memory.note(entry.id, in: .command)
    entry.run(editor)
  }
}

extension Editor {
  func openPalette() { mode = CommandPalette(self, paletteEntries) }

  private var paletteEntries: [PaletteEntry] {
    let own = CommandTable.all.filter { $0.command != .action(.palette) }.map { description in
      PaletteEntry(
        id: description.command.name, label: description.command.name, title: description.title,
        summary: description.summary, key: keys.map.labels(of: description.command).first ?? ""
      ) {
        $0.macros.noteChosen(description.command)
        $0.perform(description.command)
      }
    }
    let all = own + (view?.plugins ?? []).flatMap(\.paletteEntries)
    let recent = memory[.command]
    let used = recent.compactMap { id in all.first { $0.id == id } }
    return used + all.filter { entry in !recent.contains(entry.id) }
  }

  fileprivate func send(_ command: PluginCommand) {
    if let id = view?.id { core.send(.plugin(id, command)) }
  }

  /// Asks for the next argument, or runs the command when it has all.
  func proceed(with progress: CommandInProgress) {
    if let argument = progress.argument {
      mode =
        if case .choice(let options) = argument.type {
          ChoiceArgumentPrompt(self, progress, argument, options)
        } else {
          ArgumentPrompt(self, progress, argument)
        }
    } else {
      let command = progress.command
      macros.noteLastEdit(unrepeatable: "The last change may be a plugin's, which is not made again")
      send(
        .rpc(
          receiver: progress.plugin, method: command.method, params: command.params, isRequest: command.isRequest))
    }
  }
}

extension PluginInView {
  /// The commands of a plugin; and its start, or its end.
  fileprivate var paletteEntries: [PaletteEntry] {
    let entries = commands.map { command in
      PaletteEntry(
        id: "\(name): \(command.title)", label: "\(name): \(command.title)", title: command.title,
        summary: "\(name): \(command.description)"
      ) { [name] in
        $0.proceed(with: CommandInProgress(plugin: name, command: command))
      }
    }
    let control = isRunning ? PluginCommand.stop(name: name) : .start(name: name)
    let title = "\(isRunning ? "Stop" : "Start") the plugin \(name)"
    return entries + [PaletteEntry(id: title, label: "", title: title, summary: "") { $0.send(control) }]
  }
}
