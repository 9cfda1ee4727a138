/// Something that is awaited of the core.
final class Wait {
  /// What becomes of the keys that are typed during a wait.
  enum Input {
    /// They are handled at once.
    case passes
    /// They are held until the wait has ended or failed, and handled then. Esc ends the wait.
    case isHeld
    /// They are held in the same way, but the user has not asked for this wait: Esc is held, too, until it is told what is awaited.
    case isOrdered
    /// They are held for the question that comes up when the wait has ended, and dropped when the wait fails. Esc ends the wait.
    case isAnswer
    /// It is held, and text in any case. So Esc ends the wait at any time, and what is held is done; as the key does that leaves, until the
    /// user was told what is awaited: then it leaves without the core, and Ctrl-C ends the wait.
    case isText
  }

  enum State { case waiting, over, failed }

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
  /// Behind the last event that was held before it.
  var heldEnd = 0

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
