import EditorProtocol

/// What is awaited of the core, and the input that is not looked at before it is there.
///
/// Every wait has a name and an end: what was awaited, Esc, or a core that is gone. So no answer that stays away locks the user out.
final class InputGate {
  /// Who handles the input, held or not.
  protocol Owner: AnyObject {
    /// Whether text that is typed is for the view, and nothing else happens at a key.
    var takesBursts: Bool { get }
    /// Whether something else than the view has the keys.
    var hasMode: Bool { get }
    func type(_ text: String)
    func handle(_ event: InputEvent)
    func coreIsSilent(because reason: String)
    func leaveDuringWait()
  }

  /// What becomes of what is typed during a wait.
  enum Input {
    /// It is handled at once.
    case passes
    /// It is held: text and commands as ever, also when the wait fails.
    case isHeld
    /// It is held, and so is Esc as long as nobody is told: keys come to what those before them have led to, and no more is waited for.
    case isOrdered
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
    /// What it does by itself whenever nothing else is awaited, if anything; false where that has to wait for the core.
    let step: (() -> Bool)?
    /// It is a command that goes on by itself, until Esc ends it; what is typed meanwhile follows then, too.
    let isCommand: Bool
    /// In ticks.
    var age = 0

    init(
      _ task: String, _ input: Input, state: @escaping () -> State, proceed: @escaping () -> Void,
      wasGivenUp: @escaping () -> Void, step: (() -> Bool)? = nil, isCommand: Bool = false
    ) {
      self.task = task
      self.input = input
      self.state = state
      self.proceed = proceed
      self.wasGivenUp = wasGivenUp
      self.step = step
      self.isCommand = isCommand
    }
  }

  /// After this many ticks the user is told what is awaited; after more the core is asked for a sign of life, and given up.
  static let ticksToNotice = 2
  static let ticksToQuestion = 7
  static let ticksToDespair = 14
  /// One that is at work gets a minute.
  static let ticksOfWork = 86

  private(set) var waits: [Wait] = []
  private(set) var heldEvents: ArraySlice<InputEvent> = []
  /// How long the core has said nothing while something was awaited, in ticks.
  private(set) var silence = 0
  /// The ticks of them in which it did nothing.
  private var idleTicks = 0
  private var isCoreAtWork = false
  /// Held events are being handled.
  private(set) var isAdvancing = false
  /// How much the user has done so far: keys, clicks and pastes.
  var inputCount = 0
  weak var owner: (any Owner)?
  private let core: CoreLink
  private let views: Views
  private let keys: Keys
  private let screen: Screen
  private let notices: Notices

  init(_ core: CoreLink, _ views: Views, _ keys: Keys, _ screen: Screen, _ notices: Notices) {
    (self.core, self.views, self.keys, self.screen, self.notices) = (core, views, keys, screen, notices)
  }

  var isClosed: Bool { waits.contains { $0.input != .passes } }

  /// What takes so long that the user is told.
  var lateWait: Wait? { waits.first { isLate($0) && $0.input != .passes } ?? waits.first(where: isLate) }

  func isLate(_ wait: Wait) -> Bool { wait.age >= Self.ticksToNotice || isSilent }

  var isSilent: Bool { silence >= Self.ticksToNotice }

  func hold(_ event: InputEvent) { heldEvents.append(event) }

  /// The first wait that has ended; it is not waited for any more.
  private func takeEnded() -> (wait: Wait, state: State)? {
    for (index, wait) in waits.enumerated() {
      let state = wait.state()
      guard state != .waiting else { continue }
      if state == .failed, wait.input == .isAnswer { heldEvents = [] }
      return (waits.remove(at: index), state)
    }
    return nil
  }

  func takeAll() -> ArraySlice<InputEvent> {
    defer { heldEvents = [] }
    return heldEvents
  }

  func dropInput() { heldEvents = [] }

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
}

