import Rope

/// What an edit is, so far as undo is concerned: edits of one kind in a row are one step.
enum EditKind: String, CaseIterable, Sendable {
  case insert, newline, delete, indent, undo, redo, transpose, surround, other

  func continues(_ previous: EditKind?) -> Bool {
    switch self {
    case .insert, .delete, .surround: self == previous
    default: false
    }
  }
}

/// Undo steps as deltas: what takes a step back and, once it was taken back, what makes it again. Without limit.
struct UndoHistory {
  /// What a change does to the steps.
  enum Effect: CaseIterable, Sendable {
    case opensStep
    /// It goes on with the open step, as its kind does.
    case continuesStep
    /// It belongs to the last step by what made it, and what follows goes on as if it had not been.
    case joinsStep
    case undoes, redoes
  }

  struct Step {
    fileprivate(set) var group: Int
    /// The states before and after it.
    fileprivate(set) var stateBefore: Int
    var stateAfter: Int
    /// Takes the step back while it is done; makes it again while it is undone.
    var delta: Delta
    /// How much of the file had been loaded when `delta` was made.
    var loadedByteCount: Int
    /// Of the text on the other side of the step, if that is another.
    var origin: TextOrigin?
    /// It was made in an earlier run.
    fileprivate(set) var isEarlier = false

    mutating func exchange(_ current: inout TextOrigin) {
      guard let other = origin else { return }
      (origin, current) = (current, other)
    }
  }

  private(set) var done: [Step] = []
  private(set) var undone: [Step] = []
  private(set) var openKind: EditKind?
  /// xi-core's steps: also what changes nothing is one, they have no end but another kind of edit, and the way back to the saved
  /// state is lost with what was undone.
  var isOfXi = true
  /// Of the open step: when it was last added to, and how much was.
  private var lastEdit: ContinuousClock.Instant?
  private(set) var openByteCount = 0
  private static let longestPause = Duration.seconds(1)
  /// A step that is longer ends with its word.
  private static let longByteCount = 40
  private(set) var isJoint = false
  private var jointGroup: Int?
  /// What the joint step has put an end to.
  private var beforeJoint: (undone: [Step], savedState: Int?, changeSinceSave: Delta?)?
  private var lastState = 0
  private(set) var state = 0
  private var lastGroup = 0

  private var savedState: Int? = 0
  /// From the saved text to this one, as long as it is simple: text that was typed and deleted again is no change.
  private var changeSinceSave: Delta?
  private static let simpleEditCount = 8
  private(set) var loadedByteCount = 0

  var isAtSavedState: Bool { state == savedState }
  var currentGroup: Int { done.last?.group ?? 0 }
  /// The next edit may be one more of the last step.
  var isStepOpen: Bool { openKind.map { $0.continues($0) } ?? false }

  mutating func closeStep() { openKind = nil }

  /// From here to ``endJointStep()`` all edits are one step.
  mutating func beginJointStep() {
    openKind = nil
    (isJoint, jointGroup) = (true, nil)
  }

  /// Edits that cancel each other out are no step, and end no redo.
  /// - Returns: The group of these.
  mutating func endJointStep(_ text: Rope) -> Int? {
    var cancelled: Int?
    if let before = beforeJoint, let step = done.last, step.group == jointGroup, !upToDate(step).changes(text) {
      done.removeLast()
      cancelled = step.group
      (undone, state, savedState, changeSinceSave) = (
        before.undone, step.stateBefore, before.savedState, before.changeSinceSave
      )
    }
    endJointStep()
    return cancelled
  }

  mutating func endJointStep() {
    openKind = nil
    (isJoint, jointGroup, beforeJoint) = (false, nil, nil)
  }

  /// A state of the text that is being saved.
  struct SaveMark {
    fileprivate let state: Int
    fileprivate let byteCount: Int
  }

  func saveMark(byteCount: Int) -> SaveMark { SaveMark(state: state, byteCount: byteCount) }

  mutating func markSaved(_ mark: SaveMark) {
    savedState = mark.state
    changeSinceSave = mark.state == state ? Delta(identityOf: mark.byteCount) : nil
  }
}

