import EditorProtocol
import Rope

extension EditorSession {
  /// An edit of an unknown view is ignored: it may have been closed just now.
  func edit(_ view: ViewID, _ command: EditCommand) {
    guard let buffer = buffers[view] else { return }
    buffer.handledEdits += 1
    buffer.needsUpdate = true
    switch command {
    case .toggleRecording(let name): recordings.toggle(name)
    case .clearRecording(let name): recordings.clear(name)
    case .playRecording(let name):
      let commands = recordings.commands(named: name)
      inTurn(commands, in: buffer) { [unowned self] in
        buffer.document.asOneStep { for command in commands { perform(command, in: buffer) } }
      }
    case .requestHover(let requestID, let place): askPlugins(aboutPlace: place, requestID, in: buffer)
    case .plain(.reindent): askPlugins("reindent", in: buffer)
    case .plain(.toggleComment): askPlugins("toggle_comment", in: buffer)
    default:
      if !command.concernsScreenOnly { recordings.note(command) }
      inTurn([command], in: buffer) { [unowned self] in perform(command, in: buffer) }
    }
  }

  /// Keys that follow a command that waits are meant for what it will have done.
  private func inTurn(_ commands: [EditCommand], in buffer: Buffer, _ body: @escaping () -> Void) {
    let needsWholeText = buffer.loadJob != nil && commands.contains(where: \.needsWholeText)
    buffer.enqueue(.init(needs: needsWholeText ? .wholeText : [], isEdit: true, giveUp: {}, body: body))
  }

  private func perform(_ command: EditCommand, in buffer: Buffer) {
    if buffer.isReadOnly, command.changesText { return alert("This view is read-only.") }
    tellOfPatterns { () throws(RegularExpression.Failure) in try buffer.perform(command, &shared) }
  }

  private func performWaitingCommands(of buffer: Buffer) {
    tellOfPatterns { () throws(RegularExpression.Failure) in try buffer.performWaitingCommands() }
  }

  private func tellOfPatterns(_ body: () throws(RegularExpression.Failure) -> Void) {
    do throws(RegularExpression.Failure) {
      try body()
    } catch {
      alert("Not a regular expression: \(error.message)")
    }
  }

  // MARK: Searches

  /// Texts that take longer than a moment are searched by the worker.
  func startSearches(in buffer: Buffer) {
    buffer.searchSmallTexts()
    for (index, query) in buffer.view.search.queries.enumerated() {
      guard let search = query.pendingSearch, let pattern = query.usablePattern else { continue }
      let ticket = SearchWorker.Ticket(
        view: buffer.view.id.rawValue, queryIndex: index, search: search, revision: buffer.document.revision)
      if buffer.runningSearches[index] == ticket { continue }
      buffer.runningSearches[index] = ticket
      searchWorker.search(buffer.text, for: pattern, ticket)
    }
    guard let replacement = buffer.wantedReplacement,
      buffer.runningSearches[SearchWorker.Ticket.replacement] == nil
    else { return }
    replacementCount += 1
    let ticket = SearchWorker.Ticket(
      view: buffer.view.id.rawValue, queryIndex: SearchWorker.Ticket.replacement, search: replacementCount,
      revision: buffer.document.revision)
    buffer.runningSearches[SearchWorker.Ticket.replacement] = ticket
    searchWorker.replace(replacement, ticket)
  }

  /// A search that takes longer than a moment shows how far it is; `xiedit_cancel` ends it.
  func searchIsAt(_ byteCount: Int, _ ticket: SearchWorker.Ticket) {
    guard speaksExtensions, let buffer = buffers[ViewID(ticket.view)],
      buffer.runningSearches[ticket.queryIndex] == ticket, byteCount < buffer.text.byteCount
    else { return }
    buffer.showsSearchProgress = true
    let task = buffer.hasWaitingReplacement ? Progress.Task.replace : .find
    send(.progress(buffer.view.id, Progress(task, done: byteCount, total: buffer.text.byteCount)))
  }

  private func endSearchProgress(of buffer: Buffer, _ task: Progress.Task) {
    guard buffer.showsSearchProgress, !buffer.isSearching else { return }
    buffer.showsSearchProgress = false
    let total = buffer.text.byteCount
    send(.progress(buffer.view.id, Progress(task, done: total, total: total)))
  }

  func searchEnded(_ outcome: SearchWorker.Outcome) {
    let ticket = outcome.ticket
    guard let buffer = buffers[ViewID(ticket.view)], buffer.runningSearches[ticket.queryIndex] == ticket,
      ticket.queryIndex < buffer.view.search.queries.count
    else { return }
    buffer.runningSearches[ticket.queryIndex] = nil
    let hadReplacement = buffer.hasWaitingReplacement
    if ticket.queryIndex == SearchWorker.Ticket.replacement { buffer.wantedReplacement = nil }
    buffer.needsUpdate = true
    switch outcome.result {
    // A text that has changed meanwhile is searched again, by the update below, and what was to be replaced is when it has been.
    case .success(.matches(let matches)):
      if ticket.revision == buffer.document.revision {
        buffer.view.finishSearch(ticket.queryIndex, ticket.search, matches)
      }
    case .success(.replacement(let replacement)):
      if ticket.revision == buffer.document.revision { buffer.finish(replacement) }
    case .failure(let failure):
      buffer.view.finishSearch(ticket.queryIndex, ticket.search, MatchList())
      alert("The search was given up: \(failure.message)")
    }
    if !buffer.isSearching { performWaitingCommands(of: buffer) }
    endSearchProgress(of: buffer, hadReplacement ? .replace : .find)
    sendUpdates()
  }

  /// Ends searches and replacements, and does not do what waits for the file to be loaded.
  func cancel(_ view: ViewID) {
    if let buffer = buffers[view], buffer.loadJob != nil, buffer.queue.hasWish {
      alert("What waited for the file was cancelled")
      buffer.giveUpWaiting()
    }
    searchWorker.cancel(view: view.rawValue)
    guard let buffer = buffers[view] else { return }
    let hadReplacement = buffer.hasWaitingReplacement
    buffer.cancelSearches()
    endSearchProgress(of: buffer, hadReplacement ? .replace : .find)
    buffer.needsUpdate = true
  }
}
