import EditorProtocol

/// A prompt for the path of a file; Tab completes it.
class PathPrompt: Prompt {
  init(_ editor: Editor, _ label: String, text: String = "") {
    super.init(editor, label, history: .path, text: text)
  }

  override func handleOwnKey(_ key: Key) -> Bool {
    guard key == Key(.tab) else { return false }
    complete()
    return true
  }

  /// Completes the path as far as it is clear; shows the choices when it is not.
  private func complete() {
    let typed = field.string
    editor.files.complete(typed) { [weak self, editor] found in
      // Esc ends the waiting.
      guard let self, editor.mode === self, field.string == typed else { return }
      guard let found, let first = found.names.first else { return editor.notices.show("No file starts like that") }
      let common = found.names.dropFirst().reduce(first) { $0.commonPrefix(with: $1) }
      field = TextField(typed.pathStart + common)
      editor.macros.noteFilled(field.string)
      changed()
      if found.names.count > 1 { editor.notices.show(found.names.prefix(40).joined(separator: "  ")) }
    }
  }
}

extension Files {
  fileprivate func complete(_ typed: String, then body: @escaping (PathCompletion?) -> Void) {
    onceCoreIsKnown { [unowned self] in look(for: typed, then: body) }
  }

  /// A core that is new, or takes another's place, has not said yet what it understands.
  private func onceCoreIsKnown(_ body: @escaping () -> Void) {
    if core.loss == nil, let view = views.current { gate.whenReady(view, body) } else { body() }
  }

  /// Asks the core what a typed path is: its file system may be that of another machine. What is typed meanwhile is for what comes of it.
  ///
  /// - Parameter body: Told nil by a core that cannot say.
  fileprivate func look(for typed: String, then body: @escaping (PathCompletion?) -> Void) {
    guard core.supports(.paths) else { return body(nil) }
    var (isAnswered, found) = (false, PathCompletion?.none)
    core.request(.completePath(typed)) {
      isAnswered = true
      found = (try? $0.get()).flatMap(PathCompletion.init)
    }
    gate.wait(to: "find the file", .isHeld, until: { isAnswered ? .over : .waiting }) { body(found) }
  }

  /// The path that was meant, with a home folder in place of `~`. Where the core cannot say, nothing is done: `~` is no folder.
  fileprivate func resolve(_ typed: String, then body: @escaping (String) -> Void) {
    guard typed.startsAtHome else { return body(typed) }
    guard core.loss == nil else { return notices.tellOfMissingCore(typed) }
    let ask = { [unowned self] in
      guard core.supports(.paths) else {
        return notices.show("\(typed): this core does not know what ~ is", isAlarm: true)
      }
      look(for: typed) { [weak self] found in
        if let found, !found.path.startsAtHome { return body(found.path) }
        self?.notices.show("\(typed): the core did not say what ~ is; nothing was done", isAlarm: true)
      }
    }
    onceCoreIsKnown(ask)
  }
}

final class OpenPrompt: PathPrompt {
  init(_ editor: Editor) { super.init(editor, "Open") }

  override func accept(_ text: String) {
    if !text.isEmpty { editor.files.resolve(text) { [editor] in editor.files.visit(path: $0) } }
  }
}

/// Asks for the name that the shown text is saved under.
final class SavePrompt: PathPrompt {
  /// ``Save/finish``
  private let finish: (Bool) -> Void

  init(_ editor: Editor, text: String = "", then finish: @escaping (Bool) -> Void = { _ in }) {
    self.finish = finish
    super.init(editor, "Save as", text: text)
  }

  override func accept(_ text: String) {
    guard let view = editor.view, !text.isEmpty else { return }
    editor.files.resolve(text) { [editor, finish] path in
      Save(files: editor.files, view: view, path: path, finish: finish).start()
    }
  }
}

extension String {
  /// Whether it is `~`, or in there.
  fileprivate var startsAtHome: Bool { self == "~" || utf8.starts(with: "~/".utf8) }

  fileprivate func commonPrefix(with other: String) -> String {
    String(zip(self, other).prefix { $0.utf8.elementsEqual($1.utf8) }.map(\.0))
  }
}
