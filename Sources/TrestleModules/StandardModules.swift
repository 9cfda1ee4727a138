import Trestle

extension ModuleSelection {
  /// `console`, timers, and what else scripts take for granted: nothing that reaches beyond the process.
  public static let standard = ModuleSelection.definitions([.console(), .timers, .web])
}

extension ModuleDefinition {
  /// `TextEncoder`, `TextDecoder` and `structuredClone`.
  public static let web = ModuleDefinition("Web", script: .web)
}
