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
  /// How far these are the front end has been told last.
  private var shown: [ViewID: Progress.Task] = [:]
  private unowned let session: EditorSession
  private var frontEnd: FrontEnd { session.frontEnd }

  init(of session: EditorSession) { self.session = session }

  /// Texts that take longer than a moment are searched by the worker.
  func start(in buffer: Buffer) {
    buffer.searchSmallTexts()
    buffer.advanceQueue()
    let view = buffer.view.id.rawValue
    for (index, query) in buffer.view.search.queries.enumerated() {
      guard let search = query.pendingSearch, let pattern = query.usablePattern else { continue }
      let ticket = SearchWorker.Ticket(
        view: view, queryIndex: index, search: search, revision: buffer.document.revision)
      if !worker.isRunning(ticket) { worker.search(buffer.text, for: pattern, ticket) }
    }
    guard let work = buffer.queue.unfinishedWork, work.ticket == nil else { return }
    replacementCount += 1
    let ticket = SearchWorker.Ticket(
      view: view, queryIndex: SearchWorker.Ticket.replacement, search: replacementCount, revision: work.revision)
    work.ticket = ticket
    worker.replace(work.replacement, ticket)
  }

  private func searchEnded(_ outcome: SearchWorker.Outcome) {
    let ticket = outcome.ticket
    guard let buffer = session.views.buffers[ViewID(ticket.view)] else { return }
    buffer.needsUpdate = true
    let work = ticket.queryIndex == SearchWorker.Ticket.replacement ? buffer.queue.unfinishedWork : nil
    switch outcome.result {
    case .success(.matches(let matches)):
      // A text that has changed meanwhile is searched again, by the update below.
      if ticket.revision == buffer.document.revision {
        buffer.view.finishSearch(ticket.queryIndex, ticket.search, matches)
      }
    case .success(.replacement(let replacement)): work?.finish(replacement)
    case .failure(let failure):
      work?.finish(nil)
      buffer.view.finishSearch(ticket.queryIndex, ticket.search, MatchList())
      frontEnd.alert("The search was given up: \(failure.message)")
    }
    buffer.advanceQueue()
    endProgress(of: buffer)
    session.views.sendUpdates()
  }

  /// Ends searches and replacements, and does not do what waits for the file to be loaded.
  func cancel(_ buffer: Buffer) {
    if buffer.loadJob != nil, buffer.queue.hasWish {
      frontEnd.alert("What waited for the file was cancelled")
      buffer.giveUpWaiting()
    }
    worker.cancel(view: buffer.view.id.rawValue)
    buffer.cancelSearches()
    endProgress(of: buffer)
    buffer.needsUpdate = true
  }

  /// The view is closed.
  func end(in buffer: Buffer) {
    worker.cancel(view: buffer.view.id.rawValue)
    shown[buffer.view.id] = nil
  }

  // MARK: What the front end is told

  /// A search that takes longer than a moment shows how far it is; `xiedit_cancel` ends it.
  private func searchIsAt(_ byteCount: Int, _ ticket: SearchWorker.Ticket) {
    guard frontEnd.speaksExtensions, let buffer = session.views.buffers[ViewID(ticket.view)],
      byteCount < buffer.text.byteCount
    else { return }
    let task = buffer.queue.hasReplacement ? Progress.Task.replace : .find
    shown[buffer.view.id] = task
    frontEnd.send(.progress(buffer.view.id, Progress(task, done: byteCount, total: buffer.text.byteCount)))
  }

  private func endProgress(of buffer: Buffer) {
    guard !buffer.isSearching, let task = shown.removeValue(forKey: buffer.view.id) else { return }
    let total = buffer.text.byteCount
    frontEnd.send(.progress(buffer.view.id, Progress(task, done: total, total: total)))
  }

  /// As in xi-core the whole status goes only with an update that brings lines; before that, counts.
  func sendStatus(of view: TextView, isComplete: Bool) {
    if let problem = view.search.problem {
      view.search.problem = nil
      frontEnd.alert("Not a regular expression: \(problem.message)")
    }
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
