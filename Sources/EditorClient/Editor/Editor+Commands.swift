import EditorProtocol
import JSON
import JSONRPC

/// What a paste puts in.
enum ClipboardContents {
  case text(String)
  /// Whole lines, of carets: they go above a line.
  case lines(String)
  /// More than is sent to and fro: the core has it.
  case held(HeldCopy)
  case lost
}

extension Editor {
  /// What is copied and longer stays with the core.
  private static let largestCopy = 1 << 20

  func perform(_ command: Command) {
    switch command {
    case .edit(let edit): perform(edit)
    case .action(let action): perform(action)
    }
  }

  private func perform(_ edit: PlainEdit) {
    if edit == .yank, views.edits.killed == .lost {
      return show("What ^K took was held by the core that ended", isAlarm: true)
    }
    if edit.isForCode, !core.supports(.codeEditing) {
      guard let substitute = edit.substitute else { return show("This core cannot do that: \(edit.rawValue)") }
      return views.edit(.plain(substitute))
    }
    if [.moveToBeginningOfDocument, .moveToEndOfDocument].contains(edit) { views.noteJump() }
    // From the end of a line to that of the next: alone it would stay there for good.
    if edit == .moveToEndOfParagraph { views.edit(.plain(.moveRight)) }
    if edit == .moveToEndOfParagraphSelecting { views.edit(.plain(.moveRightSelecting)) }
    views.edit(.plain(edit))
    // The core selects the lines; what is wanted is a caret at the end of each.
    if edit == .selectionIntoLines { views.edit(.plain(.moveToRightEndOfLine)) }
  }

  private func perform(_ action: Command.Action) {
    switch action {
    case .save: save()
    case .saveAs: mode = SavePrompt(self, text: view?.path ?? view?.lostPath ?? "")
    case .saveAll: saveAll()
    case .newBuffer: open(path: nil)
    case .buffers: openBufferList()
    case .showPath: showPath()
    case .pickFile: pickFile()
    case .recentFiles: openRecentFiles()
    case .reopenClosed: reopenClosed()
    case .searchFiles: beginSearchInFiles("Search in files")
    case .replaceFiles: beginSearchInFiles("Replace in files")
    case .searchResults: showResults()
    case .nextResult: goToResult(1)
    case .previousResult: goToResult(-1)
    case .goBack: jump(forward: false)
    case .goForward: jump(forward: true)
    case .settings: openSettings()
    case .theme: openThemes()
    case .splitRight: views.split(along: .across)
    case .splitDown: views.split(along: .down)
    case .closePane: views.closePane(hint: "\(keys.label(of: .close)) closes the buffer")
    case .closeOtherPanes: views.closeOtherPanes()
    case .nextPane: views.focusNextPane()
    case .paneLeft: views.focusPane(.left)
    case .paneRight: views.focusPane(.right)
    case .paneUp: views.focusPane(.up)
    case .paneDown: views.focusPane(.down)
    case .swapPanes: views.swapPanes()
    case .widenPane: views.grow(.across, by: 1)
    case .narrowPane: views.grow(.across, by: -1)
    case .heightenPane: views.grow(.down, by: 1)
    case .lowerPane: views.grow(.down, by: -1)
    case .evenPanes: views.makePanesEven()
    case .reload: reload()
    case .encoding: openEncodings()
    case .quit: quit()
    case .open: mode = OpenPrompt(self)
    case .close: closeCurrentView()
    case .cut: copySelection(cutting: true)
    case .copy: copySelection(cutting: false)
    case .paste: pasteClipboard()
    case .find: beginFinding()
    case .findNext: findAgain(backward: false)
    case .findPrevious: findAgain(backward: true)
    case .replace: beginSearch { [unowned self] in ReplacePrompt(self, from: $0) }
    case .goto: mode = GotoPrompt(self)
    case .nextBuffer: views.showNext(by: 1)
    case .previousBuffer: views.showNext(by: -1)
    case .toggleWrap: toggleWrap()
    case .toggleLineNumbers:
      screen.toggleLineNumbers()
      views.announceViewport()
    case .palette: openPalette()
    case .hover: askAboutCaret()
    case .help: mode = Pager(self) { [unowned self] in Help.lines(of: keys.map, columns: $0) }
    case .messages: mode = Pager(self) { [unowned self] in notices.lines(columns: $0) }
    case .suspend: screen.want(.suspend)
    case .redraw: screen.want(.redraw)
    case .escape: escape()
    }
  }

  private func save() {
    guard let view else { return }
    if let path = view.path {
      Save(editor: self, view: view, path: path, policy: .ifUnchanged).start()
    } else {
      mode = SavePrompt(self)
    }
  }

  // MARK: Clipboard

