import EditorProtocol
import EventLoop
import Glibc
import JSONRPC
import Rope

/// Commands of the shell whose output goes into a text, each on a thread of its own.
///
/// Nothing waits for one: keys of any view go on. What it has worked out is of the text as it was, and goes in only where that is still
/// the text.
final class ShellCommands {
  private struct Running {
    let view: TextView
    let revision: Int
    let work: ShellWork
    let reply: Reply
    let thread: LoopThread
    /// The front end has been told how far it is.
    var isShown = false
  }

  private var running: [Int: Running] = [:]
  private var lastNumber = 0
  private lazy var results = Inbox<(number: Int, result: ShellWork.Result)>(on: session.loop) { [weak self] in
    self?.ended($0.number, $0.result)
  }
  private lazy var reports = Inbox<(number: Int, done: Int)>(on: session.loop) { [weak self] in
    self?.isAt($0.done, $0.number)
  }
  private unowned let session: EditorSession
  private var frontEnd: FrontEnd { session.frontEnd }

  init(of session: EditorSession) { self.session = session }

  func run(_ command: String, _ use: CommandUse, in view: TextView, _ reply: Reply) {
    func refuse(_ reason: String) { reply.fail(ResponseError(code: ErrorCode.commandFailed, message: reason)) }
    guard session.views[view.id] === view else { return reply.fail(.ended) }
    if view.isReadOnly { return refuse("this view is read-only") }
    if running.values.contains(where: { $0.view === view }) { return refuse("another command still runs") }
    session.commands.endKilling()
    view.document.buffer.history.closeStep()
    view.selectWholeClusters()
    let pieces = use == .filter ? view.piecesToFilter() : [ShellWork.Piece.nothing]
    let work = ShellWork(command: command, text: view.text, pieces: pieces, lineEnding: view.document.lineEnding)
    lastNumber += 1
    do throws(EventLoopError) {
      let thread = try LoopThread(name: "shell")
      running[lastNumber] = Running(
        view: view, revision: view.document.buffer.revision, work: work, reply: reply, thread: thread)
      thread.loop.perform { [results, reports, lastNumber] in
        results.send((lastNumber, work.run { reports.send((lastNumber, $0)) }))
      }
    } catch {
      refuse("\(error)")
    }
  }

  /// Ends what runs for a view.
  func end(in view: TextView) {
    for command in running.values where command.view === view { command.work.end() }
  }

  /// Ends all, and waits for that.
  func endAll() {
    for command in running.values { command.work.end() }
    for _ in 0..<200 where running.values.contains(where: \.work.isRunning) { poll(nil, 0, 1) }
  }

  private func isAt(_ done: Int, _ number: Int) {
    guard let command = running[number], frontEnd.speaksExtensions else { return }
    running[number]?.isShown = true
    tell(command, done)
  }

  private func tell(_ command: Running, _ done: Int) {
    frontEnd.send(.progress(command.view.id, Progress(.command, done: done, total: command.work.pieces.count)))
  }

  private func ended(_ number: Int, _ result: ShellWork.Result) {
    guard let command = running.removeValue(forKey: number) else { return }
    let (view, document) = (command.view, command.view.document)
    guard session.views[view.id] === view else { return command.reply.fail(.ended) }
    if command.isShown { tell(command, command.work.pieces.count) }
    guard !command.work.isEnded else { return command.reply.fail(.ended) }
    switch result {
    case .failure(let failure):
      command.reply.fail(ResponseError(code: ErrorCode.commandFailed, message: failure.reason))
    case .success where document.buffer.revision != command.revision || view.isReadOnly:
      command.reply.fail(
        ResponseError(code: ErrorCode.commandFailed, message: "the text has changed meanwhile"))
    case .success(let outputs):
      document.views.used = view
      view.take(outputs, of: command.work.pieces)
      if let growth = view.refusedGrowth {
        view.refusedGrowth = nil
        let reason = "the text would grow by \(growth >> 20) MB"
        return command.reply.fail(ResponseError(code: ErrorCode.commandFailed, message: reason))
      }
      document.buffer.history.closeStep()
      view.needsUpdate = true
      session.views.sendUpdates()
      // From then on it survives the core.
      document.enqueue(
        .init(order: .lookAtText, needs: .journal) { [unowned self] in
          session.views.sendUpdates()
          command.reply.succeed([:])
        })
    }
  }
}

extension ResponseError {
  /// Of a command that was ended.
  fileprivate static let ended = ResponseError(code: ErrorCode.cancelled, message: "ended")
}

extension TextView {
  /// What is selected, each selection by itself; where nothing is, the lines of the carets.
  fileprivate func piecesToFilter() -> [ShellWork.Piece] {
    let selected = selection.regions.filter { !$0.isCaret }
    guard selected.isEmpty else { return selected.map { ShellWork.Piece(range: $0.range, isLine: false) } }
    var lookup = LogicalLineLookup(of: text)
    var pieces: [ShellWork.Piece] = []
    for region in selection.regions {
      let line = lookup.line(of: region.active).range
      if pieces.last?.range != line { pieces.append(.init(range: line, isLine: true)) }
    }
    return pieces
  }

  /// Puts what a command wrote in the place of what it read; what it wrote once and has read nothing for goes in at each region.
  fileprivate func take(_ outputs: [Rope], of pieces: [ShellWork.Piece]) {
    guard pieces != [.nothing] else {
      let delta = replaceRegions(selection.regions, with: outputs.first ?? Rope())
      return delta.isIdentity ? () : commit(delta, as: .other)
    }
    let before = selection
    let delta = replace { builder in
      for (piece, output) in zip(pieces, outputs) { builder.replace(piece.range, with: output) }
    }
    commit(delta, as: .other)
    guard refusedGrowth == nil else { return }
    select(before.following(outputs, of: pieces))
  }
}

extension Selection {
  /// Where selections and carets are when what they were in has been replaced: a selection is all that came in its place, a caret as far in
  /// its line as it was.
  fileprivate func following(_ outputs: [Rope], of pieces: [ShellWork.Piece]) -> Selection {
    var selection = Selection()
    // Of the last piece that begins before the region, and what those before it have grown by.
    var (index, growth) = (-1, 0)
    for region in regions {
      while index + 1 < pieces.count, pieces[index + 1].range.lowerBound <= region.lowerBound {
        if index >= 0 { growth += outputs[index].byteCount - pieces[index].range.count }
        index += 1
      }
      guard index >= 0 else {
        selection.add(region)
        continue
      }
      let (piece, output) = (pieces[index], outputs[index])
      let start = piece.range.lowerBound + growth
      if piece.isLine {
        let offset = min(region.active - piece.range.lowerBound, output.lineContentEnd(of: 0).value)
        selection.add(.caret(start + output.graphemeBoundary(atOrBefore: ByteOffset(offset)).value))
      } else if piece.range == region.range {
        let end = start + output.byteCount
        selection.add(region.anchor <= region.active ? SelectionRegion(start, end) : SelectionRegion(end, start))
      } else {
        selection.add(.caret(region.active + growth + output.byteCount - piece.range.count))
      }
    }
    return selection
  }
}
