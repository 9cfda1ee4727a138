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

  /// Texts that take longer than a moment are searched by the worker. What waited in one view may begin a search in another.
  func start(in document: Document) {
    for view in document.views.all { view.searchSmallTexts() }
    document.advanceQueue()
    for view in document.views.all { startWork(in: view) }
  }

  private func startWork(in view: TextView) {
    for (index, query) in view.search.queries.enumerated() {
      guard let search = query.pendingSearch, let pattern = query.usablePattern else { continue }
      let ticket = SearchWorker.Ticket(
        view: view.id.rawValue, queryIndex: index, search: search, revision: view.document.buffer.revision)
      if !worker.isRunning(ticket) { worker.search(view.text, for: pattern, ticket) }
    }
    guard let work = view.document.queue.unfinishedWork(of: view.id), work.ticket == nil else { return }
    replacementCount += 1
    let ticket = SearchWorker.Ticket(
      view: view.id.rawValue, queryIndex: SearchWorker.Ticket.replacement, search: replacementCount,
      revision: work.revision)
    work.ticket = ticket
    worker.replace(work.replacement, ticket)
  }

  private func searchEnded(_ outcome: SearchWorker.Outcome) {
    let ticket = outcome.ticket
    guard let view = session.views[ViewID(ticket.view)] else { return }
    view.needsUpdate = true
    let work =
      ticket.queryIndex == SearchWorker.Ticket.replacement ? view.document.queue.unfinishedWork(of: view.id) : nil
    switch outcome.result {
    case .success(.matches(let matches)):
      // A text that has changed meanwhile is searched again, by the update below.
      if ticket.revision == view.document.buffer.revision {
        view.finishSearch(ticket.queryIndex, ticket.search, matches)
      }
    case .success(.replacement(let replacement)): work?.finish(replacement)
    case .failure(let failure):
      let problem = "The search was given up: \(failure.message)"
      work?.finish(nil)
      view.finishSearch(ticket.queryIndex, ticket.search, IntervalTree(), problem: problem)
      if ticket.queryIndex == SearchWorker.Ticket.replacement { frontEnd.alert(problem) }
    }
    view.document.advanceQueue()
    endProgress(of: view)
    session.views.sendUpdates()
  }

  /// Ends searches and replacements, and does not do what waits for the file to be loaded.
  func cancel(_ view: TextView) {
    if view.document.file.loadJob != nil, view.document.queue.hasWish {
      frontEnd.alert("What waited for the file was cancelled")
      view.document.giveUpWaiting()
    }
    worker.cancel(view: view.id.rawValue)
    view.cancelSearches()
    endProgress(of: view)
    view.needsUpdate = true
  }

  /// The view is closed.
  func end(in view: TextView) {
    worker.cancel(view: view.id.rawValue)
    shown[view.id] = nil
  }

  // MARK: What the front end is told

  /// A search that takes longer than a moment shows how far it is; `xiedit_cancel` ends it.
  private func searchIsAt(_ byteCount: Int, _ ticket: SearchWorker.Ticket) {
    guard frontEnd.speaksExtensions, let view = session.views[ViewID(ticket.view)],
      byteCount < view.text.byteCount
    else { return }
    let task = view.document.queue.hasReplacement ? Progress.Task.replace : .find
    shown[view.id] = task
    frontEnd.send(.progress(view.id, Progress(task, done: byteCount, total: view.text.byteCount)))
  }

  private func endProgress(of view: TextView) {
    guard !view.isSearching, let task = shown.removeValue(forKey: view.id) else { return }
    let total = view.text.byteCount
    frontEnd.send(.progress(view.id, Progress(task, done: total, total: total)))
  }

  /// As in xi-core the whole status goes only with an update that brings lines; before that, counts.
  func sendStatus(of view: TextView, isComplete: Bool) {
    if let problem = view.search.problemDue {
      view.search.problemDue = nil
      if !frontEnd.takesFindProblems { frontEnd.alert(problem) }
    }
    let isPlaceDue = view.search.gone.isDue && frontEnd.takesMatchPlaces
    let isDue = isComplete ? view.search.isStatusDue : view.search.isCountDue
    if !view.search.isSearching, isDue || isPlaceDue {
      frontEnd.send(
        .findStatus(
          view.id,
          view.findStatus(
            isComplete: isComplete && isDue, hasLines: !frontEnd.speaksExtensions, hasPlace: frontEnd.takesMatchPlaces,
            hasProblem: frontEnd.takesFindProblems)))
      view.search.isCountDue = false
      view.search.gone = (false, false)
      if isComplete { view.search.isStatusDue = false }
    }
    // Front ends that know no other order get it, too, with lines alone.
    if view.search.isReplacementDue, isComplete || frontEnd.speaksExtensions,
      let replacement = view.search.replacement
    {
      view.search.isReplacementDue = false
      frontEnd.send(.replaceStatus(view.id, chars: replacement.chars, preserveCase: replacement.preserveCase))
    }
  }
}
