import EditorProtocol
import JSON

extension Editor {
  func perform(_ command: Command) {
    switch command {
    case .edit(let edit): perform(edit)
    case .action(let action): perform(action)
    }
  }

  private func perform(_ edit: PlainEdit) {
    if edit == .yank, views.edits.killed == .lost {
      return notices.show("What ^K took was held by the core that ended", isAlarm: true)
    }
    if let needed = edit.neededExtension, !core.supports(needed) {
      guard let substitute = edit.substitute else {
        return notices.refuse("This core cannot do that: \(edit.rawValue)")
      }
      return views.edit(.plain(substitute))
    }
    let jumps: [PlainEdit] = [
      .moveToBeginningOfDocument, .moveToEndOfDocument, .nextChange, .previousChange, .nextBookmark, .previousBookmark,
    ]
    if jumps.contains(edit) {
      return gate.whenCaretsAreKnown { [views] in
        views.noteJump()
        views.edit(.plain(edit))
      }
    }
    // From the end of a line to that of the next: alone it would stay there for good.
    if edit == .moveToEndOfParagraph { views.edit(.plain(.moveRight)) }
    if edit == .moveToEndOfParagraphSelecting { views.edit(.plain(.moveRightSelecting)) }
    views.edit(.plain(edit))
    // The core selects the lines; what is wanted is a caret at the end of each.
    if edit == .selectionIntoLines { views.edit(.plain(.moveToRightEndOfLine)) }
  }

  private func perform(_ action: Command.Action) {
    switch action {
    case .save: view.map { save($0) }
    case .saveAs:
      gate.whenNamed { [unowned self] in mode = SavePrompt(self, text: view?.path ?? view?.lostPath ?? "") }
    case .saveAll: files.saveAll()
    case .newBuffer: files.visit(path: nil)
    case .buffers: openBufferList()
    case .showPath: files.showPath()
    case .showCodePoint: showCodePoint()
    case .pickFile: whenCoreIsKnown { $0.pickFile() }
    case .recentFiles: openRecentFiles()
    case .reopenClosed: files.reopenClosed()
    case .reopenSession: files.reopenSession()
    case .searchFiles: whenCoreIsKnown { $0.beginSearchInFiles("Search in files") }
    case .replaceFiles: whenCoreIsKnown { $0.beginSearchInFiles("Replace in files") }
    case .searchResults: showResults()
    case .nextResult: goToResult(1)
    case .previousResult: goToResult(-1)
    case .compareDisk: changes.compareWithDisk()
    case .showChange: changes.showEarlierLines()
    case .goBack: files.jump(forward: false)
    case .goForward: files.jump(forward: true)
    case .settings: whenCoreIsKnown { $0.files.openSettings() }
    case .theme: whenCoreIsKnown { $0.openThemes() }
    case .splitRight: changePanes { $0.split(along: .across) }
    case .splitDown: changePanes { $0.split(along: .down) }
    case .closePane: changePanes { [keys] in $0.closePane(hint: "\(keys.label(of: .close)) closes the buffer") }
    case .closeOtherPanes: changePanes { $0.closeOtherPanes() }
    case .nextPane: changePanes { $0.focusNextPane() }
    case .paneLeft: changePanes { $0.focusPane(.left) }
    case .paneRight: changePanes { $0.focusPane(.right) }
    case .paneUp: changePanes { $0.focusPane(.up) }
    case .paneDown: changePanes { $0.focusPane(.down) }
    case .swapPanes: views.swapPanes()
    case .widenPane: views.grow(.across, by: 1)
    case .narrowPane: views.grow(.across, by: -1)
    case .heightenPane: views.grow(.down, by: 1)
    case .lowerPane: views.grow(.down, by: -1)
    case .evenPanes: views.makePanesEven()
    case .reload: files.reload()
    case .encoding: whenCoreIsKnown { $0.openEncodings() }
    case .quit: quit()
    case .open: mode = OpenPrompt(self)
    case .close: closeCurrentView()
    case .cut: clipboard.copySelection(cutting: true)
    case .copy: clipboard.copySelection(cutting: false)
    case .paste: clipboard.paste()
    case .pasteEarlier: openCopies()
    case .find: beginFinding()
    case .findNext: findAgain(backward: false)
    case .findPrevious: findAgain(backward: true)
    case .replace: beginSearch { [unowned self] in ReplacePrompt(self, from: $0) }
    case .goto: mode = GotoPrompt(self)
    case .filter: askForShellCommand(.filter)
    case .insertOutput: askForShellCommand(.insert)
    case .completeWord: completeWord()
    case .nextBuffer: gate.whenCaretsAreKnown { [views] in views.showNext(by: 1) }
    case .previousBuffer: gate.whenCaretsAreKnown { [views] in views.showNext(by: -1) }
    case .toggleWrap: toggleWrap()
    case .toggleLineNumbers:
      screen.toggleLineNumbers()
      views.announceViewport()
    case .recordMacro: macros.toggleRecording(hint: keys.label(of: .recordMacro))
    case .playMacro: playMacro(times: 1)
    case .playMacroTimes: mode = MacroPrompt(self)
    case .repeatEdit: macros.repeatEdit()
    case .toggleRelativeNumbers:
      screen.toggleRelativeNumbers()
      views.announceViewport()
    case .toggleWhitespace:
      view?.toggleWhitespace()
      screen.needsDisplay = true
    case .toggleIndentGuides:
      view?.decoration.hasGuides.toggle()
      screen.needsDisplay = true
    case .palette: openPalette()
    case .hover: hover.askAboutCaret()
    case .help: mode = Pager(self) { [unowned self] in Help.lines(of: keys.map, columns: $0) }
    case .messages: mode = Pager(self) { [unowned self] in notices.lines(columns: $0) }
    case .suspend: screen.want(.suspend)
    case .redraw: screen.want(.redraw)
    case .escape: escape()
    }
  }

  /// Saves a text to the file that it has when the saves before have ended; asks for a name where it has none.
  func save(_ view: EditorView, then finish: ((Bool) -> Void)? = nil) {
    gate.whenNamed { [unowned self] in
      if let path = view.wantedPath ?? view.path {
        var save = Save(files: files, view: view, path: path, finish: finish ?? { _ in })
        save.holdsInput = finish != nil
        save.start()
      } else {
        mode = SavePrompt(self, then: finish ?? { _ in })
      }
    }
  }

  /// A pane that loses the keys keeps the carets to which they have led.
  private func changePanes(_ change: @escaping (Views) -> Void) {
    gate.whenCaretsAreKnown { [views] in change(views) }
  }

  /// What a core understands, and what it has of a file, it has told before it opens a view.
  func whenCoreIsKnown(_ body: @escaping (Editor) -> Void) {
    guard core.loss == nil, let view else { return body(self) }
    gate.whenReady(view) { [unowned self] in body(self) }
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
    search.clear()
    views.edit(.plain(.collapseSelections))
  }

  private func toggleWrap() {
    guard let view, let id = view.id else { return }
    core.send(.modifyUserConfig(.userOverride(id), changes: ["word_wrap": .bool(!view.wraps)]))
    // Another such key means the other way round.
    var isAnswered = false
    core.request(.getConfig(id)) { _ in isAnswered = true }
    gate.wait(to: "break the lines", .isOrdered, until: { isAnswered ? .over : .waiting })
  }
}
