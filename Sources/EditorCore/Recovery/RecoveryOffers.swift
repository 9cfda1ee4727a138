import EditorProtocol
import Rope

/// What dead cores have left of a file is offered where that is opened, and restored when it is wanted.
final class RecoveryOffers {
  private unowned let session: EditorSession
  private var frontEnd: FrontEnd { session.frontEnd }

  init(of session: EditorSession) { self.session = session }

  /// At once, also when the file is being loaded: what is known of it without its contents must do.
  ///
  /// - Parameter isResumed: The front end has the view from a core that died. It wants those that lay beside the file itself.
  func offer(to view: TextView, _ file: FileContents, _ folder: RecoveryFolder, isResumed: Bool = false) {
    let document = view.document
    guard frontEnd.speaksExtensions, document.recovery.journal?.otherProcess == nil else { return }
    if offerInterruptedSave(to: view, file, folder) { return }
    let abandoned = session.recovery.folders.compactMap {
      try? $0.abandoned(of: document.file.place, file.version.status?.stamp)
    }
    for path in abandoned.flatMap(\.damaged) { tellOfDamaged(path) }
    let journals = abandoned.flatMap(\.journals).filter { !isResumed || !$0.isBeside }
    guard let found = journals.max(by: { $0.modificationTime < $1.modificationTime }) else { return }
    var hasChanged = !found.seemsToBeOf(file.version.status)
    if document.file.loadJob == nil {
      switch found.replay(on: file, folder: folder) {
      case .nothing: return drop(found, in: folder)
      case .text: hasChanged = false
      case .textOfCopy, .typed: hasChanged = true
      }
    }
    document.recovery.openedContents = file
    offer(found, to: view, hasChanged: hasChanged)
  }

  /// What a view cannot go on with that asked for it.
  func offer(_ journal: RecoveredJournal, to view: TextView, _ file: FileContents) {
    view.document.recovery.openedContents = file
    offer(journal, to: view, hasChanged: true)
  }

  private func offer(_ journal: RecoveredJournal, to view: TextView, hasChanged: Bool) {
    let id = journal.path.pathName
    let time = Int(journal.modificationTime / 1_000_000_000)
    frontEnd.send(
      .recoveryFound(RecoveryOffer(view: view.id, recoveryID: id, time: time, baseChanged: hasChanged)))
  }

  /// The copy of a save in place that was cut short, unless the file holds it after all.
  private func offerInterruptedSave(to view: TextView, _ file: FileContents, _ folder: RecoveryFolder) -> Bool {
    let document = view.document
    let current = document.file.loadJob == nil ? file.bytes : nil
    guard let place = document.file.place, let copy = folder.interruptedSave(of: place, holding: current) else {
      return false
    }
    document.recovery.openedContents = file
    frontEnd.send(
      .recoveryFound(
        RecoveryOffer(
          view: view.id, recoveryID: copy.path.pathName, time: Int(copy.time / 1_000_000_000), baseChanged: false,
          isInterruptedSave: true)))
    return true
  }

  private func recover(
    _ copy: RecoveryFolder.InterruptedSave, of place: FilePlace, in view: TextView, _ choice: RecoveryChoice,
    _ folder: RecoveryFolder
  ) {
    let document = view.document
    guard let opened = document.recovery.openedContents else { return }
    if choice == .discard {
      folder.discardCopy(copy.path)
      return offer(to: view, opened, folder)
    }
    guard document.buffer.revision == 0 else {
      return frontEnd.alert("The text was edited before the other could be restored. That one is kept.")
    }
    let (image, text) = FileImage.split(copy.contents)
    document.commit(
      LineDifference.delta(from: document.buffer.text, to: text), of: document.file.origin(of: text, in: image.encoding)
    )
    document.file.image = image
    document.recovery.interruptedSave = copy.path
    document.views.needUpdate()
    // What was typed after that save was begun.
    guard let found = try? folder.abandonedJournals(of: place).first else { return }
    let saved = FileContents(
      bytes: copy.contents,
      version: FileVersion(status: nil, contents: ContentIdentity(of: copy.contents), image: image))
    switch found.replay(on: saved, folder: folder) {
    case .nothing: drop(found, in: folder)
    case .text(_, let edits, let image):
      restore(edits, of: found, on: saved, as: image, in: view)
    case .textOfCopy, .typed: break
    }
  }

