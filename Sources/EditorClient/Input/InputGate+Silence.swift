/// While the core says nothing, the user is told what is awaited of it.
extension InputGate {
  /// Whether the core owes an answer.
  var awaitsCore: Bool {
    core.loss == nil && (!waits.isEmpty || views.all.contains { $0.log.hasChanges || !$0.isReady })
  }

  /// To be called at an interval of less than a second as long as ``awaitsCore``.
  /// - Parameter isCoreAtWork: It has used the processor since the last tick: what it was given takes its time.
  func tick(isCoreAtWork: Bool = false) {
    guard core.loss == nil else { return }
    let (notice, wasPatient) = (waitNotice, silence.isPatient)
    silence.tick(isCoreAtWork: isCoreAtWork)
    for wait in waits { wait.age += 1 }
    if silence.isQuestionable, let id = views.current?.id { core.askForSignOfLife(of: id) }
    if wasPatient, !silence.isPatient {
      owner?.coreIsSilent(because: isCoreAtWork ? "The core does not come to an end" : "The core does not answer")
    }
    if waitNotice != notice { screen.needsDisplay = true }
  }

  /// The core has said something.
  func coreWasHeard() {
    if silence.hasBegun {
      if silence.isNoticed { screen.needsDisplay = true }
      silence = CoreSilence()
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
    guard silence.isNoticed, awaitsCore else { return nil }
    let state = silence.isCoreAtWork ? "The core is at work" : "The core does not answer"
    return holdsInput ? Notice(text: state, keys: [quit]) : Notice(text: "\(state); what you type will follow")
  }
}
