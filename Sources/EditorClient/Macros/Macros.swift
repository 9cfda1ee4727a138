import EditorProtocol

/// Notes what is done, and does it again: by the same door as what is typed, each step when the core has answered those before.
///
/// There is one macro, the one that was recorded last.
final class Macros {
  /// Who does the steps.
  protocol Player: AnyObject {
    func play(_ step: MacroStep)
    var hasMode: Bool { get }
    /// Whether what is typed and pasted is not for the text.
    var hasPrompt: Bool { get }
    /// Closes what asks for something.
    func closeModes()
  }

  static let mostSteps = 1000
  /// Of one play: its edits become one undo step, whose parts are put together one by one.
  static let mostPlayedSteps = 20_000

  private var recording: [MacroStep]? {
    didSet {
      screen.isRecording = recording != nil
      if recording == nil { notices.notedRefusals = nil } else if oldValue == nil { notices.notedRefusals = [] }
    }
  }
  /// What a macro does not have was done last: nor has it what that may ask.
  private var isAside = false
  private var lastEdit = LastEdit()
  private var play: MacroPlay?
  weak var player: (any Player)?
  private let core: CoreLink
  private let views: Views
  private let gate: InputGate
  private let search: Search
  private let screen: Screen
  private let notices: Notices
  private let memory: Memory

  init(
    _ core: CoreLink, _ views: Views, _ gate: InputGate, _ search: Search, _ screen: Screen, _ notices: Notices,
    _ memory: Memory
  ) {
    (self.core, self.views, self.gate, self.search) = (core, views, gate, search)
    (self.screen, self.notices, self.memory) = (screen, notices, memory)
  }

  // MARK: Recording

  /// Called before the step is done.
  func note(_ step: MacroStep) {
    guard play == nil else { return }
    noteEdit(step)
    if player?.hasMode == true, isAside { return }
    isAside = !step.isRecorded && !step.isRecordedByResult
    guard step.isRecorded, recording != nil else { return }
    recording?.add(step)
    if recording?.count == Self.mostSteps { end("A macro has \(Self.mostSteps) steps at most") }
  }

  private func noteEdit(_ step: MacroStep) {
    if player?.hasPrompt == true { lastEdit.endRow() } else { lastEdit.note(step) }
  }

  /// An edit that a prompt has led to; a macro has the keys of that.
  func noteLastEdit(_ step: MacroStep) { if play?.isRepetition != true { lastEdit.note(step) } }

  /// - Parameter refusal: Why the key that makes the last edit again does not make it.
  func noteLastEdit(unrepeatable refusal: String) { lastEdit.note(unrepeatable: refusal) }

  /// The keys that chose a command from the list of all mean that command, wherever it stands in the list by then.
  func noteChosen(_ command: Command) {
    guard play == nil else { return }
    if let start = recording?.lastIndex(of: .command(.action(.palette))) { recording?.removeSubrange(start...) }
    note(.command(command))
  }

  /// So do those that chose anything else from a list.
  ///
  /// - Parameter count: How many steps there were when the list came up.
  func noteChoice(_ title: String, since count: Int?) {
    guard play == nil, !isAside, let count, let all = recording?.count, count <= all else { return }
    recording?.removeSubrange(count...)
    note(.choice(title))
  }

  /// The key before has put a text into a prompt.
  func noteFilled(_ text: String) {
    replaceKey(by: .filled(text)) { if case .filled = $0 { true } else { false } }
  }

  /// The key before has changed the options of the search.
  func noteSearchOptions(_ names: [String]) {
    replaceKey(by: .searchOptions(names)) { if case .searchOptions = $0 { true } else { false } }
  }

  /// Of several in a row the last says all.
  private func replaceKey(by step: MacroStep, isSame: (MacroStep) -> Bool) {
    guard play == nil, !isAside, case .key? = recording?.last else { return }
    recording?.removeLast()
    if let last = recording?.last, isSame(last) { recording?.removeLast() }
    recording?.append(step)
  }

  func noteClick() {
    if recording != nil, play == nil { notices.show("A macro has what keys do, and not this click", isAlarm: true) }
  }

  var isPlaying: Bool { play != nil }
  var isRecording: Bool { recordedCount != nil }
  var recordedCount: Int? { recording?.count }

  /// Begins to record, or ends it.
  func toggleRecording(hint: String) {
    if recording != nil { return end("Recorded") }
    (recording, isAside) = ([], false)
    closeStep()
    notices.show("Recording a macro; \(hint) ends it")
  }

  private func end(_ reason: String) {
    guard let steps = recording else { return }
    let refusals = notices.notedRefusals ?? []
    recording = nil
    guard !steps.isEmpty else { return notices.show("Nothing was recorded; the macro before stays") }
    let text = Macro(steps, refusals: refusals).serialized
    memory.set(.macro, to: [text])
    let rest = text.utf8.count <= Memory.longestText ? "" : "; for this run alone"
    notices.show("\(reason): \(steps.count) step\(steps.count == 1 ? "" : "s")\(rest)")
  }

  // MARK: Playing

  func play(times: Int, hint: String) {
    if recording != nil { return notices.refuse("A macro that is being recorded cannot play a macro") }
    guard let text = memory[.macro].first else { return notices.refuse("No macro was recorded; \(hint) records one") }
    guard let macro = Macro(serialized: text), !macro.steps.isEmpty else {
      return notices.refuse("What is remembered as a macro has a step that is not known")
    }
    let count = macro.steps.count
    guard count <= Self.mostPlayedSteps / times else {
      let most = Self.mostPlayedSteps / count
      return notices.refuse(
        "A play has \(Self.mostPlayedSteps) steps at most: \(most) times the \(count) of the macro")
    }
    begin(macro, times)
  }