  /// Makes the edits that lead on from a file's text by `image`, which may lack a line end that the view shows.
  private func restore(
    _ edits: [JournalEdit], of journal: RecoveredJournal, on file: FileContents, as image: FileImage, in view: TextView
  ) {
    let document = view.document
    let isOfOtherEncoding = image.encoding != document.file.image.encoding
    // What was opened may have been saved since, or may not be what the journal knows of the file.
    let isOfFile =
      document.recovery.interruptedSave == nil && !journal.isOfPart
      && document.file.version.contents == file.version.contents
    let reopened = isOfFile ? document.recovery.journal?.reopen(journal) : nil
    if let text = image.text(of: file.bytes), text != document.buffer.text {
      document.commit(
        LineDifference.delta(from: document.buffer.text, to: text),
        of: document.file.origin(of: text, in: image.encoding))
    }
    if isOfOtherEncoding {
      // The edits are of a text that was read in another encoding than this one.
      var file = file
      file.version.image = image
      (document.file.version.image, document.file.image) = (image, image)
      if reopened == nil {
        session.recovery.journalRead(document, file)
      }
      session.files.sendInformation(of: document)
    }
    view.make(edits, of: journal, behind: document.buffer.revision == 0 ? journal.state(of: file)?.history : nil)
    if let reopened {
      document.recovery.journal?.goOn(with: reopened, of: journal, revision: document.buffer.revision, file)
    } else {
      document.recovery.source = (journal, isWhole: true)
    }
    tellOfDamage(to: journal)
  }

  /// All that could be read of it is in the file.
  func drop(_ journal: RecoveredJournal, in folder: RecoveryFolder) {
    if let kept = folder.discard(journal) { tellOfDamaged(kept) }
  }

  private func tellOfDamaged(_ path: String) {
    frontEnd.alert("A journal of what was typed is damaged, and kept for a week: \(path)")
  }

  func tellOfMissing() {
    frontEnd.alert("The text is not there any more: another editor has it, or it was removed")
  }

  func tellOfDamage(to journal: RecoveredJournal) {
    if journal.isDamaged {
      frontEnd.alert("The end of the journal could not be read: what was typed last may be missing")
    }
  }

  /// The answer to an offer. What is restored is made to the whole file.
  func answer(_ view: TextView, _ id: String, _ choice: RecoveryChoice) {
    let document = view.document
    guard let folder = document.recovery.folder, choice != .later else { return }
    let giveUp = { [unowned self] in frontEnd.alert("Nothing was restored, and all is kept") }
    document.enqueue(
      .init(needs: .wholeText, giveUp: giveUp) { [unowned self] in answer(view, id, choice, folder) })
  }

  private func answer(_ view: TextView, _ id: String, _ choice: RecoveryChoice, _ folder: RecoveryFolder) {
    let document = view.document
    if let place = document.file.place, let copy = folder.interruptedSave(id, of: place) {
      return recover(copy, of: place, in: view, choice, folder)
    }
    guard let journal = session.recovery.abandonedJournal(id) else {
      return tellOfMissing()
    }
    if choice == .discard { return folder.setAside(journal) }
    guard document.buffer.revision == 0, let opened = document.recovery.openedContents else {
      return frontEnd.alert("The text was edited before the other could be restored. That one is kept.")
    }
    switch journal.replay(on: opened, folder: folder) {
    case .text(_, let edits, let image): restore(edits, of: journal, on: opened, as: image, in: view)
    case .nothing: drop(journal, in: folder)
    // It did not seem so.
    case .textOfCopy, .typed: offer(journal, to: view, hasChanged: true)
    }
  }
}
