import EditorProtocol
import JSON
import JSONRPC

/// What is awaited of the core, and the input that is not looked at before it is there.
///
/// Every wait has a name and an end: what was awaited, Esc, or a core that is gone. So no answer that stays away locks the user out.
struct InputGate {
  /// What becomes of what is typed during a wait.
  enum Input {
    /// It is handled at once.
    case passes
    /// It is held: text and commands as ever, also when the wait fails.
    case isHeld
    /// It is held: meant for what comes up then, and dropped when that does not.
    case isAnswer
  }

  enum State { case waiting, over, failed }

  final class Wait {
    /// Completes "Waiting for the core to …".
    let task: String
    let input: Input
    let state: () -> State
    let proceed: () -> Void
    /// Run when the user waits no more; what was awaited may come all the same.
    let wasGivenUp: () -> Void
    /// In ticks.
    var age = 0

    init(
      _ task: String, _ input: Input, state: @escaping () -> State, proceed: @escaping () -> Void,
      wasGivenUp: @escaping () -> Void
    ) {
      self.task = task
      self.input = input
      self.state = state
      self.proceed = proceed
      self.wasGivenUp = wasGivenUp
    }
  }

  /// After this many ticks the user is told what is awaited; after more the core is asked for a sign of life, and given up.
  static let ticksToNotice = 2
  static let ticksToQuestion = 7
  static let ticksToDespair = 14

  private(set) var waits: [Wait] = []
  private(set) var heldEvents: ArraySlice<InputEvent> = []
  /// How long the core has said nothing while something was awaited, in ticks.
  var silence = 0
  /// Held events are being handled.
  var isAdvancing = false

  var isClosed: Bool { waits.contains { $0.input != .passes } }

  /// What takes so long that the user is told.
  var lateWait: Wait? { waits.first { isLate($0) && $0.input != .passes } ?? waits.first(where: isLate) }

  func isLate(_ wait: Wait) -> Bool { wait.age >= Self.ticksToNotice || isSilent }

  var isSilent: Bool { silence >= Self.ticksToNotice }

  mutating func add(_ wait: Wait) { waits.append(wait) }

  mutating func hold(_ event: InputEvent) { heldEvents.append(event) }

  mutating func tick() {
    silence += 1
    for wait in waits { wait.age += 1 }
  }

  /// The first wait that has ended; it is not waited for any more.
  mutating func takeEnded() -> (wait: Wait, state: State)? {
    for (index, wait) in waits.enumerated() {
      let state = wait.state()
      guard state != .waiting else { continue }
      if state == .failed, wait.input == .isAnswer { heldEvents = [] }
      return (waits.remove(at: index), state)
    }
    return nil
  }

  mutating func takeEvent() -> InputEvent? { heldEvents.popFirst() }

  mutating func takeBurst(_ keyMap: KeyMap) -> String? { heldEvents.popBurst(keyMap) }

  mutating func takeAll() -> ArraySlice<InputEvent> {
    defer { heldEvents = [] }
    return heldEvents
  }

  mutating func dropInput() { heldEvents = [] }

  /// Whether more is held than the answer to what is awaited.
  var holdsMore: Bool { heldEvents.count > answerCount }
  /// Whether text is.
  var holdsText: Bool {
    let count = heldEvents.count { event in
      switch event {
      case .key(let key): key.text != nil
      case .paste: true
      case .openPaste, .mouse, .resize, .unknown: false
      }
    }
    return count > answerCount
  }
  private var answerCount: Int { waits.contains { $0.input == .isAnswer } ? 1 : 0 }

  /// Ends waits before their time, and drops what was typed since.
  mutating func giveUp(_ given: [Wait]) {
    waits.removeAll { wait in given.contains { $0 === wait } }
    heldEvents = []
  }
}

/// What must not be decided on old news waits until the core has caught up; so does what is typed meanwhile.
extension Editor {
  /// Runs `body` when `state` says that the wait is over: at once, as a rule. Not when it has failed.
  ///
  /// - Parameter wasGivenUp: Run in its place when the user ends the wait. What comes then may be told, and nothing else is done about it.
  func wait(
    to task: String, _ input: InputGate.Input, until state: @escaping () -> InputGate.State,
    then body: @escaping () -> Void = {}, givenUp wasGivenUp: @escaping () -> Void = {}
  ) {
    switch state() {
    case .over: body()
    case .failed: break
    case .waiting: gate.add(InputGate.Wait(task, input, state: state, proceed: body, wasGivenUp: wasGivenUp))
    }
  }

  /// Runs `body` when every edit has been answered and every save has ended.
  ///
  /// - Parameter input: What is typed until then. A `y` right after Ctrl-Q is an answer, not text.
  func whenSettled(
    _ input: InputGate.Input = .isAnswer, _ body: @escaping () -> Void, givenUp: @escaping () -> Void = {}
  ) {
    guard core.loss == nil else { return tellOfMissingCore("Not done") }
    let isResumed = { [weak self] in self?.views.all.contains { $0.log.hasText && $0.recovery == .waiting } == false }
    // What was typed in it is sent to the new core by then.
    guard isResumed() else {
      return wait(
        to: "take what was typed", input, until: { isResumed() ? .over : .waiting },
        then: { [weak self] in self?.whenSettled(input, body, givenUp: givenUp) }, givenUp: givenUp)
    }
    var (open, hasFailed) = (0, false)
    for view in views.all where (view.log.hasChanges || view.mayBeReplacing) && view.takesEdits {
      guard let id = view.id else { continue }
      open += 1
      // The answer to a request comes after all updates before it (messages are handled in the order sent), and after replacements.
      core.request(.getConfig(id)) { result in
        open -= 1
        if case .failure = result { hasFailed = true } else { view.mayBeReplacing = false }
      }
    }
    let isSettled = { [weak self] () -> InputGate.State in
      guard let self, !hasFailed else { return .failed }
      return open > 0 || views.all.contains(where: \.isSaving) ? .waiting : .over
    }
    wait(to: "take what was typed", input, until: isSettled, then: body, givenUp: givenUp)
  }

