import EditorProtocol

/// The edits on their way to the core, what is drawn of them before it answers, and what is known of its state by them.
final class Edits {
  /// Whether plain keys are drawn before the core has answered.
  var predictsKeys = true
  var predictions = PredictionCounts()
  /// Matches are marked on the screen: keys change more than their line then, and are not drawn before.
  var marksMatches = false
  /// What `deleteToEndOfParagraph` has taken: the core alone has it.
  enum Killed { case nothing, held, lost }
  private(set) var killed = Killed.nothing
  /// The last edit was such a one.
  private var isKilling = false
  private let core: CoreLink
  private let screen: Screen
  private let notices: Notices

  init(_ core: CoreLink, _ screen: Screen, _ notices: Notices) {
    (self.core, self.screen, self.notices) = (core, screen, notices)
  }

  /// The core refuses a line of 256 MB; each byte of a text may be six of JSON. Tests shorten it.
  var longestText = 32 << 20

  /// A text that is too long for one message goes in several, each an undo step.
  ///
  /// - Parameter isCurrent: Whether the view has the keys.
  func send(_ command: EditCommand, of view: EditorView, isCurrent: Bool) {
    guard let parts = command.parts(ofAtMost: longestText) else { return sendWhole(command, of: view, isCurrent) }
    for part in parts { sendWhole(part, of: view, isCurrent) }
  }

  private func sendWhole(_ command: EditCommand, of view: EditorView, _ isCurrent: Bool) {
    // Otherwise input is held, and the size of the screen is told when the view is there.
    let isOrphaned = isOrphaned(view)
    guard view.takesEdits || isOrphaned else { return }
    if let id = view.id { core.send(.edit(id, command)) }
    if command.mayMoveCaret { view.keepsRows = false }
    let isAllowed = predictsKeys && (isOrphaned || core.supports(.editCount)) && isCurrent && !marksMatches
    view.coreEditsCode = core.supports(.codeEditing)
    if view.predict(command, isAllowed: isAllowed) {
      predictions.made += 1
      screen.needsDisplay = true
    }
    view.log.append(command)
    note(command, in: view)
  }

  /// What is known of the core's state by what it was sent.
  func note(_ command: EditCommand, in view: EditorView) {
    switch command {
    case .plain(.replaceAll), .plain(.replaceNext): view.mayBeReplacing = true
    case .plain(.deleteToEndOfParagraph):
      // What is killed in a row is one text.
      if killed == .lost, isKilling {
        notices.alarm("What ^K took before the core ended is not put back; undo brings it back")
      }
      killed = .held
    default: break
    }
    if command.changesDocument { isKilling = command == .plain(.deleteToEndOfParagraph) }
  }

  /// Draws what no core has answered.
  func predictUnhandled(of view: EditorView) {
    if predictsKeys, isOrphaned(view) || view.log.hasChanges { view.predictUnhandled() }
  }

  func coreHasEnded() {
    if killed == .held { killed = .lost }
    marksMatches = false
  }

  /// Whether what is typed in a view goes to its log alone, for the next core: there is none, and the last one has not given it back.
  func isOrphaned(_ view: EditorView) -> Bool {
    // One that no core has had yet begins to count where its journal ends.
    core.loss != nil && view.recovery == .waiting && view.log.nextNumber > 0
  }
}

extension EditCommand {
  /// Whether it is none of those that only tell or ask something.
  fileprivate var mayMoveCaret: Bool {
    switch self {
    case .scroll, .requestLines, .alsoShown, .resize, .highlightFind, .find, .multiFind, .requestHover,
      .clearRecording:
      false
    default: true
    }
  }

  /// Several in place of one with a longer text, which is cut behind lines where it has some; nil for any other.
  fileprivate func parts(ofAtMost count: Int) -> [EditCommand]? {
    switch self {
    case .insert(let text) where text.utf8.count > count: text.parts(ofAtMost: count).map(EditCommand.insert)
    case .paste(let text) where text.utf8.count > count: text.parts(ofAtMost: count).map(EditCommand.paste)
    case .pasteLines(let text) where text.utf8.count > count: text.parts(ofAtMost: count).map(EditCommand.pasteLines)
    default: nil
    }
  }
}

extension String {
  fileprivate func parts(ofAtMost count: Int) -> [String] {
    var (parts, rest) = ([String](), self[...])
    while rest.utf8.count > count {
      let end = rest.utf8.index(rest.startIndex, offsetBy: count)
      let place =
        rest.utf8[..<end].lastIndex(of: 0x0A).map(rest.utf8.index(after:))
        ?? unicodeScalars.index(before: unicodeScalars.index(after: end))
      parts.append(String(rest[..<place]))
      rest = rest[place...]
    }
    return parts + [String(rest)]
  }
}
