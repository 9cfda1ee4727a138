import EditorProtocol
import JSONRPC
import Rope

/// Obeys what the user's keys come to, each in its turn.
final class CommandCoordinator {
  private var shared = SharedState()
  private var recordings = Recordings()
  private unowned let session: EditorSession
  private var frontEnd: FrontEnd { session.frontEnd }

  init(of session: EditorSession) { self.session = session }

  func edit(_ buffer: Buffer, _ command: EditCommand) {
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
    case .requestHover(let requestID, let place): session.plugins.ask(aboutPlace: place, requestID, in: buffer)
    case .plain(.reindent): session.plugins.ask("reindent", in: buffer)
    case .plain(.toggleComment): session.plugins.ask("toggle_comment", in: buffer)
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
    if buffer.isReadOnly, command.changesText { return frontEnd.alert("This view is read-only.") }
    buffer.perform(command, &shared)
  }

  func copy(_ buffer: Buffer, cutting: Bool, holdAbove limit: Int?, _ reply: Reply) {
    buffer.handledEdits += 1
    let text = cutting && !buffer.isReadOnly ? buffer.cut() : buffer.selectedText()
    buffer.needsUpdate = true
    session.views.sendUpdates()
    guard let text else { return reply.succeed(.null) }
    if let limit, text.byteCount > limit { return reply.succeed(shared.hold(text).json) }
    reply.succeed(.string(text.string(in: text.fullRange)))
  }
}
