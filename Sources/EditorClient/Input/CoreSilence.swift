/// How long the core has said nothing while something was awaited of it, in ticks of less than a second.
struct CoreSilence {
  /// After this many ticks the user is told what is awaited; after more the core is asked for a sign of life, and given up.
  static let ticksToNotice = 2
  static let ticksToQuestion = 7
  static let ticksToDespair = 14
  /// One that is at work gets a minute.
  static let ticksOfWork = 86

  private var ticks = 0
  /// Those of them in which it did nothing.
  private var idleTicks = 0
  /// It has used the processor since the last tick: what it was given takes its time.
  private(set) var isCoreAtWork = false

  mutating func tick(isCoreAtWork: Bool) {
    self.isCoreAtWork = isCoreAtWork
    ticks += 1
    if !isCoreAtWork { idleTicks += 1 }
  }

  var hasBegun: Bool { ticks > 0 }
  /// The user is told.
  var isNoticed: Bool { ticks >= Self.ticksToNotice }
  /// The core is asked for a sign of life: once.
  var isQuestionable: Bool { ticks == Self.ticksToQuestion }
  /// False when more ticks change nothing.
  var isPatient: Bool { idleTicks < Self.ticksToDespair && ticks < Self.ticksOfWork }
}