/// Whether the core has done what it was sent in some views.
private final class Barrier {
  private(set) var openCount = 0
  /// The core has ended before it could say.
  private(set) var hasFailed = false

  /// The answer to a request comes after all updates before it (messages are handled in the order sent), and after replacements.
  func ask(of view: EditorView, _ core: CoreLink, done: @escaping () -> Void = {}) {
    guard let id = view.id else { return }
    openCount += 1
    core.request(.getConfig(id)) { [self] result in
      openCount -= 1
      if case .failure = result { hasFailed = true } else { done() }
    }
  }
}

/// What must not be decided on old news waits until the core has caught up; so does what is typed meanwhile.
extension InputGate {
  /// Runs `body` when `state` says that the wait is over: at once, as a rule. Not when it has failed.
  ///
  /// - Parameters:
  ///   - wasGivenUp: Run in its place when the user ends the wait. What comes then may be told, and nothing else is done about it.
  ///   - step: See ``Wait/step``.
  ///   - isCommand: See ``Wait/isCommand``.
  func wait(
    to task: String, _ input: Input, until state: @escaping () -> State,
    then body: @escaping () -> Void = {}, givenUp wasGivenUp: @escaping () -> Void = {}, step: (() -> Bool)? = nil,
    isCommand: Bool = false
  ) {
    switch state() {
    case .over: body()
    case .failed: break
    case .waiting:
      let wait = Wait(
        task, input, state: state, proceed: body, wasGivenUp: wasGivenUp, step: step, isCommand: isCommand)
      waits.append(wait)
    }
  }

  /// Runs `body` when every edit has been answered and every save has ended.
  ///
  /// - Parameter input: What is typed until then. A `y` right after Ctrl-Q is an answer, not text.
  func whenSettled(
    _ input: Input = .isAnswer, _ body: @escaping () -> Void, givenUp: @escaping () -> Void = {}
  ) {
    guard core.loss == nil else { return notices.tellOfMissingCore("Not done") }
    let isResumed = { [views] in !views.all.contains { $0.log.hasText && $0.recovery == .waiting } }
    // What was typed in it is sent to the new core by then.
    guard isResumed() else {
      return wait(
        to: "take what was typed", input, until: { isResumed() ? .over : .waiting },
        then: { [weak self] in self?.whenSettled(input, body, givenUp: givenUp) }, givenUp: givenUp)
    }
    let edits = Barrier()
    for view in views.all where (view.log.hasChanges || view.mayBeReplacing) && view.takesEdits {
      edits.ask(of: view, core) { view.mayBeReplacing = false }
    }
    let isSettled = { [views] () -> State in
      guard !edits.hasFailed else { return .failed }
      return edits.openCount > 0 || views.all.contains { $0.awaitedSaves > 0 } ? .waiting : .over
    }
    wait(to: "take what was typed", input, until: isSettled, then: body, givenUp: givenUp)
  }

  /// Runs `body` when the core has the view.
  func whenReady(_ view: EditorView, _ body: @escaping () -> Void) {
    wait(to: "open \(view.name)", .isHeld, until: { Self.readiness(of: view) }, then: body)
  }

  /// Runs `body` when the core has told where the edits so far have led; without a core, at once. Where carets are is kept for a pane that
  /// loses the keys, and to go back there from a jump.
  func whenCaretsAreKnown(_ body: @escaping () -> Void) {
    guard core.loss == nil, let view = views.current else { return body() }
    // Only then it goes to the place where the file was left.
    guard view.isReady else { return whenReady(view) { [weak self] in self?.whenCaretsAreKnown(body) } }
    let edits = Barrier()
    for view in views.all where view.log.hasChanges { edits.ask(of: view, core) }
    wait(
      to: "take what was typed", .isOrdered, until: { edits.openCount > 0 ? .waiting : .over },
      // The next core is sent them again.
      then: { [weak self] in if edits.hasFailed { self?.whenCaretsAreKnown(body) } else { body() } })
  }

