import EditorProtocol
import Glibc
import JSON
import JSONRPC

/// Opening, saving and closing.
extension Editor {
  /// The id that a core gives its first view (XI front-end protocol, `new_view`).
  private static let firstViewID = ViewID("view-id-1")

  /// Opens a file, new or not; without a path an empty buffer.
  package func open(path: String?, isReadOnly: Bool = false, at position: FilePosition? = nil) {
    if let path, let index = views.firstIndex(where: { $0.path?.leadsToSameFile(as: path) == true }) {
      currentIndex = index
      needsDisplay = true
      announceViewport()
      guard let position else { return }
      if views[index].state == .open { return goto(position, in: views[index]) }
      views[index].initialPosition = position
      return
    }
    open(EditorView(path: path, isReadOnly: isReadOnly, initialPosition: position))
  }

  /// Text for the buffer that was opened last, as one undo step; the caret stays at its start.
  package func insert(_ text: String) {
    guard let view, !text.isEmpty else { return }
    view.initialText = text
    if view.takesEdits { putInInitialText(of: view) }
  }

  private func putInInitialText(of view: EditorView) {
    guard !view.initialText.isEmpty else { return }
    edit(view, .paste(view.initialText))
    edit(view, .plain(.moveToBeginningOfDocument))
    view.initialText = ""
  }

  package func showFirstView() {
    currentIndex = 0
    announceViewport()
  }

  func open(_ view: EditorView, recoveryID: String? = nil) {
    needsDisplay = true
    if views.isEmpty { view.id = Self.firstViewID }
    views.append(view)
    currentIndex = views.count - 1
    requestView(view, recoveryID: recoveryID)
    announceViewport()
  }

  /// Asks the core for a view; its edits follow at once if the id is known, else after the answer.
  func requestView(_ view: EditorView, recoveryID: String?) {
    let request = NewView(path: view.path, isReadOnly: view.isReadOnly, recoveryID: recoveryID)
    wait(to: "open \(view.name)", .passes, until: { [weak self] in self?.readiness(of: view) ?? .failed })
    self.request(.newView(request)) { [weak self, weak view] result in
      guard let self, let view else { return }
      switch result {
      case .success(let id): opened(view, as: ViewID(id.string ?? ""))
      case .failure(let error): openingFailed(view, error)
      }
    }
  }

  private func opened(_ view: EditorView, as id: ViewID) {
    let isAsExpected = view.id == id
    view.id = id
    view.state = .open
    if !isAsExpected {
      view.announcedLines = nil
      view.announcedSize = nil
      if view === self.view { announceViewport() }
    }
    if view.recovery == .waiting {
      // A core that has read the journal says so; another one starts from the file.
      if view.file?.recoveryID == nil { resume(view, handledEdits: 0) }
      return
    }
    putInInitialText(of: view)
    if let position = view.initialPosition {
      view.initialPosition = nil
      goto(position, in: view)
    }
    if view.isReadOnly, handshake == nil { show("This core does not know read-only views", isAlarm: true) }
  }

  private func openingFailed(_ view: EditorView, _ error: ResponseError) {
    guard error.code != ResponseError.connectionClosedCode else { return }
    guard view.path != nil else {
      failure = "the core opens no buffer: \(error.explanation)"
      return
    }
    let name = view.name
    remove(view)
    if views.isEmpty { open(path: nil) }
    show("\(name): \(error.explanation)", isAlarm: true)
  }

  func switchView(by distance: Int) {
    needsDisplay = true
    guard views.count > 1 else { return show("This is the only buffer") }
    currentIndex = (currentIndex + distance + views.count) % views.count
    announceViewport()
  }

  private func remove(_ view: EditorView) {
    needsDisplay = true
    guard let index = views.firstIndex(where: { $0 === view }) else { return }
    views.remove(at: index)
    if currentIndex > index || currentIndex >= views.count { currentIndex = max(currentIndex - 1, 0) }
    announceViewport()
  }

  // MARK: Saving

