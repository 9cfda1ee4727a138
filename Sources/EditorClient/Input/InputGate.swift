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

  private(set) var waits: [Wait] = []
  private(set) var heldEvents: ArraySlice<InputEvent> = []
  /// Of the core, while something was awaited.
  var silence = CoreSilence()
  /// Held events are being handled.
  private(set) var isAdvancing = false
  /// How much the user has done so far: keys, clicks and pastes.
  var inputCount = 0
  weak var owner: (any Owner)?
  let core: CoreLink
  let views: Views
  let keys: Keys
  let screen: Screen
  let notices: Notices

  init(_ core: CoreLink, _ views: Views, _ keys: Keys, _ screen: Screen, _ notices: Notices) {
    (self.core, self.views, self.keys, self.screen, self.notices) = (core, views, keys, screen, notices)
  }

  var isClosed: Bool { waits.contains { $0.input != .passes } }

  /// What takes so long that the user is told.
  var lateWait: Wait? { waits.first { isLate($0) && $0.input != .passes } ?? waits.first(where: isLate) }

  func isLate(_ wait: Wait) -> Bool { wait.age >= CoreSilence.ticksToNotice || silence.isNoticed }

  func hold(_ event: InputEvent) { heldEvents.append(event) }

  /// What was held before is for what comes before the wait.
  private func drop(behind wait: Wait) {
    let end = min(max(wait.heldEnd, heldEvents.startIndex), heldEvents.endIndex)
    guard end < heldEvents.endIndex else { return }
    heldEvents = heldEvents[..<end]
    notices.alarm("What was typed meanwhile was taken back")
  }

  /// Which of them come before a wait is not known any more.
  private func replaceHeld(by events: ArraySlice<InputEvent>) {
    heldEvents = events
    for wait in waits { wait.heldEnd = 0 }
  }

  /// The first wait that has ended; it is not waited for any more.
  private func takeEnded() -> (wait: Wait, state: Wait.State)? {
    for (index, wait) in waits.enumerated() {
      let state = wait.state()
      guard state != .waiting else { continue }
      if state == .failed, wait.input == .isAnswer { drop(behind: wait) }
      return (waits.remove(at: index), state)
    }
    return nil
  }

  /// They are not waited for any more.
  func takeWaits(_ areMeant: (Wait) -> Bool) -> [Wait] {
    defer { waits.removeAll(where: areMeant) }
    return waits.filter(areMeant)
  }

  func takeAll() -> ArraySlice<InputEvent> {
    defer { replaceHeld(by: []) }
    return heldEvents
  }

  func dropInput() { replaceHeld(by: []) }

  /// What was meant for something that does not come up is taken out.
  func reduceHeld(by reduced: (ArraySlice<InputEvent>) -> ArraySlice<InputEvent>) {
    replaceHeld(by: reduced(heldEvents))
  }

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

  /// Runs `body` when `state` says that the wait is over: at once, as a rule. Not when it has failed.
  ///
  /// - Parameters:
  ///   - wasGivenUp: Run in its place when the user ends the wait. What comes then may be told, and nothing else is done about it.
  ///   - step: See ``Wait/step``.
  ///   - isCommand: See ``Wait/isCommand``.
  func wait(
    to task: String, _ input: Wait.Input, until state: @escaping () -> Wait.State,
    then body: @escaping () -> Void = {}, givenUp wasGivenUp: @escaping () -> Void = {}, step: (() -> Bool)? = nil,
    isCommand: Bool = false
  ) {
    switch state() {
    case .over: body()
    case .failed: break
    case .waiting:
      let wait = Wait(
        task, input, state: state, proceed: body, wasGivenUp: wasGivenUp, step: step, isCommand: isCommand)
      wait.heldEnd = heldEvents.endIndex
      waits.append(wait)
    }
  }

  // MARK: Input

  var holdsInput: Bool {
    guard let view = views.current, !isClosed else { return isClosed }
    // What is typed is meant for the place to which it was opened.
    if view.state != .open, view.initialPosition != nil, core.loss == nil { return true }
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
      let isLate = lateWait != nil || silence.isNoticed
      let wasAskedFor = waits.contains { $0.input == .isHeld || $0.input == .isAnswer }
      let isPlaying = waits.contains { $0.step != nil }
      let endsWait = lateWait != nil || wasAskedFor && (!holdsMore || views.isLoading)
      let isBreak = key == .control("c") && (isLate || isPlaying) && holdsInput
      if key.code == .escape || isBreak, endTextWaits(isTold: true) { return true }
      if key.code == .escape || isBreak, endCommands() { return true }
      if key.code == .escape && endsWait || isBreak {
        stopWaiting()
        return true
      }
      if holdsInput, isLate, key == keys.leavingKey {
        owner?.leaveDuringWait()
        return true
      }
      // Who leaves wants no more than what was typed.
      if key == keys.leavingKey { endTextWaits(isTold: false) }
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
}