extension UndoHistory {
  /// - Parameters:
  ///   - inverse: What takes it back, if that is known.
  ///   - base: The text before the edit.
  ///   - group: The step that the edit is to be a part of, if that is the last one still.
  mutating func record(
    _ delta: Delta, inverse: Delta? = nil, base: Rope, as kind: EditKind, inGroup group: Int? = nil,
    at time: ContinuousClock.Instant
  ) -> Effect {
    endLongStep(time)
    let group = group ?? jointGroup
    let isJoining = group != nil && group == done.last?.group
    let effect = isJoining ? Effect.joinsStep : kind.continues(openKind) ? .continuesStep : .opensStep
    add(delta, inverse: inverse, base: base, as: kind, effect)
    return effect
  }

  /// Records an edit of which it is known what it does.
  mutating func add(_ delta: Delta, inverse: Delta? = nil, base: Rope, as kind: EditKind, _ effect: Effect) {
    let inverse = inverse ?? delta.inverted(base: base)
    let stateBefore = state
    let before = (undone, savedState, changeSinceSave)
    advanceState(over: delta, base: base)
    if effect == .joinsStep { forgetUndone(behind: nil) }
    // What a journal says to open a step does so, whatever had ended the one before.
    let continues = effect != .opensStep && kind.continues(openKind)
    openByteCount = (continues ? openByteCount : 0) + max(delta.newByteCount - delta.baseByteCount, 0)
    if effect != .opensStep, let last = done.last {
      done[done.count - 1].delta = inverse.composed(with: upToDate(last))
      done[done.count - 1].loadedByteCount = loadedByteCount
      done[done.count - 1].stateAfter = state
    } else {
      if isJoint, !isOfXi { beforeJoint = before }
      forgetUndone(behind: stateBefore)
      lastGroup += 1
      done.append(
        Step(
          group: lastGroup, stateBefore: stateBefore, stateAfter: state, delta: inverse,
          loadedByteCount: loadedByteCount))
    }
    if isJoint { jointGroup = currentGroup }
    if effect != .joinsStep { openKind = kind }
    endLongStep(behind: delta)
  }

  /// An edit that changes nothing is no step, and leaves what was undone as it is.
  mutating func recordNothing(as kind: EditKind) {
    if !kind.continues(openKind) { openKind = nil }
  }

  private mutating func endLongStep(_ time: ContinuousClock.Instant) {
    if !isOfXi, let lastEdit, time - lastEdit > Self.longestPause { openKind = nil }
    lastEdit = time
  }

  private mutating func endLongStep(behind delta: Delta) {
    guard !isOfXi, openKind == .insert, openByteCount >= Self.longByteCount,
      let last = delta.edits.last?.replacement, !last.isEmpty
    else { return }
    if last[last.endOffset - 1] == 0x20 || last[last.endOffset - 1] == 0x09 { openKind = nil }
  }

  private mutating func advanceState(over delta: Delta, base: Rope) {
    guard !delta.isIdentity else { return }
    let known = state == savedState ? Delta(identityOf: base.byteCount) : changeSinceSave
    changeSinceSave = known.flatMap { Self.simpleChange($0, then: delta) }
    if changeSinceSave?.isIdentity == true, let savedState {
      state = savedState
    } else {
      state = newState()
    }
  }

  /// What was undone can no longer be made again. A saved state that only it led to is lost with it.
  /// - Parameter step: The state to which a new step leads back.
  private mutating func forgetUndone(behind step: Int?) {
    guard !undone.isEmpty else { return }
    let isLost = step != savedState && undone.contains { $0.stateAfter == savedState }
    undone = []
    guard isOfXi || isLost && state != savedState && !done.contains(where: { $0.stateBefore == savedState }) else {
      return
    }
    savedState = nil
    changeSinceSave = nil
  }

  /// The text before the last step was of that.
  mutating func noteOriginBefore(_ origin: TextOrigin) {
    if !done.isEmpty { done[done.count - 1].origin = origin }
  }

  /// The change that takes the last step back; nil when there is none.
  /// - Parameters:
  ///   - text: The text as it is.
  ///   - origin: Of the text, which may change with it.
  ///   - known: The change, when a journal has it: of a step that is too far back to be known.
  mutating func undo(_ text: Rope, _ origin: inout TextOrigin, by known: Delta? = nil) -> Delta? {
    if isOfOtherHistory(done.last, known) { done = [] }
    guard var step = done.popLast() ?? known.map({ unknownStep($0, before: newState(), after: state) }) else {
      return nil
    }
    step.exchange(&origin)
    let delta = known ?? upToDate(step)
    step.delta = delta.inverted(base: text)
    step.loadedByteCount = loadedByteCount
    undone.append(step)
    enter(step.stateBefore, by: delta)
    return delta
  }

