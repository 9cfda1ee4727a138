import EditorProtocol
import EventLoop
import Rope

/// Which lines of each document differ from its file, or from what git has of it.
final class ChangeCoordinator {
  private let worker = ReadingThread(name: "changes")
  private let gitThread = ReadingThread(name: "git")
  private lazy var found = Inbox<(view: ViewID, job: Int, lines: LineChanges?)>(on: session.loop) { [weak self] in
    self?.compared($0.view, $0.job, $0.lines)
  }
  private lazy var answers = Inbox<(view: ViewID, question: Int, answer: GitFile.Answer)>(on: session.loop) {
    [weak self] in
    self?.answered($0.view, $0.question, $0.answer)
  }
  private lazy var disk = Inbox<(view: ViewID, read: Result<Rope, FileError>)>(on: session.loop) { [weak self] in
    self?.read($0.view, $0.read)
  }
  private var lastNumber = 0
  /// Whatever is opened is shown first.
  private static let delay = Duration.milliseconds(30)
  lazy var git = GitFile()
  private unowned let session: EditorSession

  init(of session: EditorSession) { self.session = session }

  /// No program outlives this.
  func end() { git.end() }

  // MARK: What becomes of documents

  func documentOpened(_ document: Document) {
    guard session.frontEnd.takesChanges else { return }
    let isNew = document.file.version.status == nil
    document.changes = DocumentChanges(saved: isNew ? nil : document.buffer.text)
    configure(document, isNew: true)
  }

  func documentLoaded(_ document: Document) {
    if document.changes != nil, document.changes?.lines == nil { compareWithFile(document) }
    ask(of: document)
  }

  /// - Parameter isOther: git has another text of it, or takes a line end for the same that the save has added.
  func documentSaved(_ document: Document, _ text: Rope, isOther: Bool) {
    guard document.changes != nil else { return }
    document.changes?.saved = text
    if isOther { document.changes?.blob = nil }
    if document.changes?.isOfHead != true { compareWithFile(document) }
    ask(of: document)
  }

  func documentReloaded(_ document: Document) {
    guard document.changes != nil else { return }
    document.changes?.saved = document.buffer.text
    // It may be of another encoding.
    document.changes?.blob = nil
    if document.changes?.isOfHead != true { compareWithFile(document) }
    ask(of: document)
  }

  func documentCloses(_ document: Document) {
    if let watch = document.changes?.watch { session.files.watcher.stop(watch.number) }
    document.changes = nil
  }

  /// What it is to be compared with may have changed.
  func configure(_ document: Document, isNew: Bool = false) {
    guard let known = document.changes, isNew || known.mode != document.settings.config.changeMarks else { return }
    document.changes?.mode = document.settings.config.changeMarks
    document.views.needUpdate()
    switch document.settings.config.changeMarks {
    case .none: document.changes?.forget()
    case .saved:
      document.changes?.forgetGit()
      if !isNew { compareWithFile(document) }
    case .head:
      if !isNew, known.lines == nil { compareWithFile(document) }
      ask(of: document)
    }
    document.advanceQueue()
  }

  private func compareWithFile(_ document: Document) {
    guard document.settings.config.changeMarks != .none, let saved = document.changes?.saved else { return }
    // What git has would be taken for what it is compared with.
    document.changes?.blob = nil
    if saved.isCopy(of: document.buffer.text) {
      document.changes?.isSaved(saved)
    } else {
      document.changes?.compare(with: .init(base: .saved) { _ in saved })
    }
    document.views.needUpdate()
  }

  // MARK: Comparing

  /// What takes longer than a moment is the worker's.
  func compare(_ document: Document) {
    guard document.changes?.isUnfinished == true, document.file.loadJob == nil else { return }
    lastNumber += 1
    let (view, number, text, found) = (document.id, lastNumber, document.buffer.text, found)
    guard let work = document.changes?.begin(number) else { return }
    worker.perform { found.send((view, number, work(text))) }
  }

  private func compared(_ id: ViewID, _ number: Int, _ lines: LineChanges?) {
    guard let document = session.views.document(id) else { return }
    document.changes?.end(number, lines)
    document.views.needUpdate()
    document.advanceQueue()
    session.views.sendUpdates()
  }

  // MARK: The disk

  /// Or, if it is that already, with what it was compared with before.
  func compareWithDisk(_ document: Document) {
    guard let changes = document.changes else { return }
    if changes.isOfDisk {
      if changes.saved == nil || document.settings.config.changeMarks == .none { document.changes?.forget() }
      compareWithFile(document)
      return ask(of: document)
    }
    guard let path = document.file.path else { return session.frontEnd.alert("This text has no file") }
    document.enqueue(
      .init(order: .file, needs: [.wholeText, .idleFile]) { [unowned self] in
        let (view, system, image, disk) = (document.id, session.files.system, document.file.image, disk)
        session.reloads.thread.perform {
          let read = Result { () throws(FileError) in
            FileImage.split(try FileReader(path, system: system).readAll(), formerly: image).text
          }
          disk.send((view, read))
        }
      })
  }

  private func read(_ id: ViewID, _ read: Result<Rope, FileError>) {
    guard let document = session.views.document(id), document.changes != nil else { return }
    switch read {
    case .success(let text):
      document.changes?.forgetGit()
      document.changes?.compare(with: .init(base: .disk) { _ in text })
      document.views.needUpdate()
      session.views.sendUpdates()
    case .failure(let error): session.frontEnd.alert("\(error)")
    }
  }

  // MARK: git

  private func ask(of document: Document) {
    guard let known = document.changes, !known.isOfDisk, document.settings.config.changeMarks == .head,
      document.file.loadJob == nil, let place = document.file.place,
      document.buffer.text.byteCount <= GitFile.longestText
    else { return }
    lastNumber += 1
    let (view, number) = (document.id, lastNumber)
    document.changes?.question = number
    // A loop that is left before then would be kept by its own inbox.
    session.loop.after(Self.delay) { [weak self, weak document] in
      guard let self, document?.changes?.question == number else { return }
      gitThread.perform { [answers, git] in answers.send((view, number, git.find(place.path, known: known.blob))) }
    }
  }

  private func answered(_ id: ViewID, _ question: Int, _ answer: GitFile.Answer) {
    guard let document = session.views.document(id), let known = document.changes,
      known.question == question
    else { return }
    document.changes?.question = nil
    watch(answer.index, of: document)
    switch answer.blob {
    case .same: break
    case .none:
      document.changes?.blob = nil
      if known.blob != nil || known.base == .head { compareWithFile(document) }
    case .other(let name, let bytes):
      document.changes?.blob = name
      let (image, lineEnding, ends) = (
        document.file.image, document.lineEnding, document.settings.config.savesWithNewline
      )
      document.changes?.compare(
        with: .init(base: .head) { present in
          GitFile.text(of: bytes, image, lineEnding, as: ends ? present : nil)
        })
    }
    document.views.needUpdate()
    document.advanceQueue()
    session.views.sendUpdates()
  }

  /// Whatever changes what is checked out writes the index anew.
  private func watch(_ index: String?, of document: Document) {
    guard let known = document.changes, known.watch?.path != index else { return }
    if let watch = known.watch { session.files.watcher.stop(watch.number) }
    document.changes?.watch = index.flatMap { index in
      let number = session.files.watcher.watch(index) { [unowned self, weak document] in
        if let document { ask(of: document) }
      }
      return number.map { (index, $0) }
    }
  }
}