  /// Runs `body` when the core has the view.
  func whenReady(_ view: EditorView, _ body: @escaping () -> Void) {
    wait(to: "open \(view.name)", .isHeld, until: { [weak self] in self?.readiness(of: view) ?? .failed }, then: body)
  }

  func readiness(of view: EditorView) -> InputGate.State {
    if view.isReady { return .over }
    return view.isRemoved ? .failed : .waiting
  }

  // MARK: Input

  var holdsInput: Bool {
    guard let view, !gate.isClosed else { return gate.isClosed }
    // Behind what is held nothing goes ahead.
    return !view.takesEdits && (!views.edits.isOrphaned(view) || !gate.heldEvents.isEmpty)
  }

  /// Whether `event` is to wait. Esc and Ctrl-Q do not, once the user was told what is awaited. Before, Esc ends what was just asked for,
  /// or answered; behind more that was typed it is a key like others: it would take back what nobody sees is held.
  func holds(_ event: InputEvent) -> Bool {
    guard !event.isResize else { return false }
    // Without a core nothing is waited for: what is held is for the next one, the rest is for the mode.
    if core.loss != nil, mode != nil { return false }
    if case .key(let key) = event {
      if core.loss != nil, key == keys.leavingKey { return false }
      let isLate = gate.lateWait != nil || gate.isSilent
      let endsWait = gate.lateWait != nil || gate.isClosed && (!gate.holdsMore || views.isLoading)
      if key.code == .escape && endsWait || key == .control("c") && isLate && holdsInput {
        stopWaiting()
        return true
      }
      if holdsInput, isLate, key == keys.leavingKey {
        leaveWithoutCore()
        return true
      }
    }
    guard holdsInput else { return false }
    gate.hold(event)
    return true
  }

  /// Goes on where a wait has ended: does what was to be done then, and handles the input that was held.
  func advance() {
    guard !gate.isAdvancing else { return }
    gate.isAdvancing = true
    defer { gate.isAdvancing = false }
    while true {
      if let (wait, state) = gate.takeEnded() {
        screen.needsDisplay = true
        if state == .over { wait.proceed() }
      } else if takesBursts, let text = gate.takeBurst(keys.map) {
        type(text)
      } else if !holdsInput, let event = gate.takeEvent() {
        handle(event)
      } else {
        return
      }
    }
  }

  /// What is awaited is not waited for any more, nor is that done which was to follow it; what was typed since is taken back.
  private func stopWaiting() {
    let task = gate.lateWait?.task
    let (holdsInput, heldMore) = (holdsInput, gate.holdsMore)
    let loss = heldMore ? "what was typed meanwhile was taken back" : nil
    let loading = views.all.filter { $0.isLoading && gate.isClosed }
    for view in loading { stopWaiting(in: view) }
    // What waits for a file to be loaded is refused now, which ends the wait.
    if !loading.isEmpty, !gate.isSilent {
      if let loss { alarm(loss.capitalizedFirst) }
      return gate.dropInput()
    }
    let given = holdsInput ? gate.waits : gate.waits.filter(gate.isLate)
    gate.giveUp(given)
    for wait in given { wait.wasGivenUp() }
    screen.needsDisplay = true
    let end = task.map { "No longer waiting for the core to \($0)" }
    let told = [end, loss].compactMap { $0 }.joined(separator: "; ")
    if !told.isEmpty { show(told.capitalizedFirst, isAlarm: heldMore) }
  }

  // MARK: The core's silence

  /// Whether the core owes an answer.
  package var awaitsCore: Bool {
    core.loss == nil && (!gate.waits.isEmpty || views.all.contains { $0.log.hasChanges || !$0.isReady })
  }

  /// To be called at an interval of less than a second as long as ``awaitsCore``.
  package func tick() {
    guard core.loss == nil else { return }
    let notice = waitNotice
    gate.tick()
    if gate.silence == InputGate.ticksToQuestion, let id = view?.id { core.askForSignOfLife(of: id) }
    if gate.silence == InputGate.ticksToDespair { offerRestart(because: "The core does not answer") }
    if waitNotice != notice { screen.needsDisplay = true }
  }

  /// False when more ticks change nothing.
  package var isPatient: Bool { gate.silence < InputGate.ticksToDespair }

  /// The core has said something.
  package func coreWasHeard() {
    if gate.silence > 0 {
      if gate.isSilent { screen.needsDisplay = true }
      gate.silence = 0
      notices.withdrawOffer(.restart)
    }
    advance()
  }

  /// What is waited for has the bottom line.
  var isWaitShown: Bool { holdsInput && waitNotice != nil }

  /// What the user is told while the core takes its time.
  var waitNotice: Notice? {
    guard core.loss == nil else { return nil }
    let quit = Notice.KeyLabel(key: keys.leavingKey.label, label: "quits without it")
    if let wait = gate.lateWait {
      let escape = Notice.KeyLabel(key: "Esc", label: "ends the wait")
      let keys = wait.input == .passes ? [escape] : [escape, quit]
      return Notice(text: "Waiting for the core to \(wait.task)", keys: keys)
    }
    guard gate.isSilent, awaitsCore else { return nil }
    return holdsInput
      ? Notice(text: "The core does not answer", keys: [quit])
      : Notice(text: "The core does not answer; what you type will follow")
  }
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