  /// Runs `body` when it is known which file each view has.
  func whenNamed(_ body: @escaping () -> Void) {
    wait(
      to: "save under another name", .isOrdered,
      until: { [views] in views.all.contains { $0.renamingSaves > 0 } ? .waiting : .over }, then: body)
  }

  /// Runs `body` when no input is held any more: what is told then is not taken away by keys that came before it.
  func whenNothingIsHeld(_ body: @escaping () -> Void) {
    wait(
      to: "go on", .passes, until: { [unowned self] in heldEvents.isEmpty ? .over : .waiting }, then: body,
      givenUp: body)
  }

  static func readiness(of view: EditorView) -> State {
    if view.isReady { return .over }
    return view.isRemoved ? .failed : .waiting
  }

  // MARK: Input

  var holdsInput: Bool {
    guard let view = views.current, !isClosed else { return isClosed }
    // Behind what is held nothing goes ahead.
    return !view.takesEdits && (!views.edits.isOrphaned(view) || !heldEvents.isEmpty)
  }

  /// Whether `event` is to wait. Esc and Ctrl-Q do not, once the user was told what is awaited. Before, Esc ends what was just asked for,
  /// or answered; behind more that was typed it is a key like others: it would take back what nobody sees is held. What runs it ends at
  /// any time, which takes nothing back.
  func holds(_ event: InputEvent) -> Bool {
    guard !event.isResize else { return false }
    // Without a core nothing is waited for: what is held is for the next one, the rest is for the mode.
    if core.loss != nil, owner?.hasMode == true { return false }
    if case .key(let key) = event {
      if core.loss != nil, key == keys.leavingKey { return false }
      let isLate = lateWait != nil || isSilent
      let wasAskedFor = waits.contains { $0.input == .isHeld || $0.input == .isAnswer }
      let isPlaying = waits.contains { $0.step != nil }
      let endsWait = lateWait != nil || wasAskedFor && (!holdsMore || views.isLoading)
      let isBreak = key == .control("c") && (isLate || isPlaying) && holdsInput
      if key.code == .escape || isBreak, endCommands() { return true }
      if key.code == .escape && endsWait || isBreak {
        stopWaiting()
        return true
      }
      if holdsInput, isLate, key == keys.leavingKey {
        owner?.leaveDuringWait()
        return true
      }
    }
    guard holdsInput else { return false }
    heldEvents.append(event)
    return true
  }

  /// Goes on where a wait has ended: does what was to be done then, and handles the input that was held.
  func advance() {
    guard !isAdvancing else { return }
    isAdvancing = true
    let heldCount = heldEvents.count
    defer {
      isAdvancing = false
      // What has come behind the last key that was held.
      if heldCount > 0, heldEvents.isEmpty { notices.showNext() }
    }
    while true {
      if let (wait, state) = takeEnded() {
        screen.needsDisplay = true
        if state == .over { wait.proceed() }
      } else if takesStep() {
        continue
      } else if heldEvents.isEmpty {
        return
      } else if let owner, owner.takesBursts, let text = heldEvents.popBurst(keys.map) {
        owner.type(text)
      } else if !holdsInput, let event = heldEvents.popFirst() {
        owner?.handle(event)
      } else {
        return
      }
    }
  }

  /// The waits that have ended go on, and what is held stays.
  func endWaits() {
    while let (wait, state) = takeEnded() { if state == .over { wait.proceed() } }
  }

  /// What goes on by itself does so when a key would not be held: it is not ahead of what it has led to.
  private func takesStep() -> Bool {
    guard let wait = waits.first(where: { $0.step != nil }), let step = wait.step else { return false }
    let isFree = !waits.contains { $0 !== wait && $0.input != .passes } && views.current?.takesEdits != false
    return (isFree || core.loss != nil) && step()
  }

  /// Whether a command goes on by itself.
  var runsCommand: Bool { waits.contains(where: \.isCommand) }

