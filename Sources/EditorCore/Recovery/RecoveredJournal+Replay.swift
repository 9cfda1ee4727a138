import EditorProtocol
import Rope

/// What a journal makes of the file as it is.
extension RecoveredJournal {
  /// What can be given back.
  package enum Outcome: Sendable {
    /// The file is what the edits were made to, or what a save made of it: the text, and the edits that lead to it from the file's
    /// text by `image`.
    case text(Rope, edits: [JournalEdit], image: FileImage)
    /// The file has changed, but a copy of what it was is there: the copy's text, and the edits that lead on from it.
    case textOfCopy(Rope, base: Rope)
    /// The file has changed: only what was typed, for a new document.
    case typed(Rope)
    /// All edits are in the file, which is in the encoding that was chosen for it.
    case nothing
  }

  /// What the journal makes of the file as it is. O(contents + edits).
  package func replay(on file: FileContents, folder: RecoveryFolder) -> Outcome {
    if let (count, image) = editsIn(file) {
      if count == edits.count, origin.map({ $0.encoding == image.encoding }) ?? true { return .nothing }
      guard let (text, edits) = replay(from: count, on: image.text(of: file.bytes)) else { return .typed(typedText) }
      return .text(text, edits: edits, image: image)
    }
    if edits.isEmpty { return .nothing }
    let (contents, image) = loaded ?? (base.contents, base.image)
    if let copy = folder.baseCopy(of: path), ContentIdentity(of: copy) == contents, let text = image.text(of: copy),
      let (edited, _) = replay(from: 0, on: text)
    {
      return holds(edited, file) ? .nothing : .textOfCopy(edited, base: text)
    }
    return .typed(typedText)
  }

  /// Whether a save of all edits has made the file what it is, though no record tells of that: there was no room for one.
  private func holds(_ text: Rope, _ file: FileContents) -> Bool {
    let image = file.version.image
    guard origin.map({ $0.encoding == image.encoding }) ?? true, let found = image.text(of: file.bytes),
      found.starts(with: text)
    else { return false }
    return ["", "\n", "\r\n"].contains { Rope($0) == found.slice(text.endOffset..<found.endOffset) }
  }

  /// How many of a view's `edit` messages, of those that the journal counts, the file has; nil when the journal does not know the file.
  func savedEdits(inView view: Int, of file: FileContents) -> Int? {
    guard let (count, _) = editsIn(file) else { return nil }
    guard count < edits.count else { return selections[view]?.handledEdits ?? 0 }
    // Of one in another view the front end knows nothing by this view's count.
    return edits[count].view == view ? max(edits[count].handledEdits - 1, 0) : 0
  }

  /// Whether the file seems, without being read, to be what the edits were made to, or what a save made of it.
  func seemsToBeOf(_ status: FileStatus?) -> Bool {
    status?.stamp == base.stamp || saves.contains { $0.contents.size == status?.size }
  }

  /// How many of the edits the file has, and how it corresponds to the text with them; nil when the journal does not know it.
  private func editsIn(_ file: FileContents) -> (count: Int, image: FileImage)? {
    // A text that was begun empty is no text of this file, though that be empty.
    if base.path.isEmpty, saves.isEmpty, file.version.status != nil { return nil }
    // The latest save first: its contents may be those of the base.
    if let save = saves.last(where: { $0.contents == file.version.contents }) {
      return (edits.firstIndex { $0.revision > save.revision } ?? edits.count, save.image)
    }
    let (contents, image) = loaded ?? (base.contents, base.image)
    guard isOfPart else { return file.version.contents == contents ? (0, image) : nil }
    guard file.version.status?.stamp == base.stamp, file.bytes.byteCount >= contents.size else { return nil }
    let beginning = file.bytes.slice(0..<ByteOffset(contents.size))
    guard ContentIdentity(of: beginning) == contents else { return nil }
    return (0, FileImage.split(file.bytes, beginningWith: FileImage.certainText(ofBeginning: beginning)).image)
  }

  /// What the file is to the text, if the journal knows it, and the undo steps that this text has before the edits that are to be made.
  func state(of file: FileContents) -> (image: FileImage, history: JournalHistory?)? {
    guard let (count, image) = editsIn(file) else { return nil }
    let save = saves.last { $0.contents == file.version.contents }
    var history = save.map { save in histories.last { $0.revision == save.revision } } ?? firstHistory
    if count == 0 ? closesFirstStep : edits[count - 1].isStepClosed { history?.openKind = nil }
    return (image, history)
  }

  /// Of the base: it stands before all edits and saves.
  private var firstHistory: JournalHistory? {
    histories.first.flatMap { first in
      edits.first.map { first.revision < $0.revision } ?? true ? first : nil
    }
  }

  /// The text with the edits from `first` on, and these as edits of the whole text; nil when one is of another text.
  private func replay(from first: Int, on text: Rope?) -> (Rope, [JournalEdit])? {
    guard var text else { return nil }
    var whole: [JournalEdit] = []
    for index in first..<edits.count {
      var edit = edits[index]
      if index < partialEditCount { edit.delta = edit.delta.extended(by: text.byteCount - edit.delta.baseByteCount) }
      guard edit.delta.baseByteCount == text.byteCount else { return nil }
      text.apply(edit.delta)
      whole.append(edit)
    }
    return (text, whole)
  }

  /// What was typed and not removed again, place by place. Edits that do not lead on from those before them add theirs behind.
  private var typedText: Rope {
    var text = Rope()
    func add(_ delta: Delta) {
      for change in delta.edits where !change.replacement.isEmpty {
        text.append(change.replacement)
        if text[text.endOffset - 1] != UInt8(ascii: "\n") { text.append("\n") }
      }
    }
    guard var whole = edits.first?.delta else { return text }
    for (index, edit) in edits.enumerated().dropFirst() {
      let growth = edit.delta.baseByteCount - whole.newByteCount
      // More was loaded: up to the first edit of the whole file, of which that is the rest.
      if growth > 0, index <= partialEditCount { whole = whole.extended(by: growth) }
      if edit.delta.baseByteCount == whole.newByteCount {
        whole = whole.composed(with: edit.delta)
      } else {
        add(whole)
        whole = edit.delta
      }
    }
    add(whole)
    return text
  }
}
