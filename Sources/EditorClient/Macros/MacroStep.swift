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
  /// A word was taken in the place of what was typed of it: from a list that has another order by the next time.
  case completion(typed: String, word: String)
  /// Taken from a list, by its title: it may stand elsewhere in it by the next time.
  case choice(String)
  /// What a key has put into a prompt: a text it has had before, or the whole of a path. It may be another by the next time.
  case filled(String)
  /// The options of a search as a key has left them, which turns one the other way round.
  case searchOptions([String])
  /// A command of the shell that has changed the text.
  case shell(CommandUse, String)

  /// What a macro has of it. Not what is about macros, nor what leaves the editor.
  var isRecorded: Bool {
    guard case .command(.action(let action)) = self, !isRecordedByResult else { return !isRecordedByResult }
    return ![.recordMacro, .playMacro, .playMacroTimes, .repeatEdit, .quit, .suspend, .redraw].contains(action)
  }

  /// A macro has what was typed in its list, and the word that was taken, as if there were no list.
  var isRecordedByResult: Bool { self == .command(.action(.completeWord)) }

  /// Whether it changes the text by itself.
  fileprivate var isEdit: Bool {
    switch self {
    case .text, .paste, .completion, .shell: true
    case .command(.edit(let edit)): edit != .undo && edit != .redo && EditCommand.plain(edit).changesText
    case .command(.action(let action)): action == .cut || action == .paste
    case .key, .choice, .filled, .searchOptions: false
    }
  }

  /// Whether those in a row are one edit to who types.
  fileprivate var isTyping: Bool {
    switch self {
    case .text, .completion, .command(.edit(.insertNewline)), .command(.edit(.insertTab)),
      .command(.edit(.deleteBackward)):
      true
    default: false
    }
  }
}

/// The edit that was made last: one command, or what was typed in a row.
struct LastEdit {
  private(set) var steps: [MacroStep] = []
  /// Why it is not made again.
  private(set) var refusal: String? = "Nothing was edited yet"
  private var goesOn = false

  mutating func note(_ step: MacroStep) {
    if step.isRecordedByResult { return }
    guard step.isEdit else { return goesOn = false }
    if !goesOn || !step.isTyping { steps = [] }
    goesOn = step.isTyping
    if steps.count <= Macros.mostSteps { steps.add(step) }
    refusal = steps.count > Macros.mostSteps ? "The last edit was too long to be noted" : nil
  }

  /// One that leans on more than where the caret is.
  mutating func note(unrepeatable refusal: String) { (steps, self.refusal, goesOn) = ([], refusal, false) }

  /// What is typed next is another edit.
  mutating func endRow() { goesOn = false }
}

extension [MacroStep] {
  /// A word of which all that stands before the caret was typed is as good as typed: it is put in wherever the same is typed again.
  mutating func add(_ step: MacroStep) {
    guard case .completion(let typed, let word) = step, let (count, before) = typing(endingWith: typed) else {
      return append(step)
    }
    removeLast(count)
    append(.text(before + word))
  }

  /// How many of the last steps have typed that, and what else they have typed before it.
  private func typing(endingWith text: String) -> (count: Int, before: String)? {
    var typed = ""
    for (index, step) in reversed().enumerated() {
      guard case .text(let part) = step else { return nil }
      typed = part + typed
      guard typed.utf8.count >= text.utf8.count else { continue }
      guard typed.utf8.suffix(text.utf8.count).elementsEqual(text.utf8) else { return nil }
      return (index + 1, String(decoding: typed.utf8.dropLast(text.utf8.count), as: UTF8.self))
    }
    return nil
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
    case .one(.completion(let typed, let word)): ["completed": .string(typed), "word": .string(word)]
    case .one(.choice(let title)): ["chosen": .string(title)]
    case .one(.filled(let text)): ["filled": .string(text)]
    case .one(.searchOptions(let names)): ["search": .array(names.map(JSONValue.string))]
    case .one(.shell(let use, let command)): ["shell": .string(command), "use": .string(use.rawValue)]
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
    } else if let typed = json["completed"]?.string, let word = json["word"]?.string {
      self = .one(.completion(typed: typed, word: word))
    } else if let title = json["chosen"]?.string {
      self = .one(.choice(title))
    } else if let text = json["filled"]?.string {
      self = .one(.filled(text))
    } else if let names = json["search"]?.array {
      self = .one(.searchOptions(names.compactMap(\.string)))
    } else if let command = json["shell"]?.string, let use = json["use"]?.string.flatMap(CommandUse.init) {
      self = .one(.shell(use, command))
    } else if let text = json["typed"]?.string {
      self = .typed(text)
    } else if let text = json["answered"]?.string {
      self = .answered(text)
    } else {
      return nil
    }
  }
}