  /// Ends the commands that go on by themselves, and waits for them no more; what was typed meanwhile is done.
  /// - Returns: Whether there were any.
  @discardableResult
  func endCommands() -> Bool {
    let commands = waits.filter(\.isCommand)
    guard !commands.isEmpty else { return false }
    waits.removeAll(where: \.isCommand)
    for command in commands { command.wasGivenUp() }
    screen.needsDisplay = true
    advance()
    return true
  }

  /// What is awaited is not waited for any more, nor is that done which was to follow it; what was typed since is taken back.
  private func stopWaiting() {
    let task = lateWait?.task
    let (holdsInput, heldMore) = (holdsInput, holdsMore)
    let loss = heldMore ? "what was typed meanwhile was taken back" : nil
    let loading = views.all.filter { $0.isLoading && isClosed }
    for view in loading { views.endLoading(of: view) }
    // What waits for a file to be loaded is refused now, which ends the wait.
    if !loading.isEmpty, !isSilent {
      if let loss { notices.alarm(loss.capitalizedFirst) }
      return dropInput()
    }
    let given = holdsInput ? waits : waits.filter(isLate)
    waits.removeAll { wait in given.contains { $0 === wait } }
    dropInput()
    for wait in given { wait.wasGivenUp() }
    screen.needsDisplay = true
    let end = task.map { "No longer waiting for the core to \($0)" }
    let told = [end, loss].compactMap { $0 }.joined(separator: "; ")
    if !told.isEmpty { notices.show(told.capitalizedFirst, isAlarm: heldMore) }
  }

  // MARK: The core's silence

  /// Whether the core owes an answer.
  var awaitsCore: Bool {
    core.loss == nil && (!waits.isEmpty || views.all.contains { $0.log.hasChanges || !$0.isReady })
  }

  /// To be called at an interval of less than a second as long as ``awaitsCore``.
  /// - Parameter isCoreAtWork: It has used the processor since the last tick: what it was given takes its time.
  func tick(isCoreAtWork: Bool = false) {
    guard core.loss == nil else { return }
    let (notice, wasPatient) = (waitNotice, isPatient)
    self.isCoreAtWork = isCoreAtWork
    silence += 1
    if !isCoreAtWork { idleTicks += 1 }
    for wait in waits { wait.age += 1 }
    if silence == Self.ticksToQuestion, let id = views.current?.id { core.askForSignOfLife(of: id) }
    if wasPatient, !isPatient {
      owner?.coreIsSilent(because: isCoreAtWork ? "The core does not come to an end" : "The core does not answer")
    }
    if waitNotice != notice { screen.needsDisplay = true }
  }

  /// False when more ticks change nothing.
  var isPatient: Bool { idleTicks < Self.ticksToDespair && silence < Self.ticksOfWork }

  func forgetSilence() { (silence, idleTicks, isCoreAtWork) = (0, 0, false) }

  /// The core has said something.
  func coreWasHeard() {
    if silence > 0 {
      if isSilent { screen.needsDisplay = true }
      forgetSilence()
      notices.withdrawOffer(.restart)
    }
    advance()
  }

  /// What is waited for has the bottom line.
  var isWaitShown: Bool { holdsInput && waitNotice != nil }

  /// What the user is told while the core takes its time.
  var waitNotice: Notice? {
    guard core.loss == nil else { return nil }
    let label = runsCommand ? "ends it to quit" : "quits without it"
    let quit = Notice.KeyLabel(key: keys.leavingKey.label, label: label)
    if let wait = lateWait {
      let escape = Notice.KeyLabel(key: "Esc", label: wait.isCommand ? "ends it" : "ends the wait")
      let keys = wait.input == .passes ? [escape] : [escape, quit]
      return Notice(text: "Waiting for the core to \(wait.task)", keys: keys)
    }
    guard isSilent, awaitsCore else { return nil }
    let state = isCoreAtWork ? "The core is at work" : "The core does not answer"
    return holdsInput ? Notice(text: state, keys: [quit]) : Notice(text: "\(state); what you type will follow")
  }
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
