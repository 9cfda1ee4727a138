import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// Something that the author of a module wrote and that cannot work: where, why, and what to write instead.
struct Mistake: Error {
  let node: Syntax
  let message: String
  var notes: [Note] = []
  var fixIts: [FixIt] = []

  init(_ message: String, at node: some SyntaxProtocol) {
    self.node = Syntax(node)
    self.message = message
  }

  /// The same with a place that has to do with it.
  func noting(_ message: String, at node: some SyntaxProtocol) -> Mistake {
    var mistake = self
    mistake.notes.append(Note(node: Syntax(node), message: Words(message)))
    return mistake
  }

  /// The same with a correction that an editor can apply.
  func offering(_ message: String, replace old: some SyntaxProtocol, with new: some SyntaxProtocol) -> Mistake {
    var mistake = self
    let change = FixIt.Change.replace(oldNode: Syntax(old), newNode: Syntax(new))
    mistake.fixIts.append(FixIt(message: Words(message), changes: [change]))
    return mistake
  }

  var diagnostic: Diagnostic {
    Diagnostic(node: node, message: Words(message), notes: notes, fixIts: fixIts)
  }
}

extension MacroExpansionContext {
  func diagnose(_ mistakes: [Mistake]) {
    for mistake in mistakes { diagnose(mistake.diagnostic) }
  }
}

private struct Words: DiagnosticMessage, NoteMessage, FixItMessage {
  let message: String
  let severity = DiagnosticSeverity.error

  init(_ message: String) { self.message = message }

  var diagnosticID: MessageID { MessageID(domain: "Trestle", id: message) }
  var noteID: MessageID { diagnosticID }
  var fixItID: MessageID { diagnosticID }
}
