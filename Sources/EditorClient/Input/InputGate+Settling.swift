import EditorProtocol

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

/// What must not be decided on old news waits until the core has caught up.
extension InputGate {
  /// Runs `body` when every edit has been answered and every save has ended.
  ///
  /// - Parameter input: What is typed until then. A `y` right after Ctrl-Q is an answer, not text.
  func whenSettled(
    _ input: Wait.Input = .isAnswer, _ body: @escaping () -> Void, givenUp: @escaping () -> Void = {}
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
    let isSettled = { [views] () -> Wait.State in
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

  static func readiness(of view: EditorView) -> Wait.State {
    if view.isReady { return .over }
    return view.isRemoved ? .failed : .waiting
  }
}
