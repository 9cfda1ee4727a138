import EditorProtocol
import Glibc
import JSONRPC

/// A save of a view under a name, with all that has to be asked on its way.
struct Save {
  unowned let editor: Editor
  let view: EditorView
  let path: String
  var policy: OverwritePolicy
  /// What is done when the text is on the disk, if that is still waited for.
  var finish: () -> Void = {}

  func start() {
    guard view.isReady, let id = view.id else { return editor.whenReady(view) { start() } }
    if policy == .ifUnchanged, view.file?.isReadOnly == true {
      return editor.show("\(view.name) is read-only; Alt-S saves under another name", isAlarm: true)
    }
    guard editor.supports(.files) else { return startByForeignCore(id) }
    view.isSaving = true
    var state = InputGate.State.waiting
    var isAwaited = true
    editor.wait(
      to: "save \(path.lastPathPart)", .passes, until: { state }, then: finish,
      givenUp: { (isAwaited, view.isSaving) = (false, false) })
    editor.request(.saveFile(id, path: path, policy)) { result in
      view.isSaving = false
      switch result {
      case .success:
        state = .over
        end()
      case .failure(let error):
        state = .failed
        if isAwaited { recover(from: error) } else { tell(error) }
      }
    }
  }

  private func tell(_ error: ResponseError) { editor.show("Not saved: \(error.explanation)", isAlarm: true) }

  private func end() {
    view.path = path
    view.fileHasChanged = false
    editor.withdrawOffer(.overwrite(path))
    editor.withdrawOffer(.encoding(path))
    editor.show("Saved \(view.name)")
  }

  private func overwrite() {
    var save = self
    save.policy = .always
    save.start()
  }

  /// xi-core tells nothing of a save that went well but the state of the view.
  private func startByForeignCore(_ id: ViewID) {
    let write = {
      view.path = path
      editor.channel.send(.save(id, path: path))
      // An answer to any request comes after what the save had to say.
      editor.request(.getConfig(id)) { _ in
        guard view.isPristine else { return }
        editor.show("Saved \(view.name)")
        finish()
      }
    }
    if policy == .ifNew, access(path, F_OK) == 0 { offerToOverwrite("exists", by: write) } else { write() }
  }

  // MARK: What stands in the way

  private func recover(from error: ResponseError) {
    switch error.code {
    case ErrorCode.changedOnDisk: offerToOverwrite("has changed on disk", by: overwrite)
    case ErrorCode.vanished: offerToOverwrite("is no longer there", label: "writes it anew", by: overwrite)
    case ErrorCode.fileExists: offerToOverwrite("exists", by: overwrite)
    case ErrorCode.losesCapabilities:
      editor.askYesOrNo("\(path.lastPathPart) would lose its capabilities. Save it all the same?", yes: overwrite)
    case ErrorCode.notEncodable: offerUTF8(because: error)
    default: offerFolder(because: error)
    }
  }

  /// Another program's work would be gone: not by a letter, as the answer to a save comes in the middle of what is typed on.
  private func offerToOverwrite(_ state: String, label: String = "overwrites it", by write: @escaping () -> Void) {
    offer(.overwrite(path), "\(path.lastPathPart) \(state)", label, write, refusal: "Nothing was changed")
  }

  private func offerUTF8(because error: ResponseError) {
    offer(
      .encoding(path), error.data?.string ?? error.message, "saves as UTF-8",
      {
        editor.setEncoding(.utf8, of: view, readsAgain: false)
        start()
      }, refusal: "Nothing was saved")
  }

  private func offer(
    _ subject: Offer.Subject, _ text: String, _ label: String, _ run: @escaping () -> Void, refusal: String
  ) {
    let write = Offer.Choice(key: .control("o"), label: label, run: run)
    let leave = Offer.Choice(key: Key(.escape), label: "leaves it") { editor.show(refusal) }
    editor.withdrawOffer(subject)
    editor.offer(Offer(subject: subject, text: text, choices: [write, leave]), isUrgent: true)
  }

  /// A folder that is missing can be made; anything else is told.
  private func offerFolder(because error: ResponseError) {
    let folder = path.folder
    guard !folder.isEmpty, access(folder, F_OK) != 0, errno == ENOENT else { return tell(error) }
    editor.askYesOrNo("The folder \(folder) does not exist. Create it?") {
      if makeFolders(folder) {
        overwrite()
      } else {
        editor.show("\(folder): \(String(cString: strerror(errno)))", isAlarm: true)
      }
    }
  }
}

/// Makes a folder and those above it; false with `errno` when one cannot be made.
private func makeFolders(_ path: String) -> Bool {
  if mkdir(path, 0o777) == 0 || errno == EEXIST { return true }
  guard errno == ENOENT, !path.folder.isEmpty, path.folder != path else { return false }
  return makeFolders(path.folder) && mkdir(path, 0o777) == 0
}
