import EditorProtocol
import EventLoop
import Rope

/// The searches and replacements that take longer than a moment: they are the worker's.
final class Searches {
  private(set) lazy var worker = SearchWorker(on: session.loop, onProgress: { [unowned self] in searchIsAt($1, $0) }) {
    [unowned self] in
    searchEnded($0)
  }
  /// Tells replacements apart.
  private var replacementCount = 0
  private unowned let session: EditorSession
  private var frontEnd: FrontEnd { session.frontEnd }

  init(of session: EditorSession) { self.session = session }

  /// Texts that take longer than a moment are searched by the worker.
  func start(in buffer: Buffer) {
    buffer.searchSmallTexts()
    for (index, query) in buffer.view.search.queries.enumerated() {
      guard let search = query.pendingSearch, let pattern = query.usablePattern else { continue }
      let ticket = SearchWorker.Ticket(
        view: buffer.view.id.rawValue, queryIndex: index, search: search, revision: buffer.document.revision)
      if buffer.runningSearches[index] == ticket { continue }
      buffer.runningSearches[index] = ticket
      worker.search(buffer.text, for: pattern, ticket)
    }
    guard let replacement = buffer.wantedReplacement,
      buffer.runningSearches[SearchWorker.Ticket.replacement] == nil
    else { return }
    replacementCount += 1
    let ticket = SearchWorker.Ticket(
      view: buffer.view.id.rawValue, queryIndex: SearchWorker.Ticket.replacement, search: replacementCount,
      revision: buffer.document.revision)
    buffer.runningSearches[SearchWorker.Ticket.replacement] = ticket
    worker.replace(replacement, ticket)
  }

  /// A search that takes longer than a moment shows how far it is; `xiedit_cancel` ends it.
  private func searchIsAt(_ byteCount: Int, _ ticket: SearchWorker.Ticket) {
    guard frontEnd.speaksExtensions, let buffer = session.views.buffers[ViewID(ticket.view)],
      buffer.runningSearches[ticket.queryIndex] == ticket, byteCount < buffer.text.byteCount
    else { return }
    buffer.showsSearchProgress = true
    let task = buffer.hasWaitingReplacement ? Progress.Task.replace : .find
    frontEnd.send(.progress(buffer.view.id, Progress(task, done: byteCount, total: buffer.text.byteCount)))
  }

  private func endProgress(of buffer: Buffer, _ task: Progress.Task) {
    guard buffer.showsSearchProgress, !buffer.isSearching else { return }
    buffer.showsSearchProgress = false
    let total = buffer.text.byteCount
    frontEnd.send(.progress(buffer.view.id, Progress(task, done: total, total: total)))
  }

  private func searchEnded(_ outcome: SearchWorker.Outcome) {
    let ticket = outcome.ticket
    guard let buffer = session.views.buffers[ViewID(ticket.view)], buffer.runningSearches[ticket.queryIndex] == ticket,
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
      frontEnd.alert("The search was given up: \(failure.message)")
    }
    if !buffer.isSearching { session.commands.performWaiting(of: buffer) }
    endProgress(of: buffer, hadReplacement ? .replace : .find)
    session.views.sendUpdates()
  }

  /// Ends searches and replacements, and does not do what waits for the file to be loaded.
  func cancel(_ buffer: Buffer) {
    if buffer.loadJob != nil, buffer.queue.hasWish {
      frontEnd.alert("What waited for the file was cancelled")
      buffer.giveUpWaiting()
    }
    worker.cancel(view: buffer.view.id.rawValue)
    let hadReplacement = buffer.hasWaitingReplacement
    buffer.cancelSearches()
    endProgress(of: buffer, hadReplacement ? .replace : .find)
    buffer.needsUpdate = true
  }

  /// The view is closed.
  func end(in buffer: Buffer) { worker.cancel(view: buffer.view.id.rawValue) }

  // MARK: What the front end is told

  /// As in xi-core the whole status goes only with an update that brings lines; before that, counts.
  func sendStatus(of view: TextView, isComplete: Bool) {
    if !view.search.isSearching, isComplete ? view.search.isStatusDue : view.search.isCountDue {
      frontEnd.send(
        .findStatus(view.id, view.findStatus(isComplete: isComplete, hasLines: !frontEnd.speaksExtensions)))
      view.search.isCountDue = false
      if isComplete { view.search.isStatusDue = false }
    }
    if view.search.isReplacementDue, isComplete, let replacement = view.search.replacement {
      frontEnd.send(.replaceStatus(view.id, chars: replacement.chars, preserveCase: replacement.preserveCase))
    }
  }
}