  func save() {
    guard let view else { return }
    guard let path = view.path else {
      mode = SavePrompt(self)
      return
    }
    save(view, to: path, .ifUnchanged)
  }

  func save(_ view: EditorView, to path: String, _ policy: OverwritePolicy, then finish: @escaping () -> Void = {}) {
    guard view.isReady, let id = view.id else {
      return whenReady(view) { [weak self] in self?.save(view, to: path, policy, then: finish) }
    }
    if policy == .ifUnchanged, view.file?.isReadOnly == true {
      return show("\(view.name) is read-only; Alt-S saves under another name", isAlarm: true)
    }
    guard supports(.files) else { return saveByForeignCore(view, to: path, policy, then: finish) }
    view.isSaving = true
    wait(to: "save \(path.lastPathPart)", .passes, until: { view.isSaving ? .waiting : .over })
    request(.saveFile(id, path: path, policy)) { [weak self, weak view] result in
      guard let self, let view else { return }
      view.isSaving = false
      switch result {
      case .success:
        view.path = path
        view.fileHasChanged = false
        withdrawOffer(.overwrite(path))
        withdrawOffer(.encoding(path))
        show("Saved \(view.name)")
        finish()
      case .failure(let error): saveFailed(view, path, policy, error, then: finish)
      }
    }
  }

  private func saveFailed(
    _ view: EditorView, _ path: String, _ policy: OverwritePolicy, _ error: ResponseError,
    then finish: @escaping () -> Void
  ) {
    let overwrite = { [weak self] in
      guard let self else { return }
      save(view, to: path, .always, then: finish)
    }
    switch error.code {
    case ErrorCode.changedOnDisk:
      offerToOverwrite(path, "has changed on disk", overwrite)
    case ErrorCode.vanished: offerToOverwrite(path, "is no longer there", label: "writes it anew", overwrite)
    case ErrorCode.fileExists: offerToOverwrite(path, "exists", overwrite)
    case ErrorCode.losesCapabilities:
      askYesOrNo("\(path.lastPathPart) would lose its capabilities. Save it all the same?", yes: overwrite)
    case ErrorCode.notEncodable:
      offerUTF8(for: view, path, error) { [weak self] in self?.save(view, to: path, policy, then: finish) }
    default:
      isQuitting = false
      offerFolder(of: path, error) { overwrite() }
    }
  }

  /// Another program's work would be gone: not by a letter, as the answer to a save comes in the middle of what is typed on.
  private func offerToOverwrite(
    _ path: String, _ state: String, label: String = "overwrites it", _ overwrite: @escaping () -> Void
  ) {
    let write = Offer.Choice(key: .control("o"), label: label, run: overwrite)
    let leave = Offer.Choice(key: Key(.escape), label: "leaves it") { [weak self] in
      self?.isQuitting = false
      self?.show("Nothing was changed")
    }
    withdrawOffer(.overwrite(path))
    offer(
      Offer(subject: .overwrite(path), text: "\(path.lastPathPart) \(state)", choices: [write, leave]),
      isUrgent: true)
  }

  private func offerUTF8(for view: EditorView, _ path: String, _ error: ResponseError, save: @escaping () -> Void) {
    let change = Offer.Choice(key: .control("o"), label: "saves as UTF-8") { [weak self] in
      self?.setEncoding(.utf8, of: view, readsAgain: false)
      save()
    }
    let leave = Offer.Choice(key: Key(.escape), label: "leaves it") { [weak self] in
      self?.isQuitting = false
      self?.show("Nothing was saved")
    }
    withdrawOffer(.encoding(path))
    offer(
      Offer(subject: .encoding(path), text: error.data?.string ?? error.message, choices: [change, leave]),
      isUrgent: true)
  }