  /// Does what was typed last, or the last command that has changed the text, where the caret is now.
  func repeatEdit() {
    if let refusal = lastEdit.refusal { return notices.refuse(refusal) }
    let steps = lastEdit.steps
    if play == nil, let count = recording?.count {
      guard count + steps.count < Self.mostSteps else { return end("A macro has \(Self.mostSteps) steps at most") }
      recording? += steps
    }
    begin(Macro(steps), 1, isRepetition: true)
  }

  private func begin(_ macro: Macro, _ times: Int, isRepetition: Bool = false) {
    guard play == nil else { return notices.refuse("A macro cannot play a macro") }
    let started = MacroPlay(macro, times: times, isRepetition: isRepetition, refusals: notices.refusals)
    play = started
    // What the core says until then is about the keys before.
    askCore(of: started)
    gate.wait(
      to: "play the macro", .isHeld, until: { [weak self] in self?.play === started ? .waiting : .over },
      givenUp: { [weak self] in self?.end(started, "Esc ended the macro") },
      step: { [weak self] in self?.step(started) ?? false }, isCommand: true)
    gate.advance()
  }

  /// - Returns: false where the core has not answered yet.
  private func step(_ play: MacroPlay) -> Bool {
    guard play === self.play, play.isAnswered else { return false }
    if let reason = refusal(of: play) {
      end(play, reason)
    } else if let step = play.takeStep() {
      openStep(of: play)
      if play.isAtStart { lastEdit.endRow() }
      if !play.isRepetition { noteEdit(step) }
      player?.play(step)
      askCore(of: play)
    } else {
      end(play, nil)
    }
    return true
  }

  /// All edits of a play are one undo step. Where it undoes by itself its steps are as they were when it was recorded: it is to take
  /// back the same again, and nothing of what was before.
  private func openStep(of play: MacroPlay) {
    if play.undoes {
      if play.isAtStart { closeStep() }
    } else if core.supports(.codeEditing), let view = views.current, play.enter(view) {
      views.edit(.plain(.beginStep))
    }
  }

  /// What is edited next is no more of the undo step before it.
  private func closeStep() {
    guard core.supports(.codeEditing), views.current?.takesEdits == true else { return }
    for edit in [PlainEdit.beginStep, .endStep] { views.edit(.plain(edit)) }
  }

  private func askCore(of play: MacroPlay) {
    guard let id = views.current?.id else { return }
    play.isAnswered = false
    core.request(.getConfig(id)) { [weak self] result in
      play.isAnswered = true
      if let self, play.place == 0 { play.refusals = notices.refusals }
      if case .failure = result { self?.end(play, "The core ended") }
    }
  }

  /// Why the last step was not done.
  private func refusal(of play: MacroPlay) -> String? {
    if core.loss != nil { return "The core ended" }
    if notices.refusals != play.refusals {
      guard play.macro.refusals.contains(notices.lastRefusal) else { return notices.message?.text ?? "Not done" }
      play.refusals = notices.refusals
    }
    if play.hasSearched, search.isVisible, views.current?.find?.matches == 0 { return "Nothing was found" }
    return nil
  }

  /// - Parameter reason: Why it has not come to its end.
  private func end(_ play: MacroPlay, _ reason: String?) {
    guard play === self.play else { return }
    self.play = nil
    lastEdit.endRow()
    for view in play.views where !view.isRemoved { views.endStep(in: view) }
    screen.needsDisplay = true
    if let reason {
      // What it has opened is not for the keys behind it.
      player?.closeModes()
      notices.show("\(reason); the macro ended at its step \(play.place)", isAlarm: true)
    } else if play.times > 1 {
      notices.show("Played \(play.times) times")
    }
  }
}

/// A macro that is being played.
private final class MacroPlay {
  let macro: Macro
  private var steps: [MacroStep] { macro.steps }
  let times: Int
  /// Of what was edited last.
  let isRepetition: Bool
  private var playedCount = 0
  /// How many there were before the last step.
  var refusals: Int
  /// The core has answered the last step.
  var isAnswered = true
  private(set) var hasSearched = false
  /// Whose edits are being made one undo step.
  private(set) var views: [EditorView] = []

  init(_ macro: Macro, times: Int, isRepetition: Bool, refusals: Int) {
    (self.macro, self.times, self.isRepetition, self.refusals) = (macro, times, isRepetition, refusals)
  }

  /// Whether it takes edits back by itself.
  var undoes: Bool { steps.contains { [.command(.edit(.undo)), .command(.edit(.redo))].contains($0) } }

  /// Its first step has just been taken, this time.
  var isAtStart: Bool { place == 1 }

  var nextStep: MacroStep? { playedCount < steps.count * times ? steps[playedCount % steps.count] : nil }

  func takeStep() -> MacroStep? {
    guard let step = nextStep else { return nil }
    playedCount += 1
    switch step {
    case .key, .filled, .searchOptions, .command(.action(.findNext)), .command(.action(.findPrevious)):
      hasSearched = true
    default: hasSearched = false
    }
    return step
  }

  /// Of the step that was done last, from 1.
  var place: Int { playedCount == 0 ? 0 : (playedCount - 1) % steps.count + 1 }

  /// - Returns: Whether nothing was done in it before.
  func enter(_ view: EditorView) -> Bool {
    guard view.takesEdits, !views.contains(where: { $0 === view }) else { return false }
    views.append(view)
    return true
  }
}
