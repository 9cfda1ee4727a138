import Trestle

extension ModuleSelection {
  /// The native modules that React Native's own JavaScript asks for: `Timing`, on which its timers run, and
  /// `ExceptionsManager`, which tells the bridge's `onError` of a `ReportedException`.
  public static let reactNative = ModuleSelection.definitions([.timing, .exceptionsManager])
}
