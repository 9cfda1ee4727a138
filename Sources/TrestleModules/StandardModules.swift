import Trestle

extension ModuleSelection {
  /// `console`, timers, and what else scripts take for granted: nothing that reaches beyond the process.
  public static let standard = ModuleSelection.definitions([.console(), .timers, .web])
}
