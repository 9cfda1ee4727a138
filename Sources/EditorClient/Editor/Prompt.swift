/// One line at the bottom in which something is typed.
package struct Prompt {
  package enum Kind: Hashable, Sendable {
    case find, replace, replacement, goto, open, saveAs
    /// A word, by which something is deleted for good.
    case discard
    /// One of ``Editor/openPalette()``.
    case command
    /// One of ``Editor/chooseEncoding()``.
    case encoding
    /// Of a plugin's command, by its title.
    case argument(String)

    /// Kinds that remember the same things.
    var history: Kind {
      switch self {
      case .replace: .find
      case .saveAs: .open
      default: self
      }
    }
  }

  package var kind: Kind
  package var field: TextField
  package var choices: ChoiceList?
  /// What is to be typed, beside the field.
  var note = ""
  /// The place in the history that is shown, counted from the newest; nil for what is being typed.
  var historyIndex: Int?
  /// What was typed before the history was opened.
  var draft = TextField()

  /// What is done with the text, or without one.
  var accept: ((String) -> Void)?
  var cancel: (() -> Void)?

  static let discardWord = "delete"

  init(_ kind: Kind, text: String = "") {
    self.kind = kind
    field = TextField(text)
  }

  package var label: String {
    switch kind {
    case .find: "Find"
    case .replace: "Replace"
    case .replacement: "Replace with"
    case .goto: "Go to line[:column]"
    case .open: "Open"
    case .saveAs: "Save as"
    case .discard: "Type \(Self.discardWord) and Enter to delete the unsaved text for good"
    case .command: "Command"
    case .encoding: "Encoding"
    case .argument(let title): title
    }
  }
}

/// A question that one key answers.
struct Question {
  var text: String
  /// Shown after the text.
  var choices: String
  /// By lower-case letter; Enter is `\n`.
  var answers: [Character: () -> Void]
  /// Esc.
  var cancel: () -> Void = {}
}

/// How a search goes on while its prompt is open.
struct SearchOptions: Equatable {
  var caseSensitive = false
  var wholeWords = false
  var regex = false
}

/// What one line at the bottom tells.
package struct Message: Equatable, Sendable {
  package var text: String
  package var isAlarm: Bool
}
