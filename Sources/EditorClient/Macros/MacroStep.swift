import EditorProtocol
import JSON

/// What was done at one key, as what it means: the keys of commands may be others when it is done again.
enum MacroStep: Equatable {
  case command(Command)
  /// Typed into the text; of more than one character, at once.
  case text(String)
  case paste(String)
  /// Pressed in a prompt, a list or a question.
  case key(Key)

  /// What a macro has of it. Not what is about macros, nor what leaves the editor.
  var isRecorded: Bool {
    guard case .command(.action(let action)) = self else { return true }
    return ![.recordMacro, .playMacro, .playMacroTimes, .repeatEdit, .quit, .suspend, .redraw].contains(action)
  }

  /// Whether it changes the text by itself.
  fileprivate var isEdit: Bool {
    switch self {
    case .text, .paste: true
    case .command(.edit(let edit)): edit != .undo && edit != .redo && EditCommand.plain(edit).changesText
    case .command(.action(let action)): action == .cut || action == .paste
    case .key: false
    }
  }

  /// Whether those in a row are one edit to who types.
  fileprivate var isTyping: Bool {
    switch self {
    case .text, .command(.edit(.insertNewline)), .command(.edit(.insertTab)), .command(.edit(.deleteBackward)): true
    default: false
    }
  }
}

/// The edit that was made last: one command, or what was typed in a row.
struct LastEdit {
  private(set) var steps: [MacroStep] = []
  private var goesOn = false

  mutating func note(_ step: MacroStep) {
    guard step.isEdit else { return goesOn = false }
    if !goesOn || !step.isTyping { steps = [] }
    goesOn = step.isTyping
    if steps.count <= Macros.mostSteps { steps.append(step) }
  }
}

// MARK: As text

/// What was recorded.
struct Macro: Equatable {
  var steps: [MacroStep]
  /// What was told then of keys that had nothing to do: it ends no play.
  var refusals: Set<String> = []

  /// What is remembered of it: a JSON array.
  var serialized: String {
    let told: [JSONValue] = refusals.isEmpty ? [] : [["refused": .array(refusals.sorted().map(JSONValue.string))]]
    return JSONValue.array(steps.json + told).description
  }

  /// nil for what is none, or has a step that is not known.
  init?(serialized text: String) {
    guard var values = (try? JSONValue(parsing: text))?.array else { return nil }
    if let told = values.last?["refused"]?.array {
      refusals = Set(told.compactMap(\.string))
      values.removeLast()
    }
    guard let steps = [MacroStep](json: values) else { return nil }
    self.steps = steps
  }

  init(_ steps: [MacroStep], refusals: Set<String> = []) { (self.steps, self.refusals) = (steps, refusals) }
}

extension [MacroStep] {
  fileprivate var json: [JSONValue] { runs.map(\.json) }

  fileprivate init?(json values: [JSONValue]) {
    self = []
    for value in values {
      guard let steps = MacroRun(value)?.steps else { return nil }
      self += steps
    }
    if isEmpty { return nil }
  }

  private var runs: [MacroRun] {
    reduce(into: []) { runs, step in
      let next = MacroRun(step)
      if let last = runs.last, let joined = last.joined(with: next) {
        runs[runs.count - 1] = joined
      } else {
        runs.append(next)
      }
    }
  }
}

/// One step, or characters that were typed after each other.
private enum MacroRun {
  case one(MacroStep)
  case typed(String)
  /// In a prompt.
  case answered(String)

  init(_ step: MacroStep) {
    switch step {
    case .text(let text) where text.count == 1: self = .typed(text)
    case .key(let key): self = key.text.map(MacroRun.answered) ?? .one(step)
    default: self = .one(step)
    }
  }

  /// nil where the characters would be others together.
  func joined(with next: MacroRun) -> MacroRun? {
    let (joined, last): (MacroRun, Character?)
    switch (self, next) {
    case (.typed(let one), .typed(let two)): (joined, last) = (.typed(one + two), one.last)
    case (.answered(let one), .answered(let two)): (joined, last) = (.answered(one + two), one.last)
    default: return nil
    }
    guard let last, let first = next.character, (String(last) + String(first)).count == 2 else { return nil }
    return joined
  }

  private var character: Character? {
    switch self {
    case .typed(let text), .answered(let text): text.first
    case .one: nil
    }
  }

  var steps: [MacroStep] {
    switch self {
    case .one(let step): [step]
    case .typed(let text): text.map { .text(String($0)) }
    case .answered(let text): text.map { .key(Key(.character($0))) }
    }
  }

  var json: JSONValue {
    switch self {
    case .one(.command(let command)): .string(command.name)
    case .one(.text(let text)): ["text": .string(text)]
    case .one(.paste(let text)): ["paste": .string(text)]
    case .one(.key(let key)): ["key": .string(key.canonical.label)]
    case .typed(let text): ["typed": .string(text)]
    case .answered(let text): ["answered": .string(text)]
    }
  }

  init?(_ json: JSONValue) {
    if let command = json.string.flatMap(Command.init(name:)) {
      self = .one(.command(command))
    } else if let text = json["text"]?.string {
      self = .one(.text(text))
    } else if let text = json["paste"]?.string {
      self = .one(.paste(text))
    } else if let key = json["key"]?.string.flatMap({ Key(label: $0) }) {
      self = .one(.key(key))
    } else if let text = json["typed"]?.string {
      self = .typed(text)
    } else if let text = json["answered"]?.string {
      self = .answered(text)
    } else {
      return nil
    }
  }
}
