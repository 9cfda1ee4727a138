/// The user need not wait for the core.
extension InputGate {
  /// Whether a command goes on by itself.
  var runsCommand: Bool { waits.contains(where: \.isCommand) }

  /// Ends the commands that go on by themselves, and waits for them no more; what was typed meanwhile is done.
  /// - Returns: Whether there were any.
  @discardableResult
  func endCommands() -> Bool { !end(\.isCommand).isEmpty }

  /// Nothing is waited for any more that only stands in the way of text.
  @discardableResult
  func endTextWaits(isTold: Bool) -> Bool {
    let ended = end { $0.input == .isText }
    guard !ended.isEmpty, isTold else { return !ended.isEmpty }
    for wait in ended {
      notices.wait(Message(text: "No longer waiting for the core to \(wait.task)", isAlarm: true))
    }
    // Behind what was held, which would hide it.
    if heldEvents.isEmpty { notices.showNext() }
    return true
  }

  private func end(_ areMeant: (Wait) -> Bool) -> [Wait] {
    let ended = takeWaits(areMeant)
    for wait in ended { wait.wasGivenUp() }
    guard !ended.isEmpty else { return [] }
    screen.needsDisplay = true
    advance()
    return ended
  }

  /// What is awaited is not waited for any more, nor is that done which was to follow it; what was typed since is taken back.
  func stopWaiting() {
    let task = lateWait?.task
    let (holdsInput, heldMore) = (holdsInput, holdsMore)
    let loss = heldMore ? "what was typed meanwhile was taken back" : nil
    let loading = views.all.filter { $0.isLoading && isClosed }
    for view in loading { views.endLoading(of: view) }
    // What waits for a file to be loaded is refused now, which ends the wait.
    if !loading.isEmpty, !silence.isNoticed {
      if let loss { notices.alarm(loss.capitalizedFirst) }
      return dropInput()
    }
    let given = takeWaits { holdsInput || isLate($0) }
    dropInput()
    for wait in given { wait.wasGivenUp() }
    screen.needsDisplay = true
    let end = task.map { "No longer waiting for the core to \($0)" }
    let told = [end, loss].compactMap { $0 }.joined(separator: "; ")
    if !told.isEmpty { notices.show(told.capitalizedFirst, isAlarm: heldMore) }
  }
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
