import EditorProtocol
import JSONRPC

/// Asks for a command of the shell.
final class ShellPrompt: Prompt {
  private let use: CommandUse

  /// - Parameter label: Says what becomes of what it writes.
  init(_ editor: Editor, _ use: CommandUse, _ label: String) {
    self.use = use
    super.init(editor, label, history: .shell)
  }

  override var takesLines: Bool { true }

  override func accept(_ text: String) {
    if text.contains(where: { !$0.isWhitespace }) { editor.runInShell(text, use) }
  }
}

extension Editor {
  func runInShell(_ command: String, _ use: CommandUse) {
    whenShellIsKnown { editor in
      if let view = editor.view { ShellRun(editor: editor, view: view, command: command, use: use).start() }
    }
  }

  private func whenShellIsKnown(_ body: @escaping (Editor) -> Void) {
    whenCoreIsKnown { editor in
      guard editor.core.loss == nil else { return editor.notices.tellOfMissingCore("Nothing was run") }
      guard editor.core.supports(.shellCommands) else {
        return editor.notices.show("This core runs no commands", isAlarm: true)
      }
      body(editor)
    }
  }

  func askForShellCommand(_ use: CommandUse) {
    whenShellIsKnown { editor in
      // What is selected by then is what the prompt speaks of.
      editor.gate.whenCaretsAreKnown { [unowned editor] in
        guard let view = editor.view else { return }
        editor.mode = ShellPrompt(editor, use, use == .filter ? view.filterLabel : "Insert the output of")
      }
    }
  }
}

extension EditorView {
  /// What a filter is given.
  fileprivate var filterLabel: String {
    let regions = regionCounts?.all ?? selections.count
    switch regionCounts?.selections ?? selections.count(where: { !$0.isEmpty }) {
    case 0: return regions > 1 ? "Filter the lines of \(regions) carets through" : "Filter this line through"
    case 1: return "Filter the selection through"
    case let count: return "Filter \(count) selections through"
    }
  }
}

/// A command of the shell that runs for a view. What is typed meanwhile is held, as it is meant for what will have come of it.
private struct ShellRun {
  unowned let editor: Editor
  let view: EditorView
  let command: String
  let use: CommandUse

  private static let longestName = 30

  /// As it is told of.
  private var name: String {
    let name = command.withVisibleLineEnds
    return name.count <= Self.longestName ? name : name.prefix(Self.longestName) + "…"
  }

  func start() {
    guard view.isReady, let id = view.id else { return editor.gate.whenReady(view) { start() } }
    var state = Wait.State.waiting
    var isAwaited = true
    view.shellCommand = name
    editor.gate.wait(
      to: "run \(name)", .isHeld, until: { state },
      givenUp: {
        isAwaited = false
        editor.core.send(.cancel(id))
      }, isCommand: true)
    editor.core.request(.runCommand(id, command, use)) { result in
      switch result {
      case .success:
        state = .over
        view.shellCommand = nil
        if isAwaited { editor.macros.noteLastEdit(.shell(use, command)) }
        editor.gate.whenNothingIsHeld { tellOfSuccess(isAwaited: isAwaited) }
      case .failure(let error):
        state = .failed
        // What the next core says of the view tells of it, too.
        if error.isOfClosedConnection { return }
        view.shellCommand = nil
        editor.gate.whenNothingIsHeld { tell(error) }
      }
    }
  }

  private func tellOfSuccess(isAwaited: Bool) {
    guard isAwaited else {
      let undo = editor.keys.label(of: .undo)
      return editor.notices.alarm("\(name) had ended before; \(undo) takes back what it wrote")
    }
    editor.notices.show(use == .filter ? "Filtered through \(name)" : "Inserted the output of \(name)")
  }

  private func tell(_ error: ResponseError) {
    let end = use == .filter ? "nothing was replaced" : "nothing was put in"
    guard error.code != ErrorCode.cancelled else { return editor.notices.alarm("\(name) was ended; \(end)") }
    editor.notices.show("\(error.explanation); \(end)", isAlarm: true)
  }
}
