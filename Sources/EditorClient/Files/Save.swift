import EditorProtocol
import JSONRPC

/// A save of a view under a name, with all that has to be asked on its way.
struct Save {
  unowned let files: Files
  let view: EditorView
  let path: String
  var policy: OverwritePolicy
  var makesFolders = false

  /// - Parameter finish: ``finish``
  init(files: Files, view: EditorView, path: String, finish: @escaping (Bool) -> Void = { _ in }) {
    (self.files, self.view, self.path, self.finish) = (files, view, path, finish)
    policy = view.path?.isSamePath(as: path) == true ? .ifUnchanged : .ifNew
  }

  /// Keys that come behind it are for what follows: they are held until it has ended.
  var holdsInput = false
  /// What is done when the text is on the disk, if that is still waited for; told whether the user has done nothing else since.
  var finish: (Bool) -> Void = { _ in }
  /// Told why it is not, behind the user.
  var fail: (ResponseError) -> Void = { _ in }

  func start() {
    guard files.core.loss == nil else { return files.notices.tellOfMissingCore("Not saved") }
    guard view.isReady, let id = view.id else { return files.gate.whenReady(view) { start() } }
    if policy == .ifUnchanged, view.file?.isReadOnly == true {
      return files.notices.show(
        "\(view.name) is read-only; \(files.keys.label(of: .saveAs)) saves under another name", isAlarm: true)
    }
    guard files.core.supports(.files) else { return startByForeignCore(id) }
    view.awaitedSaves += 1
    let isRenaming = view.path?.isSamePath(as: path) != true
    if isRenaming { view.renamingSaves += 1 }
    view.wantedPath = isRenaming ? path : nil
    let inputCount = files.gate.inputCount
    let editCount = view.log.nextNumber
    var state = Wait.State.waiting
    var isAwaited = true
    // What is typed behind another name is meant for the file of that name.
    files.gate.wait(
      to: "save \(path.pathName)", isRenaming || holdsInput ? .isOrdered : .passes, until: { state },
      then: { finish(files.gate.inputCount == inputCount) },
      givenUp: {
        isAwaited = false
        view.awaitedSaves -= 1
      })
    files.core.request(.saveFile(id, path: path, policy, makesFolders: makesFolders)) { result in
      if isAwaited { view.awaitedSaves -= 1 }
      if isRenaming { view.renamingSaves -= 1 }
      switch result {
      case .success:
        state = .over
        end()
      case .failure(let error):
        state = .failed
        // It may have been done: the next core is asked.
        if error.isOfClosedConnection {
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

  private func tell(_ error: ResponseError) {
    // A save that was typed ahead is one under this name.
    if files.gate.heldEvents.isEmpty { view.wantedPath = nil }
    files.notices.show("Not saved: \(error.explanation)", isAlarm: true)
  }

  private func end() {
    // What stood in the way of a save to the file before does so no more.
    for path in [path, view.path ?? path] { files.notices.withdrawOffer(.save(path)) }
    view.path = path
    view.wantedPath = nil
    view.fileHasChanged = false
    files.notices.show("Saved \(view.name)")
  }

  private func overwrite() {
    var save = self
    save.policy = .always
    save.start()
  }

  /// xi-core tells nothing of a save that went well but the state of the view.
  private func startByForeignCore(_ id: ViewID) {
    let write = {
      let inputCount = files.gate.inputCount
      view.path = path
      files.core.send(.save(id, path: path))
      // An answer to any request comes after what the save had to say.
      files.core.request(.getConfig(id)) { _ in
        guard view.isPristine else { return }
        files.notices.show("Saved \(view.name)")
        finish(files.gate.inputCount == inputCount)
      }
    }
    // There may be one: its disk need not be this side's, and it cannot be asked.
    if policy == .ifNew { offer("\(path.pathName) may exist", "overwrites it", write) } else { write() }
  }

  // MARK: What stands in the way

  private func recover(from error: ResponseError) {
    let name = path.pathName
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
    files.setEncoding(.utf8, of: view, readsAgain: false)
    start()
  }

  /// No question that a letter answers, or the key of a command: the answer to a save comes in the middle of what is done next.
  private func offer(_ text: String, _ label: String, _ run: @escaping () -> Void) {
    let go = files.keys.overwritingKey.map { Offer.Choice(key: $0, label: label, run: run) }
    let leave = Offer.Choice(key: Key(.escape), label: "leaves it") {
      view.wantedPath = nil
      files.notices.show("Nothing was saved")
    }
    files.notices.withdrawOffer(.save(path))
    let choices = [go, leave].compactMap(\.self)
    files.notices.offer(Offer(subject: .save(path), text: text, choices: choices), isUrgent: true)
  }
}

extension Files {
  func showPath() {
    guard let view = views.current else { return }
    notices.show(
      view.path.map(\.absolutePath) ?? "This buffer has no file yet; \(keys.label(of: .saveAs)) gives it one")
  }

  /// Saves each buffer that has changed; those without a file are told of.
  func saveAll() { gate.whenNamed { [unowned self] in saveAllNamed() } }

  private func saveAllNamed() {
    let changed = views.all.filter { !views.isClean($0) && !($0.file?.isReadOnly ?? $0.isReadOnly) }
    let files = changed.compactMap { view in (view.wantedPath ?? view.path).map { (view, $0) } }
    let unnamed = changed.count - files.count
    let rest = unnamed == 0 ? "" : "; \(unnamed) without a file \(unnamed == 1 ? "is" : "are") not"
    guard !files.isEmpty else {
      return notices.show(unnamed == 0 ? "Nothing has changed" : "Only buffers without a file have changed")
    }
    var (open, failures) = (files.count, [String]())
    let end = { [unowned self] in
      open -= 1
      if open == 0 { tellOfSaves(files.count, failures, rest) }
    }
    for (view, path) in files {
      var save = Save(files: self, view: view, path: path, finish: { _ in end() })
      save.fail = { [unowned self] error in
        if !notices.hasOffer(.save(path)) { failures.append("\(view.name): \(error.explanation)") }
        end()
      }
      save.start()
    }
  }

  /// At last: what was saved behind one that failed must hide neither that nor an offer, which a key would answer unseen.
  private func tellOfSaves(_ number: Int, _ failures: [String], _ rest: String) {
    let all = failures.joined(separator: "\n")
    if case .save? = notices.offers.first?.subject {
      notices.hide()
      if !failures.isEmpty { notices.wait(Message(text: "Not saved: \(all)", isAlarm: true)) }
    } else if !failures.isEmpty {
      let saved = "Saved \(number - failures.count) of \(count(number, "file"))\(rest)"
      notices.show("\(saved); not saved: \(all)", isAlarm: true)
    } else {
      notices.show("Saved \(count(number, "file"))\(rest)")
    }
  }
}