  private func copySelection(cutting: Bool) {
    guard let view else { return }
    guard view.isReady, let id = view.id else {
      return gate.whenReady(view) { [weak self] in self?.copySelection(cutting: cutting) }
    }
    // What is typed next may be a paste.
    if cutting {
      cut(view)
      return gate.wait(to: "cut", .isHeld) { [weak self] in
        self?.views.all.contains { $0 === view && $0.awaitedCuts > 0 } == true ? .waiting : .over
      }
    }
    view.log.append(.copy)
    var isAnswered = false
    core.request(.copy(id, holdAbove: copyLimit)) { [weak self, hadCore = core.loss == nil] result in
      isAnswered = true
      self?.copied(result)
      // A paste behind it does not mean what was copied before.
      if hadCore, case .failure(let error) = result, error.code == ResponseError.connectionClosedCode {
        self?.clipboard = .lost
      }
    }
    gate.wait(to: "copy", .isHeld, until: { isAnswered ? .over : .waiting })
  }

  private var copyLimit: Int? { core.supports(.heldCopies) ? Self.largestCopy : nil }

  /// - Parameter isAnswered: By a core that has ended since; the cut is made again for its place in the text.
  func cut(_ view: EditorView, isAnswered: Bool = false) {
    guard let id = view.id else { return }
    let number = view.log.nextNumber
    view.log.append(.cut(isAnswered: isAnswered))
    if !isAnswered { view.awaitedCuts += 1 }
    core.request(.cut(id, holdAbove: copyLimit)) { [weak self] result in
      guard !isAnswered else { return }
      // The next core says what becomes of it.
      if case .failure(let error) = result, error.code == ResponseError.connectionClosedCode { return }
      view.log.answerCut(number)
      view.awaitedCuts = max(view.awaitedCuts - 1, 0)
      self?.copied(result)
    }
  }

  private func copied(_ result: Result<JSONValue, ResponseError>) {
    switch result {
    case .success(let answer):
      if let held = HeldCopy(answer) {
        clipboard = .held(held)
        show("Copied \(held.byteCount) bytes for this editor only: it is too much for the terminal's clipboard")
      } else if let text = answer.string, !text.isEmpty {
        clipboard = .text(text)
        screen.want(.copy(text))
      } else if let lines = answer["lines"]?.string {
        clipboard = .lines(lines)
        screen.want(.copy(lines))
      } else {
        show("Nothing is selected")
      }
    case .failure(let error): show(error.message, isAlarm: true)
    }
  }

  private func pasteClipboard() {
    switch clipboard {
    case .text(""): show("The clipboard is empty")
    case .text(let text): paste(text)
    case .lines(let text): views.edit(.pasteLines(text))
    case .held(let held): views.edit(.pasteHeld(held.id))
    case .lost: show("What was copied was held by the core that ended", isAlarm: true)
    }
  }

  /// With the line ends that the file has, whatever they were where the text comes from.
  private func paste(_ text: String) {
    views.edit(.paste(view?.file.map { text.withLineEnds($0.lineEnding) } ?? text))
  }

  /// A paste from the terminal: one undo step, its line ends made into ours.
  func paste(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self).withUnixLineEnds
    clearMessage()
    if let mode { return mode.paste(text) }
    paste(text)
    announceControls(in: text)
  }

  /// Tells about characters that may not be what they look like.
  private func announceControls(in text: String) {
    let count = text.unicodeScalars.count { scalar in
      switch scalar.value {
      case 0x09, 0x0A, 0x0D: false
      case 0..<0x20, 0x7F..<0xA0, 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x2069, 0xFEFF: true
      default: false
      }
    }
    if count > 0 { show("Pasted with \(count) control or invisible character\(count == 1 ? "" : "s")", isAlarm: true) }
  }

  // MARK: The rest

  private func escape() {
    guard let view else { return }
    if let id = view.id, let progress = view.progress, progress.task != .load, progress.task != .save {
      view.isCancelling = true
      core.send(.cancel(id))
      return
    }
    views.endLoading(of: view)
    clearSearch()
    views.edit(.plain(.collapseSelections))
  }

  private func toggleWrap() {
    guard let view, let id = view.id else { return }
    core.send(.modifyUserConfig(.userOverride(id), changes: ["word_wrap": .bool(!view.wraps)]))
  }
}

extension String {
  /// `\n` and `\r\n` as what the file has; as they are where it has both.
  fileprivate func withLineEnds(_ lineEnding: FileInformation.LineEnding) -> String {
    let hasReturns = lineEnding == .carriageReturnLineFeed
    guard lineEnding != .mixed, utf8.contains(hasReturns ? 0x0A : 0x0D) else { return self }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(utf8.count)
    for byte in utf8 {
      if byte == 0x0A {
        if bytes.last == 0x0D { bytes.removeLast() }
        if hasReturns { bytes.append(0x0D) }
      }
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// `\r\n` and `\r` as `\n`: terminals send a carriage return for each line end of a paste.
  fileprivate var withUnixLineEnds: String {
    guard utf8.contains(0x0D) else { return self }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(utf8.count)
    var previous: UInt8 = 0
    for byte in utf8 {
      if byte == 0x0D {
        bytes.append(0x0A)
      } else if byte != 0x0A || previous != 0x0D {
        bytes.append(byte)
      }
      previous = byte
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