  /// The change that makes the step again that was undone last.
  mutating func redo(_ text: Rope, _ origin: inout TextOrigin, by known: Delta? = nil) -> Delta? {
    if isOfOtherHistory(undone.last, known) { undone = [] }
    guard var step = undone.popLast() ?? known.map({ unknownStep($0, before: state, after: newState()) }) else {
      return nil
    }
    step.exchange(&origin)
    let delta = known ?? upToDate(step)
    step.delta = delta.inverted(base: text)
    step.loadedByteCount = loadedByteCount
    done.append(step)
    enter(step.stateAfter, by: delta)
    return delta
  }

  /// What was kept of an earlier run need not be what the journal's edits were made behind.
  private func isOfOtherHistory(_ step: Step?, _ known: Delta?) -> Bool {
    guard let step, step.isEarlier, let known else { return false }
    return upToDate(step) != known
  }

  private mutating func unknownStep(_ delta: Delta, before: Int, after: Int) -> Step {
    lastGroup += 1
    return Step(
      group: lastGroup, stateBefore: before, stateAfter: after, delta: delta, loadedByteCount: loadedByteCount)
  }

  private mutating func newState() -> Int {
    lastState += 1
    return lastState
  }

  /// Takes the place of a history without steps: that of a saved text, which another process had.
  mutating func restore(done: [Step], undone: [Step], state: Int, openKind: EditKind?, openByteCount: Int) {
    (self.done, self.undone, self.state) = (done, undone, state)
    (self.openKind, self.openByteCount) = (openKind, openByteCount)
    lastGroup = done.count + undone.count
    lastState = (done + undone).reduce(state) { max($0, $1.stateBefore, $1.stateAfter) }
    (savedState, changeSinceSave) = (state, nil)
  }

  /// Before all steps that there are.
  ///
  /// - Parameter text: As it is.
  func beginning(of text: Rope) -> (state: Int, byteCount: Int) {
    done.first.map { ($0.stateBefore, upToDate($0).newByteCount) } ?? (state, text.byteCount)
  }

  /// Puts the steps of an earlier run beneath these. What it had undone can be made again if nothing was done since.
  ///
  /// - Parameters:
  ///   - known: Its state, in which these began.
  ///   - beginning: That state, as it is called here.
  mutating func putBeneath(done earlier: [Step], undone later: [Step], from known: Int, at beginning: Int) {
    var states = [known: beginning]
    func state(_ known: Int) -> Int {
      if let state = states[known] { return state }
      lastState += 1
      states[known] = lastState
      return lastState
    }
    func renumbered(_ steps: [Step]) -> [Step] {
      steps.map { step in
        var step = step
        lastGroup += 1
        (step.group, step.isEarlier) = (lastGroup, true)
        (step.stateBefore, step.stateAfter) = (state(step.stateBefore), state(step.stateAfter))
        return step
      }
    }
    let isUnused = lastGroup == 0
    done = renumbered(earlier) + done
    if isUnused { undone = renumbered(later) }
  }

  /// A pause of the user's counts from here.
  mutating func continueStep(at time: ContinuousClock.Instant) { lastEdit = time }

  /// More of the file has been put behind the text: no edit, and nothing to undo.
  mutating func grow(by byteCount: Int) {
    loadedByteCount += byteCount
    changeSinceSave = changeSinceSave?.extended(by: byteCount)
  }

  func upToDate(_ step: Step) -> Delta { step.delta.extended(by: loadedByteCount - step.loadedByteCount) }

  private mutating func enter(_ state: Int, by delta: Delta) {
    openKind = nil
    self.state = state
    changeSinceSave = changeSinceSave.flatMap { Self.simpleChange($0, then: delta) }
  }

  private static func simpleChange(_ first: Delta, then second: Delta) -> Delta? {
    guard first.edits.count <= simpleEditCount, second.edits.count <= simpleEditCount else { return nil }
    return first.composed(with: second)
  }
}