  /// xi-core tells nothing of a save that went well but the state of the view.
  private func saveByForeignCore(
    _ view: EditorView, to path: String, _ policy: OverwritePolicy, then finish: @escaping () -> Void
  ) {
    guard let id = view.id else { return }
    let write = { [weak self] in
      guard let self else { return }
      view.path = path
      channel.send(.save(id, path: path))
      // An answer to any request comes after what the save had to say.
      request(.getConfig(id)) { [weak self] _ in
        guard let self else { return }
        guard view.isPristine else { return }
        show("Saved \(view.name)")
        finish()
      }
    }
    if policy == .ifNew, access(path, F_OK) == 0 {
      offerToOverwrite(path, "exists", write)
    } else {
      write()
    }
  }

  /// A folder that is missing can be made; anything else is told.
  private func offerFolder(of path: String, _ error: ResponseError, retry: @escaping () -> Void) {
    let folder = path.folder
    guard !folder.isEmpty, access(folder, F_OK) != 0, errno == ENOENT else {
      return show("Not saved: \(error.explanation)", isAlarm: true)
    }
    askYesOrNo("The folder \(folder) does not exist. Create it?") { [weak self] in
      guard makeFolders(folder) else {
        self?.show("\(folder): \(String(cString: strerror(errno)))", isAlarm: true)
        return
      }
      retry()
    }
  }

  /// The text becomes that of the file; what was typed is one undo away.
  func reload() {
    guard let view else { return }
    guard view.path != nil else { return show("This buffer has no file") }
    whenReady(view) { [weak self] in
      guard let self, let id = view.id else { return }
      guard supports(.reload) else { return show("This core does not load files again", isAlarm: true) }
      channel.send(.reload(id))
    }
  }

  // MARK: Closing

  func closeCurrentView() {
    guard let view else { return }
    whenSettled { [weak self] in
      self?.confirmLoss(of: view, action: "closing") { self?.close(view) }
    }
  }

  private func close(_ view: EditorView) {
    if let id = view.id { channel.send(.closeView(id)) }
    remove(view)
    if views.isEmpty { finish() }
  }

  /// Runs `proceed` when the text is saved, or may be lost.
  private func confirmLoss(of view: EditorView, action: String, proceed: @escaping () -> Void) {
    guard !view.isPristine else { return proceed() }
    let saveFirst = { [weak self] in
      guard let self else { return }
      if let path = view.path {
        save(view, to: path, .ifUnchanged, then: proceed)
      } else {
        mode = SavePrompt(self, then: proceed)
      }
    }
    ask("Save \(view.name) before \(action)?", choices: "y/n, Esc goes back", answers: ["y": saveFirst, "n": proceed]) {
      [weak self] in self?.isQuitting = false
    }
  }

  func quit() {
    isQuitting = true
    whenSettled { [weak self] in self?.askForNextView(skipping: []) }
  }

  /// Asks for one modified view after another, then ends.
  private func askForNextView(skipping decided: Set<ObjectIdentifier>) {
    guard
      let index = views.firstIndex(where: { !$0.isPristine && !decided.contains(ObjectIdentifier($0)) })
    else { return finish() }
    currentIndex = index
    announceViewport()
    let view = views[index]
    confirmLoss(of: view, action: "quitting") { [weak self] in
      self?.askForNextView(skipping: decided.union([ObjectIdentifier(view)]))
    }
  }

  /// Closes what is open: the core removes the journals of closed views, and keeps those of a front end that vanished.
  private func finish() {
    for view in views {
      if let id = view.id { channel.send(.closeView(id)) }
    }
    views = []
    effects.append(.exit(code: 0))
  }
}

extension ResponseError {
  /// What a person can do something with.
  fileprivate var explanation: String {
    if let detail = data?.string { return "\(message): \(detail)" }
    return message
  }
}

/// Makes a folder and those above it; false with `errno` when one cannot be made.
private func makeFolders(_ path: String) -> Bool {
  if mkdir(path, 0o777) == 0 || errno == EEXIST { return true }
  guard errno == ENOENT, !path.folder.isEmpty, path.folder != path else { return false }
  return makeFolders(path.folder) && mkdir(path, 0o777) == 0
}
