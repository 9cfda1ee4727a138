import JSEngine

extension ExecutionLimits {
  /// What a turn may use of the processor alone: on a machine that is busy with other things nothing else is to be ended.
  public static func ofProcessor(_ time: Duration) -> ExecutionLimits {
    var limits = ExecutionLimits(time: time)
    limits.timeOnClock = patience
    return limits
  }
}
