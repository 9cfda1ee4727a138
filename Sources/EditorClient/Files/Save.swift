import EditorProtocol
import JSONRPC

/// A save of a view under a name, with all that has to be asked on its way.
struct Save {
  unowned let editor: Editor
  let view: EditorView
  let path: String
  var policy: OverwritePolicy
  var makesFolders = false
  /// What is done when the text is on the disk, if that is still waited for; told whether the user has done nothing else since.
  var finish: (Bool) -> Void = { _ in }
  /// Told why it is not, behind the user.
  var fail: (ResponseError) -> Void = { _ in }

  func start() {
    guard editor.core.loss == nil else { return editor.notices.tellOfMissingCore("Not saved") }
    guard view.isReady, let id = view.id else { return editor.gate.whenReady(view) { start() } }
    if policy == .ifUnchanged, view.file?.isReadOnly == true {
      return editor.notices.show(
        "\(view.name) is read-only; \(editor.keys.label(of: .saveAs)) saves under another name", isAlarm: true)
    }
    guard editor.core.supports(.files) else { return startByForeignCore(id) }
    view.isSaving = true
    let inputCount = editor.gate.inputCount
    let editCount = view.log.nextNumber
    var state = InputGate.State.waiting
    var isAwaited = true
    editor.gate.wait(
      to: "save \(path.lastPathPart)", .passes, until: { state },
      then: { finish(editor.gate.inputCount == inputCount) },
      givenUp: { (isAwaited, view.isSaving) = (false, false) })
    editor.core.request(.saveFile(id, path: path, policy, makesFolders: makesFolders)) { result in
      view.isSaving = false
      switch result {
      case .success:
        state = .over
        end()
      case .failure(let error):
        state = .failed
        // It may have been done: the next core is asked.
        if error.code == ResponseError.connectionClosedCode {
          view.unansweredSave = UnansweredSave(path: path, editCount: editCount)
        } else if isAwaited {
          recover(from: error)
        } else {
          tell(error)
        }
        fail(error)
      }
    }
  }

  private func tell(_ error: ResponseError) { editor.notices.show("Not saved: \(error.explanation)", isAlarm: true) }

  private func end() {
    view.path = path
    view.fileHasChanged = false
    editor.notices.withdrawOffer(.save(path))
    editor.notices.show("Saved \(view.name)")
  }

  private func overwrite() {
    var save = self
    save.policy = .always
    save.start()
  }

  /// xi-core tells nothing of a save that went well but the state of the view.
  private func startByForeignCore(_ id: ViewID) {
    let write = {
      let inputCount = editor.gate.inputCount
      view.path = path
      editor.core.send(.save(id, path: path))
      // An answer to any request comes after what the save had to say.
      editor.core.request(.getConfig(id)) { _ in
        guard view.isPristine else { return }
        editor.notices.show("Saved \(view.name)")
        finish(editor.gate.inputCount == inputCount)
      }
    }
    // There may be one: its disk need not be this side's, and it cannot be asked.
    if policy == .ifNew { offer("\(path.lastPathPart) may exist", "overwrites it", write) } else { write() }
  }

  // MARK: What stands in the way

  private func recover(from error: ResponseError) {
    let name = path.lastPathPart
    switch error.code {
    case ErrorCode.changedOnDisk: offer("\(name) has changed on disk", "overwrites it", overwrite)
    case ErrorCode.vanished: offer("\(name) is no longer there", "writes it anew", overwrite)
    case ErrorCode.fileExists: offer("\(name) exists", "overwrites it", overwrite)
    case ErrorCode.losesCapabilities:
      offer("\(name) would lose its capabilities", "saves it all the same", overwrite)
    case ErrorCode.notEncodable: offer("\(name): \(error.data?.string ?? error.message)", "saves as UTF-8", saveAsUTF8)
    case ErrorCode.folderMissing:
      offer("The folder \(error.data?.string ?? path.folder) does not exist", "makes it", makeFolders)
    default: tell(error)
    }
  }

  private func makeFolders() {
    var save = self
    save.makesFolders = true
    save.start()
  }

  private func saveAsUTF8() {
    editor.files.setEncoding(.utf8, of: view, readsAgain: false)
    start()
  }

  /// No question that a letter answers: the answer to a save comes in the middle of what is typed on.
  private func offer(_ text: String, _ label: String, _ run: @escaping () -> Void) {
    let go = Offer.Choice(key: .control("o"), label: label, run: run)
    let leave = Offer.Choice(key: Key(.escape), label: "leaves it") { editor.notices.show("Nothing was saved") }
    editor.notices.withdrawOffer(.save(path))
    editor.notices.offer(Offer(subject: .save(path), text: text, choices: [go, leave]), isUrgent: true)
  }
}
