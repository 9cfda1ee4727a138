import EditorProtocol
import JSON
import JSONRPC
import Rope

/// Obeys what the user's keys come to, each in its turn.
final class CommandCoordinator {
  private var shared = SharedState()
  private var recordings = Recordings()
  private unowned let session: EditorSession
  private var frontEnd: FrontEnd { session.frontEnd }

  init(of session: EditorSession) { self.session = session }

  func edit(_ view: TextView, _ command: EditCommand) {
    count(in: view)
    view.document.views.used = view
    switch command {
    case .playRecording, .plain(.reindent), .plain(.toggleComment): shared.killingView = nil
    default: break
    }
    switch command {
    case .toggleRecording(let name): recordings.toggle(name)
    case .clearRecording(let name): recordings.clear(name)
    case .playRecording(let name):
      let commands = recordings.commands(named: name)
      inTurn(commands, in: view) { [unowned self] in
        view.document.asOneStep { for command in commands { perform(command, in: view) } }
      }
    case .requestHover(let requestID, let place): session.plugins.ask(aboutPlace: place, requestID, in: view)
    case .plain(.reindent): session.plugins.ask("reindent", in: view)
    case .plain(.toggleComment): session.plugins.ask("toggle_comment", in: view)
    default:
      if !command.concernsScreenOnly { recordings.note(command) }
      inTurn([command], in: view) { [unowned self] in perform(command, in: view) }
    }
  }

  /// Keys that follow a command that waits are meant for what it will have done.
  private func inTurn(_ commands: [EditCommand], in view: TextView, _ body: @escaping () -> Void) {
    let needsWholeText =
      view.document.file.loadJob != nil
      && commands.contains {
        $0.needsWholeText || $0.goesThroughHistory && session.recovery.mayNeedEarlierUndo($0, in: view.document)
      }
    var needs: DocumentQueue.Needs = needsWholeText ? .wholeText : []
    if commands.contains(where: \.goesThroughHistory) { needs.insert(.replacedText) }
    if commands.contains(where: \.putsLinesBack) { needs.insert(.comparison) }
    view.document.enqueue(
      .init(
        view: view.id, needs: needs, isEdit: true, replaces: commands.contains(where: \.replacesMatches), giveUp: {},
        body: body))
  }

  private func perform(_ command: EditCommand, in view: TextView) {
    if view.isReadOnly, command.changesText { return frontEnd.alert("This view is read-only.") }
    let (selection, revision) = (view.selection, view.document.buffer.revision)
    view.perform(command, &shared)
    // A gesture puts the caret somewhere also where it stands there.
    let isGesture = if case .gesture = command { true } else { false }
    if isGesture || view.selection != selection || view.document.buffer.revision != revision {
      view.document.queue.dropMotions(of: view.id)
    }
    if let remark = view.remark { frontEnd.alert(remark) }
    view.remark = nil
    guard let growth = view.refusedGrowth else { return }
    view.refusedGrowth = nil
    frontEnd.alert("Not done: the text would grow by \(growth >> 20) MB")
  }

  /// What is killed next is kept for itself.
  func endKilling() { shared.killingView = nil }

  /// What the front end counts is counted when it comes, whatever becomes of it.
  private func count(in view: TextView) {
    view.edits.add()
    view.needsUpdate = true
  }

  func copy(_ view: TextView, cutting: Bool, holdAbove limit: Int?, _ reply: Reply, giveUp: @escaping () -> Void) {
    count(in: view)
    view.document.enqueue(
      .init(view: view.id, needs: [.replacedText, .journal], isEdit: true, giveUp: giveUp) { [unowned self] in
        shared.killingView = nil
        let cuts = cutting && !view.isReadOnly
        let lines = frontEnd.editsCode ? view.linesOfCarets(cutting: cuts) : nil
        let text = lines ?? (cuts ? view.cut() : view.selectedText())
        view.needsUpdate = true
        session.views.sendUpdates()
        guard let text else { return reply.succeed(.null) }
        if let limit, text.byteCount > limit { return reply.succeed(shared.hold(text).json) }
        let string = JSONValue.string(text.string(in: text.fullRange))
        reply.succeed(lines == nil ? string : ["lines": string])
      })
  }
}
